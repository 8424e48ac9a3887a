"""Guesses: what models of half the sentences find in the other half, and what the loss makes of it."""

from dataclasses import replace

import pytest

from benchmarks.evaluation.relations.crossfit import completed, guessed, half_of
from kg.indexes.embedding import model_folder
from kg.relations.fit import opened
from kg.relations.schema import Example, Guess, Marked
from tests.relations.lights import RELATIONS, lessons

TEXT = "Brough Light was built in 1871 and was kept by Ann Cole."
ASKED = tuple(relation.key for relation in RELATIONS)


def place(part: str) -> tuple[int, int]:
    return TEXT.index(part), TEXT.index(part) + len(part)


def sparse() -> Example:
    built = Marked("k/built", (place("Brough Light"),), (place("1871"),))
    return Example(TEXT, (built,), ASKED, exhaustive=False)


def test_a_teacher_guesses_what_is_not_marked(trained):
    (found,) = guessed([sparse()], RELATIONS, opened(trained[1]))
    best = max(found.guesses, key=lambda guess: guess.chance)
    assert (best.relation, best.object) == ("k/keeper", place("Ann Cole"))
    facts = {(guess.relation, guess.subject, guess.object): guess.chance for guess in found.guesses}
    assert 0.1 < facts["k/keeper", place("Brough Light"), place("Ann Cole")] < 1
    assert not [guess for guess in found.guesses if guess.object == place("1871") and guess.relation == "k/built"]


def test_the_loss_wants_a_guess_said_as_loud_as_it_is_likely():
    import torch

    from kg.relations.training import _fact_loss, prepared

    numbers = {key: at for at, key in enumerate(ASKED)}
    guess = Guess("k/keeper", place("Brough Light"), place("Ann Cole"), 0.7)
    (plain,) = prepared([sparse()], numbers, model_folder())
    (told,) = prepared([replace(sparse(), guesses=(guess,))], numbers, model_folder())
    assert plain.guesses == ()
    assert told.guesses == ((0, (0, 1), (10, 11), 0.7),)
    assert set(told.mentions) - set(plain.mentions) == {(10, 11)}
    where = torch.tensor([[[0, 1], [5, 5], [10, 11]]])
    real = torch.ones((1, 3), dtype=torch.bool)

    def slope(item) -> float:
        scores = torch.zeros((1, 3, 3, 2), requires_grad=True)
        _fact_loss([item], scores, where, real, [0, 1]).backward()
        return float(scores.grad[0, 0, 2, 0])

    assert slope(plain) == pytest.approx(0.3 * 0.5)  # an unmarked fact is taken for false, at little weight
    assert slope(told) == pytest.approx(0.5 * (0.5 - 0.7))


def test_each_half_is_read_by_the_model_of_the_other(monkeypatch):
    taught: list[set[str]] = []

    def fit(examples, *_):
        taught.append({example.text for example in examples})
        return f"model {len(taught)}"

    def note(examples, relations, teacher):
        return [replace(e, guesses=(Guess("k/built", (0, 1), (2, 3), float(teacher[-1]) / 4),)) for e in examples]

    monkeypatch.setattr("benchmarks.evaluation.relations.crossfit.fit", fit)
    monkeypatch.setattr("benchmarks.evaluation.relations.crossfit.guessed", note)
    given = [replace(example, exhaustive=False) for example in lessons()]
    given[3] = replace(given[3], exhaustive=True)
    done = completed(given, RELATIONS, 1)
    assert [example.text for example in done] == [example.text for example in given]
    assert taught[0] | taught[1] == {example.text for example in given}
    for example in done:
        if example.exhaustive:
            assert example.guesses == ()
        else:
            teacher = int(example.guesses[0].chance * 4)
            assert example.text not in taught[teacher - 1]
            assert teacher == half_of(example) + 1

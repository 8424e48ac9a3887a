"""Examples → tokens: spans stay on the tokens that spell the answers, whatever is cut away."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kg.indexes.embedding import model_folder
from training.reader.data import Example

TEXT = "The Corran Mill was built in 1888 by Ada Wren. " + "The weather was grey and wet all year. " * 30
TAIL = TEXT + "Bruno Falk bought the mill in 1908."


@pytest.fixture(scope="module")
def batches() -> Any:
    pytest.importorskip("torch")
    from training.reader import batches

    return batches


@pytest.fixture(scope="module")
def pieces(batches: Any) -> Any:
    return batches.tokenizer(model_folder(""))


def example(text: str, *answers: str, **more: Any) -> Example:
    spans = tuple((text.index(a), text.index(a) + len(a)) for a in answers)
    return Example("made", "Who bought the mill?", text, spans, **more)


def spelt(pieces: Any, item: Any) -> list[str]:
    return [pieces.decode(item.ids[s : e + 1].tolist()) for s, e in item.spans]


def test_spans_are_the_tokens_that_spell_the_answers(batches: Any, pieces: Any) -> None:
    made = batches.items([example(TEXT[:46], "Ada Wren", "1888")], pieces, 64, random.Random(1))
    assert spelt(pieces, made[0]) == ["ada wren", "1888"]
    assert all(made[0].kinds[s] == made[0].kinds[e] == 1 for s, e in made[0].spans)


@pytest.mark.parametrize("answer", ["Bruno Falk", "Ada Wren", "1908"])
def test_a_window_of_a_long_text_keeps_the_answer(batches: Any, pieces: Any, answer: str) -> None:
    lengths = set()
    for seed in range(25):
        (item,) = batches.items([example(TAIL, answer)], pieces, 48, random.Random(seed))
        assert spelt(pieces, item) == [answer.lower()]
        assert pieces.decode(item.ids.tolist()).startswith("who bought the mill?")
        assert item.ids[-1] == pieces.token_to_id("[SEP]")
        lengths.add(len(item.ids))
    assert lengths == {48}


def test_a_long_text_without_an_answer_is_read_from_its_beginning(batches: Any, pieces: Any) -> None:
    (item,) = batches.items([example(TAIL)], pieces, 48, random.Random(1))
    assert item.spans == () and len(item.ids) == 48
    assert "corran mill was built" in pieces.decode(item.ids.tolist())


def test_answers_that_no_window_holds_are_left_out(batches: Any, pieces: Any) -> None:
    assert batches.items([example(TAIL, "Ada Wren", "Bruno Falk")], pieces, 48, random.Random(1)) == []


def test_batches_hold_every_item_once_and_no_more_tokens_than_asked_for(batches: Any, pieces: Any) -> None:
    texts = [TEXT[: 46 + 13 * n] for n in range(40)]
    order = batches.items([example(t, "Ada Wren") for t in texts], pieces, 200, random.Random(1))
    made = list(batches.batches(order, 400, random.Random(2)))
    assert sorted(id(item) for batch in made for item in batch) == sorted(id(item) for item in order)
    # The like lengths of a batch differ by a few tokens: it is filled up to its longest.
    assert all(len(batch) == 1 or sum(len(i.ids) for i in batch) <= 400 for batch in made)


def test_tensors_say_what_is_asked_of_each_item(batches: Any, pieces: Any) -> None:
    short = TEXT[:46]
    several = example(short, "Ada Wren", "1888", several=True)
    some = [example(short, "Ada Wren"), example(short), several, example(short, "1888", polar="no")]
    items = batches.items(some, pieces, 64, random.Random(1))
    given = batches.tensors(items)
    first, last = items[0].spans[0]
    assert given["start"].tolist()[:3] == [first, 0, -100]
    assert given["end"].tolist()[:3] == [last, 0, -100]
    assert given["answers"].tolist() == [1, 0, 1, 1]
    assert given["polar"].tolist() == [-100, -100, -100, 1]
    assert given["inside"].sum(1).tolist() == [sum(e - s + 1 for s, e in i.spans) for i in items]
    assert given["allowed"][0].sum().item() == int((items[0].kinds == 1).sum())  # all but the end, and the first
    assert given["allowed"][0, 0] and not given["allowed"][0, -1]


def test_polar_answers_are_numbered_as_the_network_gives_them() -> None:
    from training.reader.data import POLAR

    assert POLAR == ("yes", "no", "unsaid")

"""The units read for a question, ranked by learned weights: their shares, their order, what speaks for them."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kg.ask.candidate_features import _ranked
from kg.ask.candidates import Candidate, Read, Source, polar, sentences
from kg.ask.drafts import Draft, Value
from kg.ask.engine import Asker
from kg.ask.question_kinds import asks_to_tell
from kg.ask.retrieve import Scored
from kg.ask.unit_ranking import UnitRead, ranked, unit_features
from kg.ask.view import View
from kg.model import UnitKind
from kg.reading import Judge, Trained, Weight
from tests.ask.test_reaching import read as reading
from tests.ask.test_reaching import seen

SAID = ("Petrel carries mail.", "Gull carries cars.", "Does Gull carry cars?")


def asking(scores: dict[int, float], text: str = "What does Gull carry?") -> tuple[Any, list[tuple[int, Scored]], Any]:
    """A question whose units, all in one view, were found in the order of their scores."""
    shown = seen(*SAID)
    scored = {n: Scored(shown.passage, n, score, *[0.0] * 7) for n, score in scores.items()}
    units = tuple(sorted(scored.values(), key=lambda s: -s.score))
    found = SimpleNamespace(units=units)
    told = [(0, one) for one in scored.values()]
    return SimpleNamespace(question=SimpleNamespace(text=text), found=found), told, shown


def by(**weights: float) -> Judge:
    return Judge({name: Weight(0.0, 1.0, weight) for name, weight in weights.items()}, 0.0, 0.0)


def test_shares_are_those_of_a_softmax_and_the_greatest_comes_first() -> None:
    asked, told, shown = asking({0: 1.0, 1: 3.0, 2: 2.0})
    made = ranked(asked, told, [shown], [reading(shown)], by(score=1.0))
    assert [one.scored.number for one in made] == [1, 2, 0]
    assert sum(math.exp(one.share) for one in made) == pytest.approx(1.0)
    assert made[0].share - made[1].share == pytest.approx(1.0)


def test_equals_stay_in_the_order_read_and_nothing_read_is_nothing_ranked() -> None:
    asked, told, shown = asking({2: 1.0, 0: 1.0})
    assert [one.scored.number for one in ranked(asked, told, [shown], [reading(shown)], by())] == [2, 0]
    assert ranked(asked, [], [], [], by(score=1.0)) == ()


def test_what_speaks_for_a_unit_counts_apart_where_it_is_asked_whether_something_is_so() -> None:
    for text, crossed in (("What does Gull carry?", None), ("Does Gull carry cars?", 3.0)):
        asked, told, shown = asking({0: 1.0, 1: 3.0}, text)
        rows = list(unit_features(asked, told, [shown], [reading(shown)]))
        assert [(row["score"], row["behind"], row["first"]) for row in rows] == [(1.0, 2.0, 0.0), (3.0, 0.0, 1.0)]
        assert rows[1].get("whether*score") == crossed


def test_what_speaks_for_a_row_counts_apart() -> None:
    asked, told, shown = asking({0: 1.0, 1: 1.0})
    row = replace(told[1][1].unit, kind=UnitKind.ROW)
    passage = replace(shown.passage, units=(shown.passage.units[0], row, shown.passage.units[2]))
    told[1] = (0, replace(told[1][1], passage=passage, share=0.7))
    one, other = unit_features(asked, told, [shown], [reading(shown)])
    assert other["row*share"] == 0.7 and not any(name.startswith("row*") for name in one)


def test_where_the_reader_begins_speaks_for_a_unit() -> None:
    asked, told, shown = asking({0: 1.0, 1: 1.0})
    one, other = unit_features(asked, told, [shown], [reading(shown, "cars", "cars")])
    assert other["start"] - one["start"] == one["start_behind"] - other["start_behind"] == 3.0


def test_yes_and_no_are_proposed_on_the_likeliest_units_and_on_no_question() -> None:
    asked, told, shown = asking({0: 1.0, 1: 2.0, 2: 3.0}, "Does Gull carry cars?")
    units = {scored.key: scored for _, scored in told}
    order = ranked(asked, told, [shown], [reading(shown)], by(score=1.0))
    found = polar(Read(asked, (shown,), (reading(shown),), units, order))
    assert [(c.draft.values[0].label, c.draft.evidence[0].number) for c in found] == [
        ("Yes", 1), ("No", 1), ("Yes", 0), ("No", 0),
    ]  # fmt: skip


def test_whole_sentences_are_proposed_as_they_are() -> None:
    asked, told, shown = asking({0: 1.0, 1: 2.0, 2: 3.0})
    units = {scored.key: scored for _, scored in told}
    order = ranked(asked, told, [shown], [reading(shown)], by(score=1.0))
    found = sentences(Read(asked, (shown,), (reading(shown),), units, order))
    assert [c.draft.text for c in found] == ["Gull carries cars.", "Petrel carries mail."]
    assert {c.draft.kind for c in found} == {"sentence"}


@pytest.mark.parametrize("unlike", [{"kind": UnitKind.ROW}, {"plain": "Gull carries cars. " * 30}])
def test_no_row_and_nothing_long_is_proposed_whole(unlike: dict[str, Any]) -> None:
    asked, told, shown = asking({0: 1.0, 1: 2.0})
    other = replace(shown.passage.units[1], **unlike)
    passage = replace(shown.passage, units=(shown.passage.units[0], other, shown.passage.units[2]))
    order = tuple(UnitRead(at, replace(one, passage=passage), -one.score) for at, one in reversed(told))
    found = sentences(Read(asked, (shown,), (reading(shown),), {}, order))
    assert [c.draft.text for c in found] == ["Petrel carries mail."]


def test_a_candidate_is_as_likely_as_the_likeliest_unit_that_it_quotes() -> None:
    _, told, _ = asking({0: 1.0, 1: 2.0, 2: 3.0})
    one, two, three = (scored for _, scored in told)
    shares = {one.key: -3.0, two.key: -0.5}

    def quoting(kind: str, *evidence: Scored) -> dict[str, float]:
        return _ranked(shares, Candidate(Draft(kind, "x", (Value("x"),), evidence, 1.0), Source.SPAN))

    assert quoting("entity", one, two) == {"unit_share": -0.5, "unit_first": 1.0}
    assert quoting("boolean", one) == {"unit_share": -3.0, "unit_first": 0.0, "polar*unit_share": -3.0}
    assert quoting("entity", three) == {"unranked": 1.0}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Why was the Bryndis laid up?", True), ("How do I book a cabin?", True), ("What happens in a storm?", True),
        ("What am I to do when she is late?", True), ("Who built her?", False), ("When was she built?", False),
        ("How many cars does she take?", False), ("Is she fast?", False), ("Which ferry is the longest?", False),
        ("What colour is her hull?", False),
        ("What ships are there?", True),
    ],
)  # fmt: skip
def test_what_is_told_rather_than_named(ferry_view: View, question: str, told: bool) -> None:
    assert asks_to_tell(Asker(ferry_view).analyse(question)) is told


def test_the_packaged_weights_put_the_evidence_first(ferry_view: View) -> None:
    asker, reader = Asker(ferry_view), Trained.load().reader
    read = asker.read(asker.asking("How many cars can the Bryndis take on board?"), reader, 6)
    assert "Bryndis" in read.ranked[0].scored.plain and len(read.ranked) == len(read.told())

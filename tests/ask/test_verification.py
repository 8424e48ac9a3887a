"""What the verifier is given of a candidate."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value
from kg.ask.retrieve import Scored
from kg.ask.verification import ROOM, asserted, pair, quoted, verified, weighed
from kg.model import Passage, Unit, UnitKind

TITLES = {"mills": "Mills"}


def scored(*texts: str, headings: tuple[str, ...] = ("Orra",), context: str = "") -> tuple[Scored, ...]:
    units = tuple(Unit(kind=UnitKind.SENTENCE, start=0, end=1, plain=text, context=context) for text in texts)
    passage = Passage("mills-1", "mills", 0, 1, "x", headings, 0, units)
    return tuple(Scored(passage, number, *[0.0] * 8) for number in range(len(units)))


def candidate(*labels: str, evidence: tuple[Scored, ...]) -> Candidate:
    return Candidate(Draft("entity", "", tuple(map(Value, labels)), evidence, 1.0), Source.SPAN)


def test_a_question_with_its_answer_beside_its_unit_below_its_headings() -> None:
    made = candidate("1888", evidence=scored("The mill was built in 1888.", context="Mills of Orra:"))
    told = "Mills > Orra\nMills of Orra:\nThe mill was built in 1888."
    assert pair("When was it built?", made, TITLES) == ("When was it built? = 1888", told)


def test_headings_are_told_once_and_several_values_together() -> None:
    made = candidate("oats", "rye", evidence=scored("It grinds oats.", "And rye."))
    assert pair("What?", made, TITLES) == ("What? = oats, rye", "Mills > Orra\nIt grinds oats.\nAnd rye.")


def test_a_long_unit_is_shown_around_its_value() -> None:
    text = "word " * 300 + "Ada Wren built it. " + "word " * 300
    _, shown = pair("Who?", candidate("Ada Wren", evidence=scored(text, headings=())), {}) or ("", "")
    assert "Ada Wren built it." in shown and len(shown) == ROOM


def test_nothing_is_asked_of_what_has_no_value_or_no_quotation() -> None:
    assert pair("Who?", candidate(evidence=scored("It burnt.")), TITLES) is None
    assert pair("Who?", candidate("Ada Wren", evidence=()), TITLES) is None


@given(st.text(max_size=400), st.text(max_size=400))
def test_an_answer_follows_its_question_cut_where_it_is_long(question: str, answer: str) -> None:
    told = asserted(question, answer)
    assert told.startswith(f"{question} = ") and answer.startswith(told[len(question) + 3 :])
    assert len(told) <= len(question) + 3 + 160


@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9), st.text(max_size=900), st.text(max_size=20))))
def test_what_is_quoted_is_bounded(units: list[tuple[str, str, str, str]]) -> None:
    assert len(quoted(units)) <= 2 * (ROOM + 22)


def test_a_yes_is_weighed_against_the_no_on_its_quotation_and_all_quotations_together() -> None:
    one, two = scored("It burnt.", "It stands.")
    made = [
        Candidate(Draft("boolean", word, (Value(word),), (unit,), 1.0), Source.POLAR)
        for unit in (one, two)
        for word in ("Yes", "No")
    ]
    rows = [{"unit_share": math.log(share)} for share in (0.6, 0.6, 0.2, 0.2)]
    sure = [{"verified": x} for x in (3.0, 1.0, -1.0, 0.0)]
    found = weighed([*made, candidate("1908", evidence=(one,))], [*rows, {}], [*sure, {"verified": 9.0}])
    assert [row["polar_lead"] for row in found[:4]] == [2.0, -2.0, -1.0, 1.0]
    vote = 0.6 * math.tanh(1.0) - 0.2 * math.tanh(0.5)
    assert [row["polar_vote"] for row in found[:4]] == pytest.approx([vote, -vote, vote, -vote])
    assert found[4] == {"verified": 9.0} and found[0]["verified"] == 3.0


def test_a_yes_without_its_no_has_nothing_to_lead() -> None:
    (one,) = scored("It burnt.")
    yes = Candidate(Draft("boolean", "Yes", (Value("Yes"),), (one,), 1.0), Source.POLAR)
    assert weighed([yes, yes], [{"unit_share": -1.0}] * 2, [{"verified": 3.0}, {}]) == [
        {"unit_share": -1.0, "verified": 3.0}, {"unit_share": -1.0},
    ]  # fmt: skip


def test_what_reads_the_same_is_verified_once() -> None:
    asked: list[Any] = []

    def verify(pairs: list[Any]) -> list[float]:
        asked.extend(pairs)
        return [float(len(p[1])) for p in pairs]

    same = scored("It burnt in 1908.")
    given_ = [candidate("1908", evidence=same), candidate(evidence=same), candidate("1908", evidence=same)]
    verifier: Any = SimpleNamespace(verify=verify)
    found = verified("When?", given_, TITLES, verifier)
    told = {"verified": min(12.0, float(len(asked[0][1])))}
    assert len(asked) == 1 and found == [told, {}, told]

"""Words of degree, forms of one root, bounds, presuppositions, follow-ups: what questions are read with."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kg.ask.linking import compared, degree, in_time
from kg.ask.question import analyse, whole
from kg.ask.selections import bound
from kg.text.terms import family, term


@pytest.mark.parametrize(
    ("word", "sign", "noun"),
    [("cheaper", -1, "price"), ("heaviest", 1, "weight"), ("youngest", -1, "age"), ("hotter", 1, "temperature")],
)
def test_adjectives_name_a_property_and_an_end(word: str, sign: int, noun: str) -> None:
    found = degree(word)
    assert found is not None and found[0] == sign and term(noun) in found[1]


def test_what_does_not_compare() -> None:
    assert degree("green") is None
    assert compared(["is", "the", "boat", "green"]) is None
    assert in_time(["the", "harbour"]) is None


def test_less_expensive_is_the_little_end() -> None:
    found = compared(["which", "is", "less", "expensive"])
    assert found is not None and found[0] == -1
    assert in_time(["had", "first", "light", "last"]) == (1, frozenset())


@pytest.mark.parametrize(
    ("one", "other"), [("founded", "founder"), ("made", "maker"), ("built", "builder"), ("painted", "painter")]
)
def test_forms_of_one_root(one: str, other: str) -> None:
    assert term(other) in family(term(one)) and term(one) in family(term(other))
    assert term("sold") not in family(term("bought"))


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("Which boats cost more than $30?", Decimal(30), None, "CCY_USD"),
        ("Which boats are cheaper than $30?", None, Decimal(30), "CCY_USD"),
        ("Which crossings take under 2 hours?", None, Decimal(2), "HR"),
        ("Which boats were built before 1930?", None, "1930", None),
        ("Which boats were built in 1930?", "1930", "1930-12-31", None),
        ("Which boats were built between 1930 and 1940?", "1930", "1940-12-31", None),
    ],
)
def test_bounds(text: str, low: object, high: object, unit: str | None) -> None:
    found = bound(analyse(text))
    assert found is not None and (found.low, found.high, found.unit) == (low, high, unit)


@pytest.mark.parametrize("text", ["How many boats are there?", "Which boat is the cheapest?", "Who built the Aurelia?"])
def test_no_bound(text: str) -> None:
    assert bound(analyse(text)) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("and the Bryndis?", "Who built the Bryndis?"),
        ("What about the cost?", "What is the cost of Aurelia?"),
        ("When was it launched?", "When was Aurelia launched?"),
        ("Where was he born?", "Where was Holm Yard born?"),
        ("Who built the Corvina?", "Who built the Corvina?"),
    ],
)
def test_follow_ups_are_made_whole(question: str, expected: str) -> None:
    turn = {"question": "Who built the Aurelia?", "answer": "Holm Yard – “Builder: Holm Yard”"}
    assert whole(question, [turn], frozenset()).text == expected


def test_asking_for_the_source_asks_again() -> None:
    turn = {"question": "Who built the Aurelia?", "answer": "Holm Yard"}
    found = whole("Who said that?", [turn], frozenset())
    assert (found.text, found.source) == ("Who built the Aurelia?", True)
    assert whole("Who said that?", [], frozenset()).source is False

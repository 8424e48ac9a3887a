"""Tests for what a sentence or cell enumerates around what the reader finds."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Passage, Unit, UnitKind
from kg.reading import Reading, View, view
from kg.reading.enumerations import enumerations

NO, LITTLE, YES = -9.0, -3.0, 4.0


def seen(text: str) -> View:
    unit = Unit(UnitKind.SENTENCE, 0, len(text), text)
    return view(Passage("p", "d", 0, len(text), text, (), 0, (unit,)), "", (0,))


def reading(text: str, sure: str, unlikely: str = "") -> Reading:
    """Of whose words those of ``sure`` belong to the answer, and none of ``unlikely``; it begins and ends with them."""
    words = list(re.finditer(r"\w+", text))
    inside = np.array([YES if w[0] in sure.split() else NO if w[0] in unlikely.split() else LITTLE for w in words])
    edge = np.array([1.0 if w[0] in sure.split() else 0.0 for w in words])
    offsets = np.array([w.span() for w in words]).reshape(-1, 2)
    return Reading(edge, edge, inside, 0.0, offsets, np.arange(len(words)), 0.0, (0, 0, 0))


def items(text: str, sure: str, unlikely: str = "") -> list[list[str]]:
    shown, told = seen(text), reading(text, sure, unlikely)
    found = enumerations(shown, told, told.segments(0.5))
    return [[text[item.start : item.end].strip() for item in one] for one in found]


@pytest.mark.parametrize(
    ("text", "sure", "found"),
    [
        ("They grow oak, ash and elm.", "oak", ["oak", "ash", "elm"]),
        ("They grow oak, ash, and elm here.", "oak elm", ["oak", "ash", "elm"]),
        ("Trees: oak;ash;elm", "ash", ["oak", "ash", "elm"]),
        ("It was Ada (chair), Ben (clerk) and Cy (cook).", "Ada", ["Ada", "Ben", "Cy"]),
        ("They grow oak or ash.", "oak", ["oak", "ash"]),
    ],
)
def test_all_that_is_said_alike_is_enumerated(text: str, sure: str, found: list[str]) -> None:
    assert items(text, sure) == [found]


def test_what_the_reader_rules_out_ends_an_enumeration() -> None:
    assert items("In each town, oak, ash and elm grow.", "oak elm", "In each town grow") == [["oak", "ash", "elm"]]


def test_words_too_many_for_an_item_end_an_enumeration() -> None:
    text = "oak, ash, and on the far side of the old river Orr a mill, and Ben rows."
    assert items(text, "oak mill") == [["oak", "ash", "on the far side of the old river Orr a mill"]]


@pytest.mark.parametrize("text", ["They grow oak, mostly.", "Oak grows.", "Oak grows. Ash, elm and yew don't."])
def test_neither_one_thing_nor_two_with_a_comma_are_an_enumeration(text: str) -> None:
    assert items(text, "oak Oak") == []


def test_an_enumeration_is_found_once_and_not_over_a_dash() -> None:
    assert items("Oak and ash — elm and yew.", "Oak ash") == [["Oak", "ash"]]


@given(st.text(alphabet="ab,; ().-and", max_size=60), st.integers(0, 8))
def test_items_stand_in_order_within_their_sentence(text: str, at: int) -> None:
    words = re.findall(r"\w+", text)
    if not text.strip() or not words:
        return
    shown, told = seen(text), reading(text, words[at % len(words)])
    for found in enumerations(shown, told, told.segments(0.5)):
        places = [(item.start, item.end) for item in found]
        assert places == sorted(places)
        assert all(0 <= start <= end <= len(text) for start, end in places)
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(places))

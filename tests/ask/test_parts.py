"""Pieces of answers: durations, differences of opinion, quotations cut, drafts judged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ask.drafts import clip, explained_confidence, sentence
from kg.ask.pairs import between, events
from kg.ask.question import analyse
from kg.ask.question_kinds import defined, expected, measures
from kg.ask.word_counts import Lexicon
from kg.model import Passage, Unit, UnitKind


@pytest.mark.parametrize(
    ("first", "last", "unit", "expected"),
    [
        ("2019-03-11", "2019-07-22", "", "4 months (133 days)"),
        ("2019-03-11", "2019-07-22", "days", "133 days"),
        ("2019-03-11", "2019-03-30", "", "19 days"),
        ("2015-12", "2016-08", "months", "8 months"),
        ("2003-06", "2011-03", "", "7 years and 9 months"),
        ("2015", "2016", "", "1 year"),
        ("2015-05", "2018", "", "3 years"),
    ],
)
def test_time_between_dates(first: str, last: str, unit: str, expected: str) -> None:
    assert between(first, last, unit) == expected


def test_events_of_a_question() -> None:
    question = analyse("How many months after the launch did the Aurelia sink?")
    assert events(question) == ("the launch", "the Aurelia sink", "months")
    assert events(analyse("How long is the Aurelia?")) is None


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("How much did it cost?", "money"),
        ("How long does it take?", "duration"),
        ("How many days did it take?", "duration"),
        ("What share of cars is electric?", "percent"),
        ("How many cars are there?", ""),
    ],
)
def test_the_measure_asked_for(text: str, measure: str) -> None:
    assert expected(analyse(text)) == measure


@pytest.mark.parametrize(
    ("text", "either"),
    [
        ("How long is the mast?", {"duration", "length"}),
        ("How many days did it take?", {"duration"}),
        ("How many cars are there?", set()),
    ],
)
def test_how_long_may_ask_for_a_time_or_a_length(text: str, either: set[str]) -> None:
    assert measures(analyse(text)) == either


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Define 'slack water'.", "slack water"),
        ("What does ebb mean?", "ebb"),
        ("ebb definition", "ebb"),
        ("What is an ebb?", "ebb"),
        ("What is the captain of the ship called?", ""),
    ],
)
def test_the_term_to_define(text: str, term: str) -> None:
    assert defined(analyse(text)) == term


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="ab c.", max_size=300), st.integers(0, 300), st.integers(20, 200))
def test_a_clipped_text_keeps_to_its_room(text: str, around: int, room: int) -> None:
    assert len(clip(text, around, room)) <= room


def test_the_value_comes_first_and_is_not_said_twice() -> None:
    assert sentence("72", "Cars: 72") == "72 – “Cars: 72”"
    assert sentence("72 cars", "72 cars fit in.") == "72 cars fit in."
    assert sentence("72", "") == "72"
    assert sentence("3 Mill Lane\nOrr", "Place; 3 Mill Lane Orr") == "3 Mill Lane Orr – “Place; 3 Mill Lane Orr”"
    said = "The mill was moved in 1888 because the river had left its old bed, they say."
    assert (
        sentence("because the river had left its old bed", said) == f"because the river had left its old bed – “{said}”"
    )
    assert sentence("because the river had left its old bed, they", said) == said


def test_a_query_is_believed_by_the_words_that_it_stands_for() -> None:
    assert explained_confidence(0.5) < 0.1 < 0.9 < explained_confidence(1)


def test_words_are_rare_known_or_misspelt() -> None:
    units = tuple(
        Unit(UnitKind.SENTENCE, 0, 1, text)
        for text in ("The keeper Tove trims lamps.", "Lamps burn oil.", "Then Tove sleeps.")
    )
    lexicon = Lexicon.build([Passage("p", "d", 0, 1, "x", ("Light",), 0, units)])
    assert lexicon.rarity("lamp") < lexicon.rarity("oil") < lexicon.rarity("moon") == 1
    assert lexicon.known("light") and not lexicon.known("moon")
    assert (lexicon.misspelt("keepr"), lexicon.misspelt("moonlight"), lexicon.misspelt("oil")) == ("keeper", None, None)
    assert "tove" in lexicon.capitalised and "lamp" not in lexicon.capitalised

"""Tests for the clause of a question that asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.question import analyse
from kg.ask.question_kinds import asks_date, asks_several, defined, expected, shape_of_question
from kg.text.asking_clause import asking_clause, asks_whether, by_itself


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("When was the mill built?", "When was the mill built?"),
        ("I rowed for another club. Is mooring free?", "Is mooring free?"),
        ("May I bring a dog? He weighs 8 kg.", "May I bring a dog?"),
        ("If the lamp fails, who mends it?", "who mends it?"),
        ("My boat failed the check; do I get another chance?", "do I get another chance?"),
        ("With the red ticket can I use the night bus?", "can I use the night bus?"),
        ("When the lamp fails does somebody come at once?", "does somebody come at once?"),
        ("Silk or hemp: which is lighter?", "which is lighter?"),
        ("The mill burnt down in which year?", "in which year?"),
        ("Could you please tell me how many keys there are?", "how many keys there are?"),
        ("I'd like to know whether the mill is open.", "whether the mill is open."),
        ("Is it far from St. Petersburg?", "Is it far from St. Petersburg?"),
        ("Was 2019 busier than 2024?", "Was 2019 busier than 2024?"),
        ("My map is old. Up to which year is it good?", "Up to which year is it good?"),
        ("the mill has four stones. does it grind oats?", "does it grind oats?"),
        ("The council wants to know whether it grinds.", "whether it grinds."),
        ("Who may fish here? Where I come from, is what I'd say.", "Who may fish here?"),
        ("Height of the mill", "Height of the mill"),
        ("", ""),
    ],
)
def test_what_asks_is_found_behind_what_is_told(question: str, clause: str) -> None:
    assert asking_clause(question) == clause


@given(st.text(max_size=80))
def test_a_clause_is_a_part_of_its_question(text: str) -> None:
    assert asking_clause(text) in text


@pytest.mark.parametrize(
    ("question", "whether"),
    [
        ("I'm a member. Can I give my place away?", True),
        ("Do you know if the mill is open?", True),
        ("In May 2019, who ran the mill?", False),
        ("May 2019 visitors?", False),
        ("Can you tell me who built the mill?", False),
    ],
)
def test_yes_or_no_is_asked_for_by_the_clause(question: str, whether: bool) -> None:
    assert asks_whether(asking_clause(question)) is whether
    assert shape_of_question(question)["whether"] == whether


def test_a_condition_is_not_what_is_asked() -> None:
    assert not asks_date(analyse("When the lamp fails, who mends it?"))
    assert analyse("When the lamp fails, who mends it?").opening == "who"
    assert analyse("Is the mill open when it rains?").opening == ""
    assert asks_date(analyse("I lost my key. When does the office open?"))


def test_kinds_are_read_off_the_clause() -> None:
    assert defined(analyse("I keep reading of kadlets. What is a kadlet?")) == "kadlet"
    assert shape_of_question("My login is gone. How do I get a new one?")["reason"] == 1.0
    assert shape_of_question("What's a kadlet?")["means"] == 1.0
    assert asks_several(analyse("We have two boats. Who are the rowers?"))
    assert expected(analyse("We have two boats. How much is a third?")) == "money"
    assert shape_of_question("We have two boats. How many oars do we need?")["count"] == 1.0


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("We moor at Orr. Which berths are free at night?", "Which berths are free at night?"),
        ("At Orr, which berths are free at night?", "Which berths are free at night?"),
        ("In 2019, which berths were free at night?", "In 2019, which berths were free at night?"),
        ("Besides Orr, which harbours are free at night?", "Besides Orr, which harbours are free at night?"),
        ("I keep a boat. Who mends lamps on the quay?", "Who mends lamps on the quay?"),
        ("My lamp broke. Who mends it on the quay?", "My lamp broke. Who mends it on the quay?"),
        ("In Orr, is mooring free?", "In Orr, is mooring free?"),
        ("Who mends lamps on the quay?", "Who mends lamps on the quay?"),
    ],
)
def test_a_clause_is_read_by_itself_where_it_says_enough(question: str, read: str) -> None:
    assert by_itself(question) == read

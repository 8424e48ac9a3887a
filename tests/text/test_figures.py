"""Figures that a question supposes, held against those that a text states."""

from __future__ import annotations

import pytest

from kg.text.figures import ruled_out


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("Can I carry over 10 unused holidays into next year?", "You can carry over up to five unused days."),
        ("Can I go on leave after three years?", "After six years you may ask for one to six months off."),
        ("Are more than 50 people on the waiting list?", "There are 37 people on it, down from 51 a year ago."),
        ("Did the wing cost more than 5 million pounds?", "The wing cost £3.1 million."),
        ("May I ask one week ahead?", "Requests come at least two weeks ahead."),
        ("Is a note needed on the second day of illness?", "A note is needed from the fourth day on."),
        ("Does the lab have more than 20 seats?", "Room: Lab; Seats: 16"),
        ("Is it longer than 2 km?", "It is 800 m long."),
        ("Is it open on Mondays?", "It is open from Tuesday to Saturday, between seven and nine."),
        ("Can I come on a Sunday?", "Office: Mon–Fri, 9 to 5"),
        ("May we row on Thursday or Wednesday?", "Friday till Monday, Tuesdays in May"),
    ],
)
def test_a_figure_that_is_none_of_those_quoted_rules_a_yes_out(question: str, quoted: str) -> None:
    assert ruled_out(question, quoted)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("Can somebody aged 12 join?", "Anyone aged 12 or over who can swim 200 metres may join."),
        ("Is a note needed on the fifth day of illness?", "A note is needed from the fourth day on."),
        ("Is it longer than 500 metres?", "It is 0.8 km long."),
        ("Was it built in 1902?", "It was built in 1904."),  # dates are left to what reads them
        ("Are there 3 keepers?", "The tower has 120 steps."),
        ("Does it weigh 5 kg?", "It is 5 m high."),
        ("Is it open?", "It is open from 9 to 5."),
        ("Is it open on wednesdays?", "It is open from Tuesday to Saturday."),
        ("Is it open on Sundays?", "It is open from Tuesday to Saturday, and Sundays in May."),
        ("Is it open on Mondays?", "It is closed from Tuesday to Thursday."),
        ("Is it open on Mondays?", "On Sundays only the squad has keys."),  # no stretch: others may be so too
        ("Is it open on Mondays?", "On Tuesdays and Saturdays it is open."),
        ("Did they sit in the sun on the mon repos?", "Tuesday to Saturday"),
        ("Is it open on Sunday?", "Monday to Sunday"),
        ("Does the lab have more than 20 seats?", "Room: Lab; Floor: 2; Seats: 24"),
    ],
)
def test_figures_of_other_things_or_within_bounds_do_not(question: str, quoted: str) -> None:
    assert not ruled_out(question, quoted)

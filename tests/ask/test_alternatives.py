"""Where the two things stand that a question lets choose between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.alternatives import parted
from kg.ask.question import analyse


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which is older, the Elsa or the Aurelia?", ("the Elsa", "the Aurelia")),
        ("Elsa or Runa: which was built first?", ("Elsa", "Runa")),
        ("Elsa vs. Aurelia", ("Elsa", "Aurelia")),
        ("Was it Kell Yard, or Alder Yard that built her?", ("Kell Yard", "Alder Yard")),
        ("Was the ship that sank or the ship that burned built first?", ("the ship that sank", "the ship that burned")),
        ("Which canal is older, that of Corinth or that of Panama?", ("that of Corinth", "that of Panama")),
        ("Is silk or hemp rope lighter?", ("silk", "hemp rope")),
    ],
)
def test_the_two_things_are_found(text: str, options: tuple[str, str]) -> None:
    assert analyse(text).options == options


@pytest.mark.parametrize(
    "text",
    [
        "or the Aurelia?",
        "Which keys turn the lamp on or off?",
        "Who has rowed or sailed to the island?",
        "What kinds of damage from frost or water are excluded?",
        "Is the Elsa older, or is it the other way round?",
        "Is it red, green or blue or grey?",
        "Which boat is larger or smaller?",
    ],
)
def test_where_nothing_is_to_be_chosen_there_are_none(text: str) -> None:
    assert analyse(text).options == ()


@given(st.text(alphabet="ab AB,?.:;-or ", max_size=60))
def test_what_is_found_stands_in_the_question(text: str) -> None:
    found = parted(text)
    assert found is None or all(option and option in text for option in found.options)

"""Which end of a deed a question names."""

from __future__ import annotations

import pytest

from kg.ask.linking import turned_round
from kg.ask.question import analyse

FEEDS = ("feeds into", "sends to")


@pytest.mark.parametrize(
    ("question", "name", "forward", "turned"),
    [
        ("What feeds into the mill?", "mill", True, True),
        ("What feeds into the mill?", "mill", False, False),
        ("Which ponds feed into the mill?", "mill", True, True),
        ("What does the pond feed into?", "pond", False, True),
        ("What does the pond feed into?", "pond", True, False),
        ("What is fed into the mill?", "mill", True, False),  # the voice can't be told
        ("Which wheel sits behind the mill?", "mill", True, False),  # another preposition
        ("Where does the pond lead?", "pond", False, False),
    ],
)
def test_a_property_is_read_in_the_direction_of_its_verb(question: str, name: str, forward: bool, turned: bool) -> None:
    assert turned_round(analyse(question), question.index(name), forward, FEEDS) is turned


def test_a_property_called_by_a_noun_has_no_direction() -> None:
    question = analyse("Who owns the mill?")
    assert not turned_round(question, 9, True, ("owner",))
    assert not turned_round(question, 9, True, ())

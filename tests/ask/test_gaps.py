"""The phrase of a sentence that its question leaves open."""

from __future__ import annotations

import pytest

from kg.ask.engine import Asker
from kg.ask.gaps import gap


@pytest.mark.parametrize(
    ("question", "sentence", "phrase"),
    [
        (
            "What kind of growers does the market serve?",
            "The market was opened for hop growers by the abbey in 1420.",
            "hop",
        ),
        ("What varnish hardens in daylight?", "In daylight the amber varnish hardens within a day.", "amber varnish"),
        ("What is the western tower called?", "The western tower, called the Lantern, leans.", "Lantern"),
        ("What is another name for the eel pond?", 'The eel pond (also "the Kettle") froze.', "the Kettle"),
        ("What did the guild ban in 1611?", "In 1611 the guild banned lead pipes, whatever they cost.", "lead pipes"),
        ("What guards the pass?", "An old stone bastion guards the pass.", "old stone bastion"),
        (
            "What was the cargo of the first barge?",
            "The cargo of the first barge was salted herring.",
            "salted herring",
        ),
        ("What is the seat of the county court?", "Harrow Lodge is the seat of the county court.", "Harrow Lodge"),
        (
            "Why was the kiln moved?",
            "The kiln was moved because smoke reached the orchard; nobody objected.",
            "smoke reached the orchard",
        ),
    ],
)
def test_what_a_question_leaves_open(asker: Asker, question: str, sentence: str, phrase: str) -> None:
    found = gap(asker.asking(question), sentence)
    assert found is not None and found.text == phrase == sentence[found.start : found.end]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How was the kiln moved?", "The kiln was moved because smoke reached the orchard."),
        ("Why was the kiln moved?", "The kiln was moved to the lower yard."),
        ("What type of fine do smugglers pay?", "Some smugglers have to accept fines."),
        ("What guards the pass?", "It guards the pass."),
        ("What did the guild ban?", "The guild banned, and later allowed, pipes."),
        ("What is the seat of the county court?", "The seat of the county court burnt down."),
    ],
)
def test_a_sentence_that_leaves_nothing_to_name_is_quoted_whole(asker: Asker, question: str, sentence: str) -> None:
    assert gap(asker.asking(question), sentence) is None

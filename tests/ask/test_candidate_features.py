"""What an answer says that the question doesn't."""

from __future__ import annotations

import math

import pytest

from kg.ask.candidate_features import _new, _stems
from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value


@pytest.mark.parametrize(
    ("label", "share", "none", "count"),
    [
        ("A sister, the Petrel, was planned and never ordered", 0.4, 0.0, 2),
        ("the Petrel was not ordered", 0.0, 1.0, 0),
        ("The yard was full", 1.0, 0.0, 2),
        ("", 0.0, 0.0, 0),
    ],
)
def test_words_beyond_the_questions(label: str, share: float, none: float, count: int) -> None:
    own = _stems("Why was the Petrel never ordered?")
    candidate = Candidate(Draft("entity", label, (Value(label),), (), 1.0), Source.SPAN)
    found = _new(own, candidate, {"reason": 1.0})
    assert found["novel"] == share
    assert (found["novel_none"], found["novel*reason"]) == (none, found["novel"])
    assert found["novel_count*reason"] == math.log1p(count)
    assert _new(own, candidate, {"reason": 0.0})["novel_count*reason"] == 0.0

"""What an answer says that the question doesn't."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from kg.ask.candidate_features import _denied, _new, _off_row, _stems
from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value
from kg.ask.retrieve import Scored
from kg.model import Passage, Unit, UnitKind


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


def test_what_is_read_off_one_row_counts_apart_where_an_extreme_or_a_count_is_asked() -> None:
    row, told = (Unit(kind, 0, 1, "Boat: Elsa; Berths: 40") for kind in (UnitKind.ROW, UnitKind.SENTENCE))
    passage = Passage("p", "d", 0, 2, "  ", (), 0, (row, told))

    def off(number: int, source: Source) -> dict[str, float]:
        evidence = (Scored(passage, number, *[0.0] * 8),)
        one = Candidate(Draft("entity", "Elsa", (Value("Elsa"),), evidence, 1.0), source)
        return _off_row(one, {"most": 1.0, "count": 0.0})

    assert off(0, Source.SPAN) == {"off_row": 1.0, "off_row*most": 1.0, "off_row*count": 0.0}
    assert off(1, Source.SPAN) == off(0, Source.COMPUTED) == {}


def test_whether_a_reply_denies_is_seen_in_the_reply_and_not_in_its_question() -> None:
    said = ("Q: Is the lamp waterproof?", "A: No.")
    units = tuple(Unit(UnitKind.SENTENCE, n, n + 1, text) for n, text in enumerate(said))
    passage = Passage("p", "d", 0, 2, "  ", (), 0, units)
    told = tuple(Scored(passage, n, *[0.0] * 8) for n in range(2))
    read = SimpleNamespace(asking=SimpleNamespace(question=SimpleNamespace(text="Is the lamp waterproof?")))
    for word, sign in (("No", 1.0), ("Yes", -1.0)):
        candidate = Candidate(Draft("boolean", word, (Value(word),), told, 1.0), Source.POLAR)
        assert _denied(read, candidate)["denied"] == sign  # type: ignore[arg-type]

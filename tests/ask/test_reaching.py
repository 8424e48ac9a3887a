"""What reaches over several stretches of one sentence is a candidate of its own."""

from __future__ import annotations

import re

import numpy as np

from kg.ask.candidates import reaching
from kg.model import Passage, Unit, UnitKind
from kg.reading import Reading, Span, View, view


def seen(*sentences: str) -> View:
    units, at = [], 0
    for text in sentences:
        units.append(Unit(UnitKind.SENTENCE, at, at + len(text), text))
        at += len(text) + 1
    return view(Passage("p", "d", 0, at, " ".join(sentences), (), 0, tuple(units)), "", range(len(units)))


def read(shown: View, *likely: str) -> Reading:
    """A reading whose words belong to the answer where they are among ``likely``."""
    words = list(re.finditer(r"[\w]+", shown.text))
    inside = np.array([4.0 if word[0] in likely else -4.0 for word in words])
    size, offsets = len(words), np.array([word.span() for word in words])
    return Reading(np.arange(float(size)), np.zeros(size), inside, 1.0, offsets, np.arange(size), 0.0, (0, 0, 0))


def test_stretches_of_one_sentence_give_all_between_them() -> None:
    shown = seen("Keepers will be recruited and trained.", "They row.")
    spans = list(reaching(shown, read(shown, "Keepers", "recruited", "trained", "row")))
    assert {shown.text[s.start : s.end] for s in spans} == {"Keepers will be recruited and trained"}
    assert spans[0] == Span(0, 37, -1.0)


def test_one_stretch_a_sentence_gives_nothing_more() -> None:
    shown = seen("Keepers row.", "They swim.")
    assert list(reaching(shown, read(shown, "Keepers", "They"))) == []

"""Candidates that reach over several stretches of one sentence, and headings that are what is asked for."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np

from kg.ask.candidates import Read, headings, reaching
from kg.ask.retrieve import Scored
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


def found(question: str, path: tuple[str, ...], title: str = "") -> list[str]:
    text = "It gives an embassy with all players."
    passage = Passage("p", "d", 0, len(text), text, path, 0, (Unit(UnitKind.SENTENCE, 0, len(text), text),))
    shown = view(passage, title, (0,))
    (scored,) = [Scored(passage, 0, *[0.0] * 8)]
    asking = SimpleNamespace(question=SimpleNamespace(text=question))
    told = Read(asking, (shown,), (read(shown),), {scored.key: scored})  # type: ignore[arg-type]
    return [candidate.draft.text for candidate in headings(told)]


def test_what_a_passage_stands_below_may_be_what_is_asked_for() -> None:
    shown = "Marco Polo's Embassy – “It gives an embassy with all players.”"
    assert found("Which wonder lets me meet everybody?", ("Marco Polo's Embassy",), "Wonders") == [shown]


def test_a_heading_answers_neither_how_many_nor_what_names_it() -> None:
    assert found("How many wonders are there?", ("Marco Polo's Embassy",)) == []
    assert found("What does Marco Polo's Embassy give?", ("Marco Polo's Embassy",)) == []

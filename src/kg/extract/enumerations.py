"""Running text that lists things, taken apart: "A, B and C", names with "and" in them held together."""

from __future__ import annotations

import re

from kg.extract.source import Source
from kg.ontology.terms import compiled
from kg.text.entities import holds_together
from kg.text.stretch import Stretch

LIST = re.compile(r"\s*;\s+|\s*,\s+(?:and\s+|or\s+|plus\s+|as well as\s+)?|\s+(?:and|plus|&)\s+|\s+\+\s+")
_ITEM = re.compile(r"(?:and|plus|as well as|or|\+)\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:(?:the|many|several|some|a few|\d+)\s+)?(?:others?|more)|et al\.?|etc\.?|so on", re.IGNORECASE
)


def enumerated(source: Source, stretch: Stretch) -> tuple[list[Stretch], list[Stretch]]:
    """All items that a stretch lists, and those that name something ("and others" doesn't)."""
    listed = [_without_joiner(p) for p in _held(source, list(stretch.split(LIST)))]
    return listed, [p for p in listed if not _OTHERS.fullmatch(p.text)] or listed


def _without_joiner(piece: Stretch) -> Stretch:
    joiner = _ITEM.match(piece.text)
    return piece.part(joiner.end()).strip() if joiner else piece


def _held(source: Source, pieces: list[Stretch]) -> list[Stretch]:
    """The pieces with those taken together that are one name ("Brandt and Sons")."""
    patterns = [compiled(p) for cls in source.ontology.classes.values() for p in cls.name_patterns]
    held: list[Stretch] = []
    for piece in pieces:
        before = held[-1] if held else None
        joiner = piece.inline.text[before.end : piece.start] if before else ""
        if before and holds_together(before.text, joiner, piece.text, patterns):
            held[-1] = Stretch(piece.inline, before.start, piece.end)
        else:
            held.append(piece)
    return held

"""Sentences of a stretch of text."""

from __future__ import annotations

from collections.abc import Iterator

from kg.mentions.stretch import Stretch
from kg.sentence_spans import spans


def sentences(stretch: Stretch) -> Iterator[Stretch]:
    """Sentences in order, trimmed."""
    for start, end in spans(stretch.text):
        yield stretch.part(start, end)

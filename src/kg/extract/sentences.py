"""Sentences of a stretch of text."""

from __future__ import annotations

from collections.abc import Iterator

from kg.text.sentence_spans import spans
from kg.text.stretch import Stretch


def sentences(stretch: Stretch) -> Iterator[Stretch]:
    """Sentences in order, trimmed."""
    for start, end in spans(stretch.text):
        yield stretch.part(start, end)

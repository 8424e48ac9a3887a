"""Sentences of a block's text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.stretch import Stretch, nested

_END = re.compile(r"(?<=[.!?…])[\"”’')\]*]*\s+(?=[\"“‘'(\[*]*[A-Z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|e\.g|i\.e|al|cf|approx|ca|Fig|Eq|Inc|Ltd|Co|Jr|Sr|U\.S|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct|Nov|Dec)|\b[A-Z])\.$"
)


def sentences(stretch: Stretch) -> Iterator[Stretch]:
    """Sentences in order; one that ends within brackets or after an abbreviation goes on."""
    text, at = stretch.text, 0
    for found in _END.finditer(text):
        if nested(text[at:], found.start() - at) or _NO_END.search(text[at : found.start()].rstrip("\"”’')")):
            continue
        if piece := stretch.part(at, found.start()).strip():
            yield piece
        at = found.end()
    if piece := stretch.part(at).strip():
        yield piece

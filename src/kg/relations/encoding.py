"""Sentences as the network sees them: word pieces, the pieces where words begin and end, candidate spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kg.relations.schema import Span, Words
from kg.syntax.pieces import Ints, cut_off

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MOST_PIECES = 128  # of a sentence, with the two special ones; what comes after them is not read
WIDEST = 12  # words of a candidate


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence. ``ids``: word pieces, shape (T,); ``first``, ``last``: pieces of each word, shape (W,)."""

    words: Words
    ids: Ints
    first: Ints
    last: Ints

    @property
    def size(self) -> int:
        """Words that were read."""
        return len(self.first)

    def span(self, start: int, end: int) -> Span:
        """Code points of words ``start`` to ``end`` (inclusive)."""
        return self.words.spans[start][0], self.words.spans[end][1]


def encode(text: str, pieces: Tokenizer) -> Encoded:
    """A text cut at :data:`MOST_PIECES`; words that the tokeniser has nothing for keep a neighbour's piece."""
    words = Words.of(text)
    encoding = pieces.encode(text.encode("utf-8", "replace").decode())
    ids = cut_off(encoding.ids, MOST_PIECES)
    places = [(at, *offsets) for at, offsets in enumerate(encoding.offsets[: len(ids) - 1]) if at and offsets[1]]
    first, last, kept, here = [], [], 0, 0
    for start, end in words.spans:
        while here < len(places) and places[here][2] <= start:
            here += 1
        if here >= len(places):
            break
        there = here
        while there + 1 < len(places) and places[there + 1][1] < end:
            there += 1
        first.append(places[here][0])
        last.append(places[there][0])
        kept += 1
    cut = Words(text, words.spans[:kept])
    return Encoded(cut, np.array(ids, np.int64), np.array(first, np.int64), np.array(last, np.int64))


def enumerate_spans(encoded: Encoded) -> Ints:
    """All stretches of at most :data:`WIDEST` words that begin and end with a word, shape (S, 2), inclusive."""
    marks = [_is_mark(encoded.words.text[slice(*span)]) for span in encoded.words.spans]
    ends = [_is_mark(encoded.words.text[slice(*span)], closing=True) for span in encoded.words.spans]
    found = [
        (start, end)
        for start in range(encoded.size)
        if not marks[start]
        for end in range(start, min(start + WIDEST, encoded.size))
        if not ends[end]
    ]
    return np.array(found or [(0, 0)], np.int64).reshape(-1, 2)


def _is_mark(word: str, closing: bool = False) -> bool:
    """Whether a word can't begin (or end) a name."""
    if word.casefold() in ("'s", "’s"):
        return True
    return not (word[0].isalnum() or (closing and word in "!?.)]+"))


def places(spans: Iterable[Span], encoded: Encoded) -> list[tuple[int, int]]:
    """Word places of spans that the network can see; others are left out."""
    covered = (encoded.words.cover(span) for span in spans)
    return sorted({found for found in covered if found and found[1] - found[0] < WIDEST})

"""What the extractor is asked for and learns from, and sentences as the network sees them.

Relations, sentences with marked facts, found facts; word pieces, the pieces where words begin and end, candidate spans.
Offsets are code points of the sentence, ends exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kg.syntax.parser import Ints, cut_off

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Span = tuple[int, int]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{3,})?|['’]s\b|[^\w\s]|_")


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    """A relation by its words. ``key`` tells it from others of its schema; it is never shown to the model."""

    key: str
    label: str
    definition: str = ""
    domain: str = ""
    range: str = ""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """What of it is embedded: label, label with definition, type of subjects, type of objects."""
        said = f"{self.label}: {self.definition}" if self.definition else self.label
        return self.label, said, self.domain or "thing", self.range or "thing"


@dataclass(frozen=True, slots=True)
class Marked:
    """A fact in a sentence: any of the subject's spans with any of the object's states it."""

    relation: str
    subjects: tuple[Span, ...]
    objects: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A fact that a sentence may state without its being marked, and how likely that is (0 to 1)."""

    relation: str
    subject: Span
    object: Span
    chance: float


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, the facts marked in it, and the relations that it was read for (keys; others are unknown).

    ``mentions`` are further spans that name something; ``exhaustive``: all facts of these relations are marked, or
    else ``guesses`` may tell more of them.
    """

    text: str
    facts: tuple[Marked, ...]
    asked: tuple[str, ...]
    mentions: tuple[Span, ...] = ()
    exhaustive: bool = True
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Words and marks of punctuation of a text with their offsets."""

    text: str
    spans: tuple[Span, ...] = field(default=())

    @classmethod
    def of(cls, text: str, most: int = 400) -> Words:
        """The first ``most`` words of a text."""
        return cls(text, tuple(m.span() for m in _WORD.finditer(text))[:most])

    def cover(self, span: Span) -> tuple[int, int] | None:
        """First and last word (inclusive) that a stretch touches, or None."""
        touched = [i for i, (start, end) in enumerate(self.spans) if start < span[1] and span[0] < end]
        return (touched[0], touched[-1]) if touched else None


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate fact: where subject and object stand, and the model's log-odds for it."""

    relation: str
    subject: Span
    object: Span
    score: float


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


def encode(text: str, pieces: Tokenizer, most: int = MOST_PIECES) -> Encoded:
    """A text cut at ``most`` pieces; words that the tokeniser has nothing for keep a neighbour's piece."""
    words = Words.of(text)
    encoding = pieces.encode(text.encode("utf-8", "replace").decode())
    ids = cut_off(encoding.ids, most)
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


def relation_texts(
    relations: Sequence[Relation], embed: Callable[[Sequence[str]], npt.NDArray[np.float32]]
) -> npt.NDArray[np.float32]:
    """Frozen embeddings of what relations are called and said to be, shape (R, 4·hidden), scaled to unit variance."""
    texts = sorted({text for relation in relations for text in relation.texts})
    vectors = embed(texts)
    rows = dict(zip(texts, vectors, strict=True))
    table = np.stack([np.concatenate([rows[text] for text in relation.texts]) for relation in relations])
    return np.asarray(table * np.float32(table.shape[1] / 4) ** 0.5, dtype=np.float32)

"""A question as the parser sees it: its words, the numbers and dates that it names, and how it begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from kg.algebra.cells import Day, day_of
from kg.indexes.lexical import STOP_WORDS
from kg.text import dates, numbers
from kg.text.tokens import stem, tokens

# What is asked with and for, beside the words that mean little anywhere.
_ASKING = frozenset(["many", "much", "list", "name", "tell", "give", "total", "number"])


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question. ``plain``: it says little by itself."""

    text: str
    stem: str
    start: int
    end: int
    plain: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A number or date at words ``[first, last)``."""

    first: int
    last: int
    value: Decimal | Day

    @property
    def mask(self) -> int:
        """Its words as bits."""
        return span_mask(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Question:
    """A question's words with the numbers and dates in it."""

    text: str
    words: tuple[Word, ...]
    named: tuple[Named, ...]
    content: int

    @property
    def stems(self) -> tuple[str, ...]:
        """The words' stems."""
        return tuple(w.stem for w in self.words)


def span_mask(first: int, last: int) -> int:
    """Words ``[first, last)`` as bits."""
    return (1 << last) - (1 << first)


@lru_cache(maxsize=256)
def question(text: str) -> Question:
    """A question's reading."""
    found = []
    for token in tokens(text):
        if token.text in ("", ",", "'s", "’s"):
            continue
        plain = token.text in STOP_WORDS or token.text in _ASKING
        found.append(Word(token.text, stem(token.text), token.start, token.end, plain))
    words = tuple(found)
    content = sum(1 << n for n, w in enumerate(words) if not w.plain)
    return Question(text, words, tuple(_named(text, words)), content)


def _named(text: str, words: tuple[Word, ...]) -> Iterator[Named]:
    taken = 0
    for one in dates.find(text):
        day = day_of(one.value)
        inside = [n for n, w in enumerate(words) if one.start <= w.start and w.end <= one.end]
        if day is not None and inside:
            # What precedes a date ("before 1990") bounds it; the parser reads that word itself.
            day = _undirected(text[one.start : one.end]) or day
            yield Named(inside[0], inside[-1] + 1, day)
    for n, word in enumerate(words):
        if taken >> n & 1:
            continue
        number = numbers.digits(text, word.start) if word.text[0].isdigit() else numbers.written(text, word.start)
        if number is None:
            continue
        last = next((m for m, w in enumerate(words) if w.start >= number.end), len(words))
        scaled = numbers.scale(text, number.end)
        if scaled is not None:
            last = next((m for m, w in enumerate(words) if w.start >= scaled[1]), len(words))
        taken |= span_mask(n, last)
        yield Named(n, last, number.value * (scaled[0] if scaled else 1))
        if last == n + 1 and len(word.text) == 4 and word.text.isdigit():
            day = day_of(dates.parse(word.text))
            if day is not None:
                yield Named(n, last, day)


def _undirected(stated: str) -> Day | None:
    """The date without the words before it."""
    for n, character in enumerate(stated):
        if character.isdigit() or (character.isupper() and n):
            return day_of(dates.parse(stated[n:]))
    return None

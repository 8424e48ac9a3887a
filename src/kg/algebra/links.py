"""Which words of a question name a column, a cell or a bound of a table: everything that forms are composed from."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache, cached_property, lru_cache

import numpy as np

from kg.algebra.evaluate import Evaluator
from kg.algebra.forms import Test, Where
from kg.algebra.source import Cell, Day, Table, Type, day_of, read
from kg.errors import ModelUnavailable
from kg.indexes.embedding import OnnxEncoder, Vector
from kg.indexes.lexical import STOP_WORDS
from kg.text import dates, numbers, units
from kg.text.question_words import NEGATIONS, SECOND
from kg.text.tokens import stem, tokens, words

# --- A question as the parser sees it: its words, the numbers and dates that it names, and how it begins

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
    """A number or date at words ``[first, last)``; ``unit``: of a number the unit right behind it, if there is one."""

    first: int
    last: int
    value: Decimal | Day
    unit: str = ""

    @property
    def mask(self) -> int:
        """Its words as bits."""
        return span_mask(self.first, self.last)

    def within(self, unit: str) -> Decimal | Day:
        """What it is held against values in a unit as: in theirs, where it is in another that converts into that."""
        if not self.unit or not unit or isinstance(self.value, Day):
            return self.value
        return units.convert(self.value, self.unit, unit) if units.convertible(self.unit, unit) else self.value


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

    @property
    def places(self) -> Iterator[tuple[int, int]]:
        """Words that say which in order, from the second on: the word's number, which one it says."""
        return ((n, SECOND[w.text]) for n, w in enumerate(self.words) if w.text in SECOND)


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
        if word.text in ("a", "an") and n and words[n - 1].text == "than" and (unit := _unit(text, word.end)):
            yield Named(n, n + 1, Decimal(1), unit)
        number = numbers.digits(text, word.start) if word.text[0].isdigit() else numbers.written(text, word.start)
        if number is None:
            continue
        last = next((m for m, w in enumerate(words) if w.start >= number.end), len(words))
        scaled = numbers.scale(text, number.end)
        if scaled is not None:
            last = next((m for m, w in enumerate(words) if w.start >= scaled[1]), len(words))
        taken |= span_mask(n, last)
        yield Named(
            n, last, number.value * (scaled[0] if scaled else 1), _unit(text, scaled[1] if scaled else number.end)
        )
        if last == n + 1 and len(word.text) == 4 and word.text.isdigit():
            day = day_of(dates.parse(word.text))
            if day is not None:
                yield Named(n, last, day)


def _unit(text: str, end: int) -> str:
    """The unit that follows a number."""
    found = units.match_unit(text, end + len(text[end:]) - len(text[end:].lstrip(" -")))
    return found[0] if found else ""


def _undirected(stated: str) -> Day | None:
    """The date without the words before it."""
    for n, character in enumerate(stated):
        if character.isdigit() or (character.isupper() and n):
            return day_of(dates.parse(stated[n:]))
    return None


# --- How near a question's words are in meaning to the heads of a table's columns, where they aren't the same words

_KEPT = 20_000  # vectors of heads
_LONGEST = 60  # characters of a head


class Likeness:
    """Cosines of words and heads; vectors of heads are kept."""

    def __init__(self, encoder: OnnxEncoder) -> None:
        self._encoder = encoder
        self._heads: OrderedDict[str, Vector] = OrderedDict()

    @classmethod
    @cache
    def packaged(cls) -> Likeness | None:
        """With the packaged model; None where it isn't installed."""
        try:
            return cls(OnnxEncoder(workers=1))
        except ModelUnavailable:
            return None

    def of(self, question: Question, table: Table) -> tuple[float, ...]:
        """For each column the cosine with the nearest word of the question, 0 at least."""
        words = [w for w in question.words if not w.plain]
        heads = np.stack([self._head(column.head) for column in table.columns])
        if not words:
            return (0.0,) * len(heads)
        vectors = self._encoder.encode_parts(question.text, [((w.start, w.end),) for w in words])[1]
        return tuple(round(float(x), 4) for x in np.maximum(0.0, heads @ vectors.T).max(axis=1))

    def _head(self, head: str) -> Vector:
        text = head.replace("/", " ").replace("_", " ").strip().casefold()[:_LONGEST] or "column"
        found = self._heads.get(text)
        if found is None:
            found = self._heads[text] = np.asarray(self._encoder.encode([text])[0])
            if len(self._heads) > _KEPT:
                self._heads.popitem(last=False)
        return found


_TESTS: tuple[Test, ...] = ("=", ">", ">=", "<", "<=")
_MOST_VALUES, _MOST_BOUNDS = 14, 24
_FLAG_NAMED = 0.6  # share of a head's words by which a column of yes and no is asked for
_FLAGGED = 0.7  # share of its cells that say yes or no
_DENIED = 3  # words before it among which "no" and the like deny it
_AFFIX = 5  # letters that words of one family share at least: "Australian", "Australia"


class Kind(StrEnum):
    """How a value was found."""

    EXACT = "exact"
    PART = "part"
    NUMBER = "number"
    DATE = "date"
    BOUND = "bound"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Link:
    """Words ``[first, last)`` of a question as a filter on a column. ``loose``: not all in the same form."""

    first: int
    last: int
    kind: Kind
    where: Where
    rows: int
    loose: bool = False

    @property
    def mask(self) -> int:
        """Its words as bits."""
        return span_mask(self.first, self.last)


@dataclass(frozen=True, slots=True)
class HeadLink:
    """How a column's head is named in a question: words as bits, the share of the head's words, where it begins."""

    words: int
    share: float
    first: int


class Linked:
    """A table prepared for questions: its words looked up, its columns' cells by their values."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.evaluator = Evaluator(table)

    @cached_property
    def cells(self) -> dict[str, list[tuple[int, str, tuple[str, ...]]]]:
        """Column, key and stems of every different cell, by its first word's stem."""
        found: dict[str, list[tuple[int, str, tuple[str, ...]]]] = defaultdict(list)
        for column in range(len(self.table.columns)):
            for key in self.evaluator.groups(column):
                stems = tuple(stem(w) for w in key.split())
                if stems and len(stems) <= 12:
                    found[stems[0]].append((column, key, stems))
        return found

    @cached_property
    def postings(self) -> list[dict[str, int]]:
        """For each column the rows whose cells have a word, by its stem."""
        found: list[dict[str, int]] = []
        for column in range(len(self.table.columns)):
            own: dict[str, int] = defaultdict(int)
            for key, rows in self.evaluator.groups(column).items():
                for word in set(key.split()):
                    own[stem(word)] |= rows
            found.append(own)
        return found

    @cached_property
    def heads(self) -> tuple[tuple[str, ...], ...]:
        """The stems of each column's head, without words that say little where others are left."""
        found = []
        for column in self.table.columns:
            own = words(units.unit_in_head(column.head)[1]) or column.words  # "Height (m)" is asked for as height
            kept = [w for w in own if w not in STOP_WORDS] or list(own)
            found.append(tuple(stem(w) for w in kept))
        return tuple(found)

    # --- columns -------------------------------------------------------------------------------

    def head_links(self, asked: Question) -> tuple[HeadLink, ...]:
        """How each column's head is named, in order of the columns."""
        places: dict[str, int] = {}
        for n, s in enumerate(asked.stems):
            places.setdefault(s, n)
        return tuple(_head(stems, places) for stems in self.heads)

    # --- values --------------------------------------------------------------------------------

    def links(self, asked: Question) -> list[Link]:
        """Filters that words of a question name, longest first."""
        exact = list(self._exact(asked))
        partly = [p for p in self._parts(asked) if not any(_within(p, e) for e in exact)]
        partly += self._flagged(asked)
        values = sorted(exact + partly, key=lambda k: (k.first - k.last, k.kind is not Kind.EXACT, k.loose, k.first))
        named = list(self._named(asked))
        return values[:_MOST_VALUES] + named[:_MOST_BOUNDS]

    def _exact(self, asked: Question) -> Iterator[Link]:
        """Cells all of whose words stand in the question in a row."""
        stems = asked.stems
        for n, first in enumerate(stems):
            for column, key, own in self.cells.get(first, ()):
                last = n + len(own)
                if stems[n:last] != own or (len(own) == 1 and asked.words[n].text in STOP_WORDS):
                    continue
                rows = self.evaluator.groups(column)[key]
                texts = tuple(w.text for w in asked.words[n:last])
                yield Link(
                    n, last, Kind.EXACT, Where(column, "=", self._like(column, rows)), rows, " ".join(texts) != key
                )

    def _like(self, column: int, rows: int) -> Cell:
        return self.table.cell((rows & -rows).bit_length() - 1, column)

    def _parts(self, asked: Question) -> Iterator[Link]:
        """Words of the question that stand in longer cells of a column: the longest runs of them."""
        for column, posting in enumerate(self.postings):
            if self.table.columns[column].type is Type.NUMBER:
                continue
            at = 0
            while at < len(asked.words):
                found = self._run(asked, column, at, posting)
                if found is None:
                    at += 1
                    continue
                yield found
                at = found.last

    def _run(self, asked: Question, column: int, at: int, posting: dict[str, int]) -> Link | None:
        """The longest run of words from a place on that a cell of the column holds."""
        word = asked.words[at]
        if word.plain:
            return None
        rows, loose = posting.get(word.stem, 0), False
        first: tuple[str, ...] = (word.stem,)
        if not rows and len(word.stem) >= _AFFIX and word.text.isalpha():
            related = [s for s in posting if len(s) >= _AFFIX and s[:_AFFIX] == word.stem[:_AFFIX]]
            first, loose = tuple(related), True
            rows = 0
            for one in related:
                rows |= posting[one]
        if not rows:
            return None
        best: tuple[int, dict[tuple[str, ...], int]] | None = None
        for last in range(at + 1, min(len(asked.words), at + 8) + 1):
            held = self._holding(column, rows, first, asked.stems[at + 1 : last])
            if not held:
                break
            if not asked.words[last - 1].plain:
                best = last, held
        if best is None:
            return None
        last, held = best
        own = max(held, key=lambda words: (held[words].bit_count(), words))
        texts = tuple(w.text for w in asked.words[at:last])
        where = Where(column, "contains", read(" ".join(own)))
        return Link(at, last, Kind.PART, where, held[own], loose or own != texts)

    def _holding(self, column: int, rows: int, first: Sequence[str], rest: Sequence[str]) -> dict[tuple[str, ...], int]:
        """What rows' cells say where they hold such a run of stems, with those rows."""
        found: dict[tuple[str, ...], int] = defaultdict(int)
        length = 1 + len(rest)
        for key, group in self.evaluator.groups(column).items():
            if not group & rows:
                continue
            words = key.split()
            stems = [stem(w) for w in words]
            for n in range(len(words) - length + 1):
                if stems[n] in first and tuple(stems[n + 1 : n + length]) == tuple(rest):
                    found[tuple(words[n : n + length])] |= group
                    break
        return found

    def _flagged(self, asked: Question) -> Iterator[Link]:
        """Columns of yes and no whose heads the question names, as filters: "which rooms have (no) shower"."""
        for column, head in enumerate(self.head_links(asked)):
            if head.share < _FLAG_NAMED:
                continue
            cells = [row[column] for row in self.table.rows if not row[column].blank]
            if sum(c.flag is not None for c in cells) < _FLAGGED * len(cells):
                continue
            named = [n for n in range(head.words.bit_length()) if head.words >> n & 1]
            before = {w.text for w in asked.words[max(0, named[0] - _DENIED) : named[0]]}
            wanted = before.isdisjoint(NEGATIONS)
            told = next((c for c in cells if c.flag is wanted), None)
            if told is not None:
                where = Where(column, "contains", read(told.words[0])) if told.words else Where(column, "=", told)
                yield Link(named[0], named[-1] + 1, Kind.FLAG, where, self.evaluator.rows(where))

    def _named(self, asked: Question) -> Iterator[Link]:
        """Numbers and dates as equal to cells, or as bounds of them."""
        for named in asked.named:
            dated = isinstance(named.value, Day)
            for column, about in enumerate(self.table.columns):
                if about.type not in ((Type.DATE,) if dated else (Type.NUMBER, Type.SCORE)):
                    continue
                for test in _TESTS:
                    where = Where(column, test, named.within(about.unit))
                    rows = self.evaluator.rows(where)
                    if rows and (test == "=" or rows != self.evaluator.every or self.table.size < 3):
                        kind = Kind.BOUND if test != "=" else Kind.DATE if dated else Kind.NUMBER
                        yield Link(named.first, named.last, kind, where, rows)


def _head(stems: Sequence[str], places: dict[str, int]) -> HeadLink:
    named = [places[s] for s in stems if s in places]
    return HeadLink(sum(1 << n for n in {*named}), len(named) / max(1, len(stems)), min(named, default=-1))


def _within(one: Link, other: Link) -> bool:
    """Whether a run of words is part of a longer or equal one that is a whole cell of the same column."""
    same = one.where.column == other.where.column
    return same and other.first <= one.first and one.last <= other.last


def small(value: object) -> int | None:
    """A whole number from 1 to 20, as rows are counted by; None for any other value."""
    if isinstance(value, Decimal) and value == int(value) and 1 <= value <= 20:
        return int(value)
    return None

"""Every unit of quotation: the words in and around it, its vector, and which units the indexes find near a text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kg.indexes.texts import unit_id
from kg.model import Passage, UnitKind
from kg.text.terms import bag

if TYPE_CHECKING:
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Forms = Sequence[tuple[str, float]]
_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Places:
    """How well one word is found at each unit, 0 to 1; each of shape (units,)."""

    own: Floats
    context: Floats
    before: Floats
    passage: Floats

    def at(self, rows: Ints) -> Places:
        """At some units only."""
        return Places(self.own[rows], self.context[rows], self.before[rows], self.passage[rows])


@dataclass(frozen=True, eq=False)
class UnitWords:
    """Units of all passages in order of the passages' identifiers; a unit's place in that order is its row.

    ``starts``: first row of each passage; ``own``: rows by word; ``over``: numbers of contexts (a unit's introduction
    with its headings) by word; ``context_of``: the number of each row's.
    """

    passages: tuple[Passage, ...]
    starts: Ints
    own: Mapping[str, Ints]
    over: Mapping[str, Ints]
    context_of: Ints

    @classmethod
    def build(cls, passages: Iterable[Passage]) -> UnitWords:
        """Words of the passages' units."""
        ordered = tuple(p for p in sorted(passages, key=lambda p: p.id) if p.units)
        own: dict[str, list[int]] = defaultdict(list)
        contexts: dict[tuple[str, ...], int] = {}
        context_of: list[int] = []
        for passage in ordered:
            for unit in passage.units:
                for word in bag(unit.plain):
                    own[word].append(len(context_of))
                key = (unit.context, *passage.headings)
                context_of.append(contexts.setdefault(key, len(contexts)))
        over: dict[str, list[int]] = defaultdict(list)
        for key, number in contexts.items():
            for word in bag(" ".join(key)):
                over[word].append(number)
        sizes = [len(p.units) for p in ordered]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))[: len(sizes)]
        return cls(ordered, starts, _arrays(own), _arrays(over), np.array(context_of, dtype=np.int64))

    def __len__(self) -> int:
        """Number of units."""
        return len(self.context_of)

    @cached_property
    def passage_of(self) -> Ints:
        """The place in ``passages`` of each row's passage."""
        sizes = np.diff(np.append(self.starts, len(self)))
        return np.repeat(np.arange(len(self.passages)), sizes)

    @cached_property
    def first_rows(self) -> Mapping[str, int]:
        """First row of each passage by its identifier."""
        return {p.id: int(start) for p, start in zip(self.passages, self.starts, strict=True)}

    def rows_of(self, place: int) -> Ints:
        """Rows of the passage at a place in ``passages``."""
        return np.arange(self.starts[place], self.starts[place] + len(self.passages[place].units))

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each unit by its identifier."""
        return {
            unit_id(p, number): int(start) + number
            for p, start in zip(self.passages, self.starts, strict=True)
            for number in range(len(p.units))
        }

    @cached_property
    def quotable(self) -> npt.NDArray[np.bool_]:
        """Whether a row may be quoted: not what only heads others."""
        told = [n for p in self.passages for n in (_quotable(p, at) for at in range(len(p.units)))]
        return np.array(told, dtype=np.bool_)

    @cached_property
    def _follows(self) -> npt.NDArray[np.bool_]:
        """Whether the row before belongs to the same passage."""
        follows = np.ones(len(self), dtype=np.bool_)
        follows[self.starts] = False
        return follows

    def places(self, forms: Forms, parts: Sequence[str]) -> Places:
        """Where a word is found: its forms with what each counts, the highest first, or its parts by their share."""
        own = _found(self.own, forms, len(self))
        context = _found(self.over, forms, int(self.context_of.max(initial=-1)) + 1)
        whole = np.maximum.reduceat(own, self.starts) if len(self) else own
        if parts:
            pieces = [_found(self.own, [(p, 1.0)], len(self)) for p in parts]
            own = np.maximum(own, sum(pieces) / len(parts))
            context = np.maximum(context, sum(_found(self.over, [(p, 1.0)], len(context)) for p in parts) / len(parts))
            together = sum(np.maximum.reduceat(piece, self.starts) for piece in pieces) / len(parts)
            whole = np.maximum(whole, together)
        before = np.zeros_like(own)
        before[1:] = own[:-1]
        return Places(own, context[self.context_of], before * self._follows, whole[self.passage_of])


def _arrays(postings: Mapping[str, list[int]]) -> dict[str, Ints]:
    return {word: np.array(rows, dtype=np.int64) for word, rows in postings.items()}


def _found(postings: Mapping[str, Ints], forms: Forms, size: int) -> Floats:
    found = np.zeros(size)
    for form, strength in reversed(forms):  # so that the better form has the last word
        rows = postings.get(form, _NONE)
        if len(rows):
            found[rows] = strength
    return found


def _quotable(passage: Passage, number: int) -> bool:
    """Whether a unit is more than a heading or the heads of a table's columns (each row repeats them)."""
    unit = passage.units[number]
    if unit.kind == UnitKind.HEADING and len(passage.units) > 1:
        return False
    following = passage.units[number + 1 : number + 2]
    above_rows = bool(following) and following[0].kind == UnitKind.ROW
    headed = unit.kind == UnitKind.ROW or (unit.kind == UnitKind.LINE and above_rows)
    return ": " in unit.plain or not headed


@dataclass(frozen=True, eq=False)
class UnitVectors:
    """``of_units``: the row in ``units`` of each row of the words, -1 for none; ``of_passages`` likewise."""

    units: DenseIndex
    passages: DenseIndex
    of_units: Ints
    of_passages: Ints

    @classmethod
    def of(cls, words: UnitWords, units: DenseIndex, passages: DenseIndex) -> UnitVectors:
        """The places of the vectors of all units and passages."""
        of_passages = _at([p.id for p in words.passages], passages.rows)
        return cls(units, passages, _at(words.rows, units.rows), of_passages[words.passage_of])

    def cosines(self, vector: npt.NDArray[np.float32], rows: Ints) -> tuple[Floats, Floats]:
        """Cosines of the units in some rows, and of their passages, each of shape (rows,); 0 where there is none."""
        near = _cosines(self.passages, vector, self.of_passages[rows])
        return _cosines(self.units, vector, self.of_units[rows]), near


def _cosines(index: DenseIndex, vector: npt.NDArray[np.float32], rows: Ints) -> Floats:
    found = np.zeros(len(rows))
    held = rows >= 0
    each, back = np.unique(rows[held], return_inverse=True)
    found[held] = index.cosines(vector, each)[back]
    return found


# How many units, and how many passages with all their units, each index proposes.
_UNITS, _PASSAGES = 300, 12


class UnitFinder:
    """Finds units near a text by the four indexes."""

    def __init__(self, words: UnitWords, dense: Sequence[DenseIndex], lexical: Sequence[LexicalIndex]) -> None:
        """``dense``, ``lexical``: an index of units and one of passages each."""
        self._words, self._dense, self._lexical = words, dense, lexical
        # For each row of an index of units its row in the words, for one of passages the passage's place there; or -1.
        places = (words.rows, {p.id: place for place, p in enumerate(words.passages)})
        self._dense_at = [_at(index.ids, known) for index, known in zip(self._dense, places, strict=True)]
        self._lexical_at = [_at(index.ids, known) for index, known in zip(self._lexical, places, strict=True)]

    def near(self, text: str, vector: npt.NDArray[np.float32]) -> Ints:
        """Rows of units that may be quoted near a text by vector or words, rising."""
        rows, places = (
            np.concatenate(
                (
                    self._dense_at[n][self._dense[n].nearest(vector, most)[0]],
                    self._lexical_at[n][self._lexical[n].best(text, most)[0]],
                )
            )
            for n, most in enumerate((_UNITS, _PASSAGES))
        )
        whole = [self._words.rows_of(place) for place in places.tolist() if place >= 0]
        found = np.unique(np.concatenate((rows[rows >= 0], *whole)))
        near: Ints = found[self._words.quotable[found]]
        return near


def _at(ids: Iterable[str], places: Mapping[str, int]) -> Ints:
    return np.array([places.get(id_, -1) for id_ in ids], dtype=np.int64)

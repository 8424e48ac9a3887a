"""Units that may account for a question: those that the dense and the lexical indexes find near its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from kg.ask.unit_words import UnitWords
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

Ints = npt.NDArray[np.int64]

# How many units, and how many passages with all their units, each index proposes.
_UNITS, _PASSAGES = 300, 12


@dataclass(frozen=True, eq=False)
class Candidates:
    """The four indexes with the places of their entries among the units' words.

    ``*_at``: for each row of an index of units its row in ``words``, for one of passages the passage's place there;
    -1 where there is none.
    """

    words: UnitWords
    units: DenseIndex
    units_lexical: LexicalIndex
    passages: DenseIndex
    passages_lexical: LexicalIndex
    units_at: Ints
    units_lexical_at: Ints
    passages_at: Ints
    passages_lexical_at: Ints

    @classmethod
    def of(
        cls,
        words: UnitWords,
        units: DenseIndex,
        units_lexical: LexicalIndex,
        passages: DenseIndex,
        passages_lexical: LexicalIndex,
    ) -> Candidates:
        """The places of all entries."""
        places = {p.id: place for place, p in enumerate(words.passages)}
        return cls(
            words,
            units,
            units_lexical,
            passages,
            passages_lexical,
            _at(units.ids, words.rows),
            _at(units_lexical.ids, words.rows),
            _at(passages.ids, places),
            _at(passages_lexical.ids, places),
        )

    def near(self, text: str, vector: npt.NDArray[np.float32]) -> Ints:
        """Rows of units that may be quoted near a text by vector or words, rising."""
        rows = np.concatenate(
            (
                self.units_at[self.units.nearest(vector, _UNITS)[0]],
                self.units_lexical_at[self.units_lexical.best(text, _UNITS)[0]],
            )
        )
        places = np.concatenate(
            (
                self.passages_at[self.passages.nearest(vector, _PASSAGES)[0]],
                self.passages_lexical_at[self.passages_lexical.best(text, _PASSAGES)[0]],
            )
        )
        whole = [self.words.rows_of(place) for place in places.tolist() if place >= 0]
        found = np.unique(np.concatenate((rows[rows >= 0], *whole)))
        near: Ints = found[self.words.quotable[found]]
        return near


def _at(ids: Sequence[str], places: Mapping[str, int]) -> Ints:
    return np.array([places.get(id_, -1) for id_ in ids], dtype=np.int64)

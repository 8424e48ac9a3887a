"""Cosines of a text's vector with units of quotation and with their passages, by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from kg.ask.unit_words import UnitWords
    from kg.indexes.faiss import DenseIndex

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
        of_units = np.array([units.rows.get(id_, -1) for id_ in words.rows], dtype=np.int64)
        of_passages = np.array([passages.rows.get(p.id, -1) for p in words.passages], dtype=np.int64)
        return cls(units, passages, of_units, of_passages[words.passage_of])

    def cosines(self, vector: npt.NDArray[np.float32], rows: Ints) -> tuple[Floats, Floats]:
        """Cosines of the units in some rows, and of their passages, each of shape (rows,); 0 where there is none."""
        return _cosines(self.units, vector, self.of_units[rows]), _cosines(
            self.passages, vector, self.of_passages[rows]
        )


def _cosines(index: DenseIndex, vector: npt.NDArray[np.float32], rows: Ints) -> Floats:
    found = np.zeros(len(rows))
    held = rows >= 0
    each, back = np.unique(rows[held], return_inverse=True)
    found[held] = index.cosines(vector, each)[back]
    return found

"""Nearness of texts in meaning, each text encoded once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kg.protocols import Encoder


class Meanings:
    """Vectors of the texts of one context."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}

    def near(self, one: str, two: str) -> float:
        """Cosine of two texts, 0 at least."""
        return max(0.0, float(self._vector(one) @ self._vector(two)))

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        if text not in self._vectors:
            self._vectors[text] = self._encoder.encode([text])[0]
        return self._vectors[text]

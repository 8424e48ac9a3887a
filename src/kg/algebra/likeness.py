"""How near a question's words are in meaning to the heads of a table's columns, where they aren't the same words."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache

import numpy as np

from kg.algebra.question import Question
from kg.algebra.source import Table
from kg.errors import ModelUnavailable
from kg.indexes.embedding import OnnxEncoder, Vector

_KEPT = 20_000  # vectors of heads
_LONGEST = 60  # characters of a head


class Likeness:
    """Cosines of words and heads; vectors of heads are kept."""

    def __init__(self, encoder: OnnxEncoder) -> None:
        self._encoder = encoder
        self._heads: OrderedDict[str, Vector] = OrderedDict()

    @classmethod
    def packaged(cls) -> Likeness | None:
        """With the packaged model; None where it isn't installed."""
        return _packaged()

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


@cache
def _packaged() -> Likeness | None:
    try:
        return Likeness(OnnxEncoder(workers=1))
    except ModelUnavailable:
        return None

"""The trained network without torch: the encoder by ONNX Runtime, everything above it in NumPy; one thread.

:mod:`kg.relations.network` says what the numbers mean; the two give the same scores up to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from kg.relations.encoding import Encoded, enumerate_spans
from kg.relations.schema import Relation

if TYPE_CHECKING:
    from kg.relations.wholeness import Look

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

DISTANCES = (-20, -10, -5, -2, 0, 2, 5, 10, 20)  # words from subject to object; bins between
NEVER = np.float32(-1e4)
MORE = 10  # spans that are scored beside the network's own choice where their wholeness counts too


class Encode(Protocol):
    """Word pieces in, their contextual vectors out."""

    def __call__(self, ids: Ints) -> tuple[Floats, Floats | None]:
        """Shape (T, hidden) for ids of shape (T,): of the trained encoder, and of the one that it was made from.

        The latter is None where a model's export doesn't hold it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """Relations as the network knows them: vectors of shape (R, …)."""

    relations: tuple[Relation, ...]
    pair: Floats
    subject: Floats
    object: Floats
    sentence: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-odds of every candidate of a sentence: ``spans`` (N, 2) words inclusive, ``odds`` (N, N, R).

    ``meaning``: unit vectors (N, hidden) of the spans in the space in which relations' texts are embedded. ``look``:
    what stands where in the sentence, if it was looked at.
    """

    encoded: Encoded
    spans: Ints
    odds: Floats
    mention: Floats
    meaning: Floats | None = None
    look: Look | None = None


class Heads:
    """What stands above the encoder; ``weights`` by the names that the trained network gives them."""

    def __init__(self, weights: Mapping[str, Floats], kept: int, heads: int) -> None:
        self._weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self._kept, self._heads = kept, heads

    def _linear(self, name: str, rows: Floats) -> Floats:
        return np.asarray(rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"], np.float32)

    def know(self, relations: Sequence[Relation], texts: Floats) -> Known:
        """Relation vectors from the frozen embeddings of their texts, shape (R, 4·hidden)."""
        base = np.maximum(self._linear("relation", texts), 0)
        named = {name: self._linear(f"as_{name}", base) for name in ("pair", "subject", "object", "sentence")}
        return Known(tuple(relations), **named, bias=self._linear("bias", base)[:, 0])

    def scores(self, encoded: Encoded, hidden: Floats, known: Known, liking: Floats | None = None) -> Scores:
        """Every pair of the most mention-like spans against every relation.

        ``liking``, for all stretches that :func:`enumerate_spans` gives, is added to what the network holds of them
        to choose :data:`MORE` further spans.
        """
        spans, vectors, mention = self._mentions(encoded, hidden, liking)
        whole = np.maximum(self._linear("sentence", hidden.mean(0)), 0)
        fits = known.bias + known.sentence @ whole / 16
        start, end = spans[:, 0], spans[:, 1]
        i, j = np.nonzero((end[:, None] < start[None]) | (end[None] < start[:, None]))
        said = self._pairs(spans, vectors, hidden, i, j) @ (known.pair.T / 16)
        said += (vectors @ (known.subject.T / 16))[i] + (vectors @ (known.object.T / 16))[j] + fits
        odds = np.full((len(spans), len(spans), len(known.relations)), NEVER)
        odds[i, j] = said
        return Scores(encoded, spans, odds, mention)

    def _mentions(self, encoded: Encoded, hidden: Floats, liking: Floats | None) -> tuple[Ints, Floats, Floats]:
        """The spans most like mentions, in order of place."""
        every = enumerate_spans(encoded)
        width = self._weights["width.weight"]
        before, after = np.roll(hidden, 1, 0), np.roll(hidden, -1, 0)
        opening = np.concatenate([hidden, before, np.roll(before, 1, 0)], -1)[encoded.first]
        closing = np.concatenate([hidden, after], -1)[encoded.last]
        vectors = self._linear("start", opening)[every[:, 0]] + self._linear("end", closing)[every[:, 1]]
        vectors += width[np.clip(every[:, 1] - every[:, 0], 0, len(width) - 1)]
        np.maximum(vectors, 0, out=vectors)
        mention = self._linear("mention", vectors)[:, 0]
        best = np.sort(np.argsort(-mention, kind="stable")[: self._kept])
        if liking is not None:
            liked = np.argsort(-(mention + liking), kind="stable")[: self._kept + MORE]
            best = np.union1d(best, liked)
        return every[best], vectors[best], mention[best]

    def _pairs(self, spans: Ints, vectors: Floats, hidden: Floats, i: Ints, j: Ints) -> Floats:
        """Vectors of pairs, shape (P, pair): spans ``i`` as subjects with spans ``j`` as objects."""
        count, pieces = len(spans), len(hidden)
        query = self._linear("query", vectors).reshape(count, self._heads, -1).transpose(1, 0, 2)
        keys = self._linear("keys", hidden).reshape(pieces, self._heads, -1).transpose(1, 2, 0)
        logits = query @ keys / np.float32(query.shape[-1] ** 0.5)
        looked = np.exp(logits - logits.max(-1, keepdims=True))
        looked /= looked.sum(-1, keepdims=True)
        shared = np.einsum("hit,hjt->ijt", looked, looked)[i, j]
        shared /= shared.sum(-1, keepdims=True) + np.float32(1e-6)
        joint = shared @ self._linear("context", hidden)
        joint += self._linear("subject", vectors)[i]
        joint += self._linear("object", vectors)[j]
        joint += self._weights["distance.weight"][np.searchsorted(DISTANCES, spans[j, 0] - spans[i, 0], side="left")]
        np.maximum(joint, 0, out=joint)
        deep = self._linear("deep", joint)
        joint += np.maximum(deep, 0, out=deep)
        return np.asarray(joint, np.float32)


def meaning(encoded: Encoded, plain: Floats, spans: Ints) -> Floats:
    """Unit vectors of spans, shape (N, hidden): the mean of their pieces' vectors by the encoder before training."""
    sums = np.concatenate([np.zeros((1, plain.shape[1]), np.float32), np.cumsum(plain, 0, dtype=np.float32)])
    first, last = encoded.first[spans[:, 0]], encoded.last[spans[:, 1]] + 1
    total = sums[last] - sums[first]
    return np.asarray(total / (np.linalg.norm(total, axis=1, keepdims=True) + np.float32(1e-6)), np.float32)


def session_encoder(model: str) -> Encode:
    """The exported encoder, on one thread."""
    from pathlib import Path

    from kg.indexes.embedding import session

    ready = session(Path(model))

    def encode(ids: Ints) -> tuple[Floats, Floats | None]:
        hidden, *plain = (np.asarray(rows[0], np.float32) for rows in ready.run(None, {"input_ids": ids[None]}))
        return hidden, plain[0] if plain else None

    return encode

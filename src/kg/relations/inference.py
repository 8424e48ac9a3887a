"""The trained network without torch: the encoder by ONNX Runtime, everything above it in NumPy; one thread.

:mod:`kg.relations.network` says what the numbers mean; the two give the same scores up to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kg.relations.encoding import Encoded, enumerate_spans
from kg.relations.schema import Relation

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

    ``meaning``: unit vectors (N, hidden) of the spans in the space in which relations' texts are embedded.
    """

    encoded: Encoded
    spans: Ints
    odds: Floats
    mention: Floats
    meaning: Floats | None = None


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
        pairs = self._pairs(spans, vectors, hidden)
        odds = pairs @ (known.pair.T / 16)
        odds += (vectors @ (known.subject.T / 16))[:, None] + (vectors @ (known.object.T / 16))[None] + fits
        start, end = spans[:, 0], spans[:, 1]
        apart = (end[:, None] < start[None]) | (end[None] < start[:, None])
        odds[~apart] = NEVER
        return Scores(encoded, spans, np.asarray(odds, np.float32), mention)

    def _mentions(self, encoded: Encoded, hidden: Floats, liking: Floats | None) -> tuple[Ints, Floats, Floats]:
        """The spans most like mentions, in order of place."""
        every = enumerate_spans(encoded)
        width = self._weights["width.weight"]
        before, after = np.roll(hidden, 1, 0), np.roll(hidden, -1, 0)
        start = self._linear("start", np.concatenate([hidden, before, np.roll(before, 1, 0)], -1))
        end = self._linear("end", np.concatenate([hidden, after], -1))
        start, end = start[encoded.first[every[:, 0]]], end[encoded.last[every[:, 1]]]
        vectors = np.maximum(start + end + width[np.clip(every[:, 1] - every[:, 0], 0, len(width) - 1)], 0)
        mention = self._linear("mention", vectors)[:, 0]
        best = np.sort(np.argsort(-mention, kind="stable")[: self._kept])
        if liking is not None:
            liked = np.argsort(-(mention + liking), kind="stable")[: self._kept + MORE]
            best = np.union1d(best, liked)
        return every[best], vectors[best], mention[best]

    def _pairs(self, spans: Ints, vectors: Floats, hidden: Floats) -> Floats:
        """Pair vectors, shape (N, N, pair)."""
        count, pieces = len(spans), len(hidden)
        query = self._linear("query", vectors).reshape(count, self._heads, -1).transpose(1, 0, 2)
        keys = self._linear("keys", hidden).reshape(pieces, self._heads, -1).transpose(1, 2, 0)
        logits = query @ keys / np.float32(query.shape[-1] ** 0.5)
        looked = np.exp(logits - logits.max(-1, keepdims=True))
        looked /= looked.sum(-1, keepdims=True)
        shared = np.einsum("hit,hjt->ijt", looked, looked)
        shared /= shared.sum(-1, keepdims=True) + np.float32(1e-6)
        context = shared.reshape(-1, pieces) @ self._linear("context", hidden)
        gap = spans[None, :, 0] - spans[:, None, 0]
        distance = self._weights["distance.weight"][np.searchsorted(DISTANCES, gap, side="left")]
        joint = self._linear("subject", vectors)[:, None] + self._linear("object", vectors)[None]
        joint = np.maximum(joint + context.reshape(count, count, -1) + distance, 0)
        return np.asarray(joint + np.maximum(self._linear("deep", joint), 0), np.float32)


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

"""Reads sentences for the relations of an ontology: a trained network without torch, and the choice among its scores.

The encoder runs by ONNX Runtime, everything above it in NumPy, on one thread; :mod:`kg.relations.training` says what
the numbers mean, and the two give the same scores up to rounding.

Pairs are chosen together. A span is never two things of one fact; of pairs for one relation whose spans overlap the
best stays; a relation that the schema calls functional keeps one object a subject. A pair is said when its log-odds
reach the threshold and aren't far behind the best of the sentence: where training marks one fact of several at random,
a sentence of four facts gives each a quarter, and what is far behind the rest is wrong however high it scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.indexes.embedding import session
from kg.relations.encoding import Encoded, Relation, Scored, Span, encode, enumerate_spans, relation_texts
from kg.relations.files import encoder_files, read_about, read_weights
from kg.syntax.parser import tokenizer

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

DISTANCES = (-20, -10, -5, -2, 0, 2, 5, 10, 20)  # words from subject to object; bins between
NEVER = np.float32(-1e4)


Encode = Callable[[Ints], tuple[Floats, Floats | None]]
"""From word pieces, shape (T,), their contextual vectors, (T, hidden): of the trained encoder, and of the one that it
was made from, which is None where a model's export doesn't hold that."""


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
    """Log-odds of every candidate of a sentence: ``spans`` (N, 2) words inclusive, ``odds`` (N, N, R)."""

    encoded: Encoded
    spans: Ints
    odds: Floats


class Heads:
    """What stands above the encoder; ``weights`` by the names that the trained network gives them."""

    def __init__(self, weights: Mapping[str, Floats], kept: int, heads: int) -> None:
        self._weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self.kept, self._heads = kept, heads

    def _linear(self, name: str, rows: Floats) -> Floats:
        return np.asarray(rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"], np.float32)

    def know(self, relations: Sequence[Relation], texts: Floats) -> Known:
        """Relation vectors from the frozen embeddings of their texts, shape (R, 4·hidden)."""
        base = np.maximum(self._linear("relation", texts), 0)
        named = {name: self._linear(f"as_{name}", base) for name in ("pair", "subject", "object", "sentence")}
        return Known(tuple(relations), **named, bias=self._linear("bias", base)[:, 0])

    def scores(self, encoded: Encoded, hidden: Floats, known: Known, spans: Ints | None = None) -> Scores:
        """Every pair of spans against every relation: of those that are given, or else of the most mention-like."""
        if spans is None:
            every = enumerate_spans(encoded)
            best = np.argsort(-self.mention(encoded, hidden, every), kind="stable")[: self.kept]
            spans = every[np.sort(best)]
        vectors = self._vectors(encoded, hidden, spans)
        whole = np.maximum(self._linear("sentence", hidden.mean(0)), 0)
        fits = known.bias + known.sentence @ whole / 16
        start, end = spans[:, 0], spans[:, 1]
        i, j = np.nonzero((end[:, None] < start[None]) | (end[None] < start[:, None]))
        said = self._pairs(spans, vectors, hidden, i, j) @ (known.pair.T / 16)
        said += (vectors @ (known.subject.T / 16))[i] + (vectors @ (known.object.T / 16))[j] + fits
        odds = np.full((len(spans), len(spans), len(known.relations)), NEVER)
        odds[i, j] = said
        return Scores(encoded, spans, odds)

    def mention(self, encoded: Encoded, hidden: Floats, spans: Ints) -> Floats:
        """How much like mentions spans are: log-odds, shape (N,)."""
        return self._linear("mention", self._vectors(encoded, hidden, spans))[:, 0]

    def _vectors(self, encoded: Encoded, hidden: Floats, spans: Ints) -> Floats:
        width = self._weights["width.weight"]
        before, after = np.roll(hidden, 1, 0), np.roll(hidden, -1, 0)
        opening = np.concatenate([hidden, before, np.roll(before, 1, 0)], -1)[encoded.first]
        closing = np.concatenate([hidden, after], -1)[encoded.last]
        vectors = self._linear("start", opening)[spans[:, 0]] + self._linear("end", closing)[spans[:, 1]]
        vectors += width[np.clip(spans[:, 1] - spans[:, 0], 0, len(width) - 1)]
        return np.asarray(np.maximum(vectors, 0, out=vectors), np.float32)

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


def session_encoder(model: Path) -> Encode:
    """The exported encoder, on one thread."""
    ready = session(model)

    def encode(ids: Ints) -> tuple[Floats, Floats | None]:
        hidden, *plain = (np.asarray(rows[0], np.float32) for rows in ready.run(None, {"input_ids": ids[None]}))
        return hidden, plain[0] if plain else None

    return encode


@dataclass(frozen=True, slots=True)
class Choice:
    """How facts are chosen. ``threshold``: log-odds at which a pair is said.

    ``one_subject``: all objects of a relation in a sentence belong to the subject of its best pair.
    ``margin``: a pair this far below the best of its relation is not said.
    ``least``: where nothing reaches the threshold, the best pair is said if it reaches this.
    ``behind``: a pair this far below the best of the sentence is not said.
    """

    threshold: float = 0.0
    one_subject: bool = True
    margin: float = 4.0
    least: float = 1e9
    behind: float = 1e9
    functional: frozenset[str] = field(default_factory=frozenset)

    @property
    def numbers(self) -> dict[str, float]:
        """What of it is kept with a model (:attr:`kg.relations.files.About.choice`)."""
        return {name: float(getattr(self, name)) for name in _NUMBERS}

    @classmethod
    def of(cls, numbers: Mapping[str, float]) -> Choice:
        """The choice that a model keeps. Raises KeyError where it keeps none."""
        threshold, margin, least, behind = (float(numbers[name]) for name in _NUMBERS)
        return cls(threshold, margin=margin, least=least, behind=behind)


_NUMBERS = ("threshold", "margin", "least", "behind")


def decode(scores: Scores, relations: tuple[Relation, ...], choice: Choice) -> list[Scored]:
    """Facts of a sentence, best first, then by place and relation."""
    each = [_of_relation(scores, place, relation, choice) for place, relation in enumerate(relations)]
    best = max((found[0] for found in each if found), key=lambda one: one.score, default=None)
    if best is None:
        return []
    said = [one for found in each for one in found if one.score >= choice.threshold]
    if not said and best.score >= choice.least:
        said = [best]
    said = [one for one in said if one.score >= best.score - choice.behind]
    return sorted(said, key=lambda one: (-one.score, one.subject, one.object, one.relation))


def _of_relation(scores: Scores, place: int, relation: Relation, choice: Choice) -> list[Scored]:
    odds = scores.odds[:, :, place]
    top = float(odds.max())
    floor = max(min(choice.threshold, choice.least), top - choice.margin)
    subjects, objects = np.nonzero(odds >= floor)
    order = np.argsort(-odds[subjects, objects], kind="stable")
    kept: list[Scored] = []
    for at in order:
        i, j = int(subjects[at]), int(objects[at])
        subject, object_ = (scores.encoded.span(*map(int, scores.spans[place])) for place in (i, j))
        one = Scored(relation.key, subject, object_, float(odds[i, j]))
        if all(_both_stand(one, other, choice, relation) for other in kept):
            kept.append(one)
    return kept


def _both_stand(one: Scored, better: Scored, choice: Choice, relation: Relation) -> bool:
    """Whether a fact can be said beside a better one of the same relation."""
    if _overlap(one.subject, better.subject) and _overlap(one.object, better.object):
        return False
    if _overlap(one.subject, better.object) and _overlap(one.object, better.subject):
        return False  # the same two the other way round
    if one.subject == better.subject:
        return relation.key not in choice.functional
    return not (choice.one_subject or _overlap(one.subject, better.subject))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]


class Model:
    """A trained model, loaded. Raises ModelUnavailable when the folder holds none.

    ``pieces`` makes word pieces of a text, ``encoder`` vectors of these, ``heads`` scores of the vectors.
    """

    def __init__(self, folder: Path, embed: Embed) -> None:
        self.about = read_about(folder)
        self.heads = Heads(read_weights(folder), self.about.kept, self.about.heads)
        encoder, pieces = encoder_files(folder)
        self.pieces = tokenizer(pieces.parent)
        self.encoder: Encode = session_encoder(encoder)
        self._embed = embed

    def know(self, relations: Sequence[Relation]) -> Known:
        """What the model needs of relations to ask for them."""
        return self.heads.know(relations, relation_texts(relations, self._embed))

    def scores(self, text: str, known: Known) -> Scores | None:
        """Log-odds of every candidate; None where there is nothing to read."""
        encoded = encode(text, self.pieces)
        if encoded.size < 2 or not known.relations:
            return None
        return self.heads.scores(encoded, self.encoder(encoded.ids)[0], known)

    def read(self, text: str, known: Known, choice: Choice) -> list[Scored]:
        """Facts of a sentence, best first."""
        scores = self.scores(text, known)
        return [] if scores is None else decode(scores, known.relations, choice)

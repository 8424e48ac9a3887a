"""What is known of any relation, beside the scores of a model that wasn't trained on it.

A model is unsure of relations that it never saw: the right pair often comes second. Four things help that need no
example: arguments are whole names and no words that only qualify (``wholeness``); a sentence's facts
mostly are about what it begins with; properties that want dates take dates and others don't; and what a span means,
read in its sentence by the encoder as it was before training, is near to what the property and its types are called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.evaluation.relations.lexicon import literal_kind, same_meaning
from benchmarks.evaluation.relations.reading import Meant
from benchmarks.evaluation.relations.wholeness import Look, qualifies, wholeness
from kg.relations.encoding import Relation
from kg.relations.scoring import NEVER, Scores
from kg.syntax.parser import Ints
from kg.text.words import word_set

Floats = npt.NDArray[np.float32]
_TIME = re.compile(r"\b(?:date|year|time)\b")
_ARTICLES = word_set("the a an")


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of knowledge counts, in log-odds; for ``object`` and ``subject``, of a cosine of 1.

    ``whole`` is for objects, ``named`` for subjects; ``qualifier`` against objects that only qualify a noun. Set on
    sentences of Text2KGBench's validation part (benchmarks/relations.md).
    """

    whole: float = 1.5
    named: float = 1.0
    topic: float = 3.0
    date: float = 4.0
    object: float = 16.0
    subject: float = 4.0
    qualifier: float = 5.0


@dataclass(frozen=True, slots=True)
class Priors:
    """What is known of relations, in their order. ``objects``, ``subjects``: unit vectors, shape (R, hidden)."""

    dated: tuple[bool, ...]
    numbers: tuple[bool, ...]
    objects: Floats
    subjects: Floats
    weights: Weights

    @classmethod
    def of(
        cls,
        relations: Sequence[Relation],
        embed: Callable[[Sequence[str]], Floats],
        weights: Weights | None = None,
        shown: Mapping[str, Sequence[str]] | None = None,
    ) -> Priors:
        """``embed`` makes unit vectors of texts; ``shown`` has objects of examples by a relation's key.

        With examples an object's likeness is to a prototype (Snell et al. 2017, arXiv 1703.05175): the mean of what
        the relation is called and of what its examples' objects mean.
        """
        kinds = [_kinds(relation) for relation in relations]
        objects = embed([f"{relation.label} {relation.range}".strip() for relation in relations])
        for place, relation in enumerate(relations):
            if examples := (shown or {}).get(relation.key):
                objects[place] = _unit(objects[place] + _unit(embed(list(examples)).mean(axis=0)))
        return cls(
            tuple("date" in kind for kind in kinds),
            tuple(kind == {"number"} for kind in kinds),
            objects,
            embed([relation.domain or "thing" for relation in relations]),
            weights or Weights(),
        )

    def raised(self, scores: Scores) -> Scores:
        """Scores with all that is known added."""
        return self.likened(self.grounded(scores))

    def grounded(self, scores: Scores) -> Scores:
        """Scores with what the sentence shows added: its topic, its names, its dates."""
        look, spans, weights = Look.of(scores.encoded), scores.spans, self.weights
        likely = wholeness(look, spans)
        dates, parts = look.is_whole_date(spans), look.is_date(spans)
        subject = weights.named * likely + weights.topic * (_topical(look, spans) & ~parts) - weights.date * parts
        whole = weights.whole * likely - weights.qualifier * qualifies(look, spans)
        object_ = whole[:, None] + self._by_date(dates, parts)
        return _added(scores, subject[:, None, None] + object_[None])

    def likened(self, scores: Scores) -> Scores:
        """Scores with what spans mean added: how near they are to what relations want."""
        if not isinstance(scores, Meant) or scores.meaning is None:
            return scores
        object_ = self.weights.object * _centred(scores.meaning @ self.objects.T)
        subject = self.weights.subject * _centred(scores.meaning @ self.subjects.T)
        return _added(scores, subject[:, None] + object_[None])

    def _by_date(self, dates: npt.NDArray[np.bool_], parts: npt.NDArray[np.bool_]) -> Floats:
        """For objects, shape (N, R): dates for properties that want dates, no dates for others but numbers."""
        worth = np.zeros((len(dates), len(self.dated)), np.float32)
        for place, (dated, number) in enumerate(zip(self.dated, self.numbers, strict=True)):
            if dated:
                worth[:, place] = np.where(dates, self.weights.date / 2, -self.weights.date)
            elif not number:
                worth[:, place] = np.where(parts, -self.weights.date, 0.0)
        return worth


def _added(scores: Scores, worth: Floats) -> Scores:
    """Scores raised by what pairs are worth; impossible ones stay so."""
    odds = np.where(scores.odds <= NEVER, NEVER, scores.odds + worth)
    return replace(scores, odds=np.asarray(odds, np.float32))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float32)


def wants_dates(relation: Relation) -> bool:
    """Whether a relation's objects are dates, by its range, its label or the lexicon."""
    return "date" in _kinds(relation)


def _kinds(relation: Relation) -> set[str]:
    """The kinds of literal that a relation may want, by its range, its label and the lexicon's of its meaning."""
    found = {literal_kind(relation.range)} - {""}
    if not found and not relation.range:
        found = {entry.range for entry in same_meaning(relation.label, (), relation.domain)}
    found |= {"date"} if _TIME.search(relation.label) else set()
    return {"date" if kind == "year" else kind for kind in found}


def _topical(look: Look, spans: Ints) -> npt.NDArray[np.bool_]:
    """Which stretches hold the sentence's first word that is no article: what it is about, as a rule."""
    begins = next((at for at, word in enumerate(look.lower) if look.words[at] and word not in _ARTICLES), 0)
    return np.asarray((spans[:, 0] <= begins) & (spans[:, 1] >= begins))


def _centred(likeness: Floats) -> Floats:
    """Cosines of spans with properties, shape (N, R), less the mean over the sentence's spans."""
    return np.asarray(likeness - likeness.mean(0, keepdims=True), np.float32)

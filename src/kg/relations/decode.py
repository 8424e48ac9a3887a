"""From scores to facts: which pairs are said, decided together.

A span is never two things of one fact; of pairs for one relation whose spans overlap the best stays; a relation that
the schema calls functional keeps one object a subject. A pair is said when its log-odds reach the threshold and aren't
far behind the best of the sentence: where training marks one fact of several at random, a sentence of four facts gives
each a quarter, and what is far behind the rest is wrong however high it scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from kg.relations.inference import Scores
from kg.relations.schema import Relation, Scored, Span


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
    said: list[Scored] = []
    best: Scored | None = None
    for place, relation in enumerate(relations):
        found = _of_relation(scores, place, relation, choice)
        said += [one for one in found if one.score >= choice.threshold]
        if found and (best is None or found[0].score > best.score):
            best = found[0]
    if not said and best is not None and best.score >= choice.least:
        said = [best]
    if best is not None:
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
        one = Scored(relation.key, _span(scores, i), _span(scores, j), float(odds[i, j]))
        if all(_both_stand(one, other, choice, relation) for other in kept):
            kept.append(one)
    return kept


def _span(scores: Scores, place: int) -> Span:
    return scores.encoded.span(int(scores.spans[place, 0]), int(scores.spans[place, 1]))


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

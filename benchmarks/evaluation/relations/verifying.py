"""Candidate facts put to the verifier of answers, as questions with their answers beside the sentence.

Whether a sentence says that Ada Wren directed "Orr" is whether "Ada Wren" answers "Which person is the director of
Orr?" there (Levy et al. 2017, Zero-shot relation extraction via reading comprehension): so relations that the model of
relations never saw are told apart by what a network learned from questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kg.reading import Verifier
from kg.relations.encoding import Relation, Scored
from kg.relations.scoring import NEVER, Choice, Scores, decode

MOST = 14  # candidates of a sentence that are put to it, the likeliest
WEIGHT = 1.6  # of its logit beside the log-odds of the model; benchmarks/relations.md
_LOOSE = Choice(threshold=-1e3, margin=5.0, least=-1e3, behind=6.0, one_subject=False)


def question(relation: Relation, subject: str) -> str:
    """What a fact of the relation answers.

    >>> question(Relation("r/d", "director", "", "film", "person"), "Orr")
    'Which person is the director of Orr?'
    """
    return f"Which {relation.range or 'one'} is the {relation.label} of {subject}?"


def likeliest(scores: Scores, relations: Sequence[Relation]) -> list[Scored]:
    """The candidates that are worth a question, best first."""
    return decode(scores, tuple(relations), _LOOSE)[:MOST]


def logits(found: Sequence[Scored], relations: Sequence[Relation], text: str, verifier: Verifier) -> list[float]:
    """What the verifier gives each candidate."""
    by_key = {relation.key: relation for relation in relations}
    pairs = [
        (f"{question(by_key[one.relation], text[slice(*one.subject)])} = {text[slice(*one.object)]}", text)
        for one in found
    ]
    return verifier.verify(pairs) if pairs else []


def verified(scores: Scores, relations: Sequence[Relation], text: str, verifier: Verifier) -> Scores:
    """Scores with what the verifier says of the likeliest candidates added; no other is left."""
    found = likeliest(scores, relations)
    spans = {scores.encoded.span(int(a), int(b)): place for place, (a, b) in enumerate(scores.spans)}
    places = {relation.key: place for place, relation in enumerate(relations)}
    odds = np.full_like(scores.odds, NEVER)
    for one, logit in zip(found, logits(found, relations, text, verifier), strict=True):
        odds[spans[one.subject], spans[one.object], places[one.relation]] = one.score + WEIGHT * logit
    return replace(scores, odds=odds)

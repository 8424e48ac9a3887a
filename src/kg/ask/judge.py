"""Whether a draft is good enough to be given, and if not, what is missing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kg.ask import presuppositions
from kg.ask.drafts import Asking, Draft
from kg.ask.question import Name, Role
from kg.ask.restraint import borne_out
from kg.ask.retrieve import Scored, relation_text
from kg.model import Reason

# Weights of a logistic regression from the evidence's features to "the answer is right", fitted on questions with and
# without answers (benchmarks/questions.md): strict share, focus, cosine, cosine without names.
WEIGHTS = (5.5, 1.8, 1.6, 5.4)
CONSTANT = -6.53
THRESHOLD = 0.47
# The evidence must have every name of the question, in its text, headings or the sentence before.
NAMED = 0.35
# A number of another measure than the one asked for fits worse than this.
MISFIT = -0.2
# A query is as likely right as not when it stands for this share of the question's words.
_HALF, _STEEP = 0.78, 14.0
# Kinds whose answer rests on several units together.
_TOGETHER = frozenset(("comparison", "difference", "duration", "conflicting"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None when the draft may be given. ``what``: what is missing; ``hint``: near misses."""

    confidence: float
    reason: Reason | None = None
    what: str = ""
    hint: str = ""


def judge(asking: Asking, draft: Draft | None) -> Verdict:
    """The verdict on a draft."""
    unknown = asking.found.unknown_names
    if unknown:
        return Verdict(0.9, Reason.UNKNOWN_ENTITY, unknown[0].text, _near(asking, unknown[0]))
    if draft is None or not draft.evidence:
        return Verdict(0.5, Reason.NO_EVIDENCE)
    if not borne_out(asking, draft):
        return Verdict(round(1 - THRESHOLD, 3), *_missing(asking))
    if draft.explained is not None and (sure := explained_confidence(draft.explained)) >= THRESHOLD:
        return Verdict(round(sure, 3))
    sure = confidence(features(asking, draft))
    said = draft.kind in _TOGETHER or presuppositions.supported(asking, draft)
    if _names(asking, draft) >= NAMED and draft.fit > MISFIT and sure >= THRESHOLD and said:
        return Verdict(round(sure, 3))
    reason, what = _missing(asking)
    return Verdict(round(1 - min(sure, THRESHOLD), 3), reason, what)


def features(asking: Asking, draft: Draft) -> tuple[float, ...]:
    """What speaks for a draft, each 0 to 1 (cosines may be negative): strict share, focus, cosine, relation."""
    evidence = _evidence(draft)
    _, strict, _, _, focus = asking.retriever.joint(asking.found.terms, evidence)
    return strict, focus, max(e.cosine for e in evidence), _relation(asking, draft)


def _evidence(draft: Draft) -> tuple[Scored, ...]:
    return draft.evidence if draft.kind in _TOGETHER else draft.evidence[:1]


def _names(asking: Asking, draft: Draft) -> float:
    """How well the name found worst stands in the evidence."""
    return asking.retriever.joint(asking.found.terms, _evidence(draft))[3]


def confidence(values: tuple[float, ...]) -> float:
    """Probability that the answer is right, from its features."""
    return 1 / (1 + math.exp(-(CONSTANT + sum(w * v for w, v in zip(WEIGHTS, values, strict=True)))))


def explained_confidence(explained: float) -> float:
    """Confidence in a query of the graph, from the share of the question's words that it stands for."""
    return 1 / (1 + math.exp(-_STEEP * (explained - _HALF)))


def explained_at(chance: float) -> float:
    """The share of the question's words that goes with a confidence: :func:`explained_confidence` the other way."""
    sure = min(max(chance, 0.001), 0.999)
    return _HALF + math.log(sure / (1 - sure)) / _STEEP


def _relation(asking: Asking, draft: Draft) -> float:
    """Cosine of the question and the evidence, both without the question's names: whether it is *that* of them."""
    encoder = asking.retriever.view.encoder
    if encoder is None:
        return draft.evidence[0].cosine
    question, unit = asking.question, draft.evidence[0]
    said = f"{unit.unit.context}: {unit.plain}" if unit.unit.context else unit.plain
    one, two = encoder.encode([relation_text(question, question.text), relation_text(question, said)])
    return float(one @ two)


def _missing(asking: Asking) -> tuple[Reason, str]:
    """Which part of the question the documents lack: what is asked at all, or the evidence for it."""
    lexicon = asking.retriever.view.lexicon
    names = " and ".join(n.text for n in asking.question.names)
    asked = [t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS) and not t.word.token.digits]
    missing = [t for t in asked if not any(f > 0.5 and lexicon.known(form) for form, f in t.forms)]
    if asked and sum(t.weight for t in missing) >= 0.5 * sum(t.weight for t in asked):
        return Reason.UNKNOWN_RELATION, names
    return Reason.NO_EVIDENCE, names


def _near(asking: Asking, name: Name) -> str:
    """Names of the documents that look like an unknown one."""
    near = asking.retriever.view.lexicon.near(name.text)
    return f" Did you mean {' or '.join(near)}?" if near else ""

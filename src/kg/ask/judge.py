"""Whether a draft is good enough to be given, and if not, what is missing."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.drafts import Asking, Draft
from kg.ask.question import Name, Role
from kg.ask.retrieve import COMMON, Scored
from kg.model import Reason, UnitKind

# Weights of a logistic regression from the evidence's features (in the order of FEATURES) to "the answer is right",
# fitted on questions of several domains with and without answers (benchmarks/judging.md).
FEATURES = ("strict", "rest", "focus", "cosine", "margin", "fit", "named")
WEIGHTS = (2.03, 0.51, 0.62, 2.09, 0.66, 1.62, 0.64)
CONSTANT = -4.7
THRESHOLD = 0.3
# Kinds that read one value of one unit.
_READ = frozenset(("number", "date", "entity"))
# A name counts as standing with the evidence from here.
NAMED = 0.35
# A query is as likely right as not when it stands for this share of the question's words.
_HALF, _STEEP = 0.78, 14.0
# So sure a query must be, by its words or its evidence: unlike a quotation, it need not have the noun asked for.
_BELIEVED = 0.47
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
    if draft.explained is not None and (sure := explained_confidence(draft.explained)) >= _BELIEVED:
        return Verdict(round(sure, 3))
    sure = confidence(features(asking, draft)) if _within(asking, draft) else 0.0
    if sure >= (_BELIEVED if draft.explained is not None else THRESHOLD):
        return Verdict(round(sure, 3))
    return Verdict(round(1 - min(sure, THRESHOLD), 3), *_missing(asking))


def features(asking: Asking, draft: Draft) -> tuple[float, ...]:
    """What speaks for a draft (see FEATURES), mostly 0 to 1; the last is 1 or 0.

    ``strict``: share of the question's words in the evidence; ``rest``: of those that are no names; ``margin``: how far
    the evidence's score is above that of other passages; ``named``: every name stands with it.
    """
    evidence = _evidence(draft)
    retriever, terms = asking.retriever, asking.found.terms
    # Having ranked them says as much as the superlative that asks for it.
    ranked = frozenset(t.word.term for t in terms if draft.members > 1 and t.word.token.lower in w.SUPERLATIVES)
    _, strict, _, names, focus = retriever.joint(terms, evidence, ranked)
    others = tuple(t for t in terms if t.word.role != Role.NAME)
    rest = retriever.joint(others, evidence, ranked)[1] if others else 1.0
    best = max(s.score for s in evidence)
    rival = next((s.score for s in asking.found.units if s.passage.id != draft.evidence[0].passage.id), 0.0)
    cosine = max(s.cosine for s in evidence)
    return strict, rest, focus, cosine, best - rival, draft.fit, float(names >= NAMED)


def _within(asking: Asking, draft: Draft) -> bool:
    """Whether every name of the question stands in a passage quoted, or over or before what is quoted.

    What one row of a table tells is of what it and what stands over it name, not of what other rows do.
    """
    words = frozenset().union(*(_words(asking, draft, s) for s in _evidence(draft)))
    focus = asking.question.focus
    # Of "which GPU type" a row needs the type, not "GPU".
    sorts = {a.start for a, b in itertools.pairwise(focus) if b.lower in w.META}
    names = (t for t in asking.found.terms if t.word.role == Role.NAME and t.weight >= COMMON)
    return all(t.found(words) >= 0.5 for t in names if t.word.token.start not in sorts)


def _words(asking: Asking, draft: Draft, scored: Scored) -> frozenset[str]:
    row = scored.unit.kind == UnitKind.ROW and draft.kind in _READ
    return asking.retriever.context_words(scored) if row else asking.retriever.passage_words(scored)


def _evidence(draft: Draft) -> tuple[Scored, ...]:
    # "Yes" to "was it before …?" rests on the units of both dates.
    several = draft.kind == "boolean" and any(len(v.evidence) > 1 for v in draft.values)
    together = draft.kind in _TOGETHER or several or draft.members > 1
    return draft.evidence if together else draft.evidence[:1]


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

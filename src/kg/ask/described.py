"""A question about a thing that it describes: the thing is asked for first, then the question is asked of it.

The description must have one answer that its passage or query bears out in every word. Where the thing is found but
what is asked of it is not, the question is declined: what the first step found is no answer to the second.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kg.ask import words as w
from kg.ask.chained import chained
from kg.ask.clauses import ClauseQuestion, sought
from kg.ask.descriptions import Description, descriptions
from kg.ask.drafts import Asking, Draft, normal
from kg.ask.judge import Verdict, judge
from kg.ask.question import Role
from kg.ask.restraint import GENERIC
from kg.ask.retrieve import Scored, Term
from kg.ask.sources import source_asked
from kg.ask.spans import cells
from kg.ask.terms import bag
from kg.model import Reason

# A description is believed to be met by units that say this share of its words.
_MET = 0.8
# A direct answer whose unit says this share of the question needs no second step.
_DIRECT = 0.85
# … and one whose unit says less than this answers another question, where the thing described is known.
_PARTLY, _LITTLE = 0.75, 0.6
_DEPTH, _TRIED, _FEW = 2, 6, 3

Decided = tuple[Draft | None, Verdict, Sequence[Draft]]
Decide = Callable[[Asking], Decided]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a description describes, with the draft that says so and how that was found."""

    label: str
    draft: Draft
    via: tuple[str, ...]


def followed(asking: Asking, decided: Decided, decide: Decide, depth: int = 0) -> tuple[Asking, Decided]:
    """The question, and what was decided on it, with a description replaced by what it describes, if that helps."""
    draft, verdict, proposals = decided
    if depth == 0 and verdict.reason != Reason.UNKNOWN_ENTITY and (read := source_asked(asking)) is not None:
        source = read()
        return asking, (source, judge(asking, source), ())
    if depth == 0 and (both := chained(asking, decide)) is not None:
        return asking, both
    if verdict.reason in (Reason.UNKNOWN_ENTITY, Reason.AMBIGUOUS) or depth >= _DEPTH:
        return asking, decided
    if draft is not None and verdict.reason is None and _direct(asking, draft):
        return asking, decided
    known: tuple[Description, Resolved] | None = None
    for described in itertools.islice(descriptions(asking.question), _TRIED):
        found = [r for r in _resolved(asking, described, decide, depth) if not asking.mentions(r.label)]
        onward = [x for r in found if (x := _onward(asking, described, r, decide, depth)) is not None]
        if len(onward) == 1:
            return onward[0]
        if len(found) == 1:
            known = known or (described, found[0])
    if known is None and draft is not None and verdict.reason is None and _of_another(asking, draft):
        return asking, (None, Verdict(verdict.confidence, Reason.NO_EVIDENCE), proposals)
    if known is not None and (draft is None or verdict.reason or not _of_all(asking, draft, *known)):
        return asking, (None, _first_step_alone(asking, verdict.confidence, *known), proposals)
    return asking, decided


def _first_step_alone(asking: Asking, confidence: float, described: Description, found: Resolved) -> Verdict:
    """Why the question is declined: with the thing found where a clause says what it did; a mere owner may mislead."""
    if not described.clause:
        return Verdict(confidence, Reason.NO_EVIDENCE)
    what = f"{found.label} ({asking.question.text[described.start : described.end]})"
    return Verdict(confidence, Reason.UNKNOWN_RELATION, what)


def _resolved(asking: Asking, described: Description, decide: Decide, depth: int) -> list[Resolved]:
    """What a description may describe: mostly one thing, where several did the same a few."""
    inner = asking.about(described.asks)
    if inner.found.unknown_names:
        return []
    text = asking.question.text[described.start : described.end]
    read = ClauseQuestion().best(inner)
    if read is not None and (read.fit < _DIRECT or len(read.values) > _FEW):
        return []  # something did it, but it isn't said to be of that kind
    if read is not None:
        return [Resolved(v.label, read, (f"{text}: {v.label}",)) for v in read.values]
    inner, (found, sure, _) = followed(inner, decide(inner), decide, depth + 1)
    if found is None or sure.reason is not None or not _meets(inner, found):
        return []
    label = re.sub(r"\s*\([^)]*\)$", "", found.values[0].label)
    return [Resolved(label, found, (*found.via, f"{text}: {label}"))]


def _of_all(asking: Asking, draft: Draft, described: Description, found: Resolved) -> bool:
    """Whether an answer given without the first step is one to the whole question rather than to a part of it."""
    label = draft.values[0].label if draft.values else ""
    same = normal(label) == normal(found.label)
    if described.loose:
        return not (same and bag(described.noun) & bag(label))
    words = _words(asking, draft)
    outside = [
        t
        for t in asking.found.terms
        if t.word.role in (Role.CONTENT, Role.LIGHT) and not described.start <= t.word.token.start < described.end
    ]
    if same or (outside and not any(t.found(words) >= 0.5 for t in outside)):
        return False
    return bag(found.label) <= words or _said(asking, draft, described.clause) >= _PARTLY


def _onward(
    asking: Asking, described: Description, found: Resolved, decide: Decide, depth: int
) -> tuple[Asking, Decided] | None:
    """The question asked of what was found; None if that has no answer of its own."""
    text = asking.question.text
    outer = asking.about(text[: described.start] + found.label + text[described.end :])
    outer, (last, judged, proposals) = followed(outer, decide(outer), decide, depth + 1)
    if last is None or judged.reason is not None or not last.values or last.values[0].label in ("", found.label):
        return None
    if not _answers(outer, last):
        return None
    shift = len(last.evidence)
    places = tuple(range(shift, shift + len(found.draft.evidence[:1])))
    values = tuple(replace(v, evidence=(*(v.evidence or (0,)), *places)) for v in last.values)
    evidence = (*last.evidence, *found.draft.evidence[:1])
    return outer, (replace(last, values=values, evidence=evidence, via=(*found.via, *last.via)), judged, proposals)


def _of_another(asking: Asking, draft: Draft) -> bool:
    """Whether an answer's unit says too little for a question that describes a thing which nothing is found to be."""
    first = next((d for d in descriptions(asking.question) if not d.loose), None)
    return first is not None and not draft.exact and _said(asking, draft, first.clause) < _LITTLE


def _answers(asking: Asking, draft: Draft) -> bool:
    """Whether a step's answer is borne out by more than the name of the thing that it is asked of.

    Who did what is read from the clause that says so: a name near the verb, or a whole sentence, won't do.
    """
    if draft.exact or (draft.explained or 0.0) >= _DIRECT:
        return True
    wanted = sought(asking) if draft.kind == "entity" else None
    if wanted is not None and wanted.agent and not cells(draft.evidence[0].plain):
        read = ClauseQuestion().best(asking)
        if read is None or draft.values[0].label not in {v.label for v in read.values}:
            return False
    words = _words(asking, draft)
    asked = [t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS, Role.LIGHT)]
    total = sum(max(t.weight, 0.5) for t in asked)
    return not total or sum(max(t.weight, 0.5) for t in asked if t.found(words) >= 0.5) > 0.55 * total


def _direct(asking: Asking, draft: Draft) -> bool:
    """Whether the answer accounts for the question as it stands."""
    if draft.exact or draft.kind not in ("entity", "value", "date", "number", "list"):
        return True
    if any(d.clause for d in descriptions(asking.question)):
        return not _unsaid(asking, draft)
    return (draft.explained or 0.0) >= _DIRECT or _joint(asking, draft)[2] >= _DIRECT


def _joint(asking: Asking, draft: Draft) -> tuple[float, float, float, float, float]:
    return asking.retriever.joint(asking.found.terms, draft.evidence[:1])


def _words(asking: Asking, draft: Draft) -> frozenset[str]:
    """What a draft's first unit says with what it stands under."""
    return asking.retriever.context_words(draft.evidence[0])


def _unsaid(asking: Asking, draft: Draft) -> list[Term]:
    """Words of the question that the first unit and what it stands under don't have."""
    words = _words(asking, draft)
    return [t for t in asking.found.terms if t.word.role != Role.KIND and t.found(words) < 0.5]


def _said(asking: Asking, draft: Draft, clause: bool) -> float:
    """Share of the question's words in a draft's first unit and what it stands under.

    Beside a clause even a light verb says something else of the thing ("who *made* the boat that …").
    """
    terms = [t for t in asking.found.terms if t.word.role != Role.KIND]
    words = _words(asking, draft)
    weights = [max(t.weight, 0.5 if clause else 0.0) for t in terms]
    return sum(x * t.found(words) for x, t in zip(weights, terms, strict=True)) / (sum(weights) or 1.0)


def _meets(asking: Asking, draft: Draft) -> bool:
    """Whether one thing, by its name, is what was described."""
    if len(draft.values) != 1 or len(draft.values[0].label) > 60:
        return False
    dated = asking.question.focus_in(w.DATE_NOUNS)
    if not dated and not re.match(r"[\"“'(*]*[^\W\d_]", draft.values[0].label):
        return False
    if _is_owner(asking, draft.values[0].label):
        return False
    # What any thing is ("component") needn't be said of this one.
    terms = [t for t in asking.found.terms if t.word.role != Role.FOCUS or t.word.token.lower not in GENERIC]
    met = asking.retriever.joint(terms, draft.evidence[:1])[1] >= _MET
    return draft.exact or (draft.explained or 0.0) >= _DIRECT or met or _entry_meets(asking, draft.evidence[0])


def _is_owner(asking: Asking, label: str) -> bool:
    """Whether a name is of what the description is about rather than of what it describes: "the head of the club"."""
    about = re.search(r"\bof\s+(?:the\s+)?(?P<noun>[a-z][\w-]*)\s*\?$", asking.question.text)
    return about is not None and normal(label).split()[-1:] == [about["noun"]]


def _entry_meets(asking: Asking, scored: Scored) -> bool:
    """Whether a row or a line ``label: value`` says what is asked, of what its document is about."""
    if not cells(scored.plain):
        return False
    own = [t for t in asking.found.terms if t.word.role != Role.KIND]
    missing = [t for t in own if t.found(asking.retriever.context_words(scored)) < 0.5]
    if len(missing) == len(own) or any(t.word.role == Role.NAME for t in missing):
        return False
    words = _document_words(asking, scored)
    return all(t.found(words) >= 0.5 for t in missing)


def _document_words(asking: Asking, scored: Scored) -> frozenset[str]:
    """Words of the headings of a unit's document, and of the lines that a line stands among."""
    document = scored.passage.document
    headings = {h for p in asking.retriever.view.passages.values() if p.document == document for h in p.headings}
    return bag(" ".join((*sorted(headings), *(u.plain for u in scored.passage.units[:4]))))

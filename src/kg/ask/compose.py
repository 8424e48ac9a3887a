"""A draft becomes the reply: answer, values and citations, or an abstention with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.ask.drafts import ROOM, Draft, Value, clip
from kg.ask.explanations import explanation
from kg.ask.retrieve import Scored
from kg.ask.view import DocumentInfo, View
from kg.model import Answer, AnswerItem, Citation, Conflict, ConflictValue, Passage, Reason, Unit

if TYPE_CHECKING:
    from kg.ask.facts import Fact, Facts

QUOTE = 300


def citation(view: View, number: int, scored: Scored) -> Citation:
    """The unit quoted from its passage; a longer unit is cut at a word."""
    passage, unit = scored.passage, scored.unit
    start, end = quote_span(passage, unit)
    info = view.documents.get(passage.document, DocumentInfo(passage.document))
    return Citation(
        number,
        view.namespaces.document(passage.document),
        info.title,
        passage.headings,
        view.namespaces.passage(passage.id),
        passage.text,
        passage.text[start:end],
        start,
        end,
        passage.start,
        info.url,
        page=info.page(passage.start + start),
        plain=unit.plain,
    )


def quote_span(passage: Passage, unit: Unit) -> tuple[int, int]:
    """Offsets of a unit within its passage's text, at most ``QUOTE`` characters."""
    start, end = unit.start - passage.start, unit.end - passage.start
    if end - start > QUOTE:
        cut = passage.text.rfind(" ", start, start + QUOTE)
        end = cut if cut > start else start + QUOTE
    return start, end


def answered(
    view: View, question: str, draft: Draft, confidence: float, limit: int | None = None, known: Facts | None = None
) -> Answer:
    """An answer with its citations in the order of the draft's evidence; with its query if the graph backs it.

    ``known``: what the graph holds, for telling how the answer was made; None without a graph.
    """
    kept, places = _citations(view, draft.evidence, limit)
    backing = draft.backing
    facts = backing.facts if backing else ()
    kept = tuple(replace(c, claim=_claim_of(c, facts)) for c in kept)
    one_each = len(facts) == len(draft.values) and not draft.exact
    items = tuple(
        _item(v, places, confidence, facts[i] if one_each else None) for i, v in enumerate(draft.values) if v.label
    )
    return Answer(
        question,
        "answered",
        draft.text,
        items,
        backing.written.sparql if backing else None,
        backing.written.bindings if backing else None,
        kept,
        _conflicts(draft, items, facts, places),
        confidence=confidence,
        explanation=explanation(view, known, draft),
    )


def _conflicts(
    draft: Draft, items: Sequence[AnswerItem], facts: Sequence[Fact], places: dict[int, int]
) -> tuple[Conflict, ...]:
    """The answer's value and its rivals, each with its citations."""
    if not draft.rivals or not items:
        return ()
    first = ConflictValue(items[0].label, facts[0].status if facts else "stated", items[0].citations)
    others = (
        ConflictValue(r.label, r.status, (places[r.evidence],) if r.evidence in places else ()) for r in draft.rivals
    )
    return (Conflict(draft.rivals[0].property, (first, *others)),)


def _claim_of(citation: Citation, facts: Sequence[Fact]) -> str | None:
    """The claim that a citation's quotation carries."""
    start = citation.document_start + citation.start
    end = citation.document_start + citation.end
    own = (f for f in facts if citation.passage.endswith(f.passage) and f.start < end and start < f.end)
    return next((f.claim for f in own), None)


def _item(value: Value, places: dict[int, int], confidence: float, fact: Fact | None) -> AnswerItem:
    cited = tuple(sorted({places[i] for i in value.evidence if i in places}))
    if fact is None:
        return AnswerItem(value.label, value.iri or value.label, value.iri, confidence=confidence, citations=cited)
    term = fact.object
    return AnswerItem(
        value.label,
        term.value if term is not None else fact.stated,
        term.value if isinstance(term, ox.NamedNode) else None,
        term.datatype.value if isinstance(term, ox.Literal) else None,
        fact.unit,
        fact.status,
        confidence,
        cited,
    )


def _citations(
    view: View, evidence: Sequence[Scored], limit: int | None
) -> tuple[tuple[Citation, ...], dict[int, int]]:
    kept: list[Citation] = []
    places: dict[int, int] = {}
    seen: dict[tuple[str, int], int] = {}
    for i, scored in enumerate(evidence):
        if scored.key not in seen:
            if limit is not None and len(kept) >= limit:
                continue
            kept.append(citation(view, len(kept) + 1, scored))
            seen[scored.key] = len(kept)
        places[i] = seen[scored.key]
    return tuple(kept), places


def sourced(answer: Answer) -> Answer:
    """Where an answer comes from: the documents that say it, quoted."""
    if answer.status != "answered":
        return answer
    told = (f"{c.title} says: “{clip(c.quote, 0, ROOM)}”" for c in answer.citations[:2])
    return replace(answer, answer="; ".join(told))


_SAYINGS = {
    Reason.UNKNOWN_ENTITY: "The documents don't mention {what}.{hint}",
    Reason.UNKNOWN_RELATION: "The documents don't say that of {what}.",
    Reason.NO_EVIDENCE: "The documents don't say.",
    Reason.AMBIGUOUS: "The question could mean several things: {what}.",
}


def abstained(
    view: View, question: str, reason: Reason, what: str, hint: str, nearest: Sequence[Scored], confidence: float
) -> Answer:
    """An abstention that says what is missing, with the nearest passages."""
    kept, _ = _citations(view, nearest, None)
    text = _SAYINGS[reason].format(what=what or "what is asked about", hint=hint)
    return Answer(question, "abstained", text, citations=kept, reason=reason, confidence=confidence)

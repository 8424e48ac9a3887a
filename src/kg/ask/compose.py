"""A draft becomes the reply: answer, values and citations, or an abstention with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from kg.ask.drafts import Draft
from kg.ask.retrieve import Scored
from kg.ask.view import DocumentInfo, View
from kg.model import Answer, AnswerItem, Citation, Passage, Reason, Unit

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
    )


def quote_span(passage: Passage, unit: Unit) -> tuple[int, int]:
    """Offsets of a unit within its passage's text, at most ``QUOTE`` characters."""
    start, end = unit.start - passage.start, unit.end - passage.start
    if end - start > QUOTE:
        cut = passage.text.rfind(" ", start, start + QUOTE)
        end = cut if cut > start else start + QUOTE
    return start, end


def answered(view: View, question: str, draft: Draft, confidence: float, limit: int | None) -> Answer:
    """An answer with its citations in the order of the draft's evidence."""
    kept, places = _citations(view, draft.evidence, limit)
    items = tuple(
        AnswerItem(
            v.label,
            v.label,
            confidence=confidence,
            citations=tuple(sorted({places[i] for i in v.evidence if i in places})),
        )
        for v in draft.values
        if v.label
    )
    return Answer(question, "answered", draft.text, items, citations=kept, confidence=confidence)


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

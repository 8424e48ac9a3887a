"""The one place where claims are made: evidence exact by construction, quotation, standing, identifier."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from kg.extract.source import Source, Span
from kg.extract.worded import declared
from kg.model import (
    Claim,
    Context,
    DateValue,
    EntityName,
    Evidence,
    Hedge,
    Mood,
    Passage,
    Polarity,
    Predicate,
    Rejected,
    Role,
    Status,
    Subject,
    Value,
)
from kg.namespaces import claim_id
from kg.text.hedges import CAUTION, combine
from kg.text.stretch import Stretch

CONFIDENCE = {
    "tables": 0.95,
    "keyvalues": 0.93,
    "sources": 0.92,
    "headings": 0.9,
    "diagrams": 0.9,
    "commands": 0.93,
    "definitions": 0.88,
    "positions": 0.87,
    "patterns": 0.85,
    "asides": 0.85,
    "happenings": 0.85,
    "lists": 0.8,
    "propositions": 0.8,
}
"""How sure an extractor is of what it finds, as a fixed figure for each; see ``scaled`` for its weaker findings."""


def scaled(extractor: str, factor: float) -> float:
    """An extractor's confidence times a factor, to 3 digits."""
    return round(CONFIDENCE[extractor] * factor, 3)


@dataclass(frozen=True, slots=True)
class About:
    """A subject with the stretches of the document that name it. ``at``: the one that can be a value's evidence."""

    name: Subject
    spans: tuple[Span, ...] = ()
    at: Stretch | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a named thing; none of an event."""
        return self.name.classes if isinstance(self.name, EntityName) else ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of a named thing, or that of an event."""
        return self.name.classes if isinstance(self.name, EntityName) else (self.name.cls,)


@dataclass(frozen=True, slots=True)
class Property:
    """A predicate with the stretches of the document that word it."""

    predicate: Predicate
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A value with its stretch; ``value`` is None when the document says that it isn't disclosed."""

    value: Value | None
    span: Span
    stated: str
    hedge: Hedge = field(default_factory=Hedge)


@dataclass(frozen=True, slots=True)
class Frame:
    """What the claims of one row, bullet or sentence share."""

    hedge: Hedge = field(default_factory=Hedge)
    valid_from: DateValue | None = None
    valid_until: DateValue | None = None
    qualifiers: tuple[Span, ...] = ()
    context: Context | None = None

    def within(self, period: DateValue) -> Frame:
        """The same with a period of validity; the end of one that goes on is open."""
        return replace(self, valid_from=period, valid_until=period if period.latest else None)


def claim(
    source: Source,
    extractor: str,
    about: About,
    property_: Property,
    given: Given,
    frame: Frame | None = None,
    confidence: float | None = None,
) -> Claim:
    """A claim with exact evidence. The passage is that of the value."""
    frame = frame or Frame()
    passage = source.passage_at(given.span[0])
    spans = [
        *((Role.SUBJECT, span) for span in about.spans),
        *((Role.PREDICATE, span) for span in property_.spans),
        (Role.VALUE, given.span),
        *((Role.QUALIFIER, span) for span in frame.qualifiers),
    ]
    evidence = tuple(sorted({Evidence(role, *span, source.cut(span)) for role, span in spans}, key=_order))
    hedge = combine(frame.hedge, given.hedge)
    if given.value is None:
        hedge = replace(hedge, status=Status.UNDISCLOSED)
    quote = source.quote(*given.span)
    predicate = declared(source.ontology, property_.predicate, about.name, given.value)
    return Claim(
        id=_identifier(passage, evidence, (surface(about.name), given.stated), predicate, hedge),
        passage=passage.id,
        subject=about.name,
        predicate=predicate,
        object=given.value,
        evidence=evidence,
        quote_start=quote[0],
        quote_end=quote[1],
        stated_value=given.stated,
        extractors=(extractor,),
        confidence=CONFIDENCE[extractor] if confidence is None else confidence,
        hedge=hedge,
        valid_from=frame.valid_from,
        valid_until=frame.valid_until,
        context=frame.context,
    )


def refused(source: Source, extractor: str, reason: str, at: Stretch) -> Rejected:
    """What was found and not kept, with the reason."""
    start, end = at.span
    return Rejected(source.passage_at(start).id, extractor, reason, at.text, start, end)


def _order(evidence: Evidence) -> tuple[int, int, str]:
    return evidence.start, evidence.end, evidence.role


def surface(subject: Subject) -> str:
    """The words that name a subject: of an event its label, with what tells it from others."""
    return subject.surface if subject.kind == "entity" else f"{subject.label}|{subject.year}|{subject.local}"


def _identifier(
    passage: Passage, evidence: Iterable[Evidence], surfaces: tuple[str, str], predicate: Predicate, hedge: Hedge
) -> str:
    # What stands outside the passage (a heading above) has no fixed distance to it: its words stand for it.
    inside = [(e.role.value, e.start, e.end) for e in evidence if passage.start <= e.start and e.end <= passage.end]
    return claim_id(passage.id, inside, surfaces, predicate.iri or predicate.label, hedge.polarity.value, passage.start)


def weightier(one: Hedge, other: Hedge) -> Hedge:
    """Of two standings of the same words, the one that says less."""
    return max(
        one, other, key=lambda h: (h.polarity is Polarity.NEGATED, h.mood is not Mood.FACTUAL, CAUTION.index(h.status))
    )

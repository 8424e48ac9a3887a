"""The one place where claims are made: evidence exact by construction, quotation, standing, identifier."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kg.extract.classify import classes_of, classes_of_mention
from kg.extract.source import Source, Span
from kg.graph.literals import Statement, check
from kg.model import (
    Alias,
    Claim,
    Context,
    DateValue,
    EntityName,
    EventName,
    Evidence,
    Hedge,
    Mention,
    Mood,
    Passage,
    Polarity,
    Predicate,
    Rejected,
    Role,
    Status,
    Subject,
    Text,
    Value,
)
from kg.namespaces import KG, claim_id
from kg.ontology import Ontology, normalise_label
from kg.text.entities import EntityMention
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

    @classmethod
    def of(cls, at: Stretch, classes: tuple[str, ...] = ()) -> About:
        """What a stretch names, of these classes."""
        return cls(EntityName(at.text, classes), (at.span,), at)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a named thing; none of an event."""
        return self.name.classes if isinstance(self.name, EntityName) else ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of a named thing, or that of an event."""
        return self.name.classes if isinstance(self.name, EntityName) else (self.name.cls,)


def named(source: Source, at: Stretch, mention: EntityMention | None = None) -> About:
    """What a stretch names; ``mention``: what was found there, whose known classes come first."""
    classes = classes_of(source, at.text) if mention is None else classes_of_mention(source, mention, at.text)
    return About.of(at, classes)


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

    @classmethod
    def of(cls, value: Value | None, at: Stretch, hedge: Hedge | None = None) -> Given:
        """A value as a stretch gives it."""
        return cls(value, at.span, at.text, hedge or Hedge())

    @classmethod
    def words(cls, at: Stretch, hedge: Hedge | None = None) -> Given:
        """A stretch's words as a text."""
        return cls.of(Text(at.text), at, hedge)


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
    found = {Evidence(role, *span, source.cut(span)) for role, span in spans}
    evidence = tuple(sorted(found, key=lambda e: (e.start, e.end, e.role)))
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


# --- Extractors' own words for properties

OWN_WORDS = frozenset({"description", "detail", "event"})
"""What extractors call properties by themselves: the ontology's property so called goes first, if one fits."""


def declared(ontology: Ontology, predicate: Predicate, subject: Subject, value: Value | None) -> Predicate:
    """The predicate, or the declared property of its label that takes such a subject and such a value."""
    if predicate.iri or normalise_label(predicate.label) not in OWN_WORDS:
        return predicate
    for found in ontology.by_label(predicate.label, "property"):
        if found.iri.startswith(KG):
            continue
        named = isinstance(value, EntityName | EventName)
        statement = Statement(
            found.iri,
            About(subject).kinds,
            value.surface if isinstance(value, EntityName) else value.label if isinstance(value, EventName) else None,
            About(value).kinds if isinstance(value, EntityName | EventName) else (),
            None if named else value,  # type: ignore[arg-type]
        )
        if check(statement, ontology) is None:
            return Predicate(ontology.properties[found.iri].label, found.iri)
    return predicate


def refused(source: Source, extractor: str, reason: str, at: Stretch) -> Rejected:
    """What was found and not kept, with the reason."""
    start, end = at.span
    return Rejected(source.passage_at(start).id, extractor, reason, at.text, start, end)


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


# --- One claim for what two extractors found alike, and everything in document order


def quotable(source: Source, claims: Iterable[Claim], rejected: set[Rejected]) -> list[Claim]:
    """The claims whose quotation and evidence are the document's own text, the quotation within the claim's passage.

    This holds whoever made the claim; another's is added to ``rejected`` with the reason.
    """
    passages = {passage.id: passage for passage in source.passages}
    pictures = [found.span() for found in re.finditer(r"!\[[^\[\]]*\](?=[(\[])", source.document.text)]
    kept: list[Claim] = []
    for claim in claims:
        problem = next(unquotable(claim, passages.get(claim.passage), source.document.text), None)
        if any(start < _value(claim).start < end for start, end in pictures):
            problem = "it tells what a picture shows"
        if problem is None:
            kept.append(claim)
        else:
            place = claim.evidence[0].start if claim.evidence else claim.quote_start
            start = min(max(place, 0), len(source.document.text))
            at = source.passage_at(start)
            rejected.add(Rejected(at.id, claim.extractors[0], problem, claim.stated_value, start, start))
    return kept


def unquotable(claim: Claim, passage: Passage | None, text: str) -> Iterator[str]:
    """Why a claim can't be shown in its document: each offset that doesn't give the text that it claims."""
    if passage is None:
        yield f"claim {claim.id} names a passage that isn't there"
        return
    if not passage.start <= claim.quote_start < claim.quote_end <= passage.end:
        yield f"the quotation of claim {claim.id} lies outside its passage"
    for evidence in claim.evidence:
        if text[evidence.start : evidence.end] != evidence.exact:
            yield f"evidence of claim {claim.id} isn't the text at {evidence.start}:{evidence.end}"


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims without repetitions, by place. Two are the same when subject, predicate, value and its place agree.

    The surest one's evidence stays; the extractors of both are named, and the standing that says less holds.
    """
    best: dict[tuple[str, ...], Claim] = {}
    for claim in sorted(claims, key=lambda c: (-c.confidence, *_sort_key(c))):
        key = _key(claim)
        kept = best.get(key)
        if kept is None:
            best[key] = claim
        else:
            names = tuple(sorted({*kept.extractors, *claim.extractors}))
            best[key] = replace(kept, extractors=names, hedge=weightier(kept.hedge, claim.hedge))
    by_id: dict[str, Claim] = {}
    for claim in sorted(best.values(), key=lambda c: (-c.confidence, *_sort_key(c))):
        by_id.setdefault(claim.id, claim)
    return tuple(sorted(by_id.values(), key=_sort_key))


def with_further(claims: Iterable[Claim], further: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims with others that may add to them and change nothing of them but to be named as extractors too."""
    kept = {_key(claim): claim for claim in claims}
    taken = {claim.id for claim in kept.values()}
    for claim in sorted(further, key=_sort_key):
        known = kept.get(_key(claim))
        if known is not None:
            names = tuple(sorted({*known.extractors, *claim.extractors}))
            kept[_key(claim)] = replace(known, extractors=names)
        elif claim.id not in taken:
            taken.add(claim.id)
            kept[_key(claim)] = claim
    return tuple(kept.values())


def by_place(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims in document order."""
    return tuple(sorted(claims, key=_sort_key))


def unrepeated(claims: Iterable[Claim], further: Iterable[Claim]) -> Iterator[Claim]:
    """Further claims but what is said of a thing where a claim already gives that as its definition."""
    defined = [(_value(c).start, _value(c).end) for c in claims if "definitions" in c.extractors]
    for claim in further:
        at = _value(claim)
        described = claim.predicate.label in ("description", "is")
        if not (described and any(start < at.end and at.start < end for start, end in defined)):
            yield claim


def _value(claim: Claim) -> Evidence:
    return next((e for e in claim.evidence if e.role is Role.VALUE), claim.evidence[0])


def _key(claim: Claim) -> tuple[str, ...]:
    value = _value(claim)
    predicate = claim.predicate.iri or claim.predicate.label.casefold()
    object_ = (
        repr(replace(claim.object, classes=()))
        if claim.object and claim.object.kind == "entity"
        else repr(claim.object)
    )
    return claim.passage, surface(claim.subject).casefold(), predicate, str(value.start), object_


def _sort_key(claim: Claim) -> tuple[int, int, str, str]:
    value = _value(claim)
    return value.start, value.end, claim.predicate.iri or claim.predicate.label, claim.id


def in_order(found: Alias | Rejected) -> tuple[int, int, str, str]:
    """Place, then wording."""
    if isinstance(found, Alias):
        return found.start, found.end, found.name, found.alias
    return found.start, found.end, found.extractor, found.reason


def mentions_of(source: Source, claims: Iterable[Claim]) -> tuple[Mention, ...]:
    """Names of entities in running text, tables and headings, with the classes that the context vouches for."""
    found: set[Mention] = set()
    for inline in source.leaves():
        whole = Stretch.whole(inline)
        for entity in source.names_in(whole):
            at = whole.part(entity.start, entity.end)
            start, end = at.span
            classes = classes_of_mention(source, entity.value, at.text)
            found.add(Mention(source.passage_at(start).id, entity.value.surface, start, end, classes))
    return tuple(sorted(found, key=lambda m: (m.start, m.end, m.surface)))

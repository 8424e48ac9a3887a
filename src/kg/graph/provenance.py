"""Documents, passages and claims → RDF: pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

import pyoxigraph as ox

from kg.model import Context, Evidence, Hedge, Passage, page_at
from kg.namespaces import DCTERMS, KG, OA, PROV, QUDT, RDF, RDFS, SCHEMA, XSD, Namespaces
from kg.records import RecordedDocument

Term = ox.NamedNode | ox.Literal


@lru_cache(maxsize=200_000)
def node(iri: str) -> ox.NamedNode:
    """The IRI as a term; the same object for the same IRI."""
    return ox.NamedNode(iri)


TYPE, LABEL = node(RDF + "type"), node(RDFS + "label")
SUBJECT, PREDICATE, OBJECT = node(RDF + "subject"), node(RDF + "predicate"), node(RDF + "object")
DERIVED, PART_OF, HAS_UNIT = node(PROV + "wasDerivedFrom"), node(DCTERMS + "isPartOf"), node(QUDT + "unit")
ATTRIBUTED = node(PROV + "wasAttributedTo")
_INTEGER, _DECIMAL, _BOOLEAN = node(XSD + "integer"), node(XSD + "decimal"), node(XSD + "boolean")
TRUE, FALSE = ox.Literal("true", datatype=_BOOLEAN), ox.Literal("false", datatype=_BOOLEAN)

SUPERCLASSES: Mapping[str, tuple[str, ...]] = {
    KG + "Document": (PROV + "Entity", SCHEMA + "CreativeWork"),
    KG + "Passage": (PROV + "Entity",),
    KG + "Claim": (PROV + "Entity", RDF + "Statement"),
    KG + "Evidence": (OA + "TextPositionSelector", OA + "TextQuoteSelector"),
    KG + "Observation": (KG + "Event", SCHEMA + "Observation"),
    KG + "OpenProperty": (RDF + "Property",),
    KG + "Extractor": (PROV + "SoftwareAgent",),
}
"""Classes above those of the vocabulary (kg.ttl): they are materialised."""


def term(name: str) -> ox.NamedNode:
    """A term of the vocabulary."""
    return node(KG + name)


@dataclass(frozen=True, slots=True)
class ResolvedClaim:
    """A claim as the graph holds it: names resolved, values as literals in the canonical unit.

    ``object`` is None when the value isn't disclosed. ``unit`` is an IRI, that of the bounds. ``confidence`` has at
    most 3 digits after the point. ``speaker`` is the IRI of whom the document names for it, if anybody.
    """

    id: str
    passage: str
    subject: str
    predicate: str
    object: Term | None
    evidence: tuple[Evidence, ...]
    quote: str
    quote_start: int
    quote_end: int
    stated_value: str
    extractors: tuple[str, ...]
    confidence: Decimal
    asserted: bool
    hedge: Hedge = field(default_factory=Hedge)
    rejections: tuple[str, ...] = ()
    lower: ox.Literal | None = None
    upper: ox.Literal | None = None
    unit: str | None = None
    per: str = ""
    approximate: bool | None = None
    earliest: ox.Literal | None = None
    latest: ox.Literal | None = None
    valid_from: ox.Literal | None = None
    valid_until: ox.Literal | None = None
    speaker: str | None = None
    context: Context | None = None


def integer(value: int) -> ox.Literal:
    """``xsd:integer``."""
    return ox.Literal(str(value), datatype=_INTEGER)


def _decimal(value: Decimal) -> ox.Literal:
    return ox.Literal(f"{value.normalize():f}" if value else "0", datatype=_DECIMAL)


def typed(subject: ox.NamedNode, class_iri: str) -> Iterator[ox.Quad]:
    """Type of a node of the vocabulary, with the classes above."""
    for iri in (class_iri, *SUPERCLASSES.get(class_iri, ())):
        yield ox.Quad(subject, TYPE, node(iri))


_METADATA = {
    "author": DCTERMS + "creator",
    "authors": DCTERMS + "creator",
    "creator": DCTERMS + "creator",
    "date": DCTERMS + "date",
    "published": DCTERMS + "date",
    "description": DCTERMS + "description",
    "language": DCTERMS + "language",
    "publisher": DCTERMS + "publisher",
    "source": SCHEMA + "url",
    "url": SCHEMA + "url",
}


def document_quads(document: RecordedDocument, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """A document: title, path, media type, hash, and what its own metadata says of author, date and source."""
    subject = node(namespaces.document(document.id))
    yield from typed(subject, KG + "Document")
    yield ox.Quad(subject, node(DCTERMS + "title"), ox.Literal(document.title or document.name))
    yield ox.Quad(subject, node(DCTERMS + "format"), ox.Literal(document.media_type))
    yield ox.Quad(subject, term("name"), ox.Literal(document.name))
    yield ox.Quad(subject, term("contentHash"), ox.Literal(document.content_hash))
    for key, value in document.metadata:
        if key.casefold() in _METADATA and value.strip():
            yield ox.Quad(subject, node(_METADATA[key.casefold()]), ox.Literal(value.strip()))


def passage_quads(passage: Passage, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """A passage: its document, text and place."""
    subject = node(namespaces.passage(passage.id))
    yield from typed(subject, KG + "Passage")
    yield ox.Quad(subject, PART_OF, node(namespaces.document(passage.document)))
    yield ox.Quad(subject, term("text"), ox.Literal(passage.text))
    yield ox.Quad(subject, term("start"), integer(passage.start))
    yield ox.Quad(subject, term("end"), integer(passage.end))
    yield ox.Quad(subject, term("order"), integer(passage.order))
    if passage.headings:
        yield ox.Quad(subject, term("headings"), ox.Literal(" > ".join(passage.headings)))


def claim_quads(claim: ResolvedClaim, document: str, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """A claim's node with its evidence and extractors; not the triple that it asserts."""
    subject = node(namespaces.claim(claim.id))
    yield from typed(subject, KG + "Claim")
    for predicate, value in _claim_values(claim, namespaces):
        if value is not None:
            yield ox.Quad(subject, predicate, value)
    for reason in claim.rejections:
        yield ox.Quad(subject, term("rejectionReason"), ox.Literal(reason))
    for evidence in claim.evidence:
        at = node(namespaces.evidence(document, evidence.start, evidence.end, evidence.role.value))
        yield ox.Quad(subject, term("evidence"), at)
        yield from _evidence_quads(at, evidence)
    for name in claim.extractors:
        yield ox.Quad(subject, term("extractor"), node(namespaces.extractor(name)))
        yield from extractor_quads(name, namespaces)


def extractor_quads(name: str, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """An extractor with its name."""
    extractor = node(namespaces.extractor(name))
    yield from typed(extractor, KG + "Extractor")
    yield ox.Quad(extractor, LABEL, ox.Literal(name))


def page_quads(claim: ResolvedClaim, document: RecordedDocument, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """The pages that a claim's evidence begins on; none for documents without pages."""
    for evidence in claim.evidence:
        page = page_at(document.metadata, evidence.start)
        if page is not None:
            at = namespaces.evidence(document.id, evidence.start, evidence.end, evidence.role.value)
            yield ox.Quad(node(at), term("page"), integer(page))


def _claim_values(claim: ResolvedClaim, namespaces: Namespaces) -> Iterator[tuple[ox.NamedNode, Term | None]]:
    yield SUBJECT, node(claim.subject)
    yield PREDICATE, node(claim.predicate)
    yield OBJECT, claim.object
    yield DERIVED, node(namespaces.passage(claim.passage))
    yield term("confidence"), _decimal(claim.confidence)
    yield term("status"), term(claim.hedge.status.value)
    yield term("polarity"), term(claim.hedge.polarity.value)
    yield term("mood"), term(claim.hedge.mood.value)
    yield term("asserted"), TRUE if claim.asserted else FALSE
    yield term("statedValue"), ox.Literal(claim.stated_value)
    yield term("quote"), ox.Literal(claim.quote)
    yield term("quoteStart"), integer(claim.quote_start)
    yield term("quoteEnd"), integer(claim.quote_end)
    yield term("lowerValue"), claim.lower
    yield term("upperValue"), claim.upper
    yield HAS_UNIT, node(claim.unit) if claim.unit else None
    yield term("per"), ox.Literal(claim.per) if claim.per else None
    yield term("approximate"), None if claim.approximate is None else TRUE if claim.approximate else FALSE
    yield term("earliest"), claim.earliest
    yield term("latest"), claim.latest
    yield term("validFrom"), claim.valid_from
    yield term("validUntil"), claim.valid_until
    yield ATTRIBUTED, node(claim.speaker) if claim.speaker else None
    around = claim.context or Context()
    yield term("caption"), ox.Literal(around.caption) if around.caption else None
    yield term("rowHeading"), ox.Literal(around.row) if around.row else None
    yield term("columnHeading"), ox.Literal(around.column) if around.column else None
    yield term("stubHeading"), ox.Literal(around.stub) if around.stub else None


def _evidence_quads(subject: ox.NamedNode, evidence: Evidence) -> Iterator[ox.Quad]:
    yield from typed(subject, KG + "Evidence")
    yield ox.Quad(subject, term("role"), term(f"{evidence.role.value}Role"))
    yield ox.Quad(subject, term("start"), integer(evidence.start))
    yield ox.Quad(subject, term("end"), integer(evidence.end))
    yield ox.Quad(subject, term("exact"), ox.Literal(evidence.exact))

"""Documents through the real reader, passages and extractors, with claims as short tuples."""

from __future__ import annotations

import re

from kg.extract import extract
from kg.model import Claim, Document, Extraction, Mood, Polarity, Quantity, Role, Status
from kg.namespaces import KG, document_slug
from kg.ontology import Ontology, parse
from kg.readers import read
from kg.text.passages import split

PREFIXES = """
@prefix kg: <https://w3id.org/citegraph/kg#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix unit: <http://qudt.org/vocab/unit/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix : <https://example.org/sea#> .
"""


def ontology(turtle: str) -> Ontology:
    """An ontology of the test's own, with the usual prefixes."""
    return parse([("sea.ttl", (PREFIXES + turtle).encode())])


def extraction(text: str, name: str = "notes.md", known: Ontology | None = None) -> tuple[Document, Extraction]:
    """What the extractors find; every claim is checked against the text on the way."""
    document = read(text.encode(), name)
    id_ = document_slug(name)
    passages = split(document, id_)
    found = extract(document, id_, passages, known or Ontology.empty())
    ids = {p.id for p in passages}
    for claim in found.claims:
        assert claim.passage in ids
        for evidence in claim.evidence:
            assert document.text[evidence.start : evidence.end] == evidence.exact
        value = value_span(claim)
        assert claim.quote_start <= value[0] and value[1] <= claim.quote_end
        assert 0 < claim.confidence <= 1 and round(claim.confidence, 3) == claim.confidence
    assert len({c.id for c in found.claims}) == len(found.claims)
    return document, found


def value_span(claim: Claim) -> tuple[int, int]:
    """Where the claim's value stands."""
    return next((e.start, e.end) for e in claim.evidence if e.role is Role.VALUE)


def shown(claim: Claim) -> tuple[str, str, str]:
    """Subject, predicate and value in words."""
    subject = claim.subject.surface if claim.subject.kind == "entity" else claim.subject.label
    predicate = re.split("[#/]", claim.predicate.iri)[-1] or claim.predicate.label
    value = claim.object
    if value is None:
        return subject, predicate, "undisclosed"
    if isinstance(value, Quantity):
        return subject, predicate, " ".join(filter(None, (_bounds(value), value.unit)))
    text = {"entity": "surface", "date": "value", "text": "value", "flag": "value", "event": "label"}[value.kind]
    return subject, predicate, str(getattr(value, text))


def _bounds(value: Quantity) -> str:
    low, high = value.lower, value.upper
    if low == high:
        return f"{low:f}"
    return f"{'' if low is None else format(low, 'f')}..{'' if high is None else format(high, 'f')}"


def facts(text: str, name: str = "notes.md", known: Ontology | None = None) -> set[tuple[str, str, str]]:
    """All claims in words."""
    return {shown(claim) for claim in extraction(text, name, known)[1].claims}


def claims(text: str, name: str = "notes.md", known: Ontology | None = None) -> dict[tuple[str, str, str], Claim]:
    """All claims by their words."""
    return {shown(claim): claim for claim in extraction(text, name, known)[1].claims}


def assertable(claim: Claim) -> bool:
    """Whether the graph may assert a claim (planned ones only where the property is about plans)."""
    hedge = claim.hedge
    stands = hedge.status in (Status.CONFIRMED, Status.STATED, Status.ESTIMATED, Status.LEAKED)
    return stands and hedge.polarity is Polarity.AFFIRMED and hedge.mood is Mood.FACTUAL and claim.object is not None


EVENT, OBSERVATION = KG + "Event", KG + "Observation"

"""What RDF calls things: names of vocabularies, kinds of literals, and triples in a settled order."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
LABELS = (
    f"{RDFS}label",
    f"{SKOS}prefLabel",
    f"{SKOS}altLabel",
    f"{SKOS}hiddenLabel",
    "http://xmlns.com/foaf/0.1/name",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
)
COMMENTS = (
    f"{RDFS}comment",
    f"{SKOS}definition",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/description",
    "http://schema.org/description",
    "https://schema.org/description",
)
# Vocabularies that speak about the schema: never something that a question asks for.
SCHEMA = (RDF, RDFS, OWL, "http://www.w3.org/ns/shacl#", f"{SKOS}definition")
CLASS_TYPES = frozenset((f"{OWL}Class", f"{RDFS}Class"))
NOT_KINDS = frozenset((f"{OWL}NamedIndividual", f"{OWL}Thing", f"{RDFS}Resource", f"{OWL}Ontology"))
NUMBERS = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "unsignedInt", "unsignedLong", "unsignedShort", "negativeInteger", "nonPositiveInteger",
    )
)  # fmt: skip
DATE = re.compile(r"(-?\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*|Z|[+-]\d\d:\d\d)?$")
DATES = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))
Step = tuple[int, bool]
Ids = frozenset[int]
Term = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its names (labels first), what it joins, and what its values are: thing, number, date or text."""

    id: int
    iri: str
    names: tuple[str, ...]
    comment: str
    domain: Ids
    range: Ids
    kind: str
    uses: int
    is_span: bool = False


def lines(triples: Iterable[ox.Triple | ox.Quad]) -> Iterator[tuple[str, tuple[Term, ox.NamedNode, Term]]]:
    """Triples with their text, which orders them whatever the order they come in."""
    for triple in triples:
        subject, object_ = triple.subject, triple.object
        if not isinstance(subject, ox.Triple) and not isinstance(object_, ox.Triple):
            yield f"{subject} {triple.predicate} {object_}", (subject, triple.predicate, object_)


def ordinal(text: str) -> float | None:
    """A date as the number of its (first) day."""
    match = DATE.fullmatch(text)
    if match is None:
        return None
    try:
        return float(datetime.date(int(match[1]), int(match[2] or 1), int(match[3] or 1)).toordinal())
    except ValueError:
        return None

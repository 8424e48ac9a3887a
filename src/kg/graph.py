"""Records + ontology + decisions → the graph, whole: a pure function, whatever the records' order.

The default graph holds everything once; a graph for each passage repeats the asserted triples that it states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.decisions import Accept, Decision, Reject
from kg.model import EventName
from kg.namespaces import KG, OWL, RDF, RDFS, SKOS, Namespaces
from kg.ontology import Ontology, parse, vocabulary
from kg.openproperties import OpenProperty, open_properties
from kg.provenance import (
    LABEL,
    SUPERCLASSES,
    TYPE,
    claim_quads,
    document_quads,
    node,
    page_quads,
    passage_quads,
    typed,
)
from kg.resolve import Resolution, resolve
from kg.statements import Statements
from kg.values import unit_node

if TYPE_CHECKING:
    from kg.records import Record

_ALT_LABEL, _CANONICAL_UNIT = node(SKOS + "altLabel"), node(KG + "canonicalUnit")
_THING = OWL + "Thing"
_EVENT = KG + "Event"
# What the default graph repeats of the ontology for the classes and properties that are used.
_SHOWN = frozenset({RDF + "type", RDFS + "label", SKOS + "altLabel", KG + "canonicalUnit"})


def build(
    records: Iterable[Record],
    ontology: Ontology,
    decisions: Iterable[Decision] = (),
    namespaces: Namespaces | None = None,
) -> frozenset[ox.Quad]:
    """Every quad of the graph of these records; without blank nodes, literals in the form that Oxigraph keeps."""
    records = sorted(records, key=lambda r: r.document.id)
    decided = tuple(decisions)
    namespaces = namespaces or Namespaces()
    resolution = resolve(records, ontology, decided, namespaces)
    claims = [claim for record in records for claim in record.extraction.claims]
    properties = open_properties(claims)
    statements = Statements(
        resolution,
        properties,
        frozenset(d.claim for d in decided if isinstance(d, Accept)),
        frozenset(d.claim for d in decided if isinstance(d, Reject)),
    )
    quads: set[ox.Quad] = set()
    used = _Used()
    for record in records:
        quads.update(_record_quads(record, statements, used, namespaces))
    quads.update(_entity_quads(resolution, used))
    quads.update(_event_quads(records, resolution, used))
    quads.update(_open_property_quads(properties.values(), namespaces))
    quads.update(_ontology_quads(ontology, used, namespaces))
    return frozenset(quads)


class _Used:
    """Classes and declared properties that the graph uses."""

    def __init__(self) -> None:
        self.classes: set[str] = set()
        self.properties: set[str] = set()


def _record_quads(record: Record, statements: Statements, used: _Used, names: Namespaces) -> Iterator[ox.Quad]:
    document = record.document
    yield from document_quads(document, names)
    for passage in record.passages:
        yield from passage_quads(passage, names)
    for claim in statements.of(record):
        yield from claim_quads(claim, document.id, names)
        yield from page_quads(claim, document, names)
        used.properties.add(claim.predicate)
        if claim.asserted and claim.object is not None:
            triple = node(claim.subject), node(claim.predicate), claim.object
            yield ox.Quad(*triple)
            yield ox.Quad(*triple, node(names.passage(claim.passage)))


# --- things --------------------------------------------------------------------------------------


def _types(subject: ox.NamedNode, classes: Iterable[str], ontology: Ontology, used: _Used) -> Iterator[ox.Quad]:
    """Types with all classes above; of what has none, owl:Thing."""
    above = {c for cls in classes for c in (*ontology.superclasses(cls), *SUPERCLASSES.get(cls, ()))} - {_THING}
    used.classes |= above
    for iri in above or {_THING}:
        yield ox.Quad(subject, TYPE, node(iri))


def _entity_quads(resolution: Resolution, used: _Used) -> Iterator[ox.Quad]:
    for entity in resolution.entities.values():
        subject = node(entity.iri)
        yield ox.Quad(subject, LABEL, ox.Literal(entity.label))
        for name in entity.alt_labels:
            yield ox.Quad(subject, _ALT_LABEL, ox.Literal(name))
        yield from _types(subject, entity.types, resolution.ontology, used)


def _event_quads(records: Iterable[Record], resolution: Resolution, used: _Used) -> Iterator[ox.Quad]:
    """Events with the label that most documents give, then the longest, then the first in code-point order."""
    labels: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    classes: dict[str, set[str]] = defaultdict(set)
    for record in records:
        document = record.document.id
        for claim in record.extraction.claims:
            for side in (claim.subject, claim.object):
                if isinstance(side, EventName):
                    iri = resolution.event(document, side)
                    labels[iri][side.label].add(document)
                    classes[iri].add(side.cls)
    for iri, named in labels.items():
        label = min(named, key=lambda text: (-len(named[text]), -len(text), text))
        yield ox.Quad(node(iri), LABEL, ox.Literal(label))
        yield from _types(node(iri), {*classes[iri], _EVENT}, resolution.ontology, used)


# --- properties and classes ----------------------------------------------------------------------


def _open_property_quads(properties: Iterable[OpenProperty], names: Namespaces) -> Iterator[ox.Quad]:
    for found in properties:
        subject = node(names.relation(found.slug))
        yield from typed(subject, KG + "OpenProperty")
        yield ox.Quad(subject, LABEL, ox.Literal(found.label))
        for name in found.alt_labels:
            yield ox.Quad(subject, _ALT_LABEL, ox.Literal(name))
        if found.unit:
            yield ox.Quad(subject, _CANONICAL_UNIT, unit_node(found.unit))


def _ontology_quads(ontology: Ontology, used: _Used, names: Namespaces) -> set[ox.Quad]:
    """The ontology and the vocabulary whole in their graph; names and types of what is used in the default graph."""
    graph = node(names.ontology_graph)
    terms = used.classes | used.properties
    quads: set[ox.Quad] = set()
    for declared in (ontology, _vocabulary(names.base)):
        for triple in declared.triples:
            quads.add(ox.Quad(triple.subject, triple.predicate, triple.object, graph))
            if getattr(triple.subject, "value", None) in terms and triple.predicate.value in _SHOWN:
                quads.add(ox.Quad(triple.subject, triple.predicate, triple.object))
        for iri in terms:
            known = declared.classes.get(iri) or declared.properties.get(iri)
            if known is not None:
                quads.add(ox.Quad(node(iri), LABEL, ox.Literal(known.label)))
    return _as_stored(quads)


@lru_cache(maxsize=4)
def _vocabulary(base: str) -> Ontology:
    return parse([("kg.ttl", vocabulary())], f"{base}vocabulary/")


def _as_stored(quads: Iterable[ox.Quad]) -> set[ox.Quad]:
    """Literals as Oxigraph gives them back: an ontology's "0.50" is "0.5"."""
    store = ox.Store()
    store.extend(quads)
    return set(store)

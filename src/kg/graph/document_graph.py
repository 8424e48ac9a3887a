"""Contributions + records + ontology + decisions → the graph: a pure function, whatever the documents' order.

The default graph holds everything once; a graph for each passage repeats the asserted triples that it states. What a
document's part holds depends on its record and on what its names and properties mean among all documents (its
context), so that a change of one document changes the parts of those only whose context it changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.decisions import Accept, Decision, Reject
from kg.graph.literals import unit_node
from kg.graph.provenance import (
    LABEL,
    SUPERCLASSES,
    TYPE,
    ResolvedClaim,
    claim_quads,
    document_quads,
    extractor_quads,
    node,
    page_quads,
    passage_quads,
)
from kg.graph.statements import Statements
from kg.model import EventName
from kg.namespaces import KG, OWL, RDF, RDFS, SKOS, Namespaces, digest
from kg.ontology import Ontology, parse, vocabulary
from kg.resolution.contributions import Contribution, EventUse, Sums, Told, Totals
from kg.resolution.openproperties import OpenProperty, preferred
from kg.resolution.resolve import Names, meaning

if TYPE_CHECKING:
    from kg.records import Record


def of_part(passages: int, claims: Iterable[ResolvedClaim], open_properties: frozenset[str]) -> Totals:
    """Those of a document's part. ``open_properties``: IRIs of properties that no ontology declares."""
    held, by_status, rejected = Counter(passages=passages), Counter[str](), Counter[str]()
    for claim in claims:
        held["claims"] += 1
        by_status[claim.hedge.status.value] += 1
        rejected.update(claim.rejections)
        if claim.rejections:
            held["rejected claims"] += 1
        if claim.asserted:
            held["asserted claims"] += 1
            if claim.predicate not in open_properties:
                held["asserted claims on typed properties"] += 1
    return Totals(held, by_status, rejected)


_ALT_LABEL, _CANONICAL_UNIT = node(SKOS + "altLabel"), node(KG + "canonicalUnit")

_EVENT, _OPEN_PROPERTY = KG + "Event", KG + "OpenProperty"
# What the default graph repeats of the ontology for the classes and properties that are used.
_SHOWN = frozenset({RDF + "type", RDFS + "label", SKOS + "altLabel", KG + "canonicalUnit"})


@dataclass(frozen=True, slots=True)
class Part:
    """A document's own part of the graph: its nodes, its passages' graphs and the triples that they assert."""

    record: Record
    claims: tuple[ResolvedClaim, ...]
    told: Told
    namespaces: Namespaces

    def quads(self) -> Iterator[ox.Quad]:
        """Its quads, made as they are taken, since there may be millions; those that several claims give repeatedly."""
        document, names = self.record.document, self.namespaces
        yield from document_quads(document, names)
        for passage in self.record.passages:
            yield from passage_quads(passage, names)
        for claim in self.claims:
            yield from claim_quads(claim, document.id, names)
            yield from page_quads(claim, document, names)
            if claim.asserted and claim.object is not None:
                triple = node(claim.subject), node(claim.predicate), claim.object
                yield ox.Quad(*triple)
                yield ox.Quad(*triple, node(names.passage(claim.passage)))


@dataclass(frozen=True, slots=True, order=True)
class Thing:
    """What the graph says of something that documents share: an entity, an event, or a property of their wording.

    ``types``: without the classes above them. ``unit``: that of an open property's values.
    """

    iri: str
    label: str
    alt_labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """What no single document's part holds. ``held``: how many things by kind."""

    things: Mapping[str, Thing] = field(default_factory=dict)
    properties: tuple[str, ...] = ()
    extractors: tuple[str, ...] = ()
    held: Mapping[str, int] = field(default_factory=dict)


class Plan:
    """The graph of documents, each part of it computed when asked for."""

    def __init__(
        self,
        brought: Mapping[str, Contribution],
        names: Names,
        properties: Mapping[str, OpenProperty],
        decisions: Iterable[Decision],
    ) -> None:
        """``brought``: what each document that may be asked about contributes; ``names``: what theirs mean."""
        self._brought, self._entities = brought, names.entities
        decided = tuple(decisions)
        self._resolution, self._properties = names.resolution, properties
        self._ontology, self._names = names.resolution.ontology, names.resolution.namespaces
        self._accepted = frozenset(d.claim for d in decided if isinstance(d, Accept))
        self._rejected = frozenset(d.claim for d in decided if isinstance(d, Reject))
        self._statements = Statements(self._resolution, self._properties, self._accepted, self._rejected)

    def meant(self, document: str) -> tuple[str, ...]:
        """What each name in a document's claims means, as digests, in the order of its groups."""
        groups = self._brought[document].groups
        return tuple(meaning(self._resolution, document, group.key) for group in groups if group.in_claims)

    def context(self, document: str, meant: Iterable[str]) -> str:
        """Names all that a document's part depends on beside its record: equal contexts, equal parts."""
        brought = self._brought[document]
        worded = (self._properties[key] for key in sorted(brought.wordings))
        judged = (sorted(found.intersection(brought.claims)) for found in (self._accepted, self._rejected))
        return digest("context", *meant, *(repr((p.slug, p.unit)) for p in worded), *map(repr, judged))

    def part(self, record: Record) -> Part:
        """A document's part of the graph."""
        claims = tuple(self._statements.of(record))
        told = Told(
            tuple(sorted({claim.predicate for claim in claims})),
            tuple(sorted({name for claim in claims for name in claim.extractors})),
            tuple(sorted(self._events(record))),
            of_part(len(record.passages), claims, self._relations),
        )
        return Part(record, claims, told, self._names)

    @cached_property
    def _relations(self) -> frozenset[str]:
        return frozenset(self._names.relation(p.slug) for p in self._properties.values())

    def _events(self, record: Record) -> set[EventUse]:
        document = record.document.id
        sides = (side for claim in record.extraction.claims for side in (claim.subject, claim.object))
        return {(self._resolution.event(document, s), s.label, s.cls) for s in sides if isinstance(s, EventName)}

    def shared(self, sums: Sums) -> Shared:
        """What the documents share that told this together."""
        entities = (Thing(e.iri, e.label, e.alt_labels, e.types) for e in self._entities)
        properties = (
            Thing(self._names.relation(p.slug), p.label, p.alt_labels, (_OPEN_PROPERTY,), p.unit or "")
            for p in self._properties.values()
        )
        # Events with the label that most documents give, then the longest, then the first in code-point order.
        events = (
            Thing(iri, preferred(event.labels), (), tuple(sorted({*event.classes, _EVENT})))
            for iri, event in sums.events.items()
        )
        things = (*entities, *events, *properties)
        return Shared(
            {thing.iri: thing for thing in sorted(things)},
            tuple(sorted(sums.properties)),
            tuple(sorted(sums.extractors)),
            self._held(things),
        )

    def _held(self, things: Iterable[Thing]) -> dict[str, int]:
        within = self._names.entity("")
        kinds = Counter((thing.types, thing.iri.startswith(within)) for thing in things)
        events = {types for types, _ in kinds if _EVENT in _closed(types, self._ontology)}
        return {
            "entities": sum(n for (_, entity), n in kinds.items() if entity),
            "events": sum(n for (types, _), n in kinds.items() if types in events),
            "open properties": len(self._properties),
        }


# --- what documents share -----------------------------------------------------------------------


def shared_quads(shared: Shared, ontology: Ontology, namespaces: Namespaces) -> Iterator[ox.Quad]:
    """All quads of what no single document's part holds."""
    for thing in shared.things.values():
        yield from thing_quads(thing, ontology)
    yield from term_quads(shared, ontology, namespaces)


def thing_quads(thing: Thing, ontology: Ontology) -> Iterator[ox.Quad]:
    """Names, types and unit of one thing."""
    subject = node(thing.iri)
    yield ox.Quad(subject, LABEL, ox.Literal(thing.label))
    for name in thing.alt_labels:
        yield ox.Quad(subject, _ALT_LABEL, ox.Literal(name))
    for iri in _closed(thing.types, ontology) or (OWL + "Thing",):
        yield ox.Quad(subject, TYPE, node(iri))
    if thing.unit:
        yield ox.Quad(subject, _CANONICAL_UNIT, unit_node(thing.unit))


def _closed(types: Iterable[str], ontology: Ontology) -> list[str]:
    """Classes with all classes above; none for what has none but owl:Thing."""
    above = {c for cls in types for c in (*ontology.superclasses(cls), *SUPERCLASSES.get(cls, ()))}
    return sorted(above - {OWL + "Thing"})


def term_quads(shared: Shared, ontology: Ontology, namespaces: Namespaces) -> set[ox.Quad]:
    """Extractors, and the ontology and the vocabulary whole in their graph.

    The default graph has names, types and units of those of their classes and properties that are used.
    """
    graph = node(namespaces.ontology_graph)
    kinds = {thing.types for thing in shared.things.values() if _OPEN_PROPERTY not in thing.types}
    terms = {*shared.properties, *(cls for types in kinds for cls in _closed(types, ontology))}
    quads: set[ox.Quad] = set()
    for declared in (ontology, parse([("kg.ttl", vocabulary())], f"{namespaces.base}vocabulary/")):
        for triple in declared.triples:
            quads.add(ox.Quad(triple.subject, triple.predicate, triple.object, graph))
            if getattr(triple.subject, "value", None) in terms and triple.predicate.value in _SHOWN:
                quads.add(ox.Quad(triple.subject, triple.predicate, triple.object))
        for iri in terms:
            known = declared.classes.get(iri) or declared.properties.get(iri)
            if known is not None:
                quads.add(ox.Quad(node(iri), LABEL, ox.Literal(known.label)))
    quads.update(quad for name in shared.extractors for quad in extractor_quads(name, namespaces))
    store = ox.Store()  # gives literals as the graph's store will: an ontology's "0.50" is "0.5"
    store.extend(quads)
    return set(store)

"""What a knowledge base holds: counts, documents, search, the network of entities. Reads only."""

from __future__ import annotations

from collections.abc import Mapping

from kg.base.snapshot import Snapshot
from kg.base.states import totals
from kg.namespaces import KG, OWL
from kg.reports import DocumentSummary
from kg.resolution.contributions import Totals

_COUNTS = {
    "documents": "?x a kg:Document",
    "passages": "?x a kg:Passage",
    "claims": "?x a kg:Claim",
    "asserted claims": "?x a kg:Claim ; kg:asserted true",
    "rejected claims": "?x a kg:Claim ; kg:rejectionReason ?reason",
    "events": "{ ?x a kg:Event } UNION { ?x a kg:Observation }",
    "open properties": "?x a kg:OpenProperty",
}


def stats(snapshot: Snapshot) -> Mapping[str, int]:
    """Counts of documents, passages, claims, entities, properties and triples of the graph."""
    kept = _kept(snapshot)
    held = {name: kept.held.get(name, 0) for name in _HELD} if kept else _counted(snapshot)
    return held | {"triples": _triples(snapshot)}


def _triples(snapshot: Snapshot) -> int:
    counted = snapshot.graphs.triples(snapshot.manifest.graph)
    return int(snapshot.rows("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")[0][0]) if counted is None else counted


def _kept(snapshot: Snapshot) -> Totals | None:
    """What was counted when the graph was made; not where no documents made it, or a backup brought it."""
    return totals(snapshot.folder, snapshot.manifest.state) if snapshot.manifest.state else None


def _counted(snapshot: Snapshot) -> dict[str, int]:
    """The same, counted in the graph."""
    counts = {
        name: int(snapshot.rows(f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {pattern} }}")[0][0])
        for name, pattern in _COUNTS.items()
    }
    # In a graph of one's own everything with a name is a thing, but classes and properties.
    prefix = "" if snapshot.manifest.plain else snapshot.namespaces.entity("")
    counts[_ENTITIES] = sum(row[0].startswith(prefix) for row in snapshot.rows(_NAMED))
    counts[_ON_TYPED] = int(snapshot.rows(_TYPED)[0][0])
    return counts


_NAMED = f"""SELECT DISTINCT ?x WHERE {{ ?x rdfs:label ?l
  FILTER NOT EXISTS {{ ?x a ?kind FILTER(?kind IN (rdfs:Class, rdf:Property, <{OWL}Class>, <{OWL}ObjectProperty>,
    <{OWL}DatatypeProperty>, <{OWL}AnnotationProperty>, <{OWL}Ontology>)) }} }}"""
_TYPED = """SELECT (COUNT(?c) AS ?n) WHERE {
  ?c a kg:Claim ; kg:asserted true ; rdf:predicate ?p FILTER NOT EXISTS { ?p a kg:OpenProperty } }"""
_ENTITIES, _ON_TYPED = "entities", "asserted claims on typed properties"
_HELD = (*_COUNTS, _ENTITIES, _ON_TYPED)


def claim_counts(snapshot: Snapshot) -> Mapping[str, int]:
    """Claims by stated status."""
    if kept := _kept(snapshot):
        return kept.claims
    rows = snapshot.rows("SELECT ?s (COUNT(?c) AS ?n) WHERE { ?c a kg:Claim ; kg:status ?s } GROUP BY ?s")
    return {status.removeprefix(KG): int(n) for status, n in sorted(rows)}


def rejection_counts(snapshot: Snapshot) -> Mapping[str, int]:
    """What was found and not kept, by reason: findings of the extractors and claims that validation refused.

    Where :func:`_kept` has nothing to tell only the latter: the graph has no others.
    """
    if kept := _kept(snapshot):
        return kept.rejected
    rows = snapshot.rows("SELECT ?r (COUNT(?c) AS ?n) WHERE { ?c kg:rejectionReason ?r } GROUP BY ?r")
    return {reason: int(n) for reason, n in sorted(rows)}


def summary(snapshot: Snapshot, id_: str) -> DocumentSummary:
    """A document by its identifier. Raises NotFound."""
    record = snapshot.record(id_)
    document = record.document
    return DocumentSummary(
        id_,
        snapshot.namespaces.document(id_),
        document.name,
        document.title,
        document.media_type,
        len(record.passages),
        len(record.extraction.claims),
        document.content_hash,
    )

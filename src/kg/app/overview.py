"""What a knowledge base holds: counts, documents, and where an entity or a claim comes from, told for people."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from kg.base.snapshot import Snapshot
from kg.base.states import totals
from kg.errors import BadInput, NotFound
from kg.namespaces import KG, OWL
from kg.reports import DocumentSummary, ExplainedClaim, Explanation, Source
from kg.resolution.contributions import Totals
from kg.resolution.resolve import resolve
from kg.text.names import name_key

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
    """Counts of documents, passages, claims, entities, properties and triples of the graph.

    "not kept" is what a build says under that name: rejected claims, and findings that became no claims.
    """
    kept = _kept(snapshot)
    held = {name: kept.held.get(name, 0) for name in _HELD} if kept else _counted(snapshot)
    triples = snapshot.graphs.triples(snapshot.manifest.graph)
    if triples is None:
        triples = int(snapshot.rows("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")[0][0])
    return held | {"not kept": sum(rejection_counts(snapshot).values()), "triples": triples}


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


# A variable that is bound from outside has to be among those selected.
_NAMES = "SELECT DISTINCT ?x ?name WHERE { ?x rdfs:label|skos:altLabel ?name } ORDER BY ?x ?name"
_ABOUT = """SELECT ?label ?alias ?type ?class ?x WHERE {
  { ?x rdfs:label ?label } UNION { ?x skos:altLabel ?alias } UNION { ?x a ?t OPTIONAL { ?t rdfs:label ?type }
    BIND(STR(?t) AS ?class) } }"""
_CLAIMS = """SELECT DISTINCT ?claim ?subject ?predicate ?value ?status ?confidence ?asserted ?reason ?quote
    ?document ?title ?headings ?s ?p ?speaker ?denied ?x WHERE {
  ?claim a kg:Claim ; rdf:subject ?s ; rdf:predicate ?p ; kg:status ?st ; kg:confidence ?confidence ;
    kg:asserted ?asserted ; kg:quote ?quote ; prov:wasDerivedFrom ?passage .
  ?passage dcterms:isPartOf ?document . ?document dcterms:title ?title
  FILTER_HERE
  OPTIONAL { ?passage kg:headings ?headings } OPTIONAL { ?claim kg:statedValue ?value }
  OPTIONAL { ?claim kg:rejectionReason ?reason }
  OPTIONAL { ?s rdfs:label ?sl } OPTIONAL { ?p rdfs:label ?pl }
  OPTIONAL { ?claim prov:wasAttributedTo ?agent . ?agent rdfs:label ?speaker }
  BIND(COALESCE(?sl, STR(?s)) AS ?subject) BIND(COALESCE(?pl, STR(?p)) AS ?predicate)
  BIND(EXISTS { ?claim kg:polarity kg:negated } AS ?denied)
  BIND(STRAFTER(STR(?st), "#") AS ?status) } ORDER BY ?p ?title ?claim"""
_OF_ENTITY = _CLAIMS.replace("FILTER_HERE", "{ ?claim rdf:subject ?x } UNION { ?claim rdf:object ?x }")
_OF_CLAIM = _CLAIMS.replace("FILTER_HERE", "FILTER(?claim = ?x)")
_TRIPLES = """SELECT DISTINCT ?subject ?predicate ?value ?x WHERE {
  { ?x ?p ?o BIND(?x AS ?s) } UNION { ?s ?p ?x BIND(?x AS ?o) }
  FILTER(?p NOT IN (rdf:type, rdfs:label, skos:altLabel))
  OPTIONAL { ?s rdfs:label ?sl } OPTIONAL { ?p rdfs:label ?pl } OPTIONAL { ?o rdfs:label ?ol }
  BIND(COALESCE(?sl, STR(?s)) AS ?subject) BIND(COALESCE(?pl, STR(?p)) AS ?predicate)
  BIND(COALESCE(?ol, STR(?o)) AS ?value) } ORDER BY ?predicate ?subject ?value"""
_EXTRACTORS = "SELECT ?name ?x WHERE { ?x kg:extractor/rdfs:label ?name } ORDER BY ?name"


def explain(snapshot: Snapshot, name_or_iri: str) -> Explanation:
    """The entity, event or claim of that IRI, identifier or name. Raises NotFound with near names."""
    iri = find(snapshot, name_or_iri)
    node = ox.NamedNode(iri)
    if iri.startswith(snapshot.namespaces.claim("")):
        claims = tuple(_claim(snapshot, row) for row in snapshot.rows(_OF_CLAIM, node))
        label = f"{claims[0].subject} – {claims[0].predicate}" if claims else iri
        return Explanation(iri, label, ("claim",), (), (), claims)
    about = snapshot.rows(_ABOUT, node)
    labels = sorted({row[0] for row in about if row[0]}) or [iri]
    aliases = tuple(sorted({row[1] for row in about if row[1]}))
    claims = tuple(_claim(snapshot, row) for row in snapshot.rows(_OF_ENTITY, node))
    triples = () if claims else tuple((row[0], row[1], row[2]) for row in snapshot.rows(_TRIPLES, node))
    names = resolve(snapshot.records(), snapshot.ontology, snapshot.decisions, snapshot.namespaces)
    # IRIs of classes only where none has a label. Without owl:Thing, which tells nothing.
    types = {row[2] for row in about if row[2]} or {row[3] for row in about if row[3]} - {OWL + "Thing"}
    return Explanation(iri, labels[0], tuple(sorted(types)), aliases, names.why(iri), claims, triples)


def find(snapshot: Snapshot, name_or_iri: str) -> str:
    """IRI of what is meant: an IRI, an entity's or claim's identifier, or a name. Raises BadInput, NotFound."""
    name_or_iri = name_or_iri.strip()
    if not name_or_iri:
        raise BadInput("the name is empty", "give the name of a thing, an identifier or an IRI")
    names = snapshot.namespaces
    for candidate in (name_or_iri, names.entity(name_or_iri), names.claim(name_or_iri), names.event(name_or_iri)):
        # Ontologies bring things of their own, whose IRIs begin otherwise.
        own = candidate.startswith(names.base) or "://" in name_or_iri
        if " " not in candidate and own and _exists(snapshot, candidate):
            return candidate
    wanted = name_key(name_or_iri)
    named = snapshot.rows(_NAMES)
    found = sorted({iri for iri, name in named if name_key(name) == wanted})
    if found:
        return found[0]
    near = sorted({name for _, name in named if wanted and wanted in name_key(name)})[:5]
    hint = (
        f"did you mean {', '.join(near)}?" if near else "SPARQL lists all names: SELECT ?name { ?x rdfs:label ?name }"
    )
    raise NotFound(f"nothing is called {name_or_iri}", hint)


def _exists(snapshot: Snapshot, iri: str) -> bool:
    try:
        node = ox.NamedNode(iri)
    except ValueError:  # characters that no IRI may hold
        return False
    return bool(snapshot.store.query("ASK { ?x ?p ?o }", {"x": node}))


def _claim(snapshot: Snapshot, row: list[str]) -> ExplainedClaim:
    claim, subject, predicate, value, status, confidence, asserted, reason, quote, *more = row
    document, title, headings, _, property_, speaker, denied, _ = more
    extractors = tuple(r[0] for r in snapshot.rows(_EXTRACTORS, ox.NamedNode(claim)))
    source = Source(document, title, tuple(headings.split(" > ")) if headings else (), quote)
    return ExplainedClaim(
        claim,
        subject,
        predicate,
        value,
        status,
        float(confidence),
        asserted == "true",
        extractors,
        source,
        reason,
        bool(snapshot.ontology.properties) and property_.startswith(snapshot.namespaces.relation("")),
        speaker,
        denied == "true",
    )

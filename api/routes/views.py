"""What the page shows besides: questions and queries to start from, and the paths between two things."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pyoxigraph as ox
from fastapi import APIRouter, Query
from pydantic import BaseModel

from kg.knowledge_base import KnowledgeBase
from kg.namespaces import KG, RDF

from ..live import Knowledge, of_newest

if TYPE_CHECKING:
    import networkx as nx

router = APIRouter(tags=["graph"])
# The sample vocabulary's queries lie beside it in a checkout; an installed package comes without either.
GALLERY = Path(__file__).resolve().parents[2] / "ontology" / "queries"
_PREFIX = re.compile(r"^PREFIX\s+(\w*):\s*<([^>]*)>", re.IGNORECASE | re.MULTILINE)
_TERM = re.compile(r"(?<![\w<:/#.-])([A-Za-z]\w*):([A-Za-z]\w*)")
_STATED = f"""PREFIX kg: <{KG}> PREFIX rdf: <{RDF}> SELECT ?s ?p ?o {{
  ?claim kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o FILTER(ISIRI(?o) && ?s != ?o) }}"""
_OCCURS = "ASK { { ?x ?p ?o } UNION { ?s ?x ?o } UNION { ?s ?p ?x } }"
# Vocabularies that every knowledge base has.
_GENERAL = ("http://www.w3.org/", "http://purl.org/", "http://qudt.org/", KG)
_MOST_PATHS = 5
_LONGEST = 6
Iri = Annotated[str, Query(min_length=1, max_length=2_000, description="IRI, identifier or name.")]


class GalleryQuery(BaseModel):
    """A query with what it asks, in words."""

    title: str
    query: str


class Gallery(BaseModel):
    """Queries that the knowledge base's vocabulary can answer, by title."""

    queries: list[GalleryQuery]


class Examples(BaseModel):
    """Questions that the knowledge base answers well."""

    questions: list[str]


class PathTriple(BaseModel):
    """A triple of a path, in its own direction."""

    s: str
    p: str
    o: str


class Paths(BaseModel):
    """The shortest paths between two things, each a list of steps, each step the triples that connect its ends."""

    source: str
    target: str
    paths: list[list[list[PathTriple]]]


@lru_cache(maxsize=1)
def _queries() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Title, text and the IRIs of prefixed names that each query of the gallery mentions."""
    found = []
    for file in sorted(GALLERY.glob("*.rq")):
        text = file.read_text(encoding="utf-8")
        prefixes = dict(_PREFIX.findall(text))
        body = _PREFIX.sub("", re.sub(r'"[^"\n]*"|<[^>\s]*>|#.*', " ", text))
        terms = frozenset(prefixes[name] + local for name, local in _TERM.findall(body) if name in prefixes)
        terms = frozenset(iri for iri in terms if not iri.startswith(_GENERAL))
        title = text.partition("\n")[0].removeprefix("#").strip() or file.stem.replace("-", " ")
        found.append((title, text, terms))
    return tuple(found)


@router.get("/queries", summary="Queries to start from")
def queries(knowledge_base: Knowledge) -> Gallery:
    """Those of the gallery that this knowledge base has all terms of."""
    return _fitting(knowledge_base)


@of_newest
def _fitting(knowledge_base: KnowledgeBase) -> Gallery:
    store = knowledge_base.snapshot.store

    def occurs(iri: str) -> bool:
        return bool(store.query(_OCCURS, {"x": ox.NamedNode(iri)}))

    wanted = [(title, text) for title, text, terms in _queries() if terms and all(map(occurs, sorted(terms)))]
    return Gallery(queries=[GalleryQuery(title=t, query=q) for t, q in sorted(wanted, key=lambda each: each[0])])


@router.get("/examples", tags=["questions"], summary="Questions to start from")
def examples(knowledge_base: Knowledge) -> Examples:
    """At most five, each asked beforehand and answered with what a document states; none over RDF alone."""
    return _answered(knowledge_base)


@of_newest
def _answered(knowledge_base: KnowledgeBase) -> Examples:
    from kg.app.starters import starters

    snapshot = knowledge_base.snapshot
    titles = [snapshot.record(id_).document.title for id_ in snapshot.manifest.documents]
    return Examples(questions=starters(snapshot.store, titles, knowledge_base.ask))


@router.get("/paths", summary="How two things are connected")
def paths(knowledge_base: Knowledge, source: Iri, target: Iri) -> Paths:
    """The shortest chains of facts between two entities, in either direction of each fact."""
    from kg.app.overview import find
    from kg.graph.network import paths as shortest

    ends = [find(knowledge_base.snapshot, name) for name in (source, target)]
    network = _stated(knowledge_base)
    if not all(end in network for end in ends):
        return Paths(source=ends[0], target=ends[1], paths=[])
    found = shortest(network, ends[0], ends[1], cutoff=_LONGEST, limit=_MOST_PATHS)
    steps = [[[PathTriple(s=s, p=p, o=o) for s, p, o in hop.triples] for hop in path] for path in found]
    return Paths(source=ends[0], target=ends[1], paths=steps)


@of_newest
def _stated(knowledge_base: KnowledgeBase) -> nx.MultiDiGraph:
    """What is stated of things, those that the ontology brings among them: each step of a path has its evidence."""
    from kg.graph.network import graph

    rows = knowledge_base.snapshot.store.query(_STATED)
    assert isinstance(rows, ox.QuerySolutions)
    return graph((row["s"].value, row["p"].value, row["o"].value) for row in rows)

"""What the server says of itself: the SPARQL 1.1 Service Description, VoID at its well-known place, and how it is.

``/livez``, ``/readyz`` and ``/metrics`` are for whoever runs it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from enum import Enum
from typing import Annotated

import pyoxigraph as ox
from fastapi import APIRouter, Header, Request
from starlette.responses import PlainTextResponse, Response

from kg.errors import BadInput, CitegraphError
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import DCTERMS, RDF

from ..live import Live, live, of_newest
from ..protocol import GRAPHS, in_thread, require, result

router = APIRouter()
_OPERATION: list[str | Enum] = ["operation"]
SD = "http://www.w3.org/ns/sparql-service-description#"
VOID = "http://rdfs.org/ns/void#"
_FORMATS = "http://www.w3.org/ns/formats/"
_RESULT_FORMATS = (
    "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
    "Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads",
)  # fmt: skip
_EXPORTS = {"Turtle": "turtle", "N-Quads": "nq"}
# Counts in the default graph, by the term of VoID that tells them.
_COUNTS = {
    "triples": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "distinctSubjects": "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o }",
    "properties": "SELECT (COUNT(DISTINCT ?p) AS ?n) { ?s ?p ?o }",
    "classes": "SELECT (COUNT(DISTINCT ?c) AS ?n) { ?s a ?c }",
}
Triples = Iterator[tuple[str, str, str | int]]


def _rdf(triples: Triples, accept: str | None) -> Response:
    """A description in the format asked for. Raises BadInput where the address isn't fit for an IRI."""
    media_type = require(accept, GRAPHS)
    try:
        found = [ox.Triple(ox.NamedNode(s), ox.NamedNode(p), _object(o)) for s, p, o in triples]
    except ValueError as error:
        raise BadInput("the server can't be named by the address in this request", "check its Host") from error
    prefixes = {"sd": SD, "void": VOID, "dcterms": DCTERMS, "formats": _FORMATS}
    body = ox.serialize(found, format=getattr(ox.RdfFormat, GRAPHS[media_type]), prefixes=prefixes)
    return result(body or b"", media_type)


def _object(value: str | int) -> ox.NamedNode | ox.Literal:
    return ox.Literal(value) if isinstance(value, int) else ox.NamedNode(value)


def describe_service(request: Request, accept: str | None) -> Response:
    """The description of ``/sparql``."""
    writes = request.app.state.open_dataset or request.app.state.keys.may_be_written()
    return _rdf(_service(f"{request.base_url}sparql", writes), accept)


def _service(endpoint: str, writes: bool) -> Triples:
    type_, dataset, graph = RDF + "type", f"{endpoint}#dataset", f"{endpoint}#default-graph"
    yield endpoint, type_, SD + "Service"
    yield endpoint, SD + "endpoint", endpoint
    for language in ("SPARQL11Query", *(["SPARQL11Update"] if writes else [])):
        yield endpoint, SD + "supportedLanguage", SD + language
    for name in _RESULT_FORMATS:
        yield endpoint, SD + "resultFormat", _FORMATS + name
    yield endpoint, SD + "defaultDataset", dataset
    yield dataset, type_, SD + "Dataset"
    yield dataset, SD + "defaultGraph", graph
    yield graph, type_, SD + "Graph"


@router.head("/.well-known/void", include_in_schema=False)
@router.get(
    "/.well-known/void",
    tags=["graph"],
    responses={200: {"content": {name: {} for name in GRAPHS}, "description": "The description."}},
    summary="What the dataset holds (VoID)",
)
async def void(request: Request, accept: Annotated[str | None, Header()] = None) -> Response:
    """The dataset, where to query it and to get it whole, and how much it holds."""
    at = live(request)
    counts = await in_thread(request, lambda: _counts(at.current(), at))
    return _rdf(_dataset(str(request.base_url), at, counts), accept)


def _dataset(address: str, at: Live, counts: dict[str, int]) -> Triples:
    dataset, type_ = f"{address}.well-known/void#dataset", RDF + "type"
    yield dataset, type_, VOID + "Dataset"
    yield f"{address}.well-known/void", type_, VOID + "DatasetDescription"
    yield f"{address}.well-known/void", "http://xmlns.com/foaf/0.1/primaryTopic", dataset
    yield dataset, VOID + "sparqlEndpoint", f"{address}sparql"
    for name, export in _EXPORTS.items():
        yield dataset, VOID + "dataDump", f"{address}export?format={export}"
        yield dataset, VOID + "feature", _FORMATS + name
    for vocabulary in sorted(set(at.current().snapshot.namespaces.prefixes().values())):
        if not vocabulary.startswith(at.current().snapshot.namespaces.base):
            yield dataset, VOID + "vocabulary", vocabulary
    for term, count in counts.items():
        yield dataset, VOID + term, count


@of_newest
def _counts(knowledge_base: KnowledgeBase, at: Live) -> dict[str, int]:
    """Counts of the generation; one that takes too long is left out."""
    found = {}
    for term, query in _COUNTS.items():
        with contextlib.suppress(CitegraphError):
            rows = json.loads(at.sandbox().run(query, "JSON", None).body)["results"]["bindings"]
            found[term] = int(rows[0]["n"]["value"])
    return found


@router.get("/livez", tags=_OPERATION, response_class=PlainTextResponse, summary="Whether the process runs")
async def livez() -> str:
    """Always ``ok``."""
    return "ok"


@router.get("/readyz", tags=_OPERATION, response_class=PlainTextResponse, summary="Whether questions can be answered")
def readyz(request: Request) -> str:
    """``ok`` once the knowledge base is open and a query worker answers; otherwise a problem (503)."""
    live(request).sandbox().run("ASK {}", "JSON", None)
    return "ok"


@router.get("/metrics", tags=_OPERATION, response_class=PlainTextResponse, summary="Counters for Prometheus")
def metrics(request: Request) -> Response:
    """Requests and their durations by route, and what the knowledge base holds."""
    body, media_type = request.app.state.metrics.text(live(request).current().stats())
    return Response(body, headers={"Content-Type": media_type})

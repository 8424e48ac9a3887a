"""Protocol, graph store and service description tests. Every function gives "" or what is wrong."""

from __future__ import annotations

import json

import pyoxigraph as ox
from rdflib import Graph, Namespace, URIRef
from rdflib.namespace import RDF

from .evaluation import load, quads_of
from .manifests import Request, Suites, Test
from .results import same_datasets
from .server import Client, Reply

_STATUSES = {"OK": 200, "Created": 201, "NoContent": 204, "NotFound": 404}
_FORMATS = {
    "boolean": ("application/sparql-results+json", "application/sparql-results+xml"),
    "tabular": (
        "application/sparql-results+json",
        "application/sparql-results+xml",
        "text/csv",
        "text/tab-separated-values",
    ),
    "RDF": ("text/turtle", "application/n-triples", "application/rdf+xml"),
}
SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
# The classes that the vocabulary gives for what its properties point to; features and formats may be anyone's.
_RANGES = {SD.defaultDataset: SD.Dataset, SD.defaultGraph: SD.Graph, SD.namedGraph: SD.NamedGraph}
_INSTANCES = {
    SD.supportedLanguage: {SD.SPARQL10Query, SD.SPARQL11Query, SD.SPARQL11Update},
    SD.feature: {SD.DereferencesURIs, SD.UnionDefaultGraph, SD.RequiresDataset, SD.EmptyGraphs, SD.BasicFederatedQuery},
}
_OTHER_TERMS = {SD.endpoint, SD.resultFormat, SD.inputFormat}


def protocol(client: Client, suites: Suites, test: Test) -> str:
    """The requests of a test, one after the other, on a dataset of its own."""
    load(client, quads_of(suites, test.data))
    places: dict[str, str] = {}
    for number, request in enumerate(test.requests, 1):
        path = request.path.replace("/sparql/", "/sparql", 1).replace("/gsp", "/graphs", 1)
        for name, value in places.items():
            path = path.replace(name, value)
        reply = client.send(request.method, path, dict(request.headers), request.body)
        wrong = _wrong(request, reply, client.address + path)
        if wrong:
            return f"request {number}: {wrong}"
        if request.location:
            places[request.location] = reply.headers["location"]
    return ""


def _wrong(request: Request, reply: Reply, address: str) -> str:
    if not any(_has_status(reply, status) for status in request.statuses):
        return f"status {reply.status}, not {' or '.join(request.statuses)}: {reply.body[:200]!r}"
    if request.format and reply.media_type not in _FORMATS[request.format]:
        return f"{reply.media_type} is not {request.format}"
    if request.boolean and _truth(reply) != request.boolean:
        return f"the result is not {request.boolean}"
    if request.location and "location" not in reply.headers:
        return "no Location"
    if request.content and not same_datasets(
        _triples(reply.body, address), _triples(request.content.encode(), address)
    ):
        return "another graph came"
    return ""


def _has_status(reply: Reply, expected: str) -> bool:
    if expected.startswith("StatusCode"):
        return str(reply.status)[0] == expected.removeprefix("StatusCode")[0]
    return reply.status == _STATUSES[expected]


def _truth(reply: Reply) -> str:
    return str(json.loads(reply.body)["boolean"]).lower()


def _triples(data: bytes, base: str) -> list[ox.Quad]:
    return list(ox.parse(data, ox.RdfFormat.TURTLE, base_iri=base))


def description(client: Client, suites: Suites, test: Test) -> str:
    """What the endpoint says of itself."""
    reply = client.send("GET", "/sparql", {"Accept": "text/turtle, application/rdf+xml;q=0.5"})
    if reply.status != 200 or reply.media_type not in _FORMATS["RDF"]:
        return f"no RDF: {reply.status} {reply.media_type}"
    graph = Graph().parse(data=reply.body, format="turtle")
    if test.name.endswith("/has-endpoint-triple"):
        found = (None, SD.endpoint, URIRef(client.address + "/sparql")) in graph
        return "" if found else "the endpoint isn't named"
    return _schema(graph) if test.name.endswith("/conforms-to-schema") else ""


def _schema(graph: Graph) -> str:
    services = list(graph.subjects(RDF.type, SD.Service))
    if not services or not all(graph.value(s, SD.endpoint) for s in services):
        return "a service without an endpoint"
    for _, term, value in graph:
        if term in _RANGES and (value, RDF.type, _RANGES[term]) not in graph:
            return f"{value} is no {_RANGES[term]}"
        if term in _INSTANCES and value not in _INSTANCES[term]:
            return f"{term} can't be {value}"
        if str(term).startswith(str(SD)) and term not in {*_RANGES, *_INSTANCES, *_OTHER_TERMS}:
            return f"{term} isn't in the vocabulary"
    return ""

"""Tests as the W3C's manifests describe them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rdflib import Graph, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS
from rdflib.term import Node

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
UT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")
# Stands for the folder of the suites in IRIs, so that no IRI depends on where they lie.
BASE = "http://w3c.example/sparql11/"
PROTOCOLS = ("ProtocolTest", "GraphStoreProtocolTest", "ServiceDescriptionTest")


@dataclass(frozen=True, slots=True)
class Data:
    """Files of a dataset: of the default graph, and of named graphs by name."""

    default: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request and what is expected of its response."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    statuses: tuple[str, ...]
    boolean: str = ""
    format: str = ""
    location: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Test:
    """One test: ``name`` is its suite and the last part of its IRI; ``query`` and ``result`` are IRIs of files."""

    __test__ = False

    name: str
    kind: str
    query: str = ""
    data: Data = field(default_factory=Data)
    result: str = ""
    after: Data = field(default_factory=Data)
    requests: tuple[Request, ...] = ()


class Suites:
    """The folder ``sparql11`` of the W3C's tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def bytes_of(self, iri: str) -> bytes:
        """The content of a file by the IRI that stands for it."""
        return (self.folder / iri.removeprefix(BASE)).read_bytes()

    def text_of(self, iri: str) -> str:
        """The same as text."""
        return self.bytes_of(iri).decode()

    def tests(self) -> list[Test]:
        """All tests, in the order of the manifests."""
        return list(self._read("manifest-all.ttl"))

    def _read(self, path: str) -> Iterator[Test]:
        graph, iri = Graph(), URIRef(BASE + path)
        graph.parse(data=self.bytes_of(iri), format="turtle", publicID=iri)
        for included in _list(graph, graph.value(iri, MF.include)):
            yield from self._read(str(included).removeprefix(BASE))
        suite = path.rpartition("/")[0]
        for entry in _list(graph, graph.value(iri, MF.entries)):
            yield _test(graph, entry, suite)


def _list(graph: Graph, node: Node | None) -> list[Node]:
    return [] if node is None else list(Collection(graph, node))


def _text(graph: Graph, node: Node | None, term: URIRef) -> str:
    found = None if node is None else graph.value(node, term)
    return "" if found is None else str(found)


def _test(graph: Graph, entry: Node, suite: str) -> Test:
    kind = str(graph.value(entry, RDF.type)).rpartition("#")[2]
    name = f"{suite}/{str(entry).rpartition('#')[2].rpartition('/')[2]}"
    action, result = graph.value(entry, MF.action), graph.value(entry, MF.result)
    if kind in PROTOCOLS:
        data = _data(graph, entry, UT)
        return Test(name, kind, data=data, requests=tuple(_requests(graph, action)))
    if kind == "UpdateEvaluationTest":
        query = _text(graph, action, UT.request)
        return Test(name, kind, query, _data(graph, action, UT), after=_data(graph, result, UT))
    if isinstance(action, URIRef):
        return Test(name, kind, str(action))
    return Test(name, kind, _text(graph, action, QT.query), _data(graph, action, QT), str(result))


def _data(graph: Graph, node: Node | None, terms: Namespace) -> Data:
    if node is None:
        return Data()
    default = tuple(sorted(str(o) for o in graph.objects(node, terms.data)))
    named = []
    for value in graph.objects(node, terms.graphData):
        file = graph.value(value, terms.graph)
        named.append((str(value), str(value)) if file is None else (_text(graph, value, RDFS.label), str(file)))
    return Data(default, tuple(sorted(named)))


def _requests(graph: Graph, connection: Node | None) -> Iterator[Request]:
    for node in _list(graph, None if connection is None else graph.value(connection, HT.requests)):
        response = graph.value(node, HT.resp)
        assert response is not None
        yield Request(
            _text(graph, node, HT.methodName),
            _text(graph, node, HT.absolutePath),
            tuple(_headers(graph, node)),
            _body(graph, node),
            tuple(sorted(str(s).rpartition("#")[2] for s in graph.objects(response, MF.expectedStatus))),
            _text(graph, response, MF.expectedBoolean),
            _text(graph, response, MF.expectedFormat),
            _text(graph, response, MF.expectedLocation),
            _text(graph, graph.value(response, HT.body), CNT.chars),
        )


def _headers(graph: Graph, node: Node) -> Iterator[tuple[str, str]]:
    for header in _list(graph, graph.value(node, HT.headers)):
        yield _text(graph, header, HT.fieldName), _text(graph, header, HT.fieldValue)


def _body(graph: Graph, node: Node) -> bytes:
    body = graph.value(node, HT.body)
    return _text(graph, body, CNT.chars).encode(_text(graph, body, CNT.characterEncoding) or "utf-8")

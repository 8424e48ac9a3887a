"""Clients that people use, against a real server: SPARQLWrapper, rdflib's SPARQL stores, curl."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rdflib import Dataset, Graph, Literal, URIRef
from rdflib.namespace import RDFS
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write
from ..w3c.server import serving

KEY = "lamp-oil-and-matches"
BEARER = f"Bearer {KEY}"
NOTES = "https://w3id.org/citegraph/id/graph/user/notes"
LABELS = "SELECT ?label { ?x rdfs:label ?label FILTER(CONTAINS(?label, 'Light')) } ORDER BY ?label"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("clients")
    with KnowledgeBase.create(root / "kb", Settings(kb=root / "kb")) as knowledge_base:
        knowledge_base.add([write(root / "docs")])
    command = (
        sys.executable,
        "-c",
        "from kg.cli import main; main()",
        "serve",
        "--port",
        "0",
        "--kb",
        str(root / "kb"),
    )
    keys = json.dumps([hashlib.sha256(KEY.encode()).hexdigest()])
    with serving(command, {"KG_SERVE__WRITE_KEYS": keys}) as client:
        yield client.address


# --- SPARQLWrapper -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "request_method"), [("GET", "urlencoded"), ("POST", "urlencoded"), ("POST", "postdirectly")]
)
def test_sparqlwrapper_gets_every_format(address: str, method: str, request_method: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(f"{address}/sparql")
    client.setMethod(method)
    client.setRequestMethod(request_method)
    client.setQuery(LABELS)
    client.setReturnFormat(wrapper.JSON)
    labels = [row["label"]["value"] for row in client.queryAndConvert()["results"]["bindings"]]
    assert "Corran Head Light" in labels
    client.setReturnFormat(wrapper.XML)
    values = [node.firstChild.data for node in client.queryAndConvert().getElementsByTagName("literal")]
    assert values == labels
    client.setReturnFormat(wrapper.CSV)
    assert client.queryAndConvert().decode().splitlines() == ["label", *labels]
    client.setReturnFormat(wrapper.TSV)
    assert client.queryAndConvert().decode().splitlines()[1] == f'"{labels[0]}"'
    client.setQuery("ASK { ?x rdfs:label 'Corran Head Light' }")
    client.setReturnFormat(wrapper.JSON)
    assert client.queryAndConvert()["boolean"] is True


@pytest.mark.parametrize("format", ["TURTLE", "XML", "N3", "JSONLD"])
def test_sparqlwrapper_gets_graphs(address: str, format: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(f"{address}/sparql")
    client.setQuery("CONSTRUCT { ?x rdfs:label ?label } WHERE { ?x rdfs:label ?label }")
    client.setReturnFormat(getattr(wrapper, format))
    found = client.queryAndConvert()
    if isinstance(found, bytes):
        found = Graph().parse(data=found, format="turtle")
    assert Literal("Corran Head Light") in set(found.objects(None, RDFS.label))


def test_sparqlwrapper_updates_with_a_key(address: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    client = wrapper.SPARQLWrapper(f"{address}/sparql")
    client.setMethod("POST")
    client.setQuery(f"INSERT DATA {{ GRAPH <{NOTES}> {{ <urn:s> <urn:p> 'wrapped' }} }}")
    with pytest.raises(wrapper.SPARQLExceptions.Unauthorized):
        client.query()
    client.addCustomHttpHeader("Authorization", BEARER)
    assert client.query().response.status == 204
    client.setQuery(f"SELECT ?o {{ GRAPH <{NOTES}> {{ <urn:s> <urn:p> ?o }} }}")
    client.setReturnFormat(wrapper.JSON)
    assert client.queryAndConvert()["results"]["bindings"][0]["o"]["value"] == "wrapped"
    client.setQuery("SELECT * {")
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed):
        client.query()


# --- rdflib ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("format", ["json", "xml", "csv", "tsv"])
def test_rdflib_reads(address: str, method: str, format: str) -> None:
    store = SPARQLStore(f"{address}/sparql", method=method, returnFormat=format)
    graph = Graph(store)
    assert "Corran Head Light" in [str(row[0]) for row in graph.query(LABELS)]
    corran = next(graph.subjects(RDFS.label, Literal("Corran Head Light")), None)
    assert corran is not None
    assert len(graph) > 50
    if format in ("json", "xml"):  # the others have no truth values
        assert (corran, RDFS.label, Literal("Corran Head Light")) in graph
        assert bool(graph.query("ASK {}"))


def test_rdflib_constructs(address: str) -> None:
    graph = Graph(SPARQLStore(f"{address}/sparql", method="POST"))
    found = graph.query("CONSTRUCT { ?x rdfs:label ?label } WHERE { ?x rdfs:label ?label }").graph
    assert found is not None and Literal("Corran Head Light") in set(found.objects())


def test_rdflib_writes_with_a_key(address: str) -> None:
    endpoint = f"{address}/sparql"
    store = SPARQLUpdateStore(endpoint, endpoint, autocommit=True, headers={"Authorization": BEARER})
    dataset = Dataset(store)
    graph = dataset.graph(URIRef(NOTES + "-of-rdflib"))
    triple = (URIRef("urn:s"), URIRef("urn:q"), Literal("from rdflib", lang="en"))
    graph.add(triple)
    assert triple in graph and triple not in dataset.default_graph
    graph.remove(triple)
    assert triple not in graph


# --- curl --------------------------------------------------------------------------------------


def curl(*arguments: str | Path, data: str = "") -> tuple[str, str]:
    """The status and the body."""
    command = ["curl", "-sS", "-w", "\n%{http_code}", *map(str, arguments)]
    done = subprocess.run(command, input=data, capture_output=True, text=True, check=True, timeout=60)
    body, _, status = done.stdout.rpartition("\n")
    return status, body


needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@needs_curl
def test_curl_queries(address: str) -> None:
    endpoint = f"{address}/sparql"
    for how in (("-G",), ()):
        status, body = curl(*how, endpoint, "--data-urlencode", f"query={LABELS}", "-H", "Accept: text/csv")
        assert status == "200" and "Corran Head Light" in body.splitlines()
    typed = ("-H", "Content-Type: application/sparql-query", "--data-binary", "@-")
    status, body = curl(endpoint, *typed, data="ASK {}")
    assert status == "200" and json.loads(body)["boolean"] is True
    assert curl(endpoint, *typed, data="ASK {")[0] == "400"
    assert curl(endpoint, "-X", "PUT")[0] == "405"
    assert curl("-I", f"{address}/graphs?default")[0] == "200"


@needs_curl
def test_curl_puts_a_file_as_a_graph(address: str, tmp_path: Path) -> None:
    file, place = tmp_path / "own.ttl", f"{address}/graphs/own"
    file.write_text("<> <urn:p> 'put' .\n", encoding="utf-8")
    typed = ("-H", "Content-Type: text/turtle", "-H", f"Authorization: {BEARER}")
    assert curl("-T", file, place, "-H", "Content-Type: text/turtle")[0] == "401"
    assert curl("-T", file, place, *typed)[0] == "201"
    assert curl("-T", file, place, *typed)[0] == "204"
    status, body = curl(place, "-H", "Accept: application/n-triples")
    assert (status, body) == ("200", '<https://w3id.org/citegraph/id/graph/user/own> <urn:p> "put" .\n')
    assert curl("-F", f"a=@{file};type=text/turtle", place, "-H", f"Authorization: {BEARER}")[0] == "204"
    assert curl("-X", "DELETE", place, *typed)[0] == "204"
    assert curl(place)[0] == "404"

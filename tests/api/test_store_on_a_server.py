"""A knowledge base whose graph another server keeps answers as one does that keeps it in its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from tests.lighthouses import write
from tests.stores.servers import Oxigraph

KEY = "a key of the test"
WRITER = {"Authorization": f"Bearer {KEY}"}
HEIGHTS = "SELECT ?name ?height { ?light rdfs:label ?name ; rel:height ?height } ORDER BY ?name ?height"
NOTE = "INSERT DATA { GRAPH <https://w3id.org/citegraph/id/graph/user/n> { <urn:a> <urn:b> 'a note' } }"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """The same documents with the graph on a server, and in the folder."""
    root = tmp_path_factory.mktemp("kb")
    engine = Oxigraph(root / "engine")
    serve = {"query_workers": 1, "log": "errors", "write_keys": [hashlib.sha256(KEY.encode()).hexdigest()]}
    clients = []
    for name, url in (("there", engine.url), ("here", "")):
        settings = Settings(kb=root / name, serve=serve, store={"url": url})
        knowledge_base = KnowledgeBase.create(settings.kb, settings)
        knowledge_base.add([write(root / "docs")])
        assert knowledge_base.snapshot.manifest.store == url
        assert bool(list((root / name / "graphs").iterdir())) == (name == "here")
        clients.append(TestClient(create_app(knowledge_base, settings)))
    with clients[0] as there, clients[1] as here:
        yield there, here
    engine.kill()


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/sparql", {"query": HEIGHTS}),
        ("/sparql", {"query": "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"}),
        ("/sparql", {"query": "ASK { ?s a kg:Claim }"}),
        ("/sparql", {"query": HEIGHTS, "default-graph-uri": "https://w3id.org/citegraph/id/graph/ontology"}),
        ("/export", {"format": "nq"}),
        ("/documents", {}),
    ],
)
def test_answers_are_the_same(both: tuple[TestClient, TestClient], path: str, parameters: dict[str, str]) -> None:
    there, here = (client.get(path, params=parameters) for client in both)
    assert there.status_code == here.status_code == 200
    assert there.content == here.content


def test_questions_are_answered_the_same(both: tuple[TestClient, TestClient]) -> None:
    for question in (
        "How tall is Gannet Rock Light?",
        "When was Corran Head Light built?",
        "How many keepers has Saltmouth Beacon?",
    ):
        there, here = (client.post("/ask", json={"question": question}).json() for client in both)
        assert there["status"] == "answered"
        for answer in (there, here):
            del answer["timings_ms"]
        assert there == here


@pytest.mark.parametrize(
    ("query", "status"),
    [("SELECT * {", 400), ("SELECT * { SERVICE <urn:x> { ?s ?p ?o } }", 403), ("DROP ALL", 403)],
)
def test_what_is_refused_here_is_refused_there(both: tuple[TestClient, TestClient], query: str, status: int) -> None:
    assert [client.get("/sparql", params={"query": query}).status_code for client in both] == [status, status]


def test_changes_are_seen_at_once(both: tuple[TestClient, TestClient]) -> None:
    exports = []
    for client in both:
        sent = {"content-type": "application/sparql-update", **WRITER}
        assert client.post("/sparql", content=NOTE, headers=sent).status_code == 204
        found = client.get("/sparql", params={"query": "SELECT ?o { GRAPH ?g { <urn:a> ?p ?o } }"}).json()
        assert [row["o"]["value"] for row in found["results"]["bindings"]] == ["a note"]
        markdown = {"content-type": "text/markdown", **WRITER}
        text = "# Drum Light\n\n- **Height**: 12 m\n"
        assert client.put("/documents/drum.md", content=text, headers=markdown).status_code in (200, 201)
        assert "Drum Light" in client.get("/sparql", params={"query": HEIGHTS}).text
        assert client.delete("/documents/keepers.md", headers=WRITER).status_code in (200, 204)
        exports.append(client.get("/export", params={"format": "nq"}).content)
    assert exports[0] == exports[1]

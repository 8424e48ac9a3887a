"""People's own graphs over HTTP: SPARQL update and the graph store, who may write, and what never changes."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kg.api.access import Rate
from kg.api.app import create_app

from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write

KEY = "lamp-oil-and-matches"
OWN = "https://w3id.org/citegraph/id/graph/user/"
NOTES = OWN + "notes"
UPDATE = {"Content-Type": "application/sparql-update"}
TURTLE = {"Content-Type": "text/turtle"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("writing")


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[TestClient]:
    keys = (hashlib.sha256(KEY.encode()).hexdigest(), "0" * 64)
    settings = Settings(
        kb=root / "kb",
        serve={
            "log": "errors",
            "query_timeout_s": 15,
            "query_workers": 1,
            "write_keys": keys,
            "cors_origins": ("https://a.example",),
        },
    )
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    knowledge_base.add([write(root / "docs")])
    with TestClient(create_app(knowledge_base, settings)) as client:
        yield client


@pytest.fixture
def client(server: TestClient) -> Iterator[TestClient]:
    """The server with a key, its own graphs empty."""
    server.headers["Authorization"] = f"Bearer {KEY}"
    assert server.post("/sparql", data={"update": f"CLEAR SILENT GRAPH <{NOTES}>"}).status_code == 204
    yield server
    del server.headers["Authorization"]


def refused(response: Any, status: int, slug: str) -> None:
    assert response.status_code == status, response.text
    assert response.json()["type"].endswith("/" + slug), response.text


def export(client: TestClient) -> str:
    return client.get("/export", params={"format": "nq"}).text


def insert(triple: str, graph: str = NOTES) -> str:
    return f"INSERT DATA {{ GRAPH <{graph}> {{ {triple} }} }}"


def notes(client: TestClient) -> list[str]:
    query = f"SELECT ?o {{ GRAPH <{NOTES}> {{ ?s ?p ?o }} }} ORDER BY ?o"
    found = client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
    return [row["o"]["value"] for row in found]


def test_an_update_is_seen_by_the_next_query_and_by_a_fresh_reader(client: TestClient, root: Path) -> None:
    assert client.post("/sparql", content=insert("<s> <p> 'red'"), headers=UPDATE).status_code == 204
    assert notes(client) == ["red"]
    assert client.post("/sparql", data={"update": insert("<s> <p> 'white'")}).status_code == 204
    assert notes(client) == ["red", "white"]
    with KnowledgeBase.open(root / "kb") as reader:
        assert len(reader.snapshot.user_quads) == 2
        assert {quad.subject.value for quad in reader.snapshot.user_quads} == {"https://w3id.org/citegraph/id/s"}


def test_updates_may_read_what_documents_say(client: TestClient) -> None:
    update = f"INSERT {{ GRAPH <{NOTES}> {{ ?x rdfs:label ?label }} }} WHERE {{ ?x rdfs:label ?label }}"
    assert client.post("/sparql", content=update, headers=UPDATE).status_code == 204
    assert "Corran Head Light" in notes(client)


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <s> <p> 1 }",
        "CLEAR ALL",
        "DROP DEFAULT",
        "DELETE WHERE { ?s ?p ?o }",
        "DELETE { ?s ?p ?o } INSERT { ?s ?p 'other' } WHERE { ?s ?p ?o FILTER(isLiteral(?o)) }",
        insert("<s> <p> 1", "https://w3id.org/citegraph/id/graph/ontology"),
        insert("<s> <p> 1", "https://a.example/"),
        insert("<s> <p> 1", OWN),
        "INSERT { GRAPH ?g { <s> <p> 1 } } WHERE { GRAPH ?g { ?s ?p ?o } }",
        insert("<s> <p> 1") + " ; CLEAR GRAPH <https://w3id.org/citegraph/id/graph/ontology>",
        f"COPY <https://w3id.org/citegraph/id/graph/ontology> TO <{NOTES}> ; MOVE DEFAULT TO <{NOTES}>",
    ],
)
def test_what_documents_say_is_never_changed(client: TestClient, update: str) -> None:
    before = export(client)
    refused(client.post("/sparql", content=update, headers=UPDATE), 403, "query-refused")
    assert export(client) == before


@pytest.mark.parametrize(
    ("update", "status", "slug"),
    [
        ("INSERT", 400, "bad-query"),
        ("SELECT * { ?s ?p ?o }", 400, "bad-query"),
        ("LOAD <http://a.example/>", 403, "query-refused"),
        ("INSERT { ?s ?p ?o } WHERE { SERVICE <http://a.example/> { ?s ?p ?o } }", 403, "query-refused"),
        (f"DROP GRAPH <{OWN}nothing>", 409, "update-failed"),
        ("INSERT DATA { GRAPH <" + NOTES + "> { <s> <p> 'half' } } ; DROP GRAPH <" + OWN + "x>", 409, "update-failed"),
        (
            "DELETE { GRAPH <x:y> { ?a ?b ?c } } WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
            503,
            "query-timeout",
        ),
    ],
)
def test_updates_that_fail_change_nothing(client: TestClient, update: str, status: int, slug: str) -> None:
    refused(client.post("/sparql", content=update, headers=UPDATE), status, slug)
    assert notes(client) == []
    assert client.get("/sparql", params={"query": "ASK {}"}).json()["boolean"] is True


def test_a_dataset_beside_the_update(client: TestClient) -> None:
    client.post("/sparql", content=insert("<s> <p> 'red'"), headers=UPDATE)
    copy = f"INSERT {{ GRAPH <{NOTES}> {{ ?s <q> ?o }} }} WHERE {{ ?s ?p ?o }}"
    asked = client.post("/sparql", content=copy, headers=UPDATE, params={"using-graph-uri": NOTES})
    assert asked.status_code == 204 and notes(client) == ["red", "red"]
    two = {"update": copy.replace("WHERE", f"USING <{NOTES}> WHERE"), "using-graph-uri": NOTES}
    refused(client.post("/sparql", data=two), 400, "bad-query")
    refused(client.post("/sparql", data={"update": copy, "using-graph-uri": "not an iri"}), 400, "bad-input")


def test_graphs_by_iri_and_by_place(client: TestClient) -> None:
    assert client.put("/graphs/notes", content="<> <https://a.example/p> 'red' .", headers=TURTLE).status_code == 201
    by_iri = client.get("/graphs", params={"graph": NOTES})
    assert by_iri.headers["content-type"] == "text/turtle; charset=utf-8"
    assert f"<{NOTES}> <https://a.example/p> " in by_iri.text.replace("\n", " ").replace("\t", " ")
    assert client.get("/graphs/notes").text == by_iri.text
    added = {"content": "<s> <https://a.example/p> 'white' .", "headers": TURTLE}
    assert client.post("/graphs", params={"graph": NOTES}, **added).status_code == 204
    assert notes(client) == ["red", "white"]
    lines = client.get("/graphs/notes", headers={"Accept": "application/n-triples"}).text.splitlines()
    assert len(lines) == 2 and lines == sorted(lines, key=lambda line: line)
    assert client.head("/graphs/notes").status_code == 200
    assert client.delete("/graphs/notes").status_code == 204
    refused(client.delete("/graphs/notes"), 404, "not-found")
    refused(client.get("/graphs/notes"), 404, "not-found")
    assert client.head("/graphs/notes").status_code == 404


def test_a_new_graph_gets_a_place(client: TestClient) -> None:
    made = [client.post("/graphs", content="<s> <https://a.example/p> 1 .", headers=TURTLE) for _ in range(2)]
    places = [response.headers["location"] for response in made]
    assert [response.status_code for response in made] == [201, 201] and places[0] != places[1]
    for place in places:
        assert client.get(place, headers={"Accept": "application/n-triples"}).text.count("\n") == 1
        assert client.get("/graphs", params={"graph": place}).status_code == 200
        assert client.delete(place).status_code == 204


def test_blank_nodes_of_two_payloads_stay_apart(client: TestClient) -> None:
    for _ in range(2):
        client.post("/graphs/notes", content="_:a <https://a.example/p> 'red' .", headers=TURTLE)
    assert notes(client) == ["red", "red"]


def test_every_graph_can_be_read_and_only_own_ones_written(client: TestClient) -> None:
    ontology = "https://w3id.org/citegraph/id/graph/ontology"
    assert client.get("/graphs", params={"graph": ontology}).status_code == 200
    assert "Corran Head Light" in client.get("/graphs?default").text
    before = export(client)
    for place in ("/graphs?default", f"/graphs?graph={ontology}", "/graphs?graph=https://a.example/", "/graphs/"):
        refused(client.put(place, content="<s> <p> 1 .", headers=TURTLE), 403, "query-refused")
        refused(client.post(place, content="<s> <p> 1 .", headers=TURTLE), 403, "query-refused")
        refused(client.delete(place), 403, "query-refused")
    assert export(client) == before


@pytest.mark.parametrize(
    ("content_type", "payload"),
    [
        ("text/turtle", b"<s> <p>"),
        ("text/turtle", b"\xff\xfe<s> <p> 1 ."),
        ("application/ld+json", b'{"@context": "https://a.example/context"}'),
        ("application/ld+json", b'{"@id": "https://a.example/", "@graph": [{"@id": "s:s", "p:p": 1}]}'),
        ("application/rdf+xml", b'<!DOCTYPE x [<!ENTITY a "b">]><rdf:RDF xmlns:rdf="http://x/"/>'),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Type: text/turtle\r\n\r\n<s> <p>\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", b"nothing"),
        ("multipart/form-data", b"nothing"),
    ],
)
def test_payloads_that_cannot_be_read(client: TestClient, content_type: str, payload: bytes) -> None:
    refused(client.put("/graphs/notes", content=payload, headers={"Content-Type": content_type}), 400, "bad-input")
    assert notes(client) == []


@pytest.mark.parametrize("content_type", ["", "text/html", "application/trig", "text/turtle; charset=utf-16"])
def test_payloads_of_other_types(client: TestClient, content_type: str) -> None:
    refused(
        client.put("/graphs/notes", content="x", headers={"Content-Type": content_type}), 415, "unsupported-media-type"
    )


def test_a_graph_has_to_be_named_once(client: TestClient) -> None:
    for place in ("/graphs", "/graphs?default&graph=https://a.example/", "/graphs?graph=a:a&graph=b:b", "/graphs?x=1"):
        refused(client.get(place), 400, "bad-input")
    refused(client.get("/graphs?graph=notes"), 400, "bad-input")
    assert client.patch("/graphs/notes").status_code == 405


def test_only_holders_of_a_key_write(server: TestClient) -> None:
    for header in ({}, {"Authorization": "Bearer oil"}, {"Authorization": f"Basic {KEY}"}, {"Authorization": KEY}):
        for response in (
            server.post("/sparql", content=insert("<s> <p> 1"), headers={**UPDATE, **header}),
            server.put("/graphs/notes", content="<s> <p> 1 .", headers={**TURTLE, **header}),
            server.delete("/graphs/notes", headers=header),
            server.post("/graphs", content="<s> <p> 1 .", headers={**TURTLE, **header}),
        ):
            refused(response, 401, "key-needed")
            assert response.headers["www-authenticate"] == "Bearer"
    assert server.get("/graphs?default").status_code == 200


def test_writers_wait_for_each_other(client: TestClient) -> None:
    def one(number: int) -> int:
        return client.post("/sparql", content=insert(f"<s> <p> {number}"), headers=UPDATE).status_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(one, range(6))) == [204] * 6
    assert sorted(notes(client)) == [str(n) for n in range(6)]


def test_readers_see_the_old_graph_or_the_new_never_a_half(client: TestClient) -> None:
    query, stop, seen = f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{NOTES}> {{ ?s ?p ?o }} }}", threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            response = client.get("/sparql", params={"query": query})
            assert response.status_code == 200, response.text
            seen.append(int(response.json()["results"]["bindings"][0]["n"]["value"]))
            time.sleep(0.02)  # else the writer hardly gets a turn

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        try:
            for number in range(8):
                three = " ".join(f"<s{number}> <p> {part} ." for part in range(3))
                response = client.post("/sparql", content=insert(three), headers=UPDATE)
                assert response.status_code == 204, response.text
        finally:
            stop.set()  # or the readers would go on for ever
        for reader in readers:
            reader.result()
    assert {count % 3 for count in seen} == {0} and max(seen) == 24
    assert len(set(seen)) > 3


def test_another_writer_is_told_of(client: TestClient, root: Path) -> None:
    from kg.storage import Folder

    with Folder(root / "kb").writing():
        busy = client.post("/sparql", content=insert("<s> <p> 1"), headers=UPDATE)
    refused(busy, 503, "store-locked")
    assert busy.headers["retry-after"] == "1"


def test_descriptions(client: TestClient) -> None:
    service = client.get("/sparql").text
    assert "sd:endpoint <http://testserver/sparql>" in service and "SPARQL11Update" in service
    assert client.get("/sparql", headers={"Accept": "application/ld+json"}).json()
    refused(client.get("/sparql", headers={"Accept": "text/html"}), 406, "unsupported")
    void = client.get("/.well-known/void", headers={"Accept": "application/n-triples"}).text
    asked = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    count = client.get("/sparql", params={"query": asked}).json()["results"]["bindings"][0]["n"]["value"]
    assert f'void#triples> "{count}"^^' in void and "<http://testserver/sparql>" in void


def test_scripts_of_named_sites_may_read(client: TestClient) -> None:
    asked = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
    for origin, status in (("https://a.example", 200), ("https://b.example", 400)):
        preflight = client.options("/graphs/notes", headers={"Origin": origin, **asked})
        assert preflight.status_code == status
        allowed = client.get("/sparql?query=ASK{}", headers={"Origin": origin}).headers.get(
            "access-control-allow-origin"
        )
        assert allowed == (origin if status == 200 else None)


def test_without_settings_no_site_may_read_and_nobody_write(tmp_path: Path) -> None:
    settings = Settings(kb=tmp_path / "kb", serve={"query_workers": 1, "requests_per_minute": 30})
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    with TestClient(create_app(knowledge_base, settings)) as client:
        response = client.get("/sparql?query=ASK{}", headers={"Origin": "https://a.example"})
        assert "access-control-allow-origin" not in response.headers
        refused(client.put("/graphs/x", content="", headers=TURTLE), 403, "read-only")
        assert "SPARQL11Update" not in client.get("/sparql").text
        statuses = [client.get("/livez").status_code for _ in range(4)]
        assert statuses == [200, 200, 429, 429]
        limited = client.get("/livez")
        refused(limited, 429, "too-many-requests")
        assert limited.headers["retry-after"] == "2"


def test_the_rate_limit_forgets_clients_that_are_quiet() -> None:
    limit = Rate(60, 0)
    for number in range(Rate.MOST_VISITORS + 5):
        assert limit._may(f"10.0.{number // 256}.{number % 256}")
    assert len(limit._left) == Rate.MOST_VISITORS


def test_a_dataset_for_tests_is_served_on_this_machine_only(tmp_path: Path) -> None:
    from kg.api.server import serve, throwaway

    settings = Settings(kb=tmp_path, serve={"host": "0.0.0.0"})
    with throwaway(settings) as dataset, pytest.raises(BadInput, match="open to writing"):
        serve(dataset, settings, lambda address: None, open_dataset=True)

"""The server as a client sees it: a real knowledge base behind every request."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app

from kg import model, reports
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import DOCUMENTS, KEEPERS, write

LABELS = "SELECT ?label { ?x rdfs:label ?label }"
HEIGHT = "How tall is Gannet Rock Light?"
CROSS_JOIN = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }"


def problem(response: Any, status: int, slug: str = "") -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == status and body["detail"] and body["title"]
    if slug:
        assert body["type"].endswith("/" + slug)
    return body


def rows(client: TestClient, query: str) -> list[dict[str, str]]:
    found = client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in found]


# --- questions ---------------------------------------------------------------------------------


def test_the_description_says_that_values_come_whole(client: TestClient) -> None:
    found = client.get("/openapi.json").json()["components"]["schemas"]
    for kind in (model.Answer, model.Citation, model.Block, reports.DocumentSummary, reports.Explanation):
        told = found[kind.__name__]
        assert list(told["properties"]) == told["required"] == [field.name for field in fields(kind)]


def check_citations(reply: dict[str, Any]) -> None:
    assert reply["citations"]
    for number, citation in enumerate(reply["citations"], 1):
        assert citation["id"] == number
        assert citation["text"][citation["start"] : citation["end"]] == citation["quote"] != ""
        source = next(text for text in DOCUMENTS.values() if citation["text"] in text)
        place = citation["document_start"]
        assert source[place : place + len(citation["text"])] == citation["text"]
    numbers = {citation["id"] for citation in reply["citations"]}
    assert {n for item in reply["answers"] for n in item["citations"]} <= numbers


def test_a_question_is_answered_with_its_citation(client: TestClient) -> None:
    response = client.post("/ask", json={"question": HEIGHT})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    reply = response.json()
    assert list(reply) == [field.name for field in fields(model.Answer)]
    assert reply["question"] == HEIGHT and reply["status"] == "answered"
    assert "51" in reply["answer"] and reply["reason"] is None
    check_citations(reply)
    assert any("51 m" in citation["quote"] for citation in reply["citations"])


def test_a_question_that_nothing_answers_is_declined(client: TestClient) -> None:
    reply = client.post("/ask", json={"question": "Who painted the ceiling of Zanzibar Opera House?"}).json()
    assert reply["status"] == "abstained" and reply["answers"] == []
    assert reply["reason"] in set(model.Reason)


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_an_answer_comes_in_steps(client: TestClient) -> None:
    whole = client.post("/ask", json={"question": HEIGHT}).json()
    streams = [
        client.get("/ask/stream", params={"question": HEIGHT}),
        client.post("/ask/stream", json={"question": HEIGHT}),
        client.post("/ask", json={"question": HEIGHT}, headers={"Accept": "text/event-stream"}),
    ]
    for stream in streams:
        assert stream.headers["content-type"].startswith("text/event-stream")
        steps = events(stream.text)
        assert steps[0] == ("asked", {"question": HEIGHT})
        assert steps[-1][0] == "done"
        assert [name for name, _ in steps if name == "citation"] == ["citation"] * len(whole["citations"])
        done = steps[-1][1]
        assert {**done, "timings_ms": None} == {**whole, "timings_ms": None}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": 7},
        {"question": "x" * 2001},
        {"question": "Who?", "limit": 0},
        {"question": "Who?", "history": "before"},
        {"question": "Who?", "surprise": 1},
        [],
    ],
)
def test_questions_that_do_not_fit(client: TestClient, body: Any) -> None:
    assert problem(client.post("/ask", json=body), 422, "invalid-request")["errors"]


def test_bodies_that_are_no_json_or_too_large(client: TestClient) -> None:
    problem(client.post("/ask", content=b"{", headers={"Content-Type": "application/json"}), 422)
    problem(client.post("/ask", content=b"x" * 2_000_001), 413, "body-too-large")

    def pieces() -> Iterator[bytes]:
        for _ in range(30):
            yield b"x" * 100_000

    problem(client.post("/ask", content=pieces()), 413, "body-too-large")
    problem(client.post("/ask", json={"question": HEIGHT}, headers={"Accept": "image/png"}), 406)


# --- SPARQL ------------------------------------------------------------------------------------


def test_queries_by_every_operation_of_the_protocol(client: TestClient) -> None:
    by_get = client.get("/sparql", params={"query": LABELS})
    assert by_get.headers["content-type"] == "application/sparql-results+json"
    assert by_get.headers["vary"] == "Accept"
    assert {"label": "Gannet Rock Light"} in rows(client, LABELS)
    by_form = client.post("/sparql", data={"query": LABELS})
    direct = client.post("/sparql", content=LABELS, headers={"Content-Type": "application/sparql-query; charset=utf-8"})
    assert by_get.json() == by_form.json() == direct.json()


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("application/sparql-results+json", "application/sparql-results+json"),
        ("application/json", "application/json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        ("text/html;q=0.9, text/csv;q=0.5", "text/csv; charset=utf-8"),
    ],
)
def test_rows_in_every_format(client: TestClient, accept: str, content_type: str) -> None:
    response = client.get("/sparql", params={"query": LABELS + " ORDER BY ?label"}, headers={"Accept": accept})
    assert response.headers["content-type"] == content_type
    assert "Gannet Rock Light" in response.text
    if "csv" in content_type:
        assert ["Gannet Rock Light"] in list(csv.reader(io.StringIO(response.text)))


@pytest.mark.parametrize(
    ("accept", "format_"),
    [
        ("text/turtle", ox.RdfFormat.TURTLE),
        ("application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("application/rdf+xml", ox.RdfFormat.RDF_XML),
        ("application/ld+json", ox.RdfFormat.JSON_LD),
        ("*/*", ox.RdfFormat.TURTLE),
    ],
)
def test_graphs_in_every_format(client: TestClient, accept: str, format_: ox.RdfFormat) -> None:
    query = "CONSTRUCT { ?x rdfs:label ?l } WHERE { ?x rdfs:label ?l }"
    response = client.get("/sparql", params={"query": query}, headers={"Accept": accept})
    assert response.headers["content-type"].split(";")[0] == format_.media_type
    triples = {str(quad.object) for quad in ox.parse(response.content, format_)}
    assert '"Gannet Rock Light"' in {text.split("@")[0] for text in triples}


def test_a_fact_with_its_source_in_one_step(client: TestClient) -> None:
    query = "SELECT DISTINCT ?text { GRAPH ?passage { ?s ?p ?o } ?passage kg:text ?text }"
    assert any("| Gannet Rock Light | 51 m |" in row["text"] for row in rows(client, query))


def test_graphs_of_the_dataset_can_be_named(client: TestClient) -> None:
    passage = rows(client, "SELECT ?g { ?g a kg:Passage FILTER EXISTS { GRAPH ?g { ?s ?p ?o } } } LIMIT 1")[0]["g"]
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    named = client.get("/sparql", params={"query": count, "default-graph-uri": passage}).json()
    counted = int(named["results"]["bindings"][0]["n"]["value"])
    assert 0 < counted < int(rows(client, count)[0]["n"])
    by_form = client.post("/sparql", data={"query": count, "default-graph-uri": passage})
    assert by_form.json() == named


def test_queries_that_are_refused(client: TestClient) -> None:
    def get(query: str, **headers: str) -> Any:
        return client.get("/sparql", params={"query": query}, headers=headers)

    problem(get("SELECT * {"), 400, "bad-query")
    problem(get("hello"), 400, "bad-query")
    problem(get("SELECT * { SERVICE <http://lamp.example/> { ?s ?p ?o } }"), 403, "query-refused")
    problem(get("ASK " + "{" * 3000 + "}" * 3000), 403, "query-refused")
    problem(get("INSERT DATA { <http://a.example/> <http://b.example/> 1 }"), 403, "query-refused")
    problem(get(LABELS, Accept="text/html"), 406, "unsupported")
    problem(get(LABELS, Accept="text/turtle"), 406, "unsupported")
    problem(get("CONSTRUCT WHERE { ?s ?p ?o }", Accept="text/csv"), 406, "unsupported")
    problem(get("SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 1001"), 413, "result-too-large")
    assert len(rows(client, 'SELECT * { BIND("SERVICE <http://lamp.example/> {}" AS ?x) }')) == 1


def test_requests_that_break_the_protocol(client: TestClient) -> None:
    problem(client.get("/sparql", params={"default-graph-uri": "https://lamps.example/"}), 400, "bad-query")
    problem(client.get("/sparql", params={"update": "CLEAR ALL"}), 403, "query-refused")
    problem(client.get("/sparql", params={"query": [LABELS, LABELS]}), 400, "bad-query")
    problem(client.get("/sparql?query=%FF%FE"), 400, "bad-query")
    problem(client.post("/sparql", content=LABELS), 415)
    problem(client.post("/sparql", content=LABELS, headers={"Content-Type": "text/plain"}), 415)
    not_utf8 = {"Content-Type": "application/sparql-query; charset=utf-16"}
    problem(client.post("/sparql", content="ASK {}".encode("utf-16"), headers=not_utf8), 415)
    query = {"Content-Type": "application/sparql-query"}
    problem(client.post("/sparql", content="ASK {}".encode("utf-16"), headers=query), 400, "bad-query")
    problem(client.post("/sparql", data={"query": "ASK {}", "default-graph-uri": "lamps"}), 400, "bad-input")
    problem(client.post("/sparql", data={"update": "CLEAR ALL"}), 403, "read-only")
    problem(client.post("/sparql", data={"update": "CLEAR ALL", "query": "ASK {}"}), 400, "bad-query")
    update = {"Content-Type": "application/sparql-update"}
    problem(client.post("/sparql", content="CLEAR ALL", headers=update), 403, "read-only")
    assert "allow" in client.put("/sparql", content="x").headers
    problem(client.put("/sparql", content="x"), 405)


def test_a_cross_join_is_stopped_and_the_next_query_answered(client: TestClient) -> None:
    stopped = client.get("/sparql", params={"query": CROSS_JOIN})
    assert problem(stopped, 503, "query-timeout")["hint"]
    assert stopped.headers["retry-after"] == "1"
    assert rows(client, "SELECT ?x { BIND(1 AS ?x) }") == [{"x": "1"}]


# --- the rest ----------------------------------------------------------------------------------


def test_documents(client: TestClient) -> None:
    listed = client.get("/documents").json()["documents"]
    assert [d["id"] for d in listed] == ["keepers.md", "lights.md"]
    assert listed[0]["title"] == "Keepers' Handbook" and listed[0]["passages"] >= 1
    one = client.get("/documents/keepers.md").json()
    assert one["text"] == KEEPERS and {**listed[0], "text": KEEPERS} == one
    assert "GET /documents lists" in problem(client.get("/documents/logbook.md"), 404, "not-found")["hint"]


def test_search(client: TestClient) -> None:
    found = client.get("/search", params={"q": "Gannet Rock Light height", "limit": 2}).json()
    assert found["query"] == "Gannet Rock Light height" and 1 <= len(found["hits"]) <= 2
    first = found["hits"][0]
    assert "Gannet Rock" in first["text"] and first["title"]
    assert DOCUMENTS["lights.md"][first["start"] : first["end"]] == first["text"]
    problem(client.get("/search"), 422)
    problem(client.get("/search", params={"q": "x", "limit": 0}), 422)


def test_entities(client: TestClient) -> None:
    response = client.get("/entities/gannet-rock-light")
    entity = response.json()
    assert entity["label"] == "Gannet Rock Light" and entity["iri"].endswith("/gannet-rock-light")
    assert any("51" in claim["value"] for claim in entity["claims"])
    as_turtle = client.get("/entities/gannet-rock-light", headers={"Accept": "text/turtle"})
    assert as_turtle.headers["content-type"].startswith("text/turtle")
    subjects = {str(quad.subject) for quad in ox.parse(as_turtle.content, ox.RdfFormat.TURTLE)}
    assert f"<{entity['iri']}>" in subjects
    unknown = problem(client.get("/entities/nobody-at-all"), 404, "not-found")
    assert {row["name"] for row in rows(client, unknown["hint"].partition(": ")[2])} >= {"Gannet Rock Light"}
    problem(client.get("/entities/%20"), 400, "bad-input")
    problem(client.get("/entities/gannet-rock-light", headers={"Accept": "image/png"}), 406)


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("turtle", ox.RdfFormat.TURTLE),
        ("trig", ox.RdfFormat.TRIG),
        ("nt", ox.RdfFormat.N_TRIPLES),
        ("nq", ox.RdfFormat.N_QUADS),
        ("jsonld", ox.RdfFormat.JSON_LD),
        ("rdfxml", ox.RdfFormat.RDF_XML),
    ],
)
def test_exports(client: TestClient, name: str, format_: ox.RdfFormat) -> None:
    response = client.get("/export", params={"format": name})
    assert response.headers["content-type"].split(";")[0] == format_.media_type
    assert int(response.headers["content-length"]) == len(response.content)
    whole = {(str(q.subject), str(q.predicate)) for q in ox.parse(response.content, format_)}
    negotiated = client.get("/export", headers={"Accept": format_.media_type})
    assert negotiated.content == response.content
    facts = client.get("/export", params={"format": name, "provenance": "none"})
    assert {(str(q.subject), str(q.predicate)) for q in ox.parse(facts.content, format_)} < whole


def test_exports_that_are_not_on_offer(client: TestClient) -> None:
    problem(client.get("/export", params={"format": "gif"}), 406, "unsupported")
    problem(client.get("/export", headers={"Accept": "image/gif"}), 406, "unsupported")
    problem(client.get("/export", params={"provenance": "some"}), 422)


def test_operation(client: TestClient) -> None:
    assert client.get("/livez").text == "ok" and client.get("/readyz").text == "ok"
    client.get("/documents/keepers.md")
    metrics = client.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    counted = 'citegraph_requests_total{method="GET",route="/documents/{id}",status="200"}'
    assert counted in metrics.text
    assert 'citegraph_holds{what="documents"} 2.0' in metrics.text


def test_pages_ask_nobody_else(client: TestClient) -> None:
    for path in ("/", "/docs"):
        page = client.get(path)
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert page.headers["x-content-type-options"] == "nosniff"
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "http://" not in page.text and "https://" not in page.text
        assert "<script>" not in page.text and "style=" not in page.text and "onclick" not in page.text
    for name in ("ask.js", "style.css"):
        assert client.get(f"/static/{name}").status_code == 200
    assert "/entities/{id}" in client.get("/docs").text


def test_openapi_names_every_resource(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    wanted = {"/ask", "/ask/stream", "/sparql", "/export", "/documents", "/documents/{id}", "/search", "/entities/{id}"}
    wanted |= {"/graphs", "/graphs/{name}", "/.well-known/void", "/livez", "/readyz", "/metrics"}
    wanted |= {"/decisions", "/decisions/{id}", "/review/rejected", "/review/conflicts", "/review/merges", "/backup"}
    wanted |= {"/v1/models", "/v1/models/{id}", "/v1/chat/completions"}
    wanted |= {"/documents/{id}/structure", "/documents/{id}/original", "/entities/{id}/conflicts", "/prefixes"}
    assert wanted <= set(paths)
    assert set(paths["/sparql"]) == {"get", "post"}


def test_what_is_not_there(client: TestClient) -> None:
    problem(client.get("/nowhere"), 404)
    problem(client.delete("/documents"), 405)
    problem(client.get("/static/../app.py"), 404)


def test_the_server_follows_the_knowledge_base(tmp_path: Path) -> None:
    settings = Settings(kb=tmp_path / "kb", serve={"query_workers": 1})
    docs = write(tmp_path / "docs", {"keepers.md": KEEPERS})
    with KnowledgeBase.create(settings.kb, settings) as writer:
        writer.add([docs])
    with TestClient(create_app(KnowledgeBase.open(settings.kb, settings), settings)) as client:
        count = "SELECT (COUNT(*) AS ?n) { ?d a kg:Document }"
        assert rows(client, count) == [{"n": "1"}]
        with KnowledgeBase.create(settings.kb, settings) as writer:
            writer.add([write(docs)])
        assert rows(client, count) == [{"n": "2"}]
        assert len(client.get("/documents").json()["documents"]) == 2
        assert "51" in client.post("/ask", json={"question": HEIGHT}).json()["answer"]
        with KnowledgeBase.create(settings.kb, settings) as writer:
            writer.remove(["lights.md"])
        assert rows(client, count) == [{"n": "1"}]
        assert client.get("/documents/lights.md").status_code == 404


def test_questions_are_answered_while_queries_keep_every_worker_busy(client: TestClient) -> None:
    with ThreadPoolExecutor(10) as pool:
        stopped = [pool.submit(client.get, "/sparql", params={"query": CROSS_JOIN}) for _ in range(3)]
        assert client.get("/livez").text == "ok"
        assert "51" in client.post("/ask", json={"question": HEIGHT}).json()["answer"]
        assert {future.result().status_code for future in stopped} == {503}
    assert rows(client, "SELECT ?x { BIND(1 AS ?x) }") == [{"x": "1"}]

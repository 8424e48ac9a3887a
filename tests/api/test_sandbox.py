"""Queries in killable processes: what they may do, and that whatever they do the next one is answered."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kg.api.sandbox import Dataset, Limits, Sandbox
from kg.api.worker import count_rows, evaluate

from kg.errors import BadQuery, QueryCrashed, QueryRefused, QueryTimeout, ResultTooLarge, Unsupported

LAMP = "https://lamps.example/"
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
# 300 to the power of five combinations: no engine gets through that.
CROSS_JOIN = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o }"


def write_store(folder: Path, size: int = 300) -> None:
    store = ox.Store(str(folder))
    node = ox.NamedNode
    store.bulk_extend(
        [ox.Quad(node(f"{LAMP}{i}"), node(f"{LAMP}height"), ox.Literal(i)) for i in range(size)]
        + [ox.Quad(node(f"{LAMP}0"), node(f"{LAMP}keeper"), ox.Literal("Ada"), node(f"{LAMP}g"))]
    )
    store.flush()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox(Limits(timeout_s=2, workers=1, max_rows=200, max_bytes=50_000, memory_mb=300))
    sandbox.use(write_store, {"lamp": LAMP})
    yield sandbox
    sandbox.close()


def rows(sandbox: Sandbox, query: str, dataset: Dataset | None = None) -> list[dict[str, str]]:
    result = sandbox.run(query, "JSON", None, dataset)
    bindings = json.loads(result.body)["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in bindings]


def counts(sandbox: Sandbox) -> bool:
    return rows(sandbox, COUNT) == [{"n": "300"}]


def test_rows_truth_values_and_graphs(sandbox: Sandbox) -> None:
    assert rows(sandbox, "SELECT ?s { ?s lamp:height 7 }") == [{"s": f"{LAMP}7"}]
    assert json.loads(sandbox.run("ASK { ?s lamp:height 7 }", "JSON", None).body)["boolean"] is True
    result = sandbox.run("CONSTRUCT WHERE { ?s lamp:height 7 }", None, "TURTLE")
    assert result.graph and result.format == "TURTLE"
    assert [str(q.subject) for q in ox.parse(result.body, ox.RdfFormat.TURTLE)] == [f"<{LAMP}7>"]
    assert b"lamp:height" in result.body
    assert sandbox.run("SELECT ?h { lamp:7 lamp:height ?h }", "CSV", None).body == b"h\r\n7\r\n"


def test_graphs_named_by_the_protocol(sandbox: Sandbox) -> None:
    query = "SELECT ?o { ?s lamp:keeper ?o }"
    assert rows(sandbox, query) == []
    assert rows(sandbox, query, Dataset(default=(f"{LAMP}g",))) == [{"o": "Ada"}]
    named = "SELECT ?o { GRAPH ?g { ?s lamp:keeper ?o } }"
    assert rows(sandbox, named, Dataset(named=(f"{LAMP}other",))) == []


@pytest.mark.parametrize(
    "query", ["SELECT * {", "hello", "", "ASK { ?s undeclared:p ?o }", "ASK { FILTER(<x:f>(1)) } ???"]
)
def test_broken_queries(sandbox: Sandbox, query: str) -> None:
    with pytest.raises(BadQuery):
        sandbox.run(query, "JSON", "TURTLE")


def test_formats_that_do_not_fit(sandbox: Sandbox) -> None:
    with pytest.raises(Unsupported):
        sandbox.run("CONSTRUCT WHERE { ?s ?p ?o }", "JSON", None)
    with pytest.raises(Unsupported):
        sandbox.run(COUNT, None, "TURTLE")


def test_a_query_past_its_deadline_is_killed_and_the_next_is_answered(sandbox: Sandbox) -> None:
    with pytest.raises(QueryTimeout) as late:
        sandbox.run(CROSS_JOIN, "JSON", None)
    assert late.value.http_status == 503
    assert counts(sandbox)


def test_results_are_whole_or_refused(sandbox: Sandbox) -> None:
    assert len(rows(sandbox, "SELECT * { ?s ?p ?o } LIMIT 200")) == 200
    for name in ("JSON", "XML", "CSV", "TSV"):
        with pytest.raises(ResultTooLarge, match="200 rows"):
            sandbox.run("SELECT ?o { ?s ?p ?o } LIMIT 201", name, None)
    with pytest.raises(ResultTooLarge, match="50,000 bytes"):
        sandbox.run("SELECT * { ?s ?p ?o . ?t ?q ?r }", "JSON", None)
    with pytest.raises(ResultTooLarge, match="50,000 bytes"):
        sandbox.run("CONSTRUCT { ?s ?p ?r } WHERE { ?s ?p ?o . ?t ?q ?r }", None, "N_TRIPLES")
    assert counts(sandbox)


BOMBS = [
    "ASK " + "{" * 3000 + "}" * 3000,
    "ASK { ?s ?p " + "( 1 " * 3000 + ")" * 3000 + " }",
    "SELECT * { " + " UNION ".join(["{ ?s ?p ?o }"] * 10_000) + " }",
    "ASK { FILTER(" + " || ".join(["?a"] * 20_000) + ") }",
    "ASK { FILTER(" + "!" * 50_000 + "?a) }",
    "ASK { ?s " + "/".join(["lamp:height"] * 10_000) + " ?o }",
    "ASK { " + "OPTIONAL { ?s ?p ?o } " * 5_000 + "}",
    'SELECT (STRLEN(?z) AS ?n) { BIND("0123456789" AS ?a) '
    + " ".join(
        f"BIND(CONCAT({', '.join(['?' + v] * 20)}) AS ?{w})" for v, w in zip("abcdefghi", "bcdefghiz", strict=True)
    )
    + "}",
    "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?d ?g",
    'SELECT ?a { ?a ?b ?c . ?d ?e ?f FILTER(REGEX(STR(?a), "(((a?)*)*)*$")) ?g ?h ?i FILTER(?c = ?f + ?i + 1000) }',
]


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_do_no_harm(sandbox: Sandbox, bomb: str) -> None:
    with pytest.raises((QueryRefused, QueryTimeout, QueryCrashed, ResultTooLarge, BadQuery)):
        sandbox.run(bomb, "JSON", None)
        # What the engine gets through within the limits has done no harm either.
        raise QueryTimeout("answered")
    assert counts(sandbox)


def test_a_worker_has_no_network_even_for_a_call_that_got_past_the_guard(sandbox: Sandbox) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(0.2)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        query = f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"
        request = {
            "op": "query", "query": query, "rows_format": "JSON", "graph_format": None,
            "default_graph": [], "named_graph": [],
            "prefixes": {}, "max_rows": 10, "max_bytes": 1000, "cpu_s": 5,
        }  # fmt: skip
        reply, body = sandbox._ask(request)
        assert reply["error"] == "failed" and body == b""
        with pytest.raises(TimeoutError):
            listener.accept()
        with pytest.raises(QueryRefused):
            sandbox.run(query, "JSON", None)


def test_the_graph_is_changed_under_running_queries() -> None:
    sandbox = Sandbox(Limits(timeout_s=30, workers=2))
    try:
        sandbox.use(lambda folder: write_store(folder, 10), {})
        assert rows(sandbox, COUNT) == [{"n": "10"}]
        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(rows, sandbox, COUNT) for _ in range(40)]
            sandbox.use(lambda folder: write_store(folder, 20), {})
            assert rows(sandbox, COUNT) == [{"n": "20"}]
            assert {future.result()[0]["n"] for future in running} <= {"10", "20"}
        folders = [folder.name for folder in sandbox._root.iterdir()]
        assert folders == ["2"]
    finally:
        sandbox.close()
    assert not sandbox._root.exists()


def test_a_closed_sandbox_refuses_and_wakes_those_who_wait() -> None:
    sandbox = Sandbox(Limits(timeout_s=30, workers=1))
    sandbox.use(lambda folder: write_store(folder, 1), {})
    worker = sandbox._take()
    refused: list[str] = []

    def wait() -> None:
        try:
            sandbox.run(COUNT, "JSON", None)
        except QueryTimeout as error:
            refused.append(error.message)

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.1)
    sandbox.close()
    waiting.join()
    sandbox._give(worker, True)
    assert refused == ["the server is shutting down"]
    assert worker._process.poll() is not None


TEXT = st.text(alphabet='ab"\\\n\r,{}[]<>:\t', max_size=12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.none() | TEXT, st.none() | TEXT), max_size=6))
def test_rows_are_counted_exactly_in_every_format(table: list[tuple[str | None, str | None]]) -> None:
    cells = [" ".join("UNDEF" if c is None else str(ox.Literal(c)) for c in row) for row in table]
    query = "SELECT ?a ?b { VALUES (?a ?b) {" + " ".join(f"({row})" for row in cells) + "} }"
    for name in ("JSON", "XML", "CSV", "TSV"):
        request = {
            "query": query, "rows_format": name, "graph_format": None, "default_graph": [], "named_graph": [],
            "base": None, "prefixes": {}, "max_rows": 100, "max_bytes": 100_000,
        }  # fmt: skip
        reply, body = evaluate(ox.Store().query, request)
        assert reply == {"graph": False, "format": name}
        assert count_rows(body, name.lower()) == len(table)

"""Nobody takes the server down, and nobody makes it call anyone."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ..lighthouses import write
from ..w3c.server import Client, Reply, serving
from .attack import attack
from .bombs import BOMBS, PAYLOADS, PREFIX, data, resident
from .forgery import Listener, listening, payloads, queries, requests, updates
from .nonsense import request

DEADLINE_S = 1.0
NONSENSE = 300
JSON = "application/sparql-results+json, text/turtle"
SETTINGS = {"KG_SERVE__QUERY_TIMEOUT_S": str(DEADLINE_S)}


@pytest.fixture(scope="module")
def server() -> Iterator[Client]:
    with serving(settings=SETTINGS) as client:
        assert client.update(PREFIX + data()).status == 204
        yield client


@pytest.fixture
def client(server: Client) -> Iterator[Client]:
    """A fresh connection to it."""
    client = Client(server.address, server.pid)
    yield client
    client.close()


def answers(client: Client) -> bool:
    reply = client.query(PREFIX + "SELECT (COUNT(*) AS ?n) { ?s x:height ?o }", JSON)
    return bool(json.loads(reply.body)["results"]["bindings"] == [{"n": term("400")}])


def term(number: str) -> dict[str, str]:
    return {"type": "literal", "value": number, "datatype": "http://www.w3.org/2001/XMLSchema#integer"}


@pytest.fixture(scope="module")
def bombed(server: Client) -> tuple[dict[str, tuple[Reply, float]], int]:
    """Replies to all bombs, eight at once, with their seconds; and the most memory that was held meanwhile."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peak[0] = max(peak[0], resident(server.pid))

    def throw(query: str) -> tuple[Reply, float]:
        client, started = Client(server.address), time.monotonic()
        try:
            return client.query(PREFIX + query, JSON), time.monotonic() - started
        finally:
            client.close()

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(8) as pool:
        replies = dict(zip(BOMBS, pool.map(throw, BOMBS.values()), strict=True))
    done.set()
    watcher.join()
    return replies, peak[0]


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_or_stopped(bombed: tuple[dict[str, tuple[Reply, float]], int], name: str) -> None:
    reply, _ = bombed[0][name]
    assert reply.status in (400, 403, 413, 503), reply.body[:500]
    problem = json.loads(reply.body)
    assert problem["status"] == reply.status and problem["detail"]
    if reply.status == 503:
        assert reply.headers["retry-after"] == "1"


def test_after_the_bombs_the_next_query_is_answered(
    bombed: tuple[dict[str, tuple[Reply, float]], int], client: Client
) -> None:
    assert len(bombed[0]) >= 20
    assert answers(client)
    if sys.platform == "linux":
        assert 0 < bombed[1] < 2_000_000_000


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_payload_that_is_a_bomb_is_refused(client: Client, name: str) -> None:
    media_type, payload = PAYLOADS[name]
    reply = client.send("PUT", "/graphs?graph=urn:x", {"Content-Type": media_type}, payload.encode())
    assert reply.status == 400 and json.loads(reply.body)["detail"], reply.body[:500]
    assert answers(client)


def test_no_form_of_forgery_reaches_a_listener(client: Client) -> None:
    with listening() as listener:
        sent = list(requests(listener.url))
        statuses = []
        for method, path, headers, body in sent:
            one = Client(client.address)
            statuses.append(one.send(method, path, headers, body).status)
            one.close()
        assert len(sent) >= 60
        assert listener.calls == 0
    assert not {500, 502} & set(statuses)
    assert statuses[: len(queries("http://x:1/"))].count(200) <= 4  # data sets and names that only look like calls


def test_calls_are_refused_not_failed(client: Client) -> None:
    with listening() as listener:
        for query in queries(listener.url):
            if "SERVICE" in query.upper().replace("\\U0053", "S"):
                assert client.query(query, JSON).status in (400, 403), query
        for update in updates(listener.url)[:7]:
            assert client.update(update).status == 403, update
        contexts = [p for p in payloads(listener.url) if "@vocab" not in p[1] and p[0] != "text/turtle"]
        for media_type, payload in contexts[:8]:
            reply = client.send("PUT", "/graphs?graph=urn:x", {"Content-Type": media_type}, payload.encode())
            assert reply.status == 400, payload
        assert listener.calls == 0


def test_a_knowledge_base_calls_nobody_either(tmp_path: Path) -> None:
    from kg.knowledge_base import KnowledgeBase
    from kg.settings import Settings

    with KnowledgeBase.create(tmp_path / "kb", Settings(kb=tmp_path / "kb")) as knowledge_base:
        knowledge_base.add([write(tmp_path / "docs")])
    command = (sys.executable, "-c", "from kg.cli import main; main()", "serve", "--port", "0", "--kb")
    with serving((*command, str(tmp_path / "kb")), SETTINGS) as client, listening() as listener:
        for method, path, headers, body in requests(listener.url):
            one = Client(client.address)
            assert one.send(method, path, headers, body).status != 500
            one.close()
        assert listener.calls == 0


def test_the_listener_counts_who_calls() -> None:
    with listening() as listener:
        assert Client(listener.url.rstrip("/")).send("GET", "/").status == 302
        assert listener.calls == 1
        assert isinstance(listener, Listener)


def test_nonsense_is_answered_with_a_reason(client: Client) -> None:
    report = attack(client.address, range(NONSENSE))
    assert report.failed == []
    assert sum(report.statuses.values()) > 0.9 * NONSENSE
    assert {200, 400, 403, 405, 406, 415} <= set(report.statuses)
    assert json.loads(client.query("ASK {}", JSON).body)["boolean"] is True


def test_the_same_seed_makes_the_same_request() -> None:
    assert [request(seed) for seed in range(50)] == [request(seed) for seed in range(50)]

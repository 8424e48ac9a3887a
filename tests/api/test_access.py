"""Keys and their roles, hosts, limits: who gets in and how the others are told."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kg.api.access import NotHere, Rate, TooManyRequests, check_host, is_loopback
from kg.api.app import create_app

from kg.app.keys import FILE, Role, add_key, read_keys, revoke_key
from kg.errors import BadInput, NotFound
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write

TURTLE = {"Content-Type": "text/turtle"}
TRIPLE = "<urn:s> <urn:p> 1 ."


def sha(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("access")
    with KnowledgeBase.create(root / "kb", Settings(kb=root / "kb")) as knowledge_base:
        knowledge_base.add([write(root / "docs")])
    return root / "kb"


@contextmanager
def serving(kb: Path, *, local: bool = False, **serve: Any) -> Iterator[TestClient]:
    settings = Settings(kb=kb, serve={"query_workers": 1, "log": "errors", **serve})
    with (
        KnowledgeBase.open(kb, settings) as knowledge_base,
        TestClient(create_app(knowledge_base, settings, local=local)) as client,
    ):
        yield client


def refused(response: Any, status: int, slug: str) -> None:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["type"].endswith("/" + slug) and response.json()["detail"]


def test_each_role_may_do_its_part(built: Path) -> None:
    keys = {"read_keys": (sha("r"),), "write_keys": (sha("w"),), "admin_keys": (sha("a"),)}
    with serving(built, **keys) as client:
        for path in (
            "/sparql?query=ASK{}",
            "/documents",
            "/export",
            "/search?q=light",
            "/decisions",
            "/metrics",
            "/nothing",
        ):
            refused(client.get(path), 401, "key-needed")
            assert client.get(path).headers["www-authenticate"] == "Bearer"
            refused(client.get(path, headers=bearer("x")), 401, "key-needed")
            for key in "rwa":
                assert client.get(path, headers=bearer(key)).status_code in (200, 404)
        refused(client.post("/ask", json={"question": "How tall is Corran Head Light?"}), 401, "key-needed")
        for path in ("/livez", "/readyz", "/", "/openapi.json", "/static/style.css"):
            assert client.get(path).status_code == 200
        refused(client.put("/graphs/x", content=TRIPLE, headers=TURTLE), 401, "key-needed")
        refused(client.put("/graphs/x", content=TRIPLE, headers={**TURTLE, **bearer("r")}), 403, "not-allowed")
        update = {"update": "CLEAR SILENT GRAPH <https://w3id.org/citegraph/id/graph/user/x>"}
        refused(client.post("/sparql", data=update, headers=bearer("r")), 403, "not-allowed")
        for key in "wa":
            assert client.put("/graphs/x", content=TRIPLE, headers={**TURTLE, **bearer(key)}).status_code in (201, 204)
            assert client.post("/sparql", data=update, headers=bearer(key)).status_code == 204
        refused(client.get("/backup"), 401, "key-needed")
        refused(client.get("/backup", headers=bearer("w")), 403, "not-allowed")
        assert client.get("/backup", headers=bearer("a")).headers["content-type"] == "application/x-tar"


def test_keys_come_and_go_while_the_server_runs(built: Path) -> None:
    with serving(built) as client:
        refused(client.put("/graphs/y", content=TRIPLE, headers=TURTLE), 403, "read-only")
        key = add_key(built, "ada", Role.WRITE)
        try:
            assert client.put("/graphs/y", content=TRIPLE, headers={**TURTLE, **bearer(key)}).status_code == 201
            assert client.get("/documents").status_code == 200
            add_key(built, "reader", Role.READ)
            refused(client.get("/documents"), 401, "key-needed")
            assert client.get("/documents", headers=bearer(key)).status_code == 200
            revoke_key(built, "reader")
            assert client.get("/documents").status_code == 200
        finally:
            revoke_key(built, "ada")
        refused(client.delete("/graphs/y", headers=bearer(key)), 403, "read-only")


def test_the_file_of_keys_holds_hashes_alone(tmp_path: Path) -> None:
    key = add_key(tmp_path, "ada", Role.ADMIN)
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert len(key) >= 40 and key not in text and sha(key) in text
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert [(k.name, k.role) for k in read_keys(tmp_path)] == [("ada", Role.ADMIN)]
    with pytest.raises(BadInput, match="already"):
        add_key(tmp_path, "ada", Role.READ)
    with pytest.raises(BadInput, match="no name"):
        add_key(tmp_path, "a b", Role.READ)
    with pytest.raises(NotFound):
        revoke_key(tmp_path, "eve")
    revoke_key(tmp_path, "ada")
    assert read_keys(tmp_path) == ()


def test_a_server_for_this_machine_answers_to_its_names_only(built: Path) -> None:
    with serving(built, local=True, hosts=("graph.example",)) as client:
        for host in ("localhost", "localhost:8000", "127.0.0.1:80", "[::1]:8000", "[::1]", "GRAPH.example:1"):
            assert client.get("/livez", headers={"Host": host}).status_code == 200, host
        for host in (
            "evil.example",
            "evil.example:8000",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "10.0.0.1",
        ):
            refused(client.get("/livez", headers={"Host": host}), 421, "not-this-host")
            refused(client.get("/sparql?query=ASK{}", headers={"Host": host}), 421, "not-this-host")
    with serving(built) as client:
        assert client.get("/livez", headers={"Host": "evil.example"}).status_code == 200


def test_hosts() -> None:
    assert is_loopback("127.8.9.1") and is_loopback("[::1]") and not is_loopback("0.0.0.0")
    with pytest.raises(NotHere):
        check_host("", ())


def test_too_many_side_by_side() -> None:
    rate = Rate(0, 2)
    for _ in range(2):
        rate.enter("ada")
    with pytest.raises(TooManyRequests) as refusal:
        rate.enter("ada")
    assert refusal.value.http_status == 429 and refusal.value.wait_s == 1
    rate.enter("eve")
    rate.leave("ada")
    rate.enter("ada")


def test_requests_at_once_over_http(built: Path) -> None:
    cross = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    with serving(built, requests_at_once=1, query_timeout_s=2) as client:
        slow = threading.Thread(target=client.get, args=("/sparql",), kwargs={"params": {"query": cross}})
        slow.start()
        time.sleep(0.3)  # else it could be the one that is turned away
        statuses = set()
        while slow.is_alive():
            response = client.get("/livez")
            statuses.add(response.status_code)
            if response.status_code == 429:
                refused(response, 429, "too-many-requests")
                assert response.headers["retry-after"] == "1"
        slow.join()
        assert 429 in statuses
        assert client.get("/livez").status_code == 200


def test_requests_are_named(built: Path) -> None:
    with serving(built) as client:
        assert client.get("/livez", headers={"X-Request-Id": "abc-1.2"}).headers["x-request-id"] == "abc-1.2"
        for odd in ("a b", "x" * 65, '"', "é".encode().decode("latin-1")):
            given = client.get("/nothing", headers={"X-Request-Id": odd.encode("latin-1")}).headers["x-request-id"]  # type: ignore[dict-item]
            assert given != odd and len(given) == 16
        ids = {client.get("/sparql?query=ASK{}").headers["x-request-id"] for _ in range(5)}
        assert len(ids) == 5


def test_metrics_have_few_labels(built: Path) -> None:
    with serving(built) as client:
        for i in range(5):
            client.request(f"ODD{i}", "/livez")
            client.get(f"/nothing/{i}")
            client.get(f"/entities/nobody-{i}")
        text = client.get("/metrics").text
        assert "ODD" not in text and "nobody" not in text and "nothing" not in text
        assert 'method="other"' in text and 'route="/entities/{id}"' in text
        assert "citegraph_requests_under_way 1.0" in text


def test_a_graph_of_ones_own_is_not_open_to_writing(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text("<urn:s> <urn:p> 1 .", encoding="utf-8")
    settings = Settings(kb=tmp_path / "kb")
    assert KnowledgeBase.build_graph(settings.kb, [tmp_path / "own.ttl"], settings) == 1
    with serving(settings.kb, local=False) as client:
        assert "SPARQL11Update" not in client.get("/sparql").text
        refused(client.post("/sparql", data={"update": "DELETE WHERE { ?s ?p ?o }"}), 403, "read-only")
        refused(client.put("/graphs/x", content=TRIPLE, headers=TURTLE), 403, "read-only")
        assert client.get("/sparql", params={"query": "ASK { <urn:s> <urn:p> 1 }"}).text.find("true") > 0


def test_the_service_description_tells_of_updates_once_a_key_in_the_file_may_write(built: Path) -> None:
    with serving(built) as client:
        assert "SPARQL11Update" not in client.get("/sparql").text
        add_key(built, "describer", Role.WRITE)
        try:
            assert "SPARQL11Update" in client.get("/sparql").text
        finally:
            revoke_key(built, "describer")

"""The client against the application itself: the same shape as a knowledge base in a folder."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app

from kg import CitegraphError, Client, KnowledgeBase, Settings
from kg.errors import BadInput, NotFound

from .lighthouses import write

WRITE_HASH = hashlib.sha256(b"a-key-to-write-with").hexdigest()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    root = tmp_path_factory.mktemp("client")
    settings = Settings(kb=root / "kb", serve={"query_workers": 1, "write_keys": (WRITE_HASH,), "log": "errors"})
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    knowledge_base.add([write(root / "docs")])
    with TestClient(create_app(knowledge_base, settings)) as http:
        yield http


@pytest.fixture(scope="module")
def remote(server: TestClient) -> Client:
    return Client(http=server)  # type: ignore[arg-type]


def test_answers_are_those_of_the_knowledge_base(remote: Client) -> None:
    answer = remote.ask("Who built Corran Head Light?")
    assert answer.status == "answered" and "Elspeth Marr" in answer.answer
    citation = answer.citations[0]
    assert citation.text[citation.start : citation.end] == citation.quote


def test_queries_give_rows_and_frames(remote: Client) -> None:
    (row,) = remote.query("SELECT (COUNT(?d) AS ?n) WHERE { ?d a <https://w3id.org/citegraph/kg#Document> }")
    assert row == {"n": 2}
    assert remote.query("ASK { ?s ?p ?o }") == [{"boolean": True}]
    assert remote.query("CONSTRUCT { <urn:a> <urn:b> 1 } WHERE {}") == [
        {"subject": "urn:a", "predicate": "urn:b", "object": 1}
    ]
    assert remote.frame("SELECT (1 AS ?one) WHERE {}")["one"].tolist() == [1]


def test_documents_are_listed_put_and_removed(server: TestClient, tmp_path: Path) -> None:
    kb = Client(key="a-key-to-write-with", http=server)  # type: ignore[arg-type]
    file = tmp_path / "brinn.md"
    file.write_text("# Brinn Light\n\n- **Height**: 12 m\n", encoding="utf-8")
    (report,) = kb.add([file])
    assert report["added"] == ["brinn.md"]
    assert "brinn.md" in {d.name for d in kb.documents()}
    assert kb.search("Brinn Light", 1)[0]["text"].startswith("# Brinn Light")
    (removed,) = kb.remove(["brinn.md"])
    assert removed["removed"] == ["brinn.md"]
    assert "brinn.md" not in {d.name for d in kb.documents()}


def test_the_graph_is_exported(remote: Client) -> None:
    stream = io.BytesIO()
    remote.export(stream, "nt")
    assert b"Corran Head Light" in stream.getvalue()


def test_refusals_are_errors_with_the_servers_words(remote: Client, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="SERVICE"):
        remote.query("SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }")
    with pytest.raises(CitegraphError, match="key"):
        remote.put(b"# A\n\nB is C.\n", "a.md")
    with pytest.raises((NotFound, BadInput)):
        Client(key="a-key-to-write-with", http=remote._http).remove(["nowhere.md"])
    with pytest.raises(BadInput, match="no such file"):
        remote.add([tmp_path / "none.md"])

"""Requests as OpenTelemetry traces: what reaches a collector, and what never does."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
Spans = queue.Queue[ExportTraceServiceRequest]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Spans]:
    """What an OTLP collector on this machine is sent."""
    received: Spans = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.put(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "archive")
    yield received
    server.shutdown()


def settings(folder: Path, traces: bool) -> Settings:
    return Settings(kb=folder / "kb", serve={"query_workers": 1, "log": "errors", "traces": traces})


@pytest.fixture
def knowledge_base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb", settings(tmp_path, False)) as built:
        built.add([write(tmp_path / "docs")])
        yield built


def test_a_request_is_a_span_without_its_question(
    knowledge_base: KnowledgeBase, tmp_path: Path, collector: Spans
) -> None:
    with TestClient(create_app(knowledge_base, settings(tmp_path, True))) as client:
        client.get("/livez")
        found = client.get("/search", params={"q": "whaleoil"}, headers={"traceparent": PARENT})
        assert found.status_code == 200
        sent = collector.get(timeout=60)
    [resource] = sent.resource_spans
    names = {a.key: a.value.string_value for a in resource.resource.attributes}
    assert names["service.name"] == "archive"
    [span] = [s for scope in resource.scope_spans for s in scope.spans]
    assert span.trace_id.hex() == PARENT.split("-")[1]
    assert span.parent_span_id.hex() == PARENT.split("-")[2]
    assert "/search" in span.name
    assert "whaleoil" not in str(sent)


def test_nothing_is_sent_unless_asked_for(knowledge_base: KnowledgeBase, tmp_path: Path, collector: Spans) -> None:
    with (
        TestClient(create_app(knowledge_base, settings(tmp_path, False))) as client,
        pytest.raises(queue.Empty),
    ):
        assert client.get("/search", params={"q": "light"}).status_code == 200
        collector.get(timeout=0.5)


def test_missing_packages_are_named(
    knowledge_base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.instrumentation.asgi", None)
    with pytest.raises(BadInput) as raised:
        create_app(knowledge_base, settings(tmp_path, True))
    assert "citegraph[telemetry]" in str(raised.value.hint)

"""Logs: one JSON object a line, each with the identifier of its request."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app
from kg.api.telemetry import REQUEST_ID, Lines, Requests, log_as_json, request_id

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings


@pytest.fixture
def untouched() -> Iterator[None]:
    """Logging is set up for the whole process: afterwards it is as it was."""
    loggers = [logging.getLogger(name) for name in ("", "kg.api", "uvicorn", "uvicorn.error")]
    before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers, logger.level, logger.propagate = handlers, level, propagate


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def serve(kb: Path, log: str) -> TestClient:
    settings = Settings(kb=kb, build={"ontology": ()}, serve={"query_workers": 1, "log": log})
    return TestClient(create_app(KnowledgeBase.create(kb, settings), settings))


def test_every_request_is_a_line_with_its_identifier(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serve(tmp_path / "kb", "requests") as client:
        capfd.readouterr()
        given = client.get("/livez", headers={"X-Request-Id": "mine-1", "Authorization": "Bearer hush"})
        made = client.get("/sparql", params={"query": "ASK { ?secret ?p ?o }"}).headers["x-request-id"]
        client.get('/no"thing\u2028', headers={"X-Request-Id": "bad id"})
        found: list[dict[str, Any]] = []
        while len(found) < 3:  # they are gathered for a moment
            time.sleep(0.05)
            found += lines(capfd.readouterr().err)
    assert given.headers["x-request-id"] == "mine-1"
    assert [(line["request_id"], line["method"], line["path"], line["status"]) for line in found[:2]] == [
        ("mine-1", "GET", "/livez", 200),
        (made, "GET", "/sparql", 200),
    ]
    assert found[2]["status"] == 404 and found[2]["path"] == '/no"thing\u2028' and found[2]["request_id"] != "bad id"
    assert all(line["level"] == "info" and line["milliseconds"] >= 0 and line["visitor"] for line in found)
    assert "secret" not in json.dumps(found) and "hush" not in json.dumps(found)


def test_requests_are_not_written_where_only_errors_are_wanted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serve(tmp_path / "kb", "errors") as client:
        capfd.readouterr()
        assert client.get("/livez").status_code == 200
        time.sleep(0.3)
        assert "request_id" not in capfd.readouterr().err
    Requests(False)("id", "GET", "/", 200, 0.1, "somebody")


def test_an_error_names_its_request_and_where_it_was() -> None:
    token = REQUEST_ID.set("abc")
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
        line = Lines().format(logging.LogRecord("kg.api", logging.ERROR, "x", 1, "%s failed", ("this",), told))
    finally:
        REQUEST_ID.reset(token)
    assert "\n" not in line
    found = json.loads(line)
    assert (found["level"], found["message"], found["request_id"]) == ("error", "this failed", "abc")
    assert found["traceback"].endswith("ValueError: two\nlines\n") and found["time"].endswith("Z")


def test_libraries_write_json_as_well_and_only_warnings(untouched: None, capfd: pytest.CaptureFixture[str]) -> None:
    log_as_json()
    logging.basicConfig(level=logging.INFO, format="something else")
    library = logging.getLogger("some.library")
    library.setLevel(logging.DEBUG)
    library.debug("chatter")
    library.info("chatter")
    library.warning("careful")
    logging.getLogger("uvicorn.error").warning("once")
    found = lines(capfd.readouterr().err)
    assert [(line["level"], line["message"]) for line in found] == [("warning", "careful"), ("warning", "once")]


def test_identifiers_that_are_given_are_harmless() -> None:
    assert request_id(b"A-b_c.9") == "A-b_c.9"
    for odd in (None, b"", b"a b", b"a\nb", b"x" * 65, b"\xff", b'"'):
        assert len(request_id(odd)) == 16

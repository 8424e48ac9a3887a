"""A server in a process of its own, and plain HTTP to it that sends paths as they are written."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

_COMMAND = (sys.executable, "-c", "from kg.cli import main; main()", "serve", "--test-dataset", "--port", "0")


@dataclass(frozen=True, slots=True)
class Reply:
    """A response, its header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """Without parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip()


class Client:
    """Requests over one connection."""

    def __init__(self, address: str, pid: int = 0) -> None:
        self.address = address
        self.pid = pid
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)

    def send(self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Reply:
        """The response; the headers are sent as they are, without more than Host and Content-Length."""
        connection = self._connection
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        if body or method in ("POST", "PUT"):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, found, response.read())

    def query(self, query: str, accept: str, graphs: Mapping[str, tuple[str, ...]] | None = None) -> Reply:
        """The response to a query, sent as a form; ``graphs`` are its dataset by the protocol's parameters."""
        return self._form({"query": query, **(graphs or {})}, {"Accept": accept})

    def update(self, update: str) -> Reply:
        """The response to an update, sent as it is."""
        return self.send("POST", "/sparql", {"Content-Type": "application/sparql-update"}, update.encode())

    def update_form(self, update: str) -> Reply:
        """The response to an update, sent as a form."""
        return self._form({"update": update}, {})

    def _form(self, fields: Mapping[str, str | tuple[str, ...]], headers: Mapping[str, str]) -> Reply:
        body = urlencode(fields, doseq=True).encode()
        return self.send("POST", "/sparql", {"Content-Type": "application/x-www-form-urlencoded", **headers}, body)

    def close(self) -> None:
        """Hangs up."""
        self._connection.close()


@contextmanager
def serving(command: tuple[str, ...] = _COMMAND, settings: Mapping[str, str] | None = None) -> Iterator[Client]:
    """A client of a fresh server; ``settings`` are environment variables."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "KG_SERVE__LOG": "errors", **(settings or {})}
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    client = Client(found[0] if found else "", process.pid)
    try:
        assert found, f"the server didn't start: {line!r}"
        yield client
    finally:
        client.close()
        process.terminate()
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
        process.wait()
        process.stdout.close()

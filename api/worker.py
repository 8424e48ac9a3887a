"""A process that does one request after another with strangers' input until it is killed.

It runs queries on a read-only store (``op`` "query"), goes over to another store ("open"), and computes changes
("update", "graph"). ``python -m kg.api.worker FOLDER MEGABYTES``; :class:`kg.api.sandbox.Sandbox` starts it and
speaks to it over its standard input and output in :mod:`kg.workers.process`. What all requests have in common is
sent once, as ``shared``.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

from kg.workers import confine
from kg.workers.process import read_message, write_message

# Stack of the thread that evaluates: generous, since Oxigraph recurses over long chains of operators.
_STACK = 512 * 1024 * 1024

_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_CSV_QUOTED = re.compile(rb'"[^"]*"')


class _TooLarge(Exception):
    """The serialised result is larger than allowed."""


class _Capped:
    """A binary file in memory that refuses to grow beyond a limit."""

    def __init__(self, limit: int) -> None:
        self.parts: list[bytes] = []
        self._room = limit

    def write(self, data: bytes) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise _TooLarge
        self.parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing to do."""


def count_rows(body: bytes, format_: str) -> int:
    """Rows of a serialised SELECT result, from marks that can't occur inside its values.

    >>> count_rows(b'{"head":{"vars":["a"]},"results":{"bindings":[{},{}]}}', "json")
    2
    """
    if format_ == "json":
        # Without strings, "},{" stands between rows only: terms within a row are set apart by "},:{".
        bare = _QUOTED.sub(b"", body)
        return 0 if bare.endswith(b"[]}}") else bare.count(b"},{") + 1
    if format_ == "xml":
        return body.count(b"<result>")
    if format_ == "csv":
        return _CSV_QUOTED.sub(b"", body).count(b"\r\n") - 1
    return body.count(b"\n") - 1


def _node(iri: str) -> Any:
    import pyoxigraph as ox

    return ox.NamedNode(iri)


def _dataset(default: list[str], named: list[str]) -> dict[str, Any]:
    """Arguments for a dataset: what isn't named is empty as soon as anything is (SPARQL 1.1 Protocol §2.1.4)."""
    if not default and not named:
        return {}
    return {"default_graph": [_node(i) for i in default], "named_graphs": [_node(i) for i in named]}


def evaluate(store: Any, request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Runs one query: the reply's JSON and its body. Errors are told in ``error``: syntax, rows or bytes."""
    import pyoxigraph as ox

    try:
        results = store.query(
            request["query"],
            base_iri=request["base"],
            prefixes=request["prefixes"],
            **_dataset(request["default_graph"], request["named_graph"]),
        )
        graph = isinstance(results, ox.QueryTriples)
        name = request["graph_format"] if graph else request["rows_format"]
        if name is None:
            return {"error": "format", "graph": graph}, b""
        sink: Any = _Capped(request["max_bytes"])
        if isinstance(results, ox.QueryTriples):
            ox.serialize(results, sink, getattr(ox.RdfFormat, name), prefixes=request["prefixes"])
        else:
            results.serialize(sink, getattr(ox.QueryResultsFormat, name))
    except (SyntaxError, ValueError) as error:
        return {"error": "syntax", "message": str(error)}, b""
    except _TooLarge:
        return {"error": "bytes"}, b""
    except (RuntimeError, OSError) as error:
        return {"error": "failed", "message": str(error)}, b""
    body = b"".join(sink.parts)
    # No serialised row is shorter than two bytes.
    rows = isinstance(results, ox.QuerySolutions) and len(body) > 2 * request["max_rows"]
    if rows and count_rows(body, name.lower()) > request["max_rows"]:
        return {"error": "rows"}, b""
    return {"graph": graph, "format": name}, body


def serve(folder: str, megabytes: int, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answers requests until their stream ends."""
    import pyoxigraph as ox

    from . import changes

    store = ox.Store.read_only(folder)
    confined = confine.no_network()
    confine.limit_memory(megabytes * 1024 * 1024 + _STACK)
    write_message(replies, {"ready": True, "no_network": confined})
    shared: Mapping[str, Any] = {}
    while (request := read_message(requests)) is not None:
        data = requests.read(request["body"])
        shared = request.get("shared", shared)
        request = {**shared, **request}
        confine.limit_cpu(request["cpu_s"])
        if request["op"] == "open":
            store = ox.Store.read_only(request["folder"])
            reply, body = {"ready": True}, b""
        elif request["op"] == "update":
            reply, body = changes.update(request)
        elif request["op"] == "graph":
            reply, body = changes.change_graph(request, data)
        else:
            reply, body = evaluate(store, request)
        write_message(replies, reply, body)


def _serve_and_exit(folder: str, megabytes: int) -> None:
    try:
        serve(folder, megabytes, sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, MemoryError):
        os._exit(1)
    os._exit(0)


def main() -> None:
    """Serves in a thread with a stack deep enough for queries that the guard lets through."""
    threading.stack_size(_STACK)
    thread = threading.Thread(target=_serve_and_exit, args=(sys.argv[1], int(sys.argv[2])))
    thread.start()
    # A main thread that has ended is a shutdown to Python: what is imported then can't use threads of its own.
    thread.join()


if __name__ == "__main__":
    main()

"""A process that does one request after another with strangers' input until it is killed.

It runs queries on a read-only store (``op`` "query"), goes over to another store ("open"), and computes changes
("update", "graph"). ``python -m kg.api.worker FOLDER MEGABYTES``; :class:`kg.api.sandbox.Sandbox` starts it and
speaks to it over its standard input and output in :mod:`kg.workers.process`. What all requests have in common is
sent once, as ``shared``.

An update runs on a private copy of the whole graph. What it leaves in graphs that people may write is the result;
anything that it did elsewhere (a hash over all the rest tells) refuses it whole.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

import pyoxigraph as ox

from kg.base.user_graphs import canonical, parse, writable
from kg.workers import confine
from kg.workers.process import read_message, write_message

Reply = tuple[dict[str, Any], bytes]
# Payloads hold one graph: formats without graph names.
FORMATS: Mapping[str, ox.RdfFormat] = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}


class Unreadable(Exception):
    """A payload that isn't the RDF that it says it is; the sentence says why."""


class _Hash(io.RawIOBase):
    """A binary file that keeps only the SHA-256 of what is written."""

    def __init__(self) -> None:
        self.sha = hashlib.sha256()

    def write(self, data: Any) -> int:
        self.sha.update(data)
        return len(data)


def _take_out(store: ox.Store, prefix: str) -> list[ox.Quad]:
    """Removes the graphs that people may write, and gives what they held."""
    if not prefix:
        quads = list(store)
        store.clear()
        return quads
    taken: list[ox.Quad] = []
    for graph in [g for g in store.named_graphs() if writable(g, prefix)]:
        taken += store.quads_for_pattern(None, None, None, graph)
        store.remove_graph(graph)
    return taken


def _hash(store: ox.Store) -> str:
    sink: Any = _Hash()
    # Oxigraph's order on disk is that of its keys, which are made of the terms alone.
    store.dump(sink, ox.RdfFormat.N_QUADS)
    return str(sink.sha.hexdigest())


def update(request: Mapping[str, Any]) -> Reply:
    """Runs a SPARQL update on the store in ``folder``, which nobody else uses.

    ``writable``: prefix of the graphs that it may change; ``rest``: hash over all others, where known.
    The reply's body is what the writable graphs hold then; errors are told in ``error``.
    """
    store, prefix = ox.Store(request["folder"]), request["writable"]
    rest = request["rest"]
    if prefix and not rest:
        own = _take_out(store, prefix)
        rest = _hash(store)
        store.extend(own)
    try:
        store.update(request["update"], base_iri=request["base"], prefixes=request["prefixes"])
    except (SyntaxError, ValueError) as error:
        return {"error": "syntax", "message": str(error)}, b""
    except (RuntimeError, OSError) as error:
        return {"error": "conflict", "message": str(error)}, b""
    own = _take_out(store, prefix)
    if prefix and _hash(store) != rest:
        return {"error": "forbidden"}, b""
    return _reply(own, request, {"rest": rest})


def _reply(quads: list[ox.Quad] | set[ox.Quad], request: Mapping[str, Any], more: Mapping[str, Any]) -> Reply:
    data = canonical(quads)
    return ({"error": "bytes"}, b"") if len(data) > request["max_bytes"] else (dict(more), data)


def change_graph(request: Mapping[str, Any], body: bytes) -> Reply:
    """Puts, adds to or removes one graph (the Graph Store Protocol's PUT, POST and DELETE).

    The body is what people's graphs hold now (``user`` bytes) and then the payloads, ``parts`` of format and length.
    ``graph`` is None for the default graph. Reply as of :func:`update`, and whether the graph was there.
    """
    target = ox.DefaultGraph() if request["graph"] is None else ox.NamedNode(request["graph"])
    quads, at = parse(body[: request["user"]]), request["user"]
    before = {quad for quad in quads if quad.graph_name == target}
    if request["method"] != "POST":
        quads -= before
    for media_type, length in request["parts"]:
        try:
            triples = read_graph(body[at : at + length], media_type, request["base"])
        except Unreadable as error:
            return {"error": "payload", "message": str(error)}, b""
        quads |= {ox.Quad(t.subject, t.predicate, t.object, target) for t in triples}
        at += length
    return _reply(quads, request, {"existed": bool(before)})


def read_graph(data: bytes, media_type: str, base: str) -> set[ox.Triple]:
    """The triples of a payload, its blank nodes unlike any others. Raises Unreadable."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it isn't UTF-8: {error.reason} at byte {error.start}") from None
    if media_type == "application/rdf+xml" and "<!DOCTYPE" in text:
        raise Unreadable("document types (DTDs) are not read: entities can blow up or reach out")
    try:
        found = list(ox.parse(data, FORMATS[media_type], base_iri=base, rename_blank_nodes=True))
    except (SyntaxError, ValueError) as error:
        raise Unreadable(str(error)) from None
    if any(not isinstance(quad.graph_name, ox.DefaultGraph) for quad in found):
        raise Unreadable("it names graphs of its own")
    return {quad.triple for quad in found}


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


def _dataset(default: list[str], named: list[str]) -> dict[str, Any]:
    """Arguments for a dataset: what isn't named is empty as soon as anything is (SPARQL 1.1 Protocol §2.1.4)."""
    if not default and not named:
        return {}
    return {"default_graph": [ox.NamedNode(i) for i in default], "named_graphs": [ox.NamedNode(i) for i in named]}


def evaluate(run: Callable[..., Any], request: Mapping[str, Any]) -> Reply:
    """Has one query run: the reply's JSON and its body. Errors are told in ``error``: syntax, rows or bytes.

    ``run`` is called as pyoxigraph's ``Store.query`` is.
    """
    try:
        results = run(
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
            reply, body = update(request)
        elif request["op"] == "graph":
            reply, body = change_graph(request, data)
        else:
            reply, body = evaluate(store.query, request)
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

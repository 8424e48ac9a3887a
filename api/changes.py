"""Changes to people's own graphs, computed in a worker process: what they will hold, or why not.

An update runs on a private copy of the whole graph. What it leaves in graphs that people may write is the result;
anything that it did elsewhere (a hash over all the rest tells) refuses it whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pyoxigraph as ox

from kg.base.user_graphs import canonical, parse, writable

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


class _Hash:
    """A binary file that keeps only the SHA-256 of what is written."""

    def __init__(self) -> None:
        self.sha = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sha.update(data)
        return len(data)

    def flush(self) -> None:
        """Nothing to do."""


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

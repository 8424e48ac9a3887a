"""What requests of the SPARQL protocols have in common: parameters, bodies, graph names, results.

And content negotiation (RFC 9110 §12.5.1): which of the media types on offer a client likes best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from email.message import Message
from typing import TypeVar

import pyoxigraph as ox
from anyio import to_thread
from fastapi import Request
from starlette.responses import Response

from kg.errors import BadInput, BadQuery, Unsupported, UnsupportedBody

# Media types by pyoxigraph's name of the format, the default first.
ROWS: Mapping[str, str] = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "application/json": "JSON",
    "application/xml": "XML",
    "text/xml": "XML",
}
GRAPHS: Mapping[str, str] = {
    "text/turtle": "TURTLE",
    "application/n-triples": "N_TRIPLES",
    "application/rdf+xml": "RDF_XML",
    "application/ld+json": "JSON_LD",
    "application/trig": "TRIG",
    "application/n-quads": "N_QUADS",
    "text/n3": "N3",
    "text/plain": "N_TRIPLES",
    "application/json": "JSON_LD",
    "application/xml": "RDF_XML",
    "text/xml": "RDF_XML",
}


def _ranges(accept: str) -> list[tuple[str, float]]:
    """Media ranges and their weights; what can't be read is left out."""
    found = []
    for part in accept.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weight = next((p[2:] for p in parameters if p.lower().startswith("q=")), "1")
        try:
            found.append((name.lower(), min(1.0, max(0.0, float(weight)))))
        except ValueError:
            continue
    return [(name, weight) for name, weight in found if "/" in name]


def _weight(offer: str, ranges: list[tuple[str, float]]) -> float:
    """The weight of the most specific range that covers the offer."""
    wildcard = offer.split("/")[0] + "/*"
    for pattern in (offer, wildcard, "*/*"):
        for name, weight in ranges:
            if name == pattern:
                return weight
    return 0.0


def choose(accept: str | None, offers: Mapping[str, str] | list[str]) -> str | None:
    """The media type on offer with the highest weight, the earlier where equal; None where none will do.

    >>> choose("text/html, text/*;q=0.5, application/json;q=0", ["application/json", "text/turtle"])
    'text/turtle'
    """
    names = list(offers)
    ranges = _ranges(accept or "") or [("*/*", 1.0)]
    best = max(names, key=lambda name: _weight(name, ranges))
    return best if _weight(best, ranges) > 0 else None


def require(accept: str | None, offers: Mapping[str, str] | list[str]) -> str:
    """The same; raises Unsupported (406) where nothing on offer will do."""
    chosen = choose(accept, offers)
    if chosen is None:
        raise Unsupported("none of the formats asked for is on offer", "ask for one of " + ", ".join(offers))
    return chosen


T = TypeVar("T")
Pairs = list[tuple[str, str]]


def pairs(text: str) -> Pairs:
    """Names and values of URL-encoded parameters. Raises BadQuery."""
    from urllib.parse import parse_qsl

    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=1000)
    except ValueError as error:
        raise BadQuery("the parameters can't be read", "encode them as UTF-8, percent-encoded") from error


def values(found: Pairs, name: str) -> tuple[str, ...]:
    """The values of a parameter."""
    return tuple(value for given, value in found if given == name)


def utf8(data: bytes) -> str:
    """Decoded bytes. Raises BadQuery."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadQuery("the text isn't UTF-8", "send it in UTF-8") from error


def content_type(header: str) -> tuple[str, Message]:
    """The media type in lower case, and the header for its parameters. Raises UnsupportedBody for other than UTF-8."""
    message = Message()
    message["content-type"] = header.replace("\r", " ").replace("\n", " ")
    charset = str(message.get_param("charset", "utf-8"))
    if charset.lower() not in ("utf-8", "utf8", "us-ascii"):
        raise UnsupportedBody(f"a body in {charset} can't be read", "send it in UTF-8")
    return header.split(";")[0].strip().lower(), message


def graph_iris(found: Sequence[str]) -> tuple[str, ...]:
    """The IRIs, every one absolute and well-formed. Raises BadInput."""
    for iri in found:
        try:
            ox.NamedNode(iri)
        except ValueError:
            raise BadInput(f"{iri[:200]!r} is no absolute IRI", "name graphs by absolute IRIs") from None
    return tuple(found)


async def in_thread(request: Request, work: Callable[[], T]) -> T:
    """The result of work that may wait long, done in one of the threads for queries."""
    return await to_thread.run_sync(work, limiter=request.app.state.query_threads)


def result(body: bytes, media_type: str) -> Response:
    """A negotiated result."""
    text = media_type.startswith("text/") or media_type == "application/xml"
    charset = "; charset=utf-8" if text else ""
    return Response(body, headers={"Content-Type": media_type + charset, "Vary": "Accept"})

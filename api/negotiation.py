"""Content negotiation (RFC 9110 §12.5.1): which of the media types on offer a client likes best."""

from __future__ import annotations

from collections.abc import Mapping

from kg.errors import Unsupported

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

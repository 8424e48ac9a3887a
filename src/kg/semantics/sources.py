"""Existing RDF as files: read safely, for a knowledge base to hold and to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadInput

FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES, ".n3": ox.RdfFormat.N3, ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG, ".rdf": ox.RdfFormat.RDF_XML, ".xml": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML, ".jsonld": ox.RdfFormat.JSON_LD,
}  # fmt: skip
_HEAD = 4096  # bytes in which a document type declaration stands


def read(path: Path, base: str) -> list[ox.Triple]:
    """The triples of a file, those of its named graphs too. ``base``: for relative IRIs. Raises BadInput."""
    format_ = FORMATS.get(path.suffix.lower())
    if format_ is None:
        raise BadInput(f"{path} has no suffix of an RDF format", f"known suffixes: {', '.join(FORMATS)}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}", "name an RDF file") from error
    if format_ == ox.RdfFormat.RDF_XML and b"<!DOCTYPE" in data[:_HEAD].upper():
        raise BadInput(f"{path} declares a document type", "remove it: entities can hide a bomb")
    try:
        quads = list(ox.parse(data, format_, base_iri=base))
    except (SyntaxError, ValueError) as error:
        raise BadInput(
            f"{path} is no {format_.name}: {error}", "give RDF in the format that its suffix names"
        ) from error
    return [quad.triple for quad in quads if not isinstance(quad.subject, ox.Triple)]


def quads(files: Sequence[Path], graph: ox.NamedNode | ox.DefaultGraph, base: str) -> Iterable[ox.Quad]:
    """The triples of files in one graph; blank nodes of different files stay apart."""
    for number, path in enumerate(files):
        for triple in read(path, base):
            subject, object_ = _apart(triple.subject, number), _apart(triple.object, number)
            yield ox.Quad(subject, triple.predicate, object_, graph)  # type: ignore[arg-type]


def _apart(term: object, number: int) -> object:
    return ox.BlankNode(f"f{number}x{term.value}") if isinstance(term, ox.BlankNode) else term

"""The graph as files: sorted, so that the same graph gives the same bytes.

Turtle, N-Triples, JSON-LD and RDF/XML hold the default graph, TriG and N-Quads all graphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING

import pyoxigraph as ox

from kg.errors import Unsupported
from kg.namespaces import Namespaces
from kg.rdfxml import write_rdfxml

if TYPE_CHECKING:
    from kg.protocols import GraphStore

FORMATS: Mapping[str, ox.RdfFormat] = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
"""Formats by the names that the command line and the server take."""

PROVENANCE = ("full", "none")
_ALL_GRAPHS = frozenset({"trig", "nq"})
_NAMED = re.compile(r"c14n\d+")
_VANN = "http://purl.org/vocab/vann/preferredNamespace"


def export(
    store: GraphStore,
    stream: IO[bytes],
    format: str = "turtle",
    provenance: str = "full",
    namespaces: Namespaces | None = None,
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Writes the graph. ``provenance`` "none" leaves out documents, passages, claims and evidence. Raises Unsupported.

    ``prefixes`` are added to those of the knowledge base and those that ontologies declare for themselves.
    """
    if format not in FORMATS:
        raise Unsupported(f"there is no format {format!r}", f"one of {', '.join(FORMATS)}")
    if provenance not in PROVENANCE:
        raise Unsupported(f"there is no provenance {provenance!r}", "full or none")
    names = namespaces or Namespaces()
    quads: Iterable[ox.Quad] = store.quads() if format in _ALL_GRAPHS else store.quads(ox.DefaultGraph())
    if provenance == "none":
        quads = _facts(quads, names)
    known = {**declared_prefixes(store, names), **(prefixes or {}), **names.prefixes()}
    write(quads, stream, format, known)


def _facts(quads: Iterable[ox.Quad], names: Namespaces) -> Iterator[ox.Quad]:
    """Quads that tell of the world, not of where it stands written."""
    parts = (
        names.document(""),
        names.passage(""),
        names.claim(""),
        f"{names.base}evidence/",
        f"{names.base}extractor/",
    )
    for quad in quads:
        if not (_iri(quad.subject).startswith(parts) or _iri(quad.graph_name).startswith(parts)):
            yield quad


def _iri(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else ""


def declared_prefixes(store: GraphStore, names: Namespaces) -> dict[str, str]:
    """Prefixes that ontologies state for their own namespaces (vann), by name."""
    found: dict[str, dict[str, str]] = {}
    for quad in store.quads(ox.NamedNode(names.ontology_graph)):
        if quad.predicate.value.startswith(_VANN) and isinstance(quad.object, ox.Literal):
            found.setdefault(str(quad.subject), {})[quad.predicate.value.removeprefix(_VANN)] = quad.object.value
    stated = [(d["Prefix"], d["Uri"]) for _, d in sorted(found.items()) if {"Prefix", "Uri"} <= set(d)]
    return {prefix: iri for prefix, iri in reversed(stated) if prefix.replace("-", "").isalnum()}


def write(quads: Iterable[ox.Quad], stream: IO[bytes], format: str, prefixes: Mapping[str, str]) -> None:
    """Writes quads in a format, sorted. Graph names are left out where the format has none."""
    canonical = _canonical(quads)
    if format in ("nt", "nq"):
        lines = [_line(quad, format == "nq") for quad in canonical]
        stream.write("".join(sorted(lines)).encode())
        return
    ordered = sorted(canonical, key=_key)
    if format == "rdfxml":
        write_rdfxml([quad.triple for quad in ordered], stream, _used(ordered, prefixes))
        return
    rows = ordered if format == "trig" else [quad.triple for quad in ordered]
    ox.serialize(rows, stream, FORMATS[format], prefixes=_used(ordered, prefixes))


def _canonical(quads: Iterable[ox.Quad]) -> list[ox.Quad]:
    """The quads; blank nodes, which only people's own graphs have, named by RDFC-1.0."""
    found = list(quads)
    terms = (term for q in found for term in (q.subject, q.object, q.graph_name))
    # Those of a knowledge base got such names when they were written; naming them again could take long.
    if any(isinstance(term, ox.BlankNode) and not _NAMED.fullmatch(term.value) for term in terms):
        dataset = ox.Dataset(found)
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        return list(dataset)
    return found


def _line(quad: ox.Quad, named: bool) -> str:
    triple = f"{quad.subject} {quad.predicate} {quad.object}"
    return f"{triple} {quad.graph_name} .\n" if named and _iri(quad.graph_name) else f"{triple} .\n"


def _key(quad: ox.Quad) -> tuple[str, str, bool, str, str]:
    """Default graph first, types before other properties, then by code points."""
    predicate = quad.predicate.value
    return _iri(quad.graph_name), str(quad.subject), not predicate.endswith("#type"), predicate, str(quad.object)


def _used(quads: Iterable[ox.Quad], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Those prefixes that stand for something in the quads, by name."""
    iris: set[str] = set()
    for quad in quads:
        for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
            if isinstance(term, ox.NamedNode):
                iris.add(term.value)
            elif isinstance(term, ox.Literal):
                iris.add(term.datatype.value)
    spaces = {iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in iris}
    return {name: iri for name, iri in sorted(prefixes.items()) if iri in spaces}

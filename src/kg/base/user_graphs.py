"""What people write themselves: graphs under ``Namespaces.user_graphs``, kept as one file of canonical N-Quads.

Canonical means: blank nodes named by RDFC-1.0, lines sorted. The same content is the same bytes, whatever changes
led to it; the file's SHA-256 is part of the name of the generation that holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyoxigraph as ox

DEFAULT = ox.DefaultGraph()
GraphName = ox.NamedNode | ox.BlankNode | ox.DefaultGraph


def canonical(quads: Iterable[ox.Quad]) -> bytes:
    """Canonical N-Quads of the quads; nothing for none."""
    found: Iterable[ox.Quad] = quads if isinstance(quads, set) else set(quads)
    if any(_has_blank(quad) for quad in found):
        found = blanks_named(found)
    # UTF-8 sorts as the characters do.
    return b"".join(sorted(f"{quad} .\n".encode() for quad in found))


def blanks_named(quads: Iterable[ox.Quad]) -> ox.Dataset:
    """The quads with their blank nodes named by RDFC-1.0."""
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return dataset


def replacing(quads: Iterable[ox.Quad], graph: GraphName, content: Iterable[ox.Triple | ox.Quad]) -> bytes:
    """Canonical N-Quads of the quads with one graph's content put in place of what it held."""
    kept = {quad for quad in quads if quad.graph_name != graph}
    kept.update(ox.Quad(t.subject, t.predicate, t.object, graph) for t in content)
    return canonical(kept)


def _has_blank(quad: ox.Quad) -> bool:
    # A triple as a term may hold blank nodes too.
    terms = (quad.subject, quad.object, quad.graph_name)
    return any(isinstance(term, ox.BlankNode | ox.Triple) for term in terms)


def parse(data: bytes) -> set[ox.Quad]:
    """The quads of canonical N-Quads, their blank nodes named as there."""
    return set(ox.parse(data, ox.RdfFormat.N_QUADS))


def graphs_of(data: bytes) -> Counter[GraphName]:
    """The graphs of canonical N-Quads with the number of their quads, of which it holds one at a time."""
    return Counter(quad.graph_name for quad in ox.parse(data, ox.RdfFormat.N_QUADS))


def writable(graph: GraphName, prefix: str) -> bool:
    """Whether people may write to a graph; the empty prefix stands for every graph and the default one."""
    return not prefix or (
        isinstance(graph, ox.NamedNode) and graph.value.startswith(prefix) and len(graph.value) > len(prefix)
    )

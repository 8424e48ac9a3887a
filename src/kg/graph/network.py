"""The graph as a network of entities, and the shortest paths in it.

Edges keep their direction; distance and paths disregard it (a fact connects its two ends whichever of them it is
about). Everything is in sorted order, so equal triples give equal answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import networkx as nx

from kg.errors import BadInput, NotFound

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path: from ``source`` to ``target`` by any of ``triples``, each in its own direction."""

    source: str
    target: str
    triples: tuple[Triple, ...]


def graph(triples: Iterable[Triple]) -> nx.MultiDiGraph:
    """The network of (subject IRI, predicate IRI, object IRI); a predicate is its edge's key, so none comes twice."""
    ordered = sorted(set(triples))
    result = nx.MultiDiGraph()
    result.add_nodes_from(sorted({end for s, _, o in ordered for end in (s, o)}))
    result.add_edges_from((s, o, p) for s, p, o in ordered)
    return result


def paths(g: nx.MultiDiGraph, a: str, b: str, cutoff: int = 4, limit: int = 10) -> tuple[tuple[Hop, ...], ...]:
    """Shortest paths between two nodes, at most ``cutoff`` hops long; of many the first ``limit`` in node order.

    Empty when there is none; one path of no hops from a node to itself. Raises NotFound, BadInput.
    """
    if cutoff < 0 or limit < 1:
        raise BadInput("a path's cutoff can't be negative, and at least one path has to be asked for")
    distance = _distances(g, b, cutoff, until=a)
    if a not in g:
        raise NotFound(f"{a} isn't in the graph")
    if a not in distance:
        return ()
    return tuple(islice(_descents(g, a, distance), limit))


def _distances(g: nx.MultiDiGraph, start: str, cutoff: int, until: str = "") -> dict[str, int]:
    """Hops from ``start`` to every node within ``cutoff``, or no farther than ``until``."""
    if start not in g:
        raise NotFound(f"{start} isn't in the graph")
    distance, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        if distance[node] >= distance.get(until, cutoff):
            break
        for near in _neighbours(g, node):
            if near not in distance:
                distance[near] = distance[node] + 1
                queue.append(near)
    return distance


def _neighbours(g: nx.MultiDiGraph, node: str) -> list[str]:
    return sorted(set(g.succ[node]) | set(g.pred[node]))


def _descents(g: nx.MultiDiGraph, start: str, distance: Mapping[str, int]) -> Iterator[tuple[Hop, ...]]:
    """Every way from ``start`` on which the distance falls by one each hop, in node order."""
    stack: list[tuple[str, tuple[Hop, ...]]] = [(start, ())]
    while stack:
        node, hops = stack.pop()
        if distance[node] == 0:
            yield hops
            continue
        nearer = [n for n in _neighbours(g, node) if distance.get(n) == distance[node] - 1]
        stack += [(n, (*hops, _hop(g, node, n))) for n in reversed(nearer)]


def _hop(g: nx.MultiDiGraph, source: str, target: str) -> Hop:
    forward = [(source, p, target) for p in g.get_edge_data(source, target, default={})]
    backward = [(target, p, source) for p in g.get_edge_data(target, source, default={})]
    return Hop(source, target, tuple(sorted({*forward, *backward})))

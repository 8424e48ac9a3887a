"""The graph as a network of entities: neighbourhoods, paths, personalised PageRank, communities.

Edges keep their direction; distance, paths, rank and communities disregard it (a fact connects its two ends
whichever of them it is about). Everything is in sorted order, so equal triples give equal answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

from kg.errors import BadInput, NotFound

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path: from ``source`` to ``target`` by any of ``triples``, each in its own direction."""

    source: str
    target: str
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A random walk's steps: ``matrix[i, j]`` is the share of j's walkers that go to i; nodes are sorted.

    Make it once for a graph that is walked often.
    """

    nodes: tuple[str, ...]
    index: Mapping[str, int]
    matrix: Any  # scipy.sparse.csr_array of float64


def graph(triples: Iterable[Triple]) -> nx.MultiDiGraph:
    """The network of (subject IRI, predicate IRI, object IRI); a predicate is its edge's key, so none comes twice."""
    ordered = sorted(set(triples))
    return _network({end for s, _, o in ordered for end in (s, o)}, ordered)


def _network(nodes: Iterable[str], triples: Iterable[Triple]) -> nx.MultiDiGraph:
    result = nx.MultiDiGraph()
    result.add_nodes_from(sorted(nodes))
    result.add_edges_from((s, o, p) for s, p, o in sorted(triples))
    return result


def neighbourhood(g: nx.MultiDiGraph, node: str, depth: int = 1) -> nx.MultiDiGraph:
    """The nodes within ``depth`` hops of one, with every edge between them. Raises NotFound, BadInput."""
    if depth < 0:
        raise BadInput("the depth of a neighbourhood can't be negative")
    within = _distances(g, node, depth)
    return _network(within, _edges(g, within))


def _edges(g: nx.MultiDiGraph, within: Mapping[str, int]) -> Iterator[Triple]:
    return ((s, p, o) for s in within for _, o, p in g.out_edges(s, keys=True) if o in within)


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


def transition(g: nx.MultiDiGraph) -> Transition:
    """The walk along edges either way, each edge as likely as the next; a loop counts once."""
    nodes = tuple(sorted(g))
    index = {node: at for at, node in enumerate(nodes)}
    pairs = [(index[s], index[o]) for s, o in g.edges()]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    back = ends[ends[:, 0] != ends[:, 1]][:, ::-1]
    both = np.concatenate([ends, back])
    shape = (len(nodes), len(nodes))
    weights = sparse.coo_array((np.ones(len(both)), (both[:, 1], both[:, 0])), shape=shape).tocsr()
    weights.sum_duplicates()
    degree = np.asarray(weights.sum(axis=0)).ravel()
    share = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    return Transition(nodes, index, (weights @ sparse.diags_array(share)).tocsr())


def personalised_pagerank(
    g: nx.MultiDiGraph | Transition,
    seeds: Mapping[str, float] | Iterable[str],
    alpha: float = 0.85,
    tolerance: float = 1e-10,
) -> dict[str, float]:
    """Rank of every node, highest first (ties by IRI), of a walk that restarts at the seeds with chance 1 - alpha.

    Seeds that aren't in the graph count for nothing; without any that is the answer is empty. Ranks add up to 1.
    Source: Haveliwala, Topic-sensitive PageRank (2002), by power iteration.
    """
    walk = g if isinstance(g, Transition) else transition(g)
    weights = dict(seeds) if isinstance(seeds, Mapping) else {seed: 1.0 for seed in seeds}
    if any(not 0 <= weight < np.inf for weight in weights.values()) or not 0 <= alpha < 1:
        raise BadInput("seeds need weights from 0 up, and alpha lies between 0 and 1")
    restart = np.zeros(len(walk.nodes))
    for seed in sorted(weights.keys() & walk.index.keys()):
        restart[walk.index[seed]] = weights[seed]
    if restart.sum() == 0:
        return {}
    restart /= restart.sum()
    rank = restart
    for _ in range(1_000):
        step = alpha * (walk.matrix @ rank)
        step += (1.0 - step.sum()) * restart  # what restarts, and what stood at nodes without an edge
        moved, rank = float(np.abs(step - rank).sum()), step
        if moved <= tolerance:
            break
    order = np.argsort(-rank, kind="stable")
    return {walk.nodes[i]: float(rank[i]) for i in order}


def communities(g: nx.MultiDiGraph) -> tuple[tuple[str, ...], ...]:
    """Groups of nodes that are densely connected (Louvain, weighted by the number of triples), largest first."""
    nodes = sorted(g)
    # Numbers in place of names: the order of a set of strings changes from process to process.
    index = {node: at for at, node in enumerate(nodes)}
    simple = nx.Graph()
    simple.add_nodes_from(range(len(nodes)))
    for s, o in sorted((min(index[s], index[o]), max(index[s], index[o])) for s, o in g.edges()):
        weight = simple.get_edge_data(s, o, default={"weight": 0})["weight"]
        simple.add_edge(s, o, weight=weight + 1)
    if not simple:
        return ()
    groups = nx.community.louvain_communities(simple, weight="weight", seed=0)
    return tuple(sorted((tuple(nodes[i] for i in sorted(group)) for group in groups), key=lambda c: (-len(c), c)))

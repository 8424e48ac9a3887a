"""A sentence's tree, and the best one of scored arcs: Chu and Liu (1965), Edmonds (1967), one word under the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.relations.encoding import Ints
from kg.syntax.transformer import Floats

_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence's words with their tags, heads (places of words, -1 for none) and labels of the arcs to them."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)


def best_tree(scores: Floats) -> Ints:
    """Heads of words, shape (W,): 0 is the root, else 1 + a word's place. ``scores`` (W, 1 + W), word by head."""
    count = len(scores)
    table = np.full((count + 1, count + 1), _NEVER)
    table[1:] = scores
    np.fill_diagonal(table, _NEVER)
    heads = _edmonds(table)
    roots = np.flatnonzero(heads[1:] == 0) + 1
    if len(roots) <= 1:
        return heads[1:]
    # A second word under the root has to cost more than any two trees can differ by (Stanojević and Cohen, 2021, §4).
    table[1:, 0] -= 1 + count * (scores.max() - scores.min())
    return _edmonds(table)[1:]


def _edmonds(table: Floats) -> Ints:
    """Heads of all nodes of the best arborescence out of node 0; ``table`` is (node, head)."""
    heads = table.argmax(1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return np.asarray(heads, np.int64)
    inside = np.zeros(len(table), bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    # The cycle becomes one node behind the others: what enters it costs the arc that it replaces.
    size = len(outside)
    small = np.full((size + 1, size + 1), _NEVER)
    small[:size, :size] = table[np.ix_(outside, outside)]
    leaving = table[np.ix_(outside, cycle)]
    small[:size, size] = leaving.max(1)
    entering = table[np.ix_(cycle, outside)] - table[cycle, heads[cycle]][:, None]
    small[size, :size] = entering.max(0)
    within = _edmonds(small)
    found = np.array(heads, np.int64)
    for place, node in enumerate(outside):
        if place:  # node 0 is the first outside and has no head
            head = within[place]
            found[node] = cycle[leaving[place].argmax()] if head == size else outside[head]
    source = within[size]
    found[cycle[entering[:, source].argmax()]] = outside[source]
    return found


def _cycle(heads: Ints) -> Ints | None:
    """The nodes of a cycle, if there is one."""
    state = np.zeros(len(heads), np.int8)
    state[0] = 2
    for start in range(1, len(heads)):
        path = []
        node = start
        while state[node] == 0:
            state[node] = 1
            path.append(node)
            node = int(heads[node])
        if state[node] == 1:
            return np.array(path[path.index(node) :], np.int64)
        state[path] = 2
    return None

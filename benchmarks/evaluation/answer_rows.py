"""Rows of answers as text that can be compared, and whether two tables hold the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from urllib.parse import unquote

import pyoxigraph as ox

from kg.semantics.graph import Graph

_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_PLACES = 6  # significant digits that numbers are compared to
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold; ``rows`` are canonical cells, None where there is no gold."""

    id: str
    text: str
    sparql: str | None
    rows: Rows | None
    ordered: bool = False
    answerable: bool = True


class Cells:
    """Terms as text that can be compared: numbers rounded, things by their names, all in small letters."""

    def __init__(self, store: ox.Store) -> None:
        self._store = store
        self._cache: dict[str, str] = {}

    def cell(self, term: object) -> str:
        """One cell; None is empty."""
        if term is None:
            return ""
        if isinstance(term, ox.NamedNode | ox.BlankNode):
            key = str(term)
            if key not in self._cache:
                self._cache[key] = text(self._name(term))
            return self._cache[key]
        return text(term.value if isinstance(term, ox.Literal) else term)

    def rows(self, rows: Iterable[Sequence[object]]) -> Rows:
        """Rows of cells, in their order."""
        return tuple(tuple(self.cell(cell) for cell in row) for row in rows)

    @cached_property
    def _graph(self) -> Graph:
        """For names that are not rdfs:label."""
        return Graph(self._store.quads_for_pattern(None, None, None, None))

    def _name(self, term: ox.NamedNode | ox.BlankNode) -> str:
        labels = sorted(
            q.object.value
            for q in self._store.quads_for_pattern(term, _LABEL, None, None)
            if isinstance(q.object, ox.Literal)
        )
        if labels:
            return labels[0]
        id_ = self._graph.ids.get(term)
        if id_ is not None and id_ in self._graph.names:
            return self._graph.names[id_][0]
        return unquote(re.split(r"[/#]", term.value.rstrip("/#"))[-1]).replace("_", " ")


def text(value: object) -> str:
    """A value as a cell: numbers rounded, small letters."""
    said = str(value).strip().casefold()
    if isinstance(value, bool):
        return said
    try:
        return f"{float(said):.{_PLACES}g}"
    except ValueError:
        return " ".join(said.replace("_", " ").split())


def compare(gold: Rows, rows: Rows, ordered: bool = False) -> tuple[bool, float]:
    """Whether two tables hold the same rows in any order of columns, and F1 of their sets of rows.

    Columns that hold the same cells twice over count once; empty tables are equal.
    """
    gold, rows = _distinct_columns(gold), _distinct_columns(rows)
    if not gold or not rows:
        return (not gold and not rows), float(not gold and not rows)
    best = 0.0
    for order in _matchings(gold, rows):
        placed = tuple(tuple(row[i] for i in order) for row in rows)
        same = len(gold[0]) == len(rows[0])
        if same and (placed == gold if ordered else set(placed) == set(gold)):
            return True, 1.0
        best = max(best, _f1(set(gold), set(placed)))
    return False, best


def _f1(gold: set[tuple[str, ...]], found: set[tuple[str, ...]]) -> float:
    return 2 * len(gold & found) / (len(gold) + len(found))


def _distinct_columns(rows: Rows) -> Rows:
    if not rows:
        return rows
    columns = list(dict.fromkeys(zip(*rows, strict=True)))
    return tuple(zip(*columns, strict=True))


def _matchings(gold: Rows, rows: Rows) -> Iterable[tuple[int, ...]]:
    """Ways to place the found columns under the gold ones, those with the same cells; else in their order."""
    width = len(gold[0])
    if len(rows[0]) < width:
        return ()
    wanted = [set(column) for column in zip(*gold, strict=True)]
    given = [set(column) for column in zip(*rows, strict=True)]
    fitting = [[j for j, has in enumerate(given) if wants == has] for wants in wanted]
    if all(fitting) and width <= 12:
        ways = _choices(fitting)
        if ways:
            return ways
    if len(given) <= 5:
        return permutations(range(len(given)), width)
    return (tuple(range(width)),)


def _choices(fitting: Sequence[Sequence[int]], most: int = 720) -> list[tuple[int, ...]]:
    ways: list[tuple[int, ...]] = [()]
    for options in fitting:
        ways = [(*way, j) for way in ways for j in options if j not in way][:most]
    return ways


__all__ = ["Cells", "Question", "Rows", "compare", "text"]

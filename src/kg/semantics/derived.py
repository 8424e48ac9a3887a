"""Measures that a graph holds without a property of their own, as properties derived from two others.

A value node ("length [ value 190 ; unit metre ]") is passed through: the property reads as its number. Two dates of one
thing of which one never comes after the other make a span: how long a voyage took, how old somebody got.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pyoxigraph as ox

from kg.semantics.tokens import words

if TYPE_CHECKING:
    from kg.semantics.graph import Graph

_DAYS = ("duration", "days", "length of time", "time taken")
_YEARS = ("age", "lifetime", "years", "duration")
_LONG = 5 * 365  # days from which a span is told in years
_VALUES = frozenset(("value", "quantity", "measure", "measurement"))
_MOST_DATES = 4
_DATE = 10  # characters of a date that names its day
Edges = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Derived:
    """A property made of two: one after the other ("path"), or the time between the two ("days", "years")."""

    first: int
    second: int
    how: Literal["path", "days", "years"]
    names: tuple[str, ...]


def quantities(graph: Graph) -> dict[int, Derived]:
    """Properties that lead to value nodes, each with what to read instead."""
    found = {}
    for property_, edges in graph.out.items():
        nodes = {o for objects in edges.values() for o in objects}
        if any(graph.is_literal(n) or n in graph.names for n in nodes) or property_ in graph.schema_terms:
            continue
        number = _number(graph, frozenset(nodes))
        if number is not None and all(len(graph.back[property_][n]) == 1 for n in nodes):
            found[property_] = Derived(property_, number, "path", ())
    return found


def _number(graph: Graph, nodes: frozenset[int]) -> int | None:
    """The one property by which all the nodes have one number or date, and no other has any."""
    valued: set[int] = set()
    for property_, edges in graph.out.items():
        for node in nodes & edges.keys():
            if any(graph.value(o) is not None for o in edges[node]):
                valued.add(property_)
                if len(edges[node]) > 1:
                    return None
    only = next(iter(valued), None)
    if len(valued) != 1 or only is None or not nodes <= graph.out[only].keys():
        return None
    return only if all(isinstance(graph.terms[n], ox.BlankNode) or _is_quantity(graph, n) for n in nodes) else None


def _is_quantity(graph: Graph, node: int) -> bool:
    """Whether a thing's class is called one of values."""
    return any(set(words(name)) & _VALUES for kind in graph.kinds.get(node, ()) for name in graph.class_names(kind))


def spans(graph: Graph) -> list[Derived]:
    """Times between two dates of a thing."""
    dated = [
        p for p, edges in sorted(graph.out.items())
        if edges and all(graph.is_date(o) for os in edges.values() for o in os)
    ]  # fmt: skip
    found = []
    for first in dated:
        for second in dated:
            both = graph.out[first].keys() & graph.out[second].keys()
            if first == second or not both or sum(bool(graph.out[d].keys() & both) for d in dated) > _MOST_DATES:
                continue
            days = [_days(graph, first, second, i) for i in sorted(both)]
            if any(d is None or d < 0 for d in days) or not any(days):
                continue
            coarse = any(len(graph.terms[os[0]].value) < _DATE for p in (first, second) for os in graph.out[p].values())
            years = coarse or statistics.median(d for d in days if d is not None) >= _LONG
            found.append(Derived(first, second, "years" if years else "days", _YEARS if years else _DAYS))
    return found


def _days(graph: Graph, first: int, second: int, id_: int) -> float | None:
    one, other = graph.out[first][id_], graph.out[second][id_]
    start, end = graph.value(one[0]), graph.value(other[0])
    return None if len(one) > 1 or len(other) > 1 or start is None or end is None else end - start


def length(graph: Graph, derived: Derived, id_: int) -> int | None:
    """The span of a thing in its unit; None if it has none."""
    if id_ not in graph.out[derived.first] or id_ not in graph.out[derived.second]:
        return None
    if derived.how == "days":
        days = _days(graph, derived.first, derived.second, id_)
        return None if days is None else int(days)
    start, end = (graph.terms[graph.out[p][id_][0]].value for p in (derived.first, derived.second))
    return whole_years(start, end)


def whole_years(start: str, end: str) -> int:
    """Years between two ISO dates that are over: 1922-01-09 to 1999-01-08 are 76."""
    return int(end[:4]) - int(start[:4]) - (end[4:10] < start[4:10])


__all__ = ["Derived", "length", "quantities", "spans", "whole_years"]

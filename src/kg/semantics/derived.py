"""Measures that a graph holds without a property of their own, as properties derived from two others.

A value node ("length [ value 190 ; unit metre ]") is passed through: the property reads as its number. Two dates of one
thing of which one never comes after the other make a span: how long a voyage took, how old somebody got.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import pyoxigraph as ox

from kg.text.question_words import UNITS
from kg.text.tokens import words

if TYPE_CHECKING:
    from kg.semantics.graph import Graph

_DAYS = ("duration", "days", "length of time", "time taken")
_YEARS = ("age", "lifetime", "years", "duration")
_LONG = 5 * 365  # days from which a span is told in years
_VALUES = frozenset(("value", "quantity", "measure", "measurement"))
_MOST_DATES = 4
_DATE = 10  # characters of a date that names its day
_SHORT = frozenset(("cm", "mm", "km2", "m2", "sqkm", "sqm", "in", "of", "total", "kg", "g", "t"))
_PEOPLE, _AREA = ("population", "inhabitants", "people", "residents"), ("area", "surface")
_LENGTH, _WIDTH, _HEIGHT = ("depth", "length"), ("width", "breadth"), ("height",)
_DEFINED = (
    ("quotient", ("population density", "density"), (_PEOPLE, _AREA)),
    ("quotient", ("density",), (("mass", "weight"), ("volume",))),
    ("product", ("volume",), (_WIDTH, _HEIGHT, _LENGTH)),
)


@dataclass(frozen=True, slots=True)
class Derived:
    """A property made of others: one after the other ("path"), the time between two ("days", "years"), a sum of theirs.

    ``more``: further factors of a product.
    """

    first: int
    second: int
    how: Literal["path", "days", "years", "quotient", "product"]
    names: tuple[str, ...]
    more: tuple[int, ...] = ()

    @property
    def parts(self) -> tuple[int, ...]:
        """All that it is made of."""
        return (self.first, self.second, *self.more)

    @property
    def is_span(self) -> bool:
        """Whether it is a time between two dates."""
        return self.how in ("days", "years")


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


def computed(graph: Graph) -> list[Derived]:
    """What is a quotient or a product of things' numbers by definition: density, volume. None that a property says."""
    numbers = {
        p: _measured(graph, p) for p in sorted(graph.out) if p not in graph.schema_terms and _is_number(graph, p)
    }
    said = {w for p in graph.out if p not in graph.schema_terms for n in graph.class_names(p) for w in words(n)}
    found = []
    for how, names, wanted in _DEFINED:
        if names[-1] in said:
            continue
        parts = [next((p for p, own in numbers.items() if any(m in w for m, _ in own)), None) for w in wanted]
        known = [p for p in parts if p is not None]
        if len(known) < len(wanted) or len(set(known)) < len(known):
            continue
        units = {unit for p in known for _, unit in numbers[p]}
        if how == "product" and len(units) > 1:
            continue
        found.append(Derived(known[0], known[1], how, names, tuple(known[2:])))  # type: ignore[arg-type]
    return found


def _measured(graph: Graph, property_: int) -> set[tuple[str, tuple[str, ...]]]:
    """What a property measures, each with its unit: "widthCm" is a width in cm."""
    said = [words(name) for name in graph.class_names(property_)]
    return {
        (name[0], name[1:]) for name in said if name and all(w in UNITS or w in _SHORT for w in name[1:])
    } | {(name[-1], ()) for name in said if len(name) == 2 and name[0] == "total"}  # fmt: skip


def _is_number(graph: Graph, property_: int) -> bool:
    """Whether all things have one number."""
    edges = graph.out[property_]
    return bool(edges) and all(
        len(os) == 1 and graph.value(os[0]) is not None and not graph.is_date(os[0]) for os in edges.values()
    )


def calculated(graph: Graph, derived: Derived, id_: int) -> float | None:
    """The number of a thing by a definition; None where a part is missing or nothing can be divided by."""
    ends = [graph.out[p].get(id_, ()) for p in derived.parts]
    numbers = [v for end in ends for o in end[:1] if (v := graph.value(o)) is not None]
    if len(numbers) < len(ends) or (derived.how == "quotient" and not numbers[1]):
        return None
    return numbers[0] / numbers[1] if derived.how == "quotient" else math.prod(numbers)


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

"""What a logical form stands for in a graph: a set of terms, a number. The reference that queries are held to."""

from __future__ import annotations

import operator
import statistics
from collections.abc import Callable, Iterable, Mapping

from kg.semantics.graph import Graph, Ids
from kg.semantics.logic import (
    Aggregate,
    And,
    Best,
    BestCount,
    Bound,
    Compare,
    Count,
    CountCompare,
    Join,
    Kind,
    Minus,
    Or,
    Path,
    Set,
    Things,
    Users,
)

_EMPTY: Ids = frozenset()
_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


class Denoter:
    """Denotations over one graph, each computed once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._cache: dict[Set, Ids] = {}

    def clear(self) -> None:
        """Forgets, so that memory stays bounded."""
        if len(self._cache) > 50_000:
            self._cache.clear()

    def __call__(self, form: Set) -> Ids:
        """The set that a form stands for."""
        found = self._cache.get(form)
        if found is None:
            found = self._cache[form] = self._denote(form)
        return found

    def _denote(self, form: Set) -> Ids:  # noqa: C901 - one case a form
        match form:
            case Things(ids):
                return frozenset(ids)
            case Kind(cls):
                return self.graph.classes.get(cls, _EMPTY)
            case Users(step):
                return frozenset(self.graph.has(step))
            case Join(step, of):
                return self.graph.follow(self(of), step)
            case And(left, right):
                return self(left) & self(right)
            case Or(left, right):
                return self(left) | self(right)
            case Minus(left, right):
                return self(left) - self(right)
            case Compare():
                return self._compare(form)
            case CountCompare(of, path, within, op, number):
                counts = self.counts(of, path, within)
                return frozenset(t for t, n in counts.items() if _TESTS[op](n, number))
            case Best():
                return self._best(form)
            case BestCount(of, path, within, top, nth):
                counts = self.counts(of, path, within)
                numbers = sorted({n for n in counts.values() if n or not top}, reverse=top)
                return (
                    frozenset(t for t, n in counts.items() if n == numbers[nth - 1]) if len(numbers) >= nth else _EMPTY
                )

    def values(self, id_: int, path: Path) -> list[float]:
        """Numbers (days, for dates) that a path leads to from a thing."""
        return self.valued(frozenset((id_,)), path).get(id_, [])

    def valued(self, members: Ids, path: Path) -> dict[int, list[float]]:
        """Of members that have any, the numbers (days, for dates) that a path leads to; in the order of members."""
        if len(path) == 1:
            edges = (self.graph.out if path[0][1] else self.graph.back).get(path[0][0], {})
            reached: Iterable[tuple[int, Iterable[int]]] = ((i, edges[i]) for i in sorted(edges.keys() & members))
        else:
            reached = ((i, self._along(i, path)) for i in sorted(members))
        value, found = self.graph.value, {}
        for id_, ends in reached:
            numbers = [v for end in ends if (v := value(end)) is not None]
            if numbers:
                found[id_] = numbers
        return found

    def _along(self, id_: int, path: Path) -> Ids:
        here: Ids = frozenset((id_,))
        for step in path:
            here = self.graph.follow(here, step)
        return here

    def counts(self, of: Set, path: Path, within: Set | None) -> dict[int, int]:
        """How many things (of a set) a path leads to, from each thing."""
        inside = None if within is None else self(within)
        if len(path) == 1:
            edges = (self.graph.out if path[0][1] else self.graph.back).get(path[0][0], {})
            none: tuple[int, ...] = ()
            if inside is None:
                return {id_: len(edges.get(id_, none)) for id_ in sorted(self(of))}
            return {id_: len(inside.intersection(edges.get(id_, none))) for id_ in sorted(self(of))}
        ends = {id_: self._along(id_, path) for id_ in sorted(self(of))}
        return {id_: len(found if inside is None else found & inside) for id_, found in ends.items()}

    def _compare(self, form: Compare) -> Ids:
        bound, test = form.bound, _TESTS[form.operator]
        if isinstance(bound, Bound):
            return frozenset(
                i
                for i, found in self.valued(self(form.of), form.path).items()
                if any(holds(v, form.operator, bound) for v in found)
            )
        others = {v for i in self(bound) if (v := self.graph.value(i)) is not None}
        if form.operator in ("<", "<=", ">", ">=") and others:  # one of them decides
            others = {max(others) if form.operator[0] == "<" else min(others)}
        valued = self.valued(self(form.of), form.path)
        return frozenset(i for i, found in valued.items() if any(test(v, o) for v in found for o in others))

    def _best(self, form: Best) -> Ids:
        pick = max if form.top else min
        keyed = {i: pick(found) for i, found in self.valued(self(form.of), form.path).items()}
        numbers = sorted(set(keyed.values()), reverse=form.top)
        if form.k > 1:
            return frozenset(i for i in keyed if keyed[i] in numbers[: form.k])
        if len(numbers) < form.nth:
            return _EMPTY
        return frozenset(i for i, v in keyed.items() if v == numbers[form.nth - 1])

    def scalar(self, form: Count | Aggregate) -> float | None:
        """The number that a form stands for; None over no values."""
        if isinstance(form, Count):
            return float(len(self(form.of)))
        found = [v for values in self.valued(self(form.of), form.path).values() for v in values]
        if not found:
            return None
        functions: Mapping[str, Callable[[Iterable[float]], float]] = {
            "SUM": sum, "AVG": statistics.fmean, "MIN": min, "MAX": max,
        }  # fmt: skip
        return float(functions[form.function](found))


def holds(value: float, op: str, bound: Bound) -> bool:
    """Whether a value compares so with a bound; a year stands for all its days."""
    if bound.until is None:
        return _TESTS[op](value, bound.value)
    match op:
        case "=":
            return bound.value <= value < bound.until
        case "!=":
            return not bound.value <= value < bound.until
        case ">":
            return value >= bound.until
        case ">=":
            return value >= bound.value
        case "<":
            return value < bound.value
        case _:
            return value < bound.until

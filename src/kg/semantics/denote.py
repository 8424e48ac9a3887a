"""What a logical form stands for in a graph: a set of terms, a number. The reference that queries are held to."""

from __future__ import annotations

import operator
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

from kg.semantics import logic
from kg.semantics.graph import Graph, Ids, Step, both

_EMPTY: Ids = frozenset()
# Forms whose sets are kept from question to question, and terms in all of these sets together.
_FORMS, _HELD = 50_000, 2_000_000
_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[[Iterable[float]], float]] = {
    "SUM": sum, "AVG": statistics.fmean, "MIN": min, "MAX": max,
}  # fmt: skip


class Denoter:
    """Denotations over one graph, each computed once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._cache: dict[logic.Set, Ids] = {}
        self._valued: dict[logic.Set, bool] = {}
        self._fitting: dict[tuple[logic.Path, str, logic.Bound | logic.Aggregate | logic.Set | None], Ids] = {}

    def clear(self) -> None:
        """Forgets, so that memory stays bounded."""
        held = sum(map(len, self._cache.values())) + sum(map(len, self._fitting.values()))
        if len(self._cache) > _FORMS or held > _HELD:
            self._cache.clear()
            self._fitting.clear()
            self._valued.clear()

    def __call__(self, form: logic.Set) -> Ids:
        """The set that a form stands for."""
        found = self._cache.get(form)
        if found is None:
            found = self._cache[form] = self._denote(form)
        return found

    def _denote(self, form: logic.Set) -> Ids:  # noqa: C901 - one case a form
        match form:
            case logic.Things(ids):
                return frozenset(ids)
            case logic.Kind(cls):
                return self.graph.classes.get(cls, _EMPTY)
            case logic.Users(step):
                return frozenset(self.graph.edges(step))
            case logic.Join(step, logic.Users(used)) if used == step:
                return frozenset(self.graph.edges((step[0], not step[1])))
            case logic.Join(step, of):
                return self.graph.follow(self(of), step)
            case logic.And(left, right):
                return self.meet(self(right), left) if isinstance(left, logic.Join) else self.meet(self(left), right)
            case logic.Or(left, right):
                return self(left) | self(right)
            case logic.Minus(left, right):
                return self(left) - self(right)
            case logic.Compare():
                return self._compare(form)
            case logic.Best():
                return self._best(form)
            case logic.Contains(of, path, text):
                return self._contains(self(of), path, text.lower())

    def meet(self, members: Ids, form: logic.Set) -> Ids:
        """Members that are in a form's set; few are looked at one by one rather than all that the form leads to."""
        if isinstance(form, logic.Join) and form not in self._cache:
            others = self(form.of)
            if 3 * len(members) < len(others):
                property_, forward = form.step
                edges = self.graph.edges((property_, not forward))
                return frozenset(i for i in members if i in edges and not others.isdisjoint(edges[i]))
        return members & self(form)

    def is_value(self, form: logic.Set) -> bool:
        """Whether a set has literals in it."""
        if form not in self._valued:
            self._valued[form] = not self(form).isdisjoint(self.graph.literals)
        return self._valued[form]

    def holds(self, form: logic.Best) -> bool:
        """Whether a superlative stands for anything: for the first of all nothing is counted or compared."""
        if form.nth > 1 or form in self._cache:
            return bool(self(form))
        reached = self(form.of)
        if isinstance(form.measure, logic.Number):
            return bool(reached) and (not form.top or not reached.isdisjoint(self._leading(form.measure)))
        for step in form.measure:
            reached = self.graph.follow(reached, step)
        return any(self.graph.value(end) is not None for end in reached)

    def _leading(self, form: logic.Number) -> Ids:
        """Whatever has something to be counted at the end of the path."""
        key = (form.path, "", form.within)
        if key not in self._fitting:
            *before, last = form.path
            counted = None if form.within is None else self(form.within)
            found = frozenset(self.graph.edges(last)) if counted is None else self._back(counted, (last,))
            self._fitting[key] = self._back(found, before)
        return self._fitting[key]

    def _back(self, ends: Ids, path: Sequence[Step]) -> Ids:
        """Whatever a path leads from to one of these."""
        for property_, forward in reversed(path):
            ends = self.graph.follow(ends, (property_, not forward))
        return ends

    def valued(self, members: Ids, path: logic.Path) -> dict[int, list[float]]:
        """Of members that have any, the numbers (days, for dates) that a path leads to; in the order of members."""
        if len(path) == 1:
            edges = self.graph.edges(path[0])
            reached: Iterable[tuple[int, Iterable[int]]] = ((i, edges[i]) for i in sorted(both(edges, members)))
        else:
            reached = ((i, self._along(i, path)) for i in sorted(members))
        value, found = self.graph.value, {}
        for id_, ends in reached:
            numbers = [v for end in ends if (v := value(end)) is not None]
            if numbers:
                found[id_] = numbers
        return found

    def _along(self, id_: int, path: logic.Path) -> Ids:
        here: Iterable[int] = (id_,)
        for property_, forward in path:
            edges = self.graph.edges((property_, forward))
            here = [o for s in here if s in edges for o in edges[s]]
        return frozenset(here)

    def counts(self, of: logic.Set, path: logic.Path, within: logic.Set | None) -> dict[int, int]:
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

    def _compare(self, form: logic.Compare) -> Ids:
        if isinstance(form.measure, logic.Number):
            test = self._test(form)
            counts = self.counts(form.of, form.measure.path, form.measure.within)
            return frozenset(t for t, n in counts.items() if test is not None and test(n))
        key = (form.measure, form.operator, form.bound)
        if key not in self._fitting:
            self._fitting[key] = self._starting(form.measure, self._test(form))
        return self(form.of) & self._fitting[key]

    def _starting(self, path: logic.Path, test: Callable[[float], bool] | None) -> Ids:
        """Whatever a path leads from to a number that passes a test."""
        if test is None:
            return _EMPTY
        property_, forward = path[-1]
        ends = self.graph.edges((property_, not forward))
        value = self.graph.value
        return self._back(frozenset(e for e in ends if (number := value(e)) is not None and test(number)), path)

    def _test(self, form: logic.Compare) -> Callable[[float], bool] | None:
        """What a number has to pass; none where there is nothing to compare with."""
        bound, test = form.bound, _TESTS[form.operator]
        if isinstance(bound, logic.Bound):
            return lambda number: holds(number, form.operator, bound)
        if isinstance(bound, logic.Aggregate):
            scalar = self.scalar(bound)
            return None if scalar is None else lambda number: test(number, scalar)
        others = {v for i in self(bound) if (v := self.graph.value(i)) is not None}
        if form.operator in ("<", "<=", ">", ">=") and others:  # one of them decides
            others = {max(others) if form.operator[0] == "<" else min(others)}
        return (lambda number: any(test(number, other) for other in others)) if others else None

    def _contains(self, members: Ids, path: logic.Path, text: str) -> Ids:
        """Members with a text (of one step; no path: a name) in which others stand."""
        graph = self.graph
        ways = path or tuple((p, True) for p in graph.naming_properties)
        if not ways:
            return frozenset(i for i in members if text in graph.terms[i].value.lower())
        found: set[int] = set()
        for property_, forward in ways:
            edges = graph.edges((property_, forward))
            for id_ in both(edges, members):
                if any(text in graph.terms[o].value.lower() for o in edges[id_]):
                    found.add(id_)
        return frozenset(found)

    def best_of_each(self, form: logic.BestOfEach) -> frozenset[tuple[int, int]]:
        """Things, each with those of its own that have the greatest (least) value."""
        within, pick, found = self(form.within), max if form.top else min, set()
        for each in self(form.each):
            keyed = {i: pick(v) for i, v in self.valued(self._along(each, form.path) & within, form.measure).items()}
            best = pick(keyed.values(), default=None)
            found |= {(each, i) for i, value in keyed.items() if value == best}
        return frozenset(found)

    def _best(self, form: logic.Best) -> Ids:
        keyed: dict[int, float]
        if isinstance(form.measure, logic.Number):
            counts = self.counts(form.of, form.measure.path, form.measure.within)
            keyed = {i: float(n) for i, n in counts.items() if n or not form.top}
        else:
            pick = max if form.top else min
            keyed = {i: pick(found) for i, found in self.valued(self(form.of), form.measure).items()}
        numbers = sorted(set(keyed.values()), reverse=form.top)[form.nth - 1 : form.nth - 1 + form.k]
        return frozenset(i for i, value in keyed.items() if value in numbers)

    def scalar(self, form: logic.Aggregate) -> float | None:
        """The number that a form stands for; None over no values."""
        found = [v for values in self.valued(self(form.of), form.path).values() for v in values]
        return float(_FUNCTIONS[form.function](found)) if found else None


def holds(value: float, op: str, bound: logic.Bound) -> bool:
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

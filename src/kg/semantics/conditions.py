"""Rules that keep the things of a set that fulfil a condition: bounds, dates, comparisons with other things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.logic import Aggregate, Best, Compare, CountCompare, Join, Path, Set, Users, along
from kg.semantics.measures import Measures
from kg.semantics.operators import EXCEEDING
from kg.text.question_words import NEWER, OLDER

_MEASURES = 3


class Conditions:
    """Rules that need a bound or something to compare with."""

    def __init__(self, joins: Joins, measures: Measures) -> None:
        self._joins, self._measures = joins, measures
        self._graph, self._schema, self._denote = joins.graph, joins.schema, joins.denote

    def implied(self, item: Item) -> Iterator[Item]:
        """ "(Who) earns the most", "was hired before 2010": of all that have such a value."""
        if item.cat not in ("M", "P") or not item.path:
            return
        owners = Users(item.path[0])
        if self._denote(owners):
            whatever = Item("S", item.start, item.start, 0.0, form=owners, head=item.start)
            rule = self.filtered if item.cat == "P" else self._measures.set_best
            for found in rule(whatever, item, ()):
                yield self._joins.alone(found, item, [("bare", 1.0)])

    def bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Population over a million"."""
        assert right.bound is not None
        dated = self._graph.properties[left.path[-1][0]].kind == "date"
        if self._measures.numeric(left.path) and dated == right.bound.date:
            yield self._joins.made("P", left, right, [], like=right, path=left.path)

    def count_bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "More than five rivers"."""
        if left.bound is not None and not left.bound.date and not right.single and left.op != "between":
            yield self._joins.made("P", left, right, [], like=left, within=right.form)

    def set_bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Claims … in 2019": by the only property that fits."""
        assert right.bound is not None
        measures = self._schema.measures(left.set())
        found = self._graph.properties
        fitting = [m for m in measures if (found[m].kind == "date") == right.bound.date and not found[m].is_span]
        if not fitting and isinstance(left.form, Join) and right.bound.date:
            yield from self._dated_within(left, right)
        for rank, id_ in enumerate(fitting[:_MEASURES]):
            made = self._compare(left.set(), ((id_, True),), right)
            if made is not None and self._denote(made):
                local: Local = [("bridge", 1.0), ("bridge-rank", float(rank))]
                yield self._joins.chosen(left, right, left, made, local)

    def _dated_within(self, left: Item, right: Item) -> Iterator[Item]:
        """ "What did it carry in 2024": what has the date is what the values belong to."""
        assert isinstance(left.form, Join)
        for inner in self._set_dates(left.form.of, right):
            made = Join(left.form.step, inner)
            if self._denote(made):
                yield self._joins.made("S", left, right, [("bridge", 1.0)], like=left, form=made)

    def _set_dates(self, form: Set, condition: Item) -> Iterator[Set]:
        """A set's things with a date that fits, by each of their dates."""
        measures = [m for m in self._schema.measures(form) if self._graph.properties[m].kind == "date"]
        for id_ in measures[:_MEASURES]:
            made = self._compare(form, ((id_, True),), condition)
            if made is not None and self._denote(made):
                yield made

    def compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer than the red"."""
        if left.op == "!=" and "as" not in gap:
            return
        wants = left.end - left.start > 1 or "than" in gap or left.path or left.fn == "date" or left.name in EXCEEDING
        if left.form is None and wants:
            yield self._joins.made("P", left, right, [], like=left, form=right.form)

    def compared_by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "A higher population than", of what comes later."""
        if right.fn:
            if right.fn == "AVG" and left.op in ("<", ">", "<=", ">=") and left.path in ((), right.path):
                yield self._joins.made("P", left, right, [], like=left, path=right.path, fn="AVG")
            return
        if not left.path and self._measures.numeric(right.path):
            yield self._joins.made("T", left, right, [], like=left, path=right.path)

    def compared_average(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer than the average"."""
        if right.fn == "AVG" and left.op in ("<", ">", "<=", ">="):
            yield self._joins.made("P", left, right, [], like=left, fn="AVG")

    def compared_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer than 500"."""
        yield self._joins.made("P", left, right, [], like=left, bound=right.bound)

    def conditioned(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Population greater than that of …"; "borders more than two states"."""
        if not right.path and (right.within is None) == self._measures.numeric(left.path):
            yield self._joins.made("P", left, right, [], like=right, path=left.path)

    def by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The smallest state by area"."""
        if isinstance(left.form, Best) and gap[-1:] == ("by",) and self._measures.has(left.form.of, right.path):
            made = replace(left.form, path=right.path)
            yield self._joins.chosen(left, right, left, made, [])

    def filtered(self, of: Item, condition: Item, gap: Sequence[str]) -> Iterator[Item]:
        """A set and a condition on its things."""
        form: Set = of.set()
        if condition.within is not None and condition.bound is not None:
            for path, local in self._measures.count_paths(condition, form):
                number = int(condition.bound.value)
                made: Set = CountCompare(form, path, condition.within, condition.op, number)  # type: ignore[arg-type]
                yield self._joins.chosen(of, condition, of, made, local)
            return
        leaf = condition
        if isinstance(form, Join) and self._measures.numeric((form.step,)) and form.step[1] and not condition.path:
            condition, form = replace(condition, path=(form.step,)), form.of  # "(after A) was B founded"
        if condition.fn == "AVG":
            for path, local, _ in self._measures.measured_by(condition, form):
                above: Set = Compare(form, path, condition.op, Aggregate("AVG", form, path))  # type: ignore[arg-type]
                yield self._joins.chosen(of, leaf, of, above, local)
            return
        for local, compared in self.comparisons(form, condition):
            yield self._joins.chosen(of, leaf, of, compared, local)

    def comparisons(self, form: Set, condition: Item) -> Iterator[tuple[Local, Set]]:
        """A set's things that fulfil a condition, by each measure that may be meant; also of what is one step away."""
        far = condition.path and not self._measures.has(form, condition.path)
        ways = self._far_paths(form, condition.path) if far else self._measures.measured_by(condition, form)
        for path, local, _ in ways:
            dated = self._graph.properties[path[-1][0]].kind == "date"
            if condition.bound is not None and condition.bound.date != dated:
                continue
            if dated and condition.cat != "P" and condition.name in OLDER | NEWER:
                condition = replace(condition, op=">" if condition.name in NEWER else "<")
            compared = self._compare(form, path, condition)
            if compared is not None:
                yield ([] if self._denote(compared) else [("empty", 1.0)]) + local, compared

    def _far_paths(self, form: Set, path: Path) -> Iterator[tuple[Path, Local, bool]]:
        """Measures of what is one step away: "nurses on the third floor", by their wards'."""
        owners = self._schema.types(Users(path[0]))
        for rank, step in enumerate(self._schema.paths(self._schema.types(form), owners)[:3]):
            if len(step) == 1 and self._measures.has(form, (*step, *path)):
                yield (*step, *path), [("bridge", 1.0), ("bridge-rank", float(rank))], True

    def _compare(self, form: Set, path: Path, condition: Item) -> Set | None:
        bound = condition.bound
        if bound is None:
            assert condition.form is not None
            value: Set = condition.form  # type: ignore[assignment]
            if not any(self._graph.is_literal(i) for i in self._denote(value)):
                value = along(path, value)
            return Compare(form, path, condition.op, value) if self._denote(value) else None  # type: ignore[arg-type]
        if condition.op == "between":
            assert bound.until is not None
            low = replace(bound, until=None)
            high = replace(bound, value=bound.until, until=None)
            return Compare(Compare(form, path, ">=", low), path, "<" if bound.date else "<=", high)
        return Compare(form, path, condition.op, bound)  # type: ignore[arg-type]

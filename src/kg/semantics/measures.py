"""Rules about numbers: superlatives, counts to compare, totals, conditions, and tables by each thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.linking import Linker
from kg.semantics.logic import (
    Aggregate,
    And,
    Best,
    BestCount,
    Compare,
    Count,
    CountCompare,
    Each,
    Join,
    Kind,
    Path,
    Set,
    Things,
    Users,
    along,
    back,
)
from kg.semantics.words import NEWER, OLDER, graded

_COPULA = frozenset(("is", "are", "was", "were"))
_MEASURES = 3


class Measures:
    """Rules that need numbers or dates."""

    def __init__(self, joins: Joins, linker: Linker) -> None:
        self._joins, self._linker = joins, linker
        self._graph, self._schema, self._denote = joins.graph, joins.schema, joins.denote

    # --- superlatives ------------------------------------------------------------------------

    def best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Largest state"; "most rivers" still wants what has them."""
        yield from self._best_of(left, right, left, right, [])
        counting = left.name in ("many", "few") and not left.path and left.within is None and not right.single
        if counting and not all(self._graph.is_literal(i) for i in self._denote(right.set())):
            yield self._joins.copied("M", left, right, left, [], within=right.form, name=right.name)

    def set_best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "State with the largest population", "which state is the largest"."""
        yield from self._best_of(left, right, right, left, _far_attached(left))

    def _best_of(self, left: Item, right: Item, best: Item, of: Item, local: Local) -> Iterator[Item]:
        form = of.set()
        if of.single:
            local = [*local, ("best-single", 1.0)]
        fields: dict[str, Any] = {"focus": of.focus, "name": of.name, "head": of.head}
        if best.within is not None or (best.path and not self._numeric(best.path)):
            for path, more in self._count_paths(best, form):
                most = BestCount(form, path, best.within, best.top, best.nth)
                if self._denote(most):
                    yield self._joins.made("S", left, right, [*local, *more], form=most, **fields)
            return
        for path, more, top in self._measured_by(best, form):
            made = Best(form, path, top, best.nth, best.k)
            if self._denote(made):
                yield self._joins.made("S", left, right, [*local, *more], form=made, **fields)
        if best.path and not of.single and not self._has(form, best.path):
            yield from self._far(left, right, best, of, local)
        if best.path and not self._has(form, best.path):
            yield from self._value_best(left, right, best, of, local)

    def _numeric(self, path: Path) -> bool:
        return self._graph.properties[path[-1][0]].kind in ("number", "date")

    def _has(self, form: Set, path: Path) -> bool:
        return bool(self._denote(along(path, form)))

    def _measured_by(self, best: Item, form: Set) -> Iterator[tuple[Path, Local, bool]]:
        """What is measured, how likely, and whether most of it is meant."""
        if best.path:
            if self._has(form, best.path):
                yield best.path, [], self._end(best, best.path)
            return
        measures = self._schema.measures(form)
        graded_ = [(i, s) for i, s in self._linker.graded(best.hints) if i in measures]
        graded_ = [(i, s) for i, s in graded_ if s >= graded_[0][1] - 0.08]
        for rank, (id_, score) in enumerate(graded_[:_MEASURES]):
            path: Path = ((id_, True),)
            yield path, [("measure", score), ("measure-rank", float(rank))], self._end(best, path)
        dates = [i for i in measures if self._graph.properties[i].kind == "date"]
        if best.name in OLDER | NEWER and not graded_:
            for rank, id_ in enumerate(dates[:_MEASURES]):
                yield ((id_, True),), [("measure", 0.6), ("measure-rank", float(rank))], best.name in NEWER
        elif not graded_ and len(measures) == 1:
            yield ((measures[0], True),), [("measure-unsaid", 1.0)], best.top

    def _end(self, best: Item, path: Path) -> bool:
        """Whether the superlative wants the greatest value: the oldest has the earliest date."""
        if self._graph.properties[path[-1][0]].kind == "date" and best.name in OLDER | NEWER:
            return best.name in NEWER
        return best.top

    def _count_paths(self, best: Item, form: Set) -> Iterator[tuple[Path, Local]]:
        if best.path:
            for path in (best.path, back(best.path)):
                reached = self._denote(along(path, form))
                if reached and (best.within is None or reached & self._denote(best.within)):
                    yield path, []
            return
        assert best.within is not None
        paths = self._schema.paths(self._schema.types(form), self._schema.types(best.within))
        for rank, path in enumerate(paths[:3]):
            yield path, [("bridge" if len(path) == 1 else "bridge-2", 0.5), ("bridge-rank", float(rank))]

    def _far(self, left: Item, right: Item, best: Item, of: Item, local: Local) -> Iterator[Item]:
        """The set's things whose related things have the greatest value: "the state with the highest elevation"."""
        owners = self._schema.types(Users(best.path[0]))
        for rank, path in enumerate(self._schema.paths(self._schema.types(of.set()), owners)[:3]):
            if len(path) == 1:
                made = Best(of.set(), (*path, *best.path), self._end(best, best.path), best.nth)
                if self._denote(made):
                    more = [*local, ("bridge", 1.0), ("bridge-rank", float(rank))]
                    yield self._joins.made(
                        "S", left, right, more, form=made, focus=of.focus, name=of.name, head=of.head
                    )

    def _value_best(self, left: Item, right: Item, best: Item, of: Item, local: Local) -> Iterator[Item]:
        """The greatest value among what is related to the set: "the highest elevation in …"."""
        local = [(n, v) for n, v in local if n != "best-single"]
        owners = Users(best.path[0])
        for form, more in self._joins.linked(owners, of.set(), ("in",))[:3]:
            made = Best(And(owners, form), best.path, self._end(best, best.path), best.nth)
            if self._denote(made):
                value = along(best.path, made)
                yield self._joins.made(
                    "S", left, right, [*local, *more, ("value-best", 1.0)], form=value, name=best.name, head=best.start
                )

    def measured(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Largest population": a superlative that wants whose."""
        if left.within is not None and not left.path and not self._numeric(right.path):
            yield self._joins.copied("M", left, right, left, [], path=right.path)
        if left.path or left.within is not None or right.fn:
            return
        local: Local = []
        if self._numeric(right.path):
            if not left.generic and left.hints:
                fit = dict(self._linker.graded(left.hints)).get(right.path[-1][0], 0.0)
                local.append(("measure", fit) if fit else ("measure-unsaid", 0.5))
            yield self._joins.copied("M", left, right, left, local, path=right.path, name=left.name)
        elif left.name in ("many", "few"):
            yield self._joins.copied("M", left, right, left, local, path=right.path, name=left.name)

    def relation_best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Borders the most states"; "population is the largest"."""
        counted = right.within is not None and not self._numeric(left.path)
        equated = right.within is None and self._numeric(left.path) and bool(set(gap) & _COPULA)
        if not left.fn and not right.path and (counted or equated):
            yield self._joins.copied("M", left, right, right, [], path=left.path)

    def counted(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The largest number of rivers"."""
        if isinstance(right.form, Count) and not left.path and left.within is None:
            yield self._joins.copied("M", left, right, left, [], within=right.form.of)

    def implied(self, item: Item) -> Iterator[Item]:
        """Of relations whose own name is a superlative: "highest point" of several things is the highest of theirs."""
        if item.cat == "R" and not item.fn and ("guess", 1.0) not in item.local:
            owners = Users(item.path[0])
            if self._denote(owners):
                form = along(item.path, owners)
                yield replace(
                    item,
                    cat="S",
                    form=form,
                    kids=(item,),
                    local=(("bare", 1.0),),
                    score=item.score + self._joins.weighed([("bare", 1.0)]),
                    path=(),
                )
        if (
            item.cat == "R"
            and not item.plural
            and len(item.path) == 1
            and (best := self._own_measure(item)) is not None
        ):
            path, top = best
            local = (("implied-best", 1.0),)
            yield replace(
                item, cat="M", path=(*item.path, *path), top=top, kids=(item,), local=local, name="", focus=False
            )
        if item.cat == "S" and isinstance(item.form, Join) and not item.plural and not isinstance(item.form.of, Things):
            relation = next((i for i in item.kids if i.cat == "R" and len(i.path) == 1), None)
            if relation is None or item.form.step != relation.path[0] or len(self._denote(item.form)) < 2:
                return
            if (best := self._own_measure(relation)) is not None:
                made = Best(item.form, best[0], best[1])
                yield replace(item, form=made, kids=(item,), local=(("implied-best", 1.0),))

    def _own_measure(self, relation: Item) -> tuple[Path, bool] | None:
        """The measure that a property's name grades ("highest point"), of the things it leads to."""
        from kg.semantics.tokens import words
        from kg.semantics.words import degrees

        property_ = self._graph.properties[relation.path[0][0]]
        for name in property_.names:
            for word in words(name):
                grade = graded(word)
                if grade and grade[1] == "est" and grade[0] in degrees():
                    sign, hints = degrees()[grade[0]]
                    reached = self._denote(Join(relation.path[0], Users(relation.path[0])))
                    measures = self._schema.measures(Things(tuple(sorted(reached)), ""))
                    fitting = [i for i, _ in self._linker.graded(hints) if i in measures]
                    if fitting:
                        return ((fitting[0], True),), sign > 0
        return None

    # --- totals ------------------------------------------------------------------------------

    def aggregated(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Total population of the states"."""
        form = right.set()
        if isinstance(form, Join) and self._numeric((form.step,)) and form.step[1]:
            made = Aggregate(left.fn, form.of, (form.step,))  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [], form=made, focus=True)

    def aggregated_after(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Area of the states combined"."""
        for item in self.aggregated(right, left, gap):
            yield replace(item, start=left.start, end=right.end, kids=(left, right))

    def aggregating(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Total population", of what comes later."""
        if self._numeric(right.path):
            yield self._joins.copied("R", left, right, right, [], fn=left.fn)

    # --- conditions --------------------------------------------------------------------------

    def bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Population over a million"."""
        assert right.bound is not None
        dated = self._graph.properties[left.path[-1][0]].kind == "date"
        if self._numeric(left.path) and dated == right.bound.date:
            yield self._joins.copied("P", left, right, right, [], path=left.path)

    def bounded_after(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "More than a million people"."""
        for item in self.bounded(right, left, gap):
            yield replace(item, start=left.start, end=right.end, kids=(left, right))

    def count_bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "More than five rivers"."""
        if left.bound is not None and not left.bound.date and not right.single and left.op != "between":
            yield self._joins.copied("P", left, right, left, [], within=right.form)

    def set_bounded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Claims … in 2019": by the only property that fits."""
        assert right.bound is not None
        measures = self._schema.measures(left.set())
        fitting = [m for m in measures if (self._graph.properties[m].kind == "date") == right.bound.date]
        for rank, id_ in enumerate(fitting[:_MEASURES]):
            made = self._compare(left.set(), ((id_, True),), right)
            if made is not None and self._denote(made):
                local: Local = [("bridge", 1.0), ("bridge-rank", float(rank))]
                yield self._joins.made(
                    "S", left, right, local, form=made, focus=left.focus, name=left.name, head=left.head
                )

    def compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer than the red"."""
        if left.form is None and (left.end - left.start > 1 or "than" in gap or left.path):
            yield self._joins.copied("P", left, right, left, [], form=right.form)

    def compared_by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "A higher population than", of what comes later."""
        if not left.path and self._numeric(right.path):
            yield self._joins.copied("T", left, right, left, [], path=right.path)

    def compared_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer than 500"."""
        yield self._joins.copied("P", left, right, left, [], bound=right.bound)

    def conditioned(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Population greater than that of …"; "borders more than two states"."""
        if not right.path and (right.within is None) == self._numeric(left.path):
            yield self._joins.copied("P", left, right, right, [], path=left.path)

    def filtered(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """A set and a condition on its things."""
        yield from self._filtered(left, right, left, right)

    def filtered_after(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """The same in the other order."""
        yield from self._filtered(left, right, right, left)

    def by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The smallest state by area"."""
        if isinstance(left.form, Best) and gap[-1:] == ("by",) and self._has(left.form.of, right.path):
            made = replace(left.form, path=right.path)
            yield self._joins.made("S", left, right, [], form=made, focus=left.focus, name=left.name, head=left.head)

    def numbered(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The 50 states": as many as there are."""
        if left.bound is not None and not left.bound.date and len(self._denote(right.set())) == left.bound.value:
            yield self._joins.copied("S", left, right, right, [])

    def _filtered(self, left: Item, right: Item, of: Item, condition: Item) -> Iterator[Item]:
        form = of.set()
        fields: dict[str, Any] = {"focus": of.focus, "name": of.name, "head": of.head}
        if condition.within is not None:
            assert condition.bound is not None
            fake = replace(condition, cat="M")
            for path, local in self._count_paths(fake, form):
                number = int(condition.bound.value)
                made: Set = CountCompare(form, path, condition.within, condition.op, number)  # type: ignore[arg-type]
                yield self._joins.made("S", left, right, local, form=made, **fields)
            return
        for path, local, _ in self._measured_by(condition, form):
            compared = self._compare(form, path, condition)
            if compared is not None:
                if not self._denote(compared):
                    local = [*local, ("empty", 1.0)]
                yield self._joins.made("S", left, right, local, form=compared, **fields)

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

    # --- tables ------------------------------------------------------------------------------

    def each_value(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The population of each state"."""
        of = right.set()
        if self._has(of, left.path):
            made = Each(of, left.path, left.fn or "")  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [("each", 1.0)], form=made, focus=True)
        elif left.fn:
            for path in self._schema.paths(self._schema.types(of), self._schema.types(Users(left.path[0])))[:2]:
                made = Each(of, (*path, *left.path), left.fn)  # type: ignore[arg-type]
                yield self._joins.made("X", left, right, [("each", 1.0), ("bridge", 1.0)], form=made, focus=True)

    def each_value_after(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "For each state, its population"."""
        for item in self.each_value(right, left, gap):
            yield replace(item, start=left.start, end=right.end, kids=(left, right))

    def each_count(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "How many rivers per state"."""
        if isinstance(left.form, Count):
            within, of = left.form.of, right.set()
            for rank, path in enumerate(self._schema.paths(self._schema.types(of), self._schema.types(within))[:2]):
                made = Each(of, path, "COUNT", None if isinstance(within, Kind) and len(path) == 1 else within)
                local: Local = [("each", 1.0), ("bridge", 0.5), ("bridge-rank", float(rank))]
                yield self._joins.made("X", left, right, local, form=made, focus=True)

    def each_count_after(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "For each state, how many rivers"."""
        for item in self.each_count(right, left, gap):
            yield replace(item, start=left.start, end=right.end, kids=(left, right))

    def each_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The rivers of each state"."""
        if left.single:
            return
        of = right.set()
        for rank, path in enumerate(self._schema.paths(self._schema.types(of), self._schema.types(left.set()))[:2]):
            made = Each(of, path, "", left.set())
            local: Local = [("each", 1.0), ("bridge", 1.0), ("bridge-rank", float(rank))]
            yield self._joins.made("X", left, right, local, form=made, focus=True)


def _far_attached(of: Item) -> Local:
    """Whether something nearer could be meant: in "rivers of states with …" the states."""
    last = list(of.leaves())[-1]
    return [("high", 1.0)] if of.kids and last.cat == "S" and not last.single else []

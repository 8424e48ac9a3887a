"""Rules about numbers and dates: superlatives, counts, totals; bounds and comparisons with other things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.linking import Linker
from kg.semantics.logic import (
    Aggregate,
    Best,
    Compare,
    Count,
    Join,
    Number,
    Path,
    Set,
    Things,
    Users,
    along,
    back,
)
from kg.semantics.operators import EXCEEDING
from kg.text.question_words import NEWER, OLDER, degrees, graded
from kg.text.tokens import words

_COPULA = frozenset(("is", "are", "was", "were"))
_MEASURES = 3
_COUNTING = frozenset(("many", "few"))


class Measures:
    """Rules that need numbers or dates."""

    def __init__(self, joins: Joins, linker: Linker) -> None:
        self._joins, self._linker = joins, linker
        self._graph, self._schema, self._denote = joins.graph, joins.schema, joins.denote

    # --- superlatives ------------------------------------------------------------------------

    def best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Largest state"; "most rivers" still wants what has them."""
        yield from self.best_of(left, right)
        counting = left.name in ("many", "few") and not left.path and left.within is None and not right.single
        if counting and not all(self._graph.is_literal(i) for i in self._denote(right.set())):
            yield self._joins.made("M", left, right, [], like=left, within=right.form, name=right.name)

    def set_best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "State with the largest population", "which state is the largest"."""
        yield from self.best_of(right, left, _far_attached(left))

    def best_of(self, best: Item, of: Item, local: Local | None = None) -> Iterator[Item]:
        """A superlative of a set."""
        form, local = of.set(), [*(local or []), *([("best-single", 1.0)] if of.single else [])]
        if best.within is not None or (best.path and not self.numeric(best.path)):
            for path, more in self.count_paths(best, form):
                most = Best(form, Number(path, best.within), best.top, best.nth, best.k)
                if self._denote.holds(most):
                    yield self._joins.chosen(best, of, of, most, [*local, *more])
            return
        for path, more, top in self.measured_by(best, form):
            made = Best(form, path, top, best.nth, best.k)
            if self._denote.holds(made):
                yield self._joins.chosen(best, of, of, made, [*local, *more])

    def numeric(self, path: Path) -> bool:
        """Whether a path ends at numbers or dates."""
        return self._graph.properties[path[-1][0]].kind in ("number", "date")

    def has(self, form: Set, path: Path) -> bool:
        """Whether a path leads anywhere from a set."""
        return bool(self._denote(along(path, form)))

    def measured_by(self, best: Item, form: Set) -> Iterator[tuple[Path, Local, bool]]:
        """What is measured, how likely, and whether most of it is meant."""
        if best.path:
            if self.has(form, best.path):
                yield best.path, [], self._end(best, best.path)
            return
        measures = self._schema.measures(form)
        aged = best.name in OLDER | NEWER  # a life's length is no age among the living
        hints = () if best.name in _COUNTING else best.hints  # "most films" is no greatest number of something else
        graded_ = [(i, s) for i, s in self._linker.graded(hints) if i in measures]
        graded_ = [(i, s) for i, s in graded_ if not (aged and self._graph.properties[i].is_span)]
        graded_ = [(i, s) for i, s in graded_ if s >= graded_[0][1] - 0.08]
        for rank, (id_, score) in enumerate(graded_[:_MEASURES]):
            path: Path = ((id_, True),)
            yield path, [("measure", score), ("measure-rank", float(rank))], self._end(best, path)
        dates = [i for i in measures if self._graph.properties[i].kind == "date"]
        if aged and not graded_:
            for rank, id_ in enumerate(dates[:_MEASURES]):
                yield ((id_, True),), [("measure", 0.6), ("measure-rank", float(rank))], best.name in NEWER
        elif not graded_ and len(only := self._only(measures)) == 1:
            yield ((only[0], True),), [("measure-unsaid", 1.0)], best.top

    def _only(self, measures: Sequence[int]) -> list[int]:
        """What there is to measure where nothing says what: numbers if there are any."""
        own = [m for m in measures if not self._graph.properties[m].is_span]
        return [m for m in own if self._graph.properties[m].kind == "number"] or own

    def _end(self, best: Item, path: Path) -> bool:
        """Whether the superlative wants the greatest value: the oldest has the earliest date."""
        if self._graph.properties[path[-1][0]].kind == "date" and best.name in OLDER | NEWER:
            return best.name in NEWER
        return best.top

    def count_paths(self, best: Item, form: Set) -> Iterator[tuple[Path, Local]]:
        """By which path things are counted."""
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

    def measured(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Largest population": a superlative that wants whose."""
        if left.within is not None and not left.path and not self.numeric(right.path):
            yield self._joins.made("M", left, right, [], like=left, path=right.path)
        if left.path or left.within is not None or right.fn:
            return
        local: Local = []
        if self.numeric(right.path):
            if not left.generic and left.hints:
                fit = dict(self._linker.graded(left.hints)).get(right.path[-1][0], 0.0)
                local.append(("measure", fit) if fit else ("measure-unsaid", 0.5))
            yield self._joins.made("M", left, right, local, like=left, path=right.path, name=left.name)
        elif left.name in ("many", "few"):
            yield self._joins.made("M", left, right, local, like=left, path=right.path, name=left.name)

    def relation_best(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Borders the most states"; "population is the largest"."""
        counted = right.within is not None and not self.numeric(left.path)
        equated = right.within is None and self.numeric(left.path) and bool(set(gap) & _COPULA)
        most = right.within is None and self.numeric(left.path) and right.name in ("many", "few")
        if not left.fn and not right.path and (counted or equated or most):
            yield self._joins.made("M", left, right, [], like=right, path=left.path)

    def counted(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The largest number of rivers"."""
        if isinstance(right.form, Count) and not left.path and left.within is None:
            yield self._joins.made("M", left, right, [], like=left, within=right.form.of)

    def implied(self, item: Item) -> Iterator[Item]:
        """Of relations whose own name is a superlative: "highest point" of several things is the highest of theirs."""
        if item.cat == "R" and not item.fn and ("guess", 1.0) not in item.local:
            owners = Users(item.path[0])
            if self._denote(owners):
                form = along(item.path, owners)
                bare = 0.5 if item.plural and not self.numeric(item.path) else 1.0  # "authors": whoever is one
                local = (("bare", bare),)
                score = item.score + self._joins.weighed([*local])
                yield replace(item, cat="S", form=form, kids=(item,), local=local, score=score, path=())
        single = item.cat == "R" and not item.plural and len(item.path) == 1
        if single and (best := self._own_measure(item)) is not None:
            path, top = best
            path = (*item.path, *path)
            yield replace(item, cat="M", path=path, top=top, kids=(item,), local=(), name="", focus=False)
        if item.cat == "S" and isinstance(item.form, Join) and not item.plural and not isinstance(item.form.of, Things):
            relation = next((i for i in item.kids if i.cat == "R" and len(i.path) == 1), None)
            if relation is None or item.form.step != relation.path[0] or len(self._denote(item.form)) < 2:
                return
            if (best := self._own_measure(relation)) is not None:
                made = Best(item.form, best[0], best[1])
                yield replace(item, form=made, kids=(item,), local=())

    def _own_measure(self, relation: Item) -> tuple[Path, bool] | None:
        """The measure that a property's name grades ("highest point"), of the things it leads to."""
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
        if isinstance(form, Join) and self.numeric((form.step,)) and form.step[1]:
            made = Aggregate(left.fn, form.of, (form.step,))  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [], form=made, focus=True)

    def aggregating(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Total population", of what comes later."""
        if self.numeric(right.path):
            yield self._joins.made("R", left, right, [], like=right, fn=left.fn)


def _far_attached(of: Item) -> Local:
    """Whether something nearer could be meant: in "rivers of states with …" the states."""
    last = list(of.leaves())[-1]
    return [("high", 1.0)] if of.kids and last.cat == "S" and not last.single else []


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
        if not isinstance(left.form, Best) or not left.form.of_values:
            return
        if gap[-1:] == ("by",) and self._measures.has(left.form.of, right.path):
            made = replace(left.form, measure=right.path)
            yield self._joins.chosen(left, right, left, made, [])

    def filtered(self, of: Item, condition: Item, gap: Sequence[str]) -> Iterator[Item]:
        """A set and a condition on its things."""
        form: Set = of.set()
        if condition.within is not None and condition.bound is not None:
            for path, local in self._measures.count_paths(condition, form):
                whole = int(condition.bound.value)
                number = replace(condition.bound, value=float(whole), text=str(whole))
                made: Set = Compare(form, Number(path, condition.within), condition.op, number)  # type: ignore[arg-type]
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

"""Rules about numbers: superlatives, counts to compare, totals, conditions, and tables by each thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.linking import Linker
from kg.semantics.logic import (
    Aggregate,
    Best,
    BestCount,
    Count,
    Join,
    Path,
    Set,
    Things,
    Users,
    along,
    back,
)
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
                most = BestCount(form, path, best.within, best.top, best.nth, best.k)
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
                yield replace(
                    item,
                    cat="S",
                    form=form,
                    kids=(item,),
                    local=(("bare", bare),),
                    score=item.score + self._joins.weighed([("bare", bare)]),
                    path=(),
                )
        if (
            item.cat == "R"
            and not item.plural
            and len(item.path) == 1
            and (best := self._own_measure(item)) is not None
        ):
            path, top = best
            yield replace(
                item, cat="M", path=(*item.path, *path), top=top, kids=(item,), local=(), name="", focus=False
            )
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

"""Rules about how many: shares in per cent, sizes compared, averages of counts, the most common, the first few."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.logic import (
    And,
    Best,
    Difference,
    Each,
    Join,
    More,
    Number,
    Overall,
    Path,
    Set,
    Share,
    Things,
    Users,
    along,
    back,
    base,
)
from kg.semantics.measures import Measures

Rule = Callable[[Item, Item, Sequence[str]], Iterator[Item]]
_OPEN = frozenset(("have", "has", "had", "do", "does", "did", "the", "a", "is", "are", "there", "of", "in", "on"))
_FEW, _MANY = 2, 1000


class Tallies:
    """Rules that compare or share out numbers of things."""

    def __init__(self, joins: Joins, measures: Measures, sets: Rule, filtered: Rule) -> None:
        """``sets``, ``filtered``: the rules for two sets, and for a set and a condition."""
        self._joins, self._measures, self._sets, self._filtered = joins, measures, sets, filtered
        self._schema, self._denote = joins.schema, joins.denote

    # --- shares ------------------------------------------------------------------------------

    def share(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "What percentage of the ships": of what, and perhaps what part already ("of the ships are ferries")."""
        whole = right.set()
        if right.single or not self._denote(whole):
            return
        yield self._joins.made("QS", left, right, [], like=right)
        of = base(whole)
        if of != whole:
            yield self._shared(left, right, whole, of, [])

    def share_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(What percentage of the ships) are ferries"."""
        yield from self._parts(left, right, self._sets(_as_set(left), right, gap))

    def share_condition(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(What percentage of the ships) are longer than 50 metres"."""
        yield from self._parts(left, right, self._filtered(_as_set(left), right, gap))

    def _parts(self, left: Item, right: Item, found: Iterator[Item]) -> Iterator[Item]:
        whole = left.set()
        for item in found:
            if item.form is not None and item.cat == "S" and self._denote(item.set()) <= self._denote(whole):
                yield self._shared(left, right, *_having(item.set(), whole), list(item.local))

    def _shared(self, left: Item, right: Item, part: Set, whole: Set, local: Local) -> Item:
        return self._joins.made("X", left, right, local, form=Share(part, whole), focus=True, head=left.start)

    # --- sizes -------------------------------------------------------------------------------

    def more(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(Are there) more ferries": than what comes later."""
        if not right.single:
            yield self._joins.made("VS", left, right, [], like=left, form=right.form, head=right.head)

    def more_of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(Does) Veldport have more ships", "(did) A command more ships"."""
        if not set(gap) <= _OPEN:
            return
        ways: list[tuple[Set, Local]] = []
        if left.single:
            ways = self._joins.linked(right.set(), left.set(), gap)[:3]
        elif self._denote(right.set()) & self._denote(left.set()):
            ways = [(left.set(), [])]
        for form, local in ways:
            yield self._joins.made("VS", left, right, local, like=right, form=And(right.set(), form))

    def more_than(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "… than Lume", "… than ferries"."""
        if "than" not in gap:
            return
        one, other = left.set(), right.set()
        if isinstance(other, Things):
            for named in _things(one):
                if named != other and self._schema.types(named) & self._schema.types(other):
                    made = More(one, left.op, _replaced(one, named, other))  # type: ignore[arg-type]
                    yield self._joins.made("X", left, right, [], form=made, focus=True, head=left.start)
        elif not right.single and one != other:
            made = More(one, left.op, other)  # type: ignore[arg-type]
            yield self._joins.made("X", left, right, [], form=made, focus=True, head=left.start)

    # --- averages of counts ------------------------------------------------------------------

    def overall(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The average number of ships per captain"."""
        if isinstance(right.form, Each) and right.form.function == "COUNT":
            if left.fn == "AVG":
                made = Overall("AVG", right.form)
                yield self._joins.made("X", left, right, [], form=made, focus=True, head=left.start)
            else:
                yield self._joins.made("X", left, right, [], like=right)

    # --- one number by another ---------------------------------------------------------------

    def per(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(Visitors) per day": what a number is divided by."""
        plain = not gap and not right.fn and len(right.path) == 1
        if plain and left.op == "per" and self._measures.numeric(right.path):
            yield self._joins.made("ER", left, right, [], like=right)

    def divided(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Visitors per day", of what comes later or came before."""
        if not gap and not left.fn and self._measures.numeric(left.path) and left.path != right.path:
            yield self._joins.made("RR", left, right, [], like=left, columns=(right.path,))

    def divided_of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Visitors per day of the fair"."""
        below, of = left.columns[0], right.set()
        if isinstance(below, int):
            return
        one, other = along(left.path, of), along(below, of)
        if len(self._denote(one)) == len(self._denote(other)) == 1:
            form = Difference(one, other, "", True)
            yield self._joins.made("X", left, right, [], form=form, focus=True, head=left.start)

    # --- the most common ---------------------------------------------------------------------

    def commonest(self, most: Item, of: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "The most common flag (of the ships)", "which flag is the most common"."""
        for (values, path, within), local in self._counted(of):
            made = Best(values, Number(path, within), most.top, most.nth, most.k)
            if self._denote(made):
                yield self._joins.chosen(most, of, of, made, local)

    def _counted(self, of: Item) -> Iterator[tuple[tuple[Set, Path, Set | None], Local]]:
        """What is counted for each of which values or things."""
        if of.cat == "R":
            if not of.fn and self._denote(Users(of.path[0])):
                yield (along(of.path, Users(of.path[0])), back(of.path), None), [("bare", 0.3)]
            return
        form = of.set()
        if of.single:
            return
        values = form.right if isinstance(form, And) else form  # "genre among the films'": of these only
        if isinstance(values, Join):
            yield (form, back((values.step,)), values.of), []
            return
        ways = [
            (uses, step)
            for cls in self._schema.types(form)
            for other in self._schema.neighbours.get(cls, ())
            for step, uses in self._schema.links[cls, other]
            if not step[1]
        ]
        for rank, (_, step) in enumerate(sorted(ways, key=lambda w: (-w[0], w[1]))[:2]):
            yield (form, (step,), None), [("bridge", 0.5), ("bridge-rank", float(rank))]

    # --- the first few -----------------------------------------------------------------------

    def few(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Which three ships (are the longest)"."""
        bound = left.bound
        if bound is None or bound.date or right.single or bound.value != int(bound.value):
            return
        if _FEW <= bound.value < _MANY:
            yield self._joins.made("KS", left, right, [], like=right, k=int(bound.value))

    def few_best(self, few: Item, best: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Three ships have the greatest length", "the longest three ships"."""
        if best.k == 1 and best.nth == 1:
            yield from self._measures.best_of(replace(best, k=few.k), replace(few, cat="S", k=1))


def _having(part: Set, whole: Set) -> tuple[Set, Set]:
    """Of values that things have – "the flags of the ships" – the things: a share of what has them, not of values."""
    if not isinstance(whole, Join) or not whole.step[1] or isinstance(whole.of, Things):
        return part, whole
    back_again = (whole.step[0], False)
    return And(whole.of, Join(back_again, part)), And(whole.of, Users(whole.step))


def _as_set(item: Item) -> Item:
    return replace(item, cat="S", score=0.0, kids=(), local=())


def _things(form: object) -> Iterator[Things]:
    """The named things in a form, however deep."""
    if isinstance(form, Things):
        yield form
    elif isinstance(form, Set | Number):
        for field in fields(form):
            yield from _things(getattr(form, field.name))


def _replaced(form: Any, old: Things, new: Set) -> Any:
    """A form with other things in a place."""
    if form == old:
        return new
    if not isinstance(form, Set | Number):
        return form
    return type(form)(*(_replaced(getattr(form, f.name), old, new) for f in fields(form)))

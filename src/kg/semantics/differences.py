"""Rules for how far two values are apart: "by how much", "how many times as", "how many days between"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.joins import Joins
from kg.semantics.logic import Aggregate, Bound, Compare, Difference, Form, Join, Or, Path, Set, Things, along
from kg.semantics.measures import Conditions, Measures

_SECOND = frozenset(("than", "as"))
_PAIRING = frozenset(("and", "to", "from"))
_DATE = 10  # characters of a date that names its day
_OPEN = frozenset(("is", "are", "was", "were", "does", "do", "did", "has", "have", "the", "a"))


class Differences:
    """Rules that end in a difference or a ratio."""

    def __init__(self, joins: Joins, measures: Measures, conditions: Conditions) -> None:
        self._joins, self._measures, self._conditions = joins, measures, conditions

    def by(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "By how many pages", "difference in length": of what values."""
        if not left.path and not right.fn and self._measures.numeric(right.path) and ("ratio" not in left.op or gap):
            yield self._joins.made("D", left, right, [], like=left, path=right.path)

    def of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """A comparison ("A is longer than B"), or two at once ("the lengths of A and B"), told in numbers."""
        form = right.set()
        pair = self._compared(form, left.path) or self._both(form, left.path)
        if pair is not None:
            yield from self._made(left, right, *pair)
        if right.single or (isinstance(form, Join) and form.step[1]):
            yield self._joins.made("DS", left, right, [], like=left, form=form)

    def between(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "… the salary of A and that of B"."""
        if not _PAIRING & set(gap):
            return
        one, other = self._value(left.set(), left.path), self._value(right.set(), left.path)
        if one is None and other is not None and isinstance(other, Join):  # "of A and B's length"
            one = self._value(left.set(), (other.step,))
        if one is not None and other is not None and one != other:
            yield from self._made(left, right, one, other)

    def subject(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "(How much) longer is A": a comparison that has its subject and wants what it compares with."""
        if left.form is None and left.within is None and right.single and set(gap) <= _OPEN and not left.bound:
            yield self._joins.made("TS", left, right, [], like=left, within=right.form, name=left.name)

    def subject_than(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Longer is A than B"."""
        if not _SECOND & set(gap) or left.within is None or not right.single:
            return
        condition = replace(left, form=right.form, within=None)
        for local, form in self._conditions.comparisons(left.within, condition):
            yield self._joins.made("S", left, right, local, form=form, name=left.name, head=left.head)

    def _made(self, left: Item, right: Item, one: Set, other: Set) -> Iterator[Item]:
        joins = self._joins
        members = joins.denote(one) | joins.denote(other)
        dated = [joins.graph.is_date(i) for i in members]
        if any(len(joins.denote(s)) != 1 for s in (one, other)) or any(joins.graph.value(i) is None for i in members):
            return
        if all(dated) and left.op != "ratio":
            coarse = any(len(joins.graph.terms[i].value) < _DATE for i in members)
            unit = left.unit or ("years" if coarse else "days")
            form: Form = Difference(one, other, unit)
        elif any(dated) or left.unit:
            return
        else:
            form = Difference(one, other, "", left.op == "ratio")
        yield joins.made("X", left, right, [], form=form, focus=True, head=left.start)

    def _is_one(self, form: Set) -> bool:
        return isinstance(form, Things) or len(self._joins.denote(form)) == 1

    def _compared(self, form: Set, path: Path) -> tuple[Set, Set] | None:
        """The values that a comparison compares, the greater first."""
        if not isinstance(form, Compare) or isinstance(form.bound, Bound | Aggregate) or not self._is_one(form.of):
            return None
        assert isinstance(form.measure, tuple)  # things are counted against a number
        if not self._joins.denote(form) or path not in ((), form.measure):  # it isn't so
            return None
        one, other = along(form.measure, form.of), form.bound
        return (other, one) if form.operator in ("<", "<=") else (one, other)

    def _both(self, form: Set, path: Path) -> tuple[Set, Set] | None:
        """The values of "A and B", however deep the two stand."""
        steps: list[tuple[int, bool]] = []
        while isinstance(form, Join):
            steps.insert(0, form.step)
            form = form.of
        if not isinstance(form, Or) or not self._is_one(form.left) or not self._is_one(form.right):
            return None
        whole: Path = (*steps, *path)
        if not whole:
            return None
        return along(whole, form.left), along(whole, form.right)

    def _value(self, form: Set, path: Path) -> Set | None:
        """The values of a set: its own, or those that a path leads to."""
        members = self._joins.denote(form)
        if members and all(self._joins.graph.value(i) is not None for i in members):
            return form
        made = along(path, form)
        return made if path and self._joins.denote(made) else None

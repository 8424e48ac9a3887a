"""What forms stand for over a source: the reference evaluator. Each form is evaluated once and remembered.

A set of rows is held as an integer whose n-th bit says whether row n is in it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from kg.algebra.forms import (
    Aggregate,
    Alike,
    Beside,
    Beyond,
    Both,
    Cells,
    Change,
    Commonest,
    Count,
    Difference,
    Distinct,
    Either,
    Every,
    Extreme,
    Form,
    Function,
    Greater,
    Holds,
    Nth,
    Ratio,
    Rows,
    Scalar,
    Side,
    Test,
    Where,
    Without,
    parts,
)
from kg.algebra.source import Cell, Day, Table, Type, same
from kg.errors import BadInput

Place = tuple[int, int]
"""Row and column of a cell."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a form stands for: cells with their places, or a number, or a truth; nothing of these where it fails."""

    places: tuple[Place, ...] = ()
    texts: tuple[str, ...] = ()
    number: Decimal | None = None
    truth: bool | None = None

    @property
    def empty(self) -> bool:
        """Whether there is no answer."""
        return not self.texts and self.number is None and self.truth is None


def rows_of(mask: int) -> Iterator[int]:
    """The rows of a set, in order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Evaluator:
    """Denotations over one source."""

    def __init__(self, source: Table) -> None:
        self.source = source
        self.every = (1 << source.size) - 1
        self._rows: dict[Rows, int] = {}
        self._values: dict[int, tuple[Decimal | None, ...]] = {}
        self._groups: dict[int, dict[str, int]] = {}

    # --- sets of rows --------------------------------------------------------------------------

    def rows(self, form: Rows) -> int:
        """The rows of a set, as bits."""
        found = self._rows.get(form)
        if found is None:
            found = self._rows[form] = self._set(form)
        return found

    def _set(self, form: Rows) -> int:  # noqa: C901 - one case a form
        match form:
            case Every():
                return self.every
            case Where(column, test, value):
                return self._where(column, test, value)
            case Both(left, right):
                return self.rows(left) & self.rows(right)
            case Either(left, right):
                return self.rows(left) | self.rows(right)
            case Without(left, right):
                return self.rows(left) & ~self.rows(right)
            case Extreme():
                return self._extreme(form)
            case Nth(of, n):
                found = list(rows_of(self.rows(of)))
                at = n - 1 if n > 0 else len(found) + n
                return 1 << found[at] if 0 <= at < len(found) else 0
            case Beside(of, offset):
                mask = self.rows(of)
                return (mask << offset if offset > 0 else mask >> -offset) & self.every
            case Side(of, after):
                return self._side(self.rows(of), after)
            case Alike(of, column):
                mask, groups = self.rows(of), self.groups(column)
                return sum(g for g in groups.values() if g & mask) & ~mask
            case Beyond(of, column, more):
                return self._beyond(self.rows(of), column, more)

    def values(self, column: int) -> tuple[Decimal | None, ...]:
        """What a column's cells are compared by: days of dates, else numbers; None for neither."""
        found = self._values.get(column)
        if found is None:
            dated = self.source.columns[column].type is Type.DATE
            cells = [self.source.cell(row, column) for row in range(self.source.size)]
            found = tuple((Decimal(c.day.first) if c.day else None) if dated else c.number for c in cells)
            self._values[column] = found
        return found

    def groups(self, column: int) -> dict[str, int]:
        """The rows that say each value of a column; without blanks."""
        found = self._groups.get(column)
        if found is None:
            found = {}
            for row in range(self.source.size):
                cell = self.source.cell(row, column)
                if not cell.blank:
                    found[cell.key] = found.get(cell.key, 0) | 1 << row
            self._groups[column] = found
        return found

    def _where(self, column: int, test: Test, value: Cell | Decimal | Day) -> int:
        mask = 0
        for row in range(self.source.size):
            cell = self.source.cell(row, column)
            if not cell.blank and holds(cell, test, value):
                mask |= 1 << row
        return mask

    def _extreme(self, form: Extreme) -> int:
        values = self.values(form.column)
        keyed = [(v, row) for row in rows_of(self.rows(form.of)) if (v := values[row]) is not None]
        if not keyed:
            return 0
        if form.count == form.place == 1:
            best = (max if form.top else min)(v for v, _ in keyed)
            return sum(1 << row for v, row in keyed if v == best)
        keyed.sort(key=lambda one: (-one[0] if form.top else one[0], one[1]))
        if form.place > 1:
            ordered = [v for v, _ in keyed]
            there = ordered[form.place - 2 : form.place]
            return sum(1 << row for v, row in keyed if v == there[1]) if len(set(there)) == 2 else 0
        return sum(1 << row for _, row in keyed[: form.count])

    def _side(self, mask: int, after: bool) -> int:
        if not mask:
            return 0
        if after:
            return self.every & ~((1 << mask.bit_length()) - 1)
        return ((mask & -mask) - 1) & self.every

    def _beyond(self, mask: int, column: int, more: bool) -> int:
        values = self.values(column)
        own = [v for row in rows_of(mask) if (v := values[row]) is not None]
        if not own:
            return 0
        bound = max(own) if more else min(own)
        return sum(1 << r for r, v in enumerate(values) if v is not None and (v > bound if more else v < bound))

    # --- cells, numbers, truth -----------------------------------------------------------------

    def result(self, form: Form) -> Result:
        """What any form stands for; a set of rows by its first column."""
        if isinstance(form, Rows):
            return self.result(Cells(form, 0))
        if isinstance(form, Cells):
            return self._cells([(row, form.column) for row in rows_of(self.rows(form.of))])
        if isinstance(form, Commonest):
            return self._commonest(form)
        if isinstance(form, Holds):
            return Result(truth=bool(self.rows(form.of)))
        if isinstance(form, Greater):
            return self._compared(form)
        return Result(number=self.number(form))

    def _cells(self, places: Sequence[Place]) -> Result:
        """Different values of cells, in order; blanks say nothing."""
        kept: dict[str, Place] = {}
        texts: list[str] = []
        for place in places:
            cell = self.source.cell(*place)
            if not cell.blank and cell.key not in kept:
                kept[cell.key] = place
                texts.append(cell.text)
        return Result(tuple(kept.values()), tuple(texts))

    def _commonest(self, form: Commonest) -> Result:
        mask = self.rows(form.of)
        weights: dict[str, Decimal] = {}
        for key, group in self.groups(form.column).items():
            if not group & mask:
                continue
            if form.measure is None:
                weights[key] = Decimal((group & mask).bit_count())
            else:
                values = self.values(form.measure)
                own = [v for row in rows_of(group & mask) if (v := values[row]) is not None]
                if own:
                    weights[key] = sum(own, Decimal(0))
        if not weights:
            return Result()
        best = (max if form.top else min)(weights.values())
        groups = self.groups(form.column)
        first = sorted(next(rows_of(groups[key] & mask)) for key, weight in weights.items() if weight == best)
        return self._cells([(row, form.column) for row in first])

    def number(self, form: Scalar) -> Decimal | None:
        """The number that a form stands for (days for a date); None where it has none, or several."""
        match form:
            case Count(of):
                return Decimal(self.rows(of).bit_count())
            case Distinct(of, column):
                mask = self.rows(of)
                return Decimal(sum(bool(group & mask) for group in self.groups(column).values()))
            case Aggregate(function, of, column):
                values = self.values(column)
                return aggregate(function, [v for row in rows_of(self.rows(of)) if (v := values[row]) is not None])
            case Cells(of, column):
                values = self.values(column)
                found = {v for row in rows_of(self.rows(of)) if (v := values[row]) is not None}
                return found.pop() if len(found) == 1 else None
            case Difference(left, right, years):
                return self._difference(left, right, years)
            case Change(earlier, later, percent):
                before, now = self.number(earlier), self.number(later)
                if before is None or now is None or (percent and not before):
                    return None
                return exact(Fraction(now - before) / Fraction(before) * 100) if percent else now - before
            case Ratio(left, right, percent):
                one, two = self.number(left), self.number(right)
                if one is None or not two:
                    return None
                return exact(Fraction(one) / Fraction(two) * (100 if percent else 1))

    def _difference(self, left: Scalar, right: Scalar, years: bool) -> Decimal | None:
        one, two = self.number(left), self.number(right)
        if one is None or two is None:
            return None
        if not years:
            return abs(one - two)
        low, high = sorted((int(one), int(two)))
        return Decimal(_year(high) - _year(low)) if low >= 1 else None

    def _compared(self, form: Greater) -> Result:
        one, two = self.number(form.left), self.number(form.right)
        return Result(truth=one > two) if one is not None and two is not None else Result()

    # --- evidence ------------------------------------------------------------------------------

    def evidence(self, form: Form) -> tuple[Place, ...]:
        """The cells that a form's result rests on: those compared, projected or computed, row by row.

        Of rows that are only counted, the first cell that says something.
        """
        found: set[Place] = set()
        for part in parts(form):
            if isinstance(part, Where | Extreme):
                found |= {(row, part.column) for row in rows_of(self._kept(form, part))}
            elif isinstance(part, Cells | Aggregate | Distinct):
                found |= {(row, part.column) for row in rows_of(self.rows(part.of))}
            elif isinstance(part, Commonest):
                found |= {(row, part.column) for p in self._commonest(part).places for row in self._like(part, p)}
            elif isinstance(part, Beyond | Alike):
                found |= {(row, part.column) for row in rows_of(self.rows(part.of) | self._kept(form, part))}
            elif isinstance(part, Count | Holds):
                found |= {(row, self._first(row)) for row in rows_of(self.rows(part.of))}
        return tuple(sorted(place for place in found if not self.source.cell(*place).blank))

    def _first(self, row: int) -> int:
        """The first column in which a row says something."""
        columns = range(len(self.source.columns))
        return next((c for c in columns if not self.source.cell(row, c).blank), 0)

    def _like(self, form: Commonest, place: Place) -> Iterator[int]:
        mask = self.groups(form.column)[self.source.cell(*place).key]
        return rows_of(mask & self.rows(form.of))

    def _kept(self, whole: Form, part: Rows) -> int:
        """The rows of a part that the set of rows around it keeps."""
        mask = self.rows(part)
        for outer in parts(whole):
            inner = getattr(outer, "of", None)
            if isinstance(inner, Rows) and not isinstance(outer, Rows) and any(p == part for p in parts(inner)):
                kept = mask & self.rows(inner)
                return kept or mask
        return mask


def holds(cell: Cell, test: Test, value: Cell | Decimal | Day) -> bool:
    """Whether a cell compares so with a value; a year or month stands for all its days. Raises BadInput."""
    if isinstance(value, Cell):
        if test == "contains":
            return _contained(value.words, cell.words)
        if test == "=":
            return same(cell, value)
        raise BadInput(f"text can't be compared by {test}", "compare numbers or dates")
    if isinstance(value, Day):
        return cell.day is not None and _within((cell.day.first, cell.day.last), test, (value.first, value.last))
    return cell.number is not None and _within((cell.number, cell.number), test, (value, value))


Stretch = tuple[Decimal | int, Decimal | int]


def _within(own: Stretch, test: Test, bound: Stretch) -> bool:
    """Whether a stretch of numbers or days compares so with another."""
    match test:
        case "=" | "contains":
            return bound[0] <= own[0] and own[1] <= bound[1]
        case ">":
            return own[0] > bound[1]
        case ">=":
            return own[0] >= bound[0]
        case "<":
            return own[1] < bound[0]
        case "<=":
            return own[1] <= bound[1]


def _contained(inner: Sequence[str], outer: Sequence[str]) -> bool:
    count = len(inner)
    return count > 0 and any(tuple(outer[n : n + count]) == tuple(inner) for n in range(len(outer) - count + 1))


def aggregate(function: Function, values: Sequence[Decimal]) -> Decimal | None:
    """A number over values; None over none. Means are exact to 28 digits."""
    if not values:
        return None
    match function:
        case "sum":
            return sum(values, Decimal(0))
        case "mean":
            return exact(sum((Fraction(v) for v in values), Fraction(0)) / len(values))
        case "median":
            return Decimal(statistics.median(values))
        case "range":
            return max(values) - min(values)


def exact(value: Fraction) -> Decimal:
    """A fraction as a decimal, exact to 28 digits."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def _year(day: int) -> int:
    return date.fromordinal(day).year

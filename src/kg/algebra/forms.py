"""The typed algebra of questions over a source: sets of rows, cells and numbers of them, truth; each form frozen.

Sets of rows are built from filters, extremes, order and one another; cells are projected from them; numbers are
counted or computed; a truth compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal, localcontext
from typing import Literal

from kg.algebra.source import Cell, Column, Day, Table
from kg.text import units

Test = Literal["=", ">", ">=", "<", "<=", "contains"]
Function = Literal["sum", "mean", "median", "range"]
Operand = Cell | Decimal | Day


@dataclass(frozen=True, slots=True)
class Every:
    """All rows."""


@dataclass(frozen=True, slots=True)
class Where:
    """Rows whose cell in a column compares so with a value; a cell that says nothing never does.

    ``=``: the same text, number or date; ``contains``: the value's words stand in the cell in a row.
    """

    column: int
    test: Test
    value: Operand


@dataclass(frozen=True, slots=True)
class Both:
    """Rows in both sets."""

    left: Rows
    right: Rows


@dataclass(frozen=True, slots=True)
class Either:
    """Rows in either set."""

    left: Rows
    right: Rows


@dataclass(frozen=True, slots=True)
class Without:
    """Rows of the first set that aren't in the second."""

    left: Rows
    right: Rows


@dataclass(frozen=True, slots=True)
class Extreme:
    """Rows with the greatest (``top``) or least value in a column, all that share it; or the ``count`` first so sorted.

    ``place``: from 2 on, those in that place in place of the first, none where it isn't told from the place before.
    """

    of: Rows
    column: int
    top: bool
    count: int = 1
    place: int = 1


@dataclass(frozen=True, slots=True)
class Nth:
    """The n-th row of a set in the source's order, from 1; from the end where negative."""

    of: Rows
    n: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Rows so many rows after (before, where negative) those of a set."""

    of: Rows
    offset: int


@dataclass(frozen=True, slots=True)
class Side:
    """All rows after the last of a set, or before its first."""

    of: Rows
    after: bool


@dataclass(frozen=True, slots=True)
class Alike:
    """Other rows that say the same in a column as one of a set."""

    of: Rows
    column: int


@dataclass(frozen=True, slots=True)
class Beyond:
    """Rows that have more (less) in a column than all rows of a set."""

    of: Rows
    column: int
    more: bool


Rows = Every | Where | Both | Either | Without | Extreme | Nth | Beside | Side | Alike | Beyond


@dataclass(frozen=True, slots=True)
class Cells:
    """What the rows of a set say in a column."""

    of: Rows
    column: int


@dataclass(frozen=True, slots=True)
class Commonest:
    """The values of a column that most (fewest) rows of a set say; or have the greatest (least) sum of another."""

    of: Rows
    column: int
    top: bool
    measure: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows a set has."""

    of: Rows


@dataclass(frozen=True, slots=True)
class Distinct:
    """How many different values the rows of a set say in a column."""

    of: Rows
    column: int


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number over a column's values in the rows of a set. ``range``: the greatest less the least."""

    function: Function
    of: Rows
    column: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two numbers are apart; of two dates in days or, where ``years``, in calendar years."""

    left: Scalar
    right: Scalar
    years: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """How much more the later number is than the earlier, below 0 where it is less; or that in per cent of it."""

    earlier: Scalar
    later: Scalar
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times the second number the first is. ``percent``: as a share in per cent."""

    left: Scalar
    right: Scalar
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Holds:
    """Whether a set has a row."""

    of: Rows


@dataclass(frozen=True, slots=True)
class Greater:
    """Whether the first number (date) is the greater."""

    left: Scalar
    right: Scalar


Scalar = Count | Distinct | Aggregate | Difference | Change | Ratio | Cells
Listing = Cells | Commonest
Truth = Holds | Greater
Form = Rows | Scalar | Listing | Truth


def parts(form: Form) -> Iterator[Form]:
    """The form and all forms in it, outermost first."""
    yield form
    for one in fields(form):
        value = getattr(form, one.name)
        if isinstance(value, Form):
            yield from parts(value)


# --- A form's reading in plain English: what was computed, so that it can be checked

_TESTS = {
    "=": "is", ">": "is more than", ">=": "is at least", "<": "is less than", "<=": "is at most",
    "contains": "contains",
}  # fmt: skip
_LABELLED = ("label", "value")


def english(form: Form, source: Table) -> str:  # noqa: C901 - one case a form
    """The reading, with the source's own column heads."""

    def head(column: int) -> str:
        # Labelled lines are a table of two columns without heads.
        pair = len(source.columns) == len(_LABELLED) and not any(c.head for c in source.columns)
        return f"“{source.columns[column].head or (_LABELLED[column] if pair else f'column {column + 1}')}”"

    def say(inner: Form) -> str:
        return english(inner, source)

    match form:
        case Every():
            return "all rows"
        case Where(column, test, value):
            return f"rows whose {head(column)} {_TESTS[test]} {operand(value)}{_unit(value, source.columns[column])}"
        case Both(left, right):
            return f"{say(left)} and {say(right).removeprefix('rows ')}"
        case Either(left, right):
            return f"{say(left)} or {say(right).removeprefix('rows ')}"
        case Without(left, right):
            return f"{say(left)} except {say(right)}"
        case Extreme(of, column, top, count, place):
            which = "greatest" if top else "least"
            rows = f"the {count} rows" if count > 1 else "the row"
            if place > 1:
                return f"the row in place {place} by the {which} {head(column)} of {say(of)}"
            return f"{rows} with the {which} {head(column)} of {say(of)}"
        case Nth(of, n):
            return f"{_place(n)} of {say(of)}"
        case Beside(of, offset):
            rows = f"{abs(offset)} rows" if abs(offset) > 1 else "the row"
            return f"{rows} {'after' if offset > 0 else 'before'} {say(of)}"
        case Side(of, after):
            return f"all rows {'after' if after else 'before'} {say(of)}"
        case Alike(of, column):
            return f"other rows with the same {head(column)} as {say(of)}"
        case Beyond(of, column, more):
            return f"rows with {'more' if more else 'less'} {head(column)} than {say(of)}"
        case Cells(of, column):
            return f"{head(column)} of {say(of)}"
        case Commonest(of, column, top, measure):
            by = "most often" if top else "least often"
            if measure is not None:
                by = f"with the {'greatest' if top else 'least'} sum of {head(measure)}"
            return f"the {head(column)} {by} in {say(of)}"
        case Count(of):
            return f"the number of {say(of)}"
        case Distinct(of, column):
            return f"the number of different {head(column)} in {say(of)}"
        case Aggregate(function, of, column):
            return f"the {function} of {head(column)} over {say(of)}"
        case Difference(left, right, years):
            return f"the difference{' in years' if years else ''} between {say(left)} and {say(right)}"
        case Change(earlier, later, percent):
            return f"the change{' in per cent' if percent else ''} from {say(earlier)} to {say(later)}"
        case Ratio(left, right, percent):
            return f"{say(left)} {'as a share in per cent of' if percent else 'divided by'} {say(right)}"
        case Holds(of):
            return f"whether there are {say(of)}"
        case Greater(left, right):
            return f"whether {say(left)} is more than {say(right)}"


def _unit(value: Operand, column: Column) -> str:
    """What a number is in that cells are compared with, where the column's head doesn't tell it."""
    told = not isinstance(value, Decimal) or not column.unit or units.unit_in_head(column.head)[0]
    return "" if told else f" {units.label(column.unit)}"


def _place(n: int) -> str:
    if n in (1, -1):
        return "the first" if n > 0 else "the last"
    return f"number {n}" if n > 0 else f"number {-n} from the end"


def operand(value: Operand) -> str:
    """A value that cells are compared with."""
    if isinstance(value, Cell):
        return f"“{value.text}”"
    if isinstance(value, Day):
        first, last = date.fromordinal(value.first), date.fromordinal(value.last)
        if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
            return str(first.year)
        return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
    return figure(value)


def figure(value: Decimal) -> str:
    """A number in figures, without an exponent or zeros at its end, rounded to 6 places."""
    with localcontext() as context:
        context.prec = 400
        text = f"{round(value, 6):f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"

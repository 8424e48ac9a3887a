"""The typed algebra of questions over a source: sets of rows, cells and numbers of them, truth; each form frozen.

Sets of rows are built from filters, extremes, order and one another; cells are projected from them; numbers are
counted or computed; a truth compares. :func:`check` is the type rule of all forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Literal

from kg.algebra.cells import Cell, Day
from kg.algebra.source import Source
from kg.errors import BadInput

Test = Literal["=", "!=", ">", ">=", "<", "<=", "contains"]
Function = Literal["sum", "mean", "median", "min", "max", "range"]
Part = Literal["number", "second", "day"]
Operand = Cell | Decimal | Day


@dataclass(frozen=True, slots=True)
class Every:
    """All rows."""


@dataclass(frozen=True, slots=True)
class Where:
    """Rows whose cell in a column compares so with a value; a cell that says nothing never does.

    ``=`` and ``!=``: the same text, number or date; ``contains``: the value's words stand in the cell in a row.
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

    With ``count`` above 1, those that share the last value are in or out together: in, if as many or fewer are left.
    """

    of: Rows
    column: int
    top: bool
    count: int = 1


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


@dataclass(frozen=True, slots=True)
class Equal:
    """Whether two numbers, dates or sets of cells are the same."""

    left: Scalar
    right: Scalar


Scalar = Count | Distinct | Aggregate | Difference | Change | Ratio | Cells
Listing = Cells | Commonest
Truth = Holds | Greater | Equal
Form = Rows | Scalar | Listing | Truth
ROWS = Every | Where | Both | Either | Without | Extreme | Nth | Beside | Side | Alike | Beyond
SCALAR = Count | Distinct | Aggregate | Difference | Change | Ratio
TRUTH = Holds | Greater | Equal
LISTING = Cells | Commonest
_ANY = ROWS | SCALAR | TRUTH | LISTING


def parts(form: Form) -> Iterator[Form]:
    """The form and all forms in it, outermost first."""
    yield form
    for one in fields(form):
        value = getattr(form, one.name)
        if isinstance(value, _ANY):
            yield from parts(value)


def check(form: Form, source: Source) -> None:
    """The type rule. Raises BadInput where a part is of the wrong type, or a column is none or can't be compared."""
    for part in parts(form):
        for name in ("of", "left", "right", "earlier", "later"):
            inner = getattr(part, name, None)
            if inner is not None and not isinstance(inner, _expected(part)):
                raise BadInput(f"{type(part).__name__} takes no {type(inner).__name__}", "compose forms by their types")
        column = getattr(part, "column", None)
        if column is not None:
            _column(column, source, ordered=_needs_order(part))
        measure = getattr(part, "measure", None)
        if measure is not None:
            _column(measure, source, ordered=True)
        if isinstance(part, Extreme) and part.count < 1:
            raise BadInput("an extreme of no rows", "count from 1")
        if isinstance(part, Nth) and part.n == 0:
            raise BadInput("no row is the 0th", "count from 1, or from -1 backwards")


def _expected(part: Form) -> tuple[type, ...]:
    if isinstance(part, Difference | Change | Ratio | Greater | Equal):
        return (Count, Distinct, Aggregate, Difference, Change, Ratio, Cells)
    return (Every, Where, Both, Either, Without, Extreme, Nth, Beside, Side, Alike, Beyond)


def _needs_order(part: Form) -> bool:
    if isinstance(part, Where):
        return part.test in (">", ">=", "<", "<=")
    return isinstance(part, Extreme | Beyond | Aggregate)


def _column(column: int, source: Source, ordered: bool) -> None:
    if not 0 <= column < len(source.columns):
        raise BadInput(f"no column {column}", f"the source has {len(source.columns)}, from 0")
    if ordered and not any(_comparable(source.cell(row, column)) for row in range(source.size)):
        raise BadInput(f"nothing in column {column} can be compared", "take a column of numbers or dates")


def _comparable(cell: Cell) -> bool:
    return cell.number is not None or cell.day is not None

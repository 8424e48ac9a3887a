"""The typed algebra of questions over a source: sets of rows, cells and numbers of them, truth; each form frozen.

Sets of rows are built from filters, extremes, order and one another; cells are projected from them; numbers are
counted or computed; a truth compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Literal

from kg.algebra.cells import Cell, Day

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

"""A form's reading in plain English: what was computed, so that it can be checked."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, localcontext

from kg.algebra.cells import Cell, Day
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
    Greater,
    Holds,
    Nth,
    Operand,
    Ratio,
    Side,
    Where,
    Without,
)
from kg.algebra.source import Table

_TESTS = {
    "=": "is", ">": "is more than", ">=": "is at least", "<": "is less than", "<=": "is at most",
    "contains": "contains",
}  # fmt: skip
_FUNCTIONS = {
    "sum": "the sum of", "mean": "the mean of", "median": "the median of",
   "range": "the range of",
}  # fmt: skip


def english(form: Form, source: Table) -> str:  # noqa: C901 - one case a form
    """The reading, with the source's own column heads."""

    def head(column: int) -> str:
        return f"“{source.columns[column].head or f'column {column + 1}'}”"

    def say(inner: Form) -> str:
        return english(inner, source)

    match form:
        case Every():
            return "all rows"
        case Where(column, test, value):
            return f"rows whose {head(column)} {_TESTS[test]} {operand(value)}"
        case Both(left, right):
            return f"{say(left)} and {say(right).removeprefix('rows ')}"
        case Either(left, right):
            return f"{say(left)} or {say(right).removeprefix('rows ')}"
        case Without(left, right):
            return f"{say(left)} except {say(right)}"
        case Extreme(of, column, top, count):
            which = "greatest" if top else "least"
            rows = f"the {count} rows" if count > 1 else "the row"
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
            return f"{_FUNCTIONS[function]} {head(column)} over {say(of)}"
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

"""What SPARQL queries are written of: heads, groups, literals, expressions over dates."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pyoxigraph as ox

from kg.semantics.graph import XSD
from kg.semantics.logic import Bound, Cell, Column

INTEGER = f"<{XSD}integer>"


def between(start: str, end: str, unit: str) -> str:
    """The whole days, weeks, months or years from one date to another, as an expression over their texts."""
    if unit in ("days", "weeks"):
        one, other = (f"<{XSD}date>(SUBSTR(STR({v}), 1, 10))" for v in (start, end))
        days = f'COALESCE({INTEGER}(STRBEFORE(STRAFTER(STR({other} - {one}), "P"), "D")), 0)'
        return f"FLOOR({days} / 7)" if unit == "weeks" else days
    year, month = (
        f"{INTEGER}(SUBSTR(STR({end}), {at})) - {INTEGER}(SUBSTR(STR({start}), {at}))" for at in ("1, 4", "6, 2")
    )
    whole, rest = (year, "5, 6") if unit == "years" else (f"12 * ({year}) + {month}", "8, 3")
    return f"{whole} - IF(SUBSTR(STR({end}), {rest}) < SUBSTR(STR({start}), {rest}), 1, 0)"


def class_variable(cls: int) -> str:
    """The variable of a class in a table."""
    return f"?thing{cls}"


def cell_variable(cell: Cell) -> str:
    """The variable of a cell."""
    return class_variable(cell.cls) if cell.property is None else f"?value{cell.property}"


def column_head(column: Column, number: int) -> str:
    """A column as the head of a table says it."""
    sum_ = " + ".join(cell_variable(cell) for cell in column.cells)
    if not column.function:
        return cell_variable(column.cells[0])
    if column.function == "COUNT":
        return f"(COUNT(DISTINCT {sum_}) AS ?column{number})"
    if column.function == "RATIO":
        assert column.below is not None
        below = (
            f"COUNT(DISTINCT {cell_variable(column.below)})"
            if column.below.property is None
            else cell_variable(column.below)
        )
        return f"(SUM({sum_}) / {below} AS ?column{number})"
    return f"({column.function}({sum_}) AS ?column{number})"


def select(head: str, lines: Sequence[str]) -> str:
    """A query of a head over patterns."""
    return f"SELECT {head} WHERE {{\n{indented(lines)}\n}}"


def nested(lines: Sequence[str]) -> list[str]:
    """Lines, further in."""
    return [f"  {line}" for line in lines]


def indented(lines: Sequence[str]) -> str:
    """Lines as the text of a group."""
    return "\n".join(f"  {line}" for text in lines for line in text.split("\n"))


def number_literal(value: float) -> str:
    """A number as a literal."""
    text = str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
    type_ = "integer" if text.lstrip("-").isdigit() else "double"
    return str(ox.Literal(text, datatype=ox.NamedNode(XSD + type_)))


def day_text(value: float) -> str:
    """A date by its number."""
    return datetime.date.fromordinal(int(value)).isoformat()


def prefix(bound: Bound) -> str:
    """The text with which the dates of a year or month begin."""
    day = datetime.date.fromordinal(int(bound.value))
    if bound.until == bound.value + 1:
        return day.isoformat()
    month = bound.until is not None and bound.until - bound.value < 32
    return f"{day.year:04}-{day.month:02}" if month else f"{day.year:04}"

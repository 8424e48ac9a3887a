"""Where forms are evaluated: tables, rows of observations with typed columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from kg.model import DateValue
from kg.text import dates, hedges, numbers, quantities, units
from kg.text.tokens import words

# --- What a table's cell says: its text, the number, date or period that it states, and what it is compared by

_START = re.compile(r"[^\w.+−-]{0,3}(?=[\d.])|(?=[+−-][\d.])")
_SCORE = re.compile(r"\s?[-–—:/]\s?(?=\d)")
_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)(?!\d)|(\d{1,2})['′](\d{2}(?:\.\d+)?)[\"″]?")
_ALONE = re.compile(r"[\s\W]*\Z")
_LONGEST = 120  # characters of a cell that is read for a figure


@dataclass(frozen=True, slots=True)
class Day:
    """A date or period as days from the year 1: from ``first`` to ``last``, both in it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell. ``number``: what it states or begins with; ``second``: of a score or pair "2–1" the other number.

    ``whole``: the number is all that it says. ``span``: offsets in the document, None outside one. ``key``: what equal
    cells share; ``blank``: it says nothing, being empty or a mark of absence.
    """

    text: str
    words: tuple[str, ...]
    number: Decimal | None = None
    second: Decimal | None = None
    day: Day | None = None
    unit: str = ""
    whole: bool = False
    span: tuple[int, int] | None = None
    key: str = field(init=False, repr=False, compare=False)
    blank: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sign = "" if self.words or self.flag is None else "✗✓"[self.flag]
        object.__setattr__(self, "key", " ".join(self.words) or sign or self.text.strip())
        silent = not self.words and not sign
        object.__setattr__(self, "blank", silent or hedges.absent(self.text))

    @property
    def flag(self) -> bool | None:
        """Whether it says, or begins by saying, yes or no; None where it does neither."""
        told = hedges.yes_or_no(self.text)
        return hedges.yes_or_no(self.words[0]) if told is None and self.words else told


def read(text: str, span: tuple[int, int] | None = None) -> Cell:
    """A cell's reading; the same text is read once."""
    cell = _read(text)
    return cell if span is None else replace(cell, span=span)


@lru_cache(maxsize=1 << 16)
def _read(text: str) -> Cell:
    plain = " ".join(text.split())
    own = words(plain)
    if not own or len(plain) > _LONGEST or not any(c.isdigit() for c in plain):
        spelt = quantities.parse(plain) if own and len(plain) < 24 else None
        return Cell(plain, own, spelt.value if spelt else None, whole=bool(spelt))
    day = day_of(dates.parse(plain)) or _day_within(plain)
    clock = _clock(plain)
    if clock is not None:
        return Cell(plain, own, clock, None, day, "", True)
    quantity = quantities.parse(plain)
    if quantity is not None:
        remark = "(" in plain.lstrip("(-−$£€ ")
        return Cell(plain, own, quantity.value, None, day, quantity.unit or "", not remark)
    number, second, end = _leading(plain)
    return Cell(plain, own, number, second, day, "", bool(_ALONE.match(plain, end)) if number is not None else False)


def _clock(text: str) -> Decimal | None:
    """Seconds of a duration or time in figures: "3:45.2", "1:02:10"."""
    found = _CLOCK.match(text)
    if found is None or not _ALONE.match(text, found.end()):
        return None
    hours, minutes, seconds, feet, inches = found.groups()
    if feet is not None:
        return Decimal(feet) * 12 + Decimal(inches)
    return Decimal(hours or 0) * 3600 + Decimal(minutes) * 60 + Decimal(seconds)


def _leading(text: str) -> tuple[Decimal | None, Decimal | None, int]:
    """The number that a text begins with, the one joined to it as in a score, and where they end."""
    start = _START.match(text)
    at = start.end() if start else 0
    sign = Decimal(1)
    if text[at : at + 1] in ("-", "−", "+"):
        sign = Decimal(1) if text[at] == "+" else Decimal(-1)
        at += 1
    one = numbers.digits(text, at)
    if one is None:
        return None, None, 0
    joint = _SCORE.match(text, one.end)
    two = numbers.digits(text, joint.end()) if joint else None
    return sign * one.value, two.value if two else None, two.end if two else one.end


def day_of(value: DateValue | None) -> Day | None:
    """A date as days."""
    if value is None or not value.earliest:
        return None
    first = date.fromisoformat(value.earliest).toordinal()
    last = date.fromisoformat(value.latest).toordinal() if value.latest else first
    return Day(first, max(first, last))


def _day_within(text: str) -> Day | None:
    """The only date that a cell names beside other words."""
    found = dates.find(text)
    return day_of(found[0].value) if len(found) == 1 else None


def same(one: Cell, two: Cell) -> bool:
    """Whether two cells say the same: equal words, numbers or dates."""
    if one.key == two.key:
        return True
    if one.day is not None and two.day is not None:
        return one.day == two.day
    return one.whole and two.whole and one.number is not None and one.number == two.number


class Type(StrEnum):
    """What most cells of a column state."""

    NUMBER = "number"
    DATE = "date"
    SCORE = "score"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head as written, the head's words, and what its cells state.

    ``unit``: what its numbers are in, a QUDT local name; empty where that isn't told or not of all.
    """

    head: str
    words: tuple[str, ...]
    type: Type
    unit: str = ""

    @property
    def ordered(self) -> bool:
        """Whether its values can be compared as less and more."""
        return self.type is not Type.TEXT


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of observations in order, numbered from 0 as the columns are; each as long as ``columns``.

    ``title``: what stands above them, empty where nothing does.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def cell(self, row: int, column: int) -> Cell:
        """What a row says in a column. Raises IndexError."""
        return self.rows[row][column]


def table(heads: Sequence[str], rows: Sequence[Sequence[Cell | str]], title: str = "") -> Table:
    """A table of heads and rows; shorter rows are filled, longer ones cut. Raises ValueError without heads."""
    if not heads:
        raise ValueError("a table without columns")
    width = len(heads)
    lines = []
    for row in rows:
        cells = [c if isinstance(c, Cell) else read(c) for c in row[:width]]
        lines.append((*cells, *(read("") for _ in range(width - len(cells)))))
    told = [in_one_unit([line[n] for line in lines]) for n in range(width)]
    columns = tuple(_column(head, own) for head, own in zip(heads, told, strict=True))
    return Table(columns, tuple(zip(*told, strict=True)), title)


def in_one_unit(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """A column's cells, their numbers in the unit that is commonest there, if all are in units that convert into it."""
    counted = Counter(c.unit for c in cells if c.number is not None and (c.unit or c.number))
    common = min(counted, key=lambda unit: (-counted[unit], unit), default="")
    if len(counted) < 2 or not all(units.convertible(unit, common) for unit in counted):
        return tuple(cells)
    return tuple(
        replace(c, number=units.convert(c.number, c.unit, common), unit=common)
        if c.number is not None and c.unit
        else c
        for c in cells
    )


def _column(head: str, cells: Sequence[Cell]) -> Column:
    told = {c.unit for c in cells if c.number is not None and (c.unit or c.number)}
    unit = told.pop() if len(told) == 1 else ""
    return Column(head, words(head), _type(cells), unit or (_unit_of_head(head) if not told else ""))


def _unit_of_head(head: str) -> str:
    """The unit that a head gives for its numbers; the first of two ("Height / ft (m)")."""
    unit, before = units.unit_in_head(head)
    first = units.find_unit(before.split()[-1]) if unit and before else None
    return first or unit or ""


def _type(cells: Sequence[Cell]) -> Type:
    """What at least seven in ten of the cells that say something state."""
    told = [c for c in cells if not c.blank]
    if not told:
        return Type.TEXT
    need = 0.7 * len(told)
    if sum(c.day is not None for c in told) >= need:
        return Type.DATE
    if sum(c.second is not None for c in told) >= need:
        return Type.SCORE
    return Type.NUMBER if sum(c.number is not None for c in told) >= need else Type.TEXT

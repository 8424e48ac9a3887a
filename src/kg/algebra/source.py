"""Where forms are evaluated: tables, rows of observations with typed columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kg.algebra.cells import Cell, read
from kg.text.tokens import words


class Type(StrEnum):
    """What most cells of a column state."""

    NUMBER = "number"
    DATE = "date"
    SCORE = "score"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head as written, the head's words, and what its cells state."""

    head: str
    words: tuple[str, ...]
    type: Type

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
    keys: tuple[tuple[str, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(tuple(c.key for c in row) for row in self.rows))

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
    columns = tuple(Column(head, words(head), _type([line[n] for line in lines])) for n, head in enumerate(heads))
    return Table(columns, tuple(lines), title)


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

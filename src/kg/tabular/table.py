"""A table as questions need it: figures under the words of their row, group and column, with their scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kg.extract.heads import Head, compose
from kg.extract.scales import measure
from kg.extract.stretch import Stretch
from kg.model import Inline, Run
from kg.tabular.captions import SCALES, around, declared, repeated
from kg.tabular.figures import Figure, figure
from kg.tabular.times import unspaced, years

_COUNTED = re.compile(
    r"\bper\b|\bdays\b|\byears?\)|\bnumber of\b|\bheadcount\b|\bemployees\b|\btimes\b|\bratio\b"
    r"|\b(?:term|life)\b.*\byears\b|\bprice\b.*\bshare\b|\bcents\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?<!\d)%|\bper ?cent\b|\bpercentages?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """What stands over a column: all of it, and the years it names."""

    index: int
    head: str
    years: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with text. ``scale``: "thousand", "million", "billion", "percent" or ""; ``figure`` None for words."""

    row: int
    column: Column
    text: str
    figure: Figure | None
    scale: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its name, the names of the groups that it stands in, outermost first, and its cells."""

    index: int
    label: str
    groups: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def figures(self) -> tuple[Cell, ...]:
        """The cells that hold figures."""
        return tuple(c for c in self.cells if c.figure is not None)


@dataclass(frozen=True)
class Table:
    """The rows of a table, those that only name a group too, and what stands over the names of the rows."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    corner: str = ""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells of figures."""
        return tuple(c for row in self.rows for c in row.figures)

    @cached_property
    def filled(self) -> tuple[Row, ...]:
        """The rows that have cells."""
        return tuple(row for row in self.rows if row.cells)


@dataclass(frozen=True)
class Context:
    """A table and the paragraphs around it."""

    table: Table
    paragraphs: tuple[str, ...]


def context(matrix: Sequence[Sequence[str]], paragraphs: Sequence[str]) -> Context:
    """A context of a table given as rows of cells, its header among them, and of the texts around it."""
    return Context(table(matrix, paragraphs), tuple(paragraphs))


def table(matrix: Sequence[Sequence[str]], texts: Sequence[str] = ()) -> Table:
    """Reads a table. ``texts`` around it tell the scale of its figures where it doesn't itself."""
    width = max((len(row) for row in matrix), default=0)
    grid = [[" ".join(unspaced(c).split()) for c in row] + [""] * (width - len(row)) for row in matrix]
    heads = _heads(grid)
    told = [declared(cell) for row in grid[:heads] for cell in row]
    told += [declared(row[0]) for row in grid if not any(row[1:])]
    common = next((s for s in told if s), 0) or around(texts) or repeated((c for row in grid for c in row[1:]), texts)
    columns = _columns(grid[:heads], width)
    return _Reader(grid, heads, columns, common).read()


class _Reader:
    """Reads rows under the columns in force; a header in the middle of a table begins new ones."""

    def __init__(self, grid: list[list[str]], heads: int, columns: tuple[Column, ...], common: int) -> None:
        self.grid, self.heads, self.columns, self.common = grid, heads, columns, common
        self.every = list(columns)
        self.percent = {i: _percent_column(grid[heads:], i, columns[i].head) for i in range(1, len(columns))}
        self.group: tuple[str, ...] = ()
        self.skip = 0

    def read(self) -> Table:
        """The table."""
        rows: list[Row] = []
        above_has_cells = True
        for number in range(self.heads, len(self.grid)):
            line = self.grid[number]
            if number < self.skip:
                continue
            if new := self._begins_anew(number):
                self.columns = _columns(self.grid[number : number + new], len(line))
                self.every += self.columns
                self.skip = number + new
                continue
            label = line[0]
            lone = [c for c in line[1:] if c]
            if not label and len(lone) == 1 and len(line) > 2 and figure(lone[0]) is None:
                line, label = ["", *("" for _ in line[1:])], lone[0]  # a group's name in another column
            if not any(line[1:]):
                if label:
                    self.group = (label,) if above_has_cells or not self.group else (*self.group[-1:], label)
                    rows.append(Row(number, label, (), ()))
                above_has_cells = False
                continue
            above_has_cells = True
            cells = tuple(self._cell(number, i, text) for i, text in enumerate(line) if i and text)
            rows.append(Row(number, label, self.group, cells))
        corner = " ".join(row[0] for row in self.grid[: self.heads] if row[0])
        return Table(tuple(rows), tuple(c for c in self.every if c.index), corner)

    def _begins_anew(self, number: int) -> int:
        """How many rows in the middle of a table, from this one on, are the header of new columns."""
        if number == self.heads:
            return 0
        line = self.grid[number]
        if self.heads and len(line[0]) > 2 and line[0] == self.grid[self.heads - 1][0] and any(line[1:]):
            return 1
        count = 0
        while number + count < len(self.grid) and self._is_head(self.grid[number + count]):
            count += 1
        return count

    def _is_head(self, line: Sequence[str]) -> bool:
        others = [c for c in line[1:] if c]
        if any(figure(c) is not None and not _bare_year(c) for c in others):
            return False
        timed = sum(bool(years(c)) for c in others)
        return len(others) > 1 and (not line[0] or timed == len(others))

    def _cell(self, row: int, index: int, text: str) -> Cell:
        found = figure(text)
        return Cell(row, self.columns[index], text, found, self._scale(row, index, found))

    def _scale(self, row: int, index: int, found: Figure | None) -> str:
        if found is None:
            return ""
        label, head = " ".join((*self.group[-1:], self.grid[row][0])), self.columns[index].head
        if found.percent or self._is_percent(label, index, found):
            return "percent"
        if found.factor != 1:
            return SCALES.get(found.factor, "")
        own = declared(label) or declared(head)
        if own:
            return SCALES.get(own, "")
        counted = _COUNTED.search(label) or _COUNTED.search(head)
        return "" if counted else SCALES.get(self.common, "")

    def _is_percent(self, label: str, index: int, found: Figure) -> bool:
        return not found.money and (bool(_PERCENT.search(label)) or self.percent.get(index, False))


def _bare_year(text: str) -> bool:
    return re.fullmatch(r"(?:FY|CY|F)?\s?(?:19|20)\d\d\*?(?:\s*\(\w{1,2}\))*", text) is not None


def _percent_column(rows: Sequence[Sequence[str]], index: int, head: str) -> bool:
    """Whether a column is of percentages: its outer figures have the sign, or its head and no other says so."""
    found = [f for row in rows if (f := figure(row[index])) is not None and not f.nil]
    if not found or any(f.money for f in found):
        return False
    if not any(f.percent for f in found):
        return bool(_PERCENT.search(head)) and all(abs(f.value) <= 1000 for f in found)
    return len(found) > 2 and found[0].percent and found[-1].percent


def _heads(grid: Sequence[Sequence[str]]) -> int:
    """How many rows the header has: those above the first with a figure or a name of its own."""
    for number, row in enumerate(grid[:6]):
        others = [c for c in row[1:] if c]
        captioned = not row[0] or bool(declared(row[0]))
        if any(_is_value(c, captioned) for c in others):
            return number
        above = any(any(r[1:]) for r in grid[:number])
        if not above or captioned:
            continue
        cornered = any(r[0] for r in grid[:number])
        if not others or (not _tells(others) and (cornered or len(others) < 2)):
            return number
    return min(1, len(grid))


def _is_value(cell: str, captioned: bool) -> bool:
    """Whether a cell holds a figure; "52 weeks" under a blank corner or a caption says what its column is of."""
    if figure(cell) is None or _bare_year(cell):
        return False
    return not (captioned and any(c.isalpha() for c in cell))


def _tells(cells: Sequence[str]) -> bool:
    """Whether cells tell times or measures rather than values."""
    return all(years(c) or measure(c) is not None or declared(c) for c in cells)


def _columns(rows: Sequence[Sequence[str]], width: int) -> tuple[Column, ...]:
    if not rows:
        return tuple(Column(i, "", ()) for i in range(width))
    cells = [tuple(_stretch(c) if c else None for c in row) for row in rows]
    heads: Sequence[Head] = compose(cells)
    found = []
    for index, head in enumerate(heads):
        parts = [s.text for s in (*head.words, *head.told)]
        own = [row[index] for row in rows if row[index] and row[index] not in parts]
        text = " ".join((*parts, *own))
        found.append(Column(index, text, years(text)))
    return tuple(found)


def _stretch(text: str) -> Stretch:
    return Stretch.whole(Inline(text, (Run(0, 0, len(text), len(text)),)))

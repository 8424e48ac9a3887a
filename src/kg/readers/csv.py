"""CSV and TSV: the source itself is the stored text, with a table whose cells have exact places in it.

The cells are found here rather than by the standard library's ``csv``, which doesn't say where they stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, Inline
from kg.readers.decoding import content_hash, decode_declared
from kg.readers.inline import InlineBuilder, flowing, trim
from kg.readers.table_grid import is_header

__all__ = ["CsvReader"]

_DELIMITERS = ",\t;|"
_MOST_CELLS = 300_000  # a cell's block costs about a kilobyte
_LONGEST_CELL = 100_000  # code points
_MOST_COLUMNS = 2_000
_SAMPLE = 20_000  # code points that tell the dialect
_DIRECTIVE = re.compile(r"sep=(.)[ \t]*(?:\n|\Z)", re.IGNORECASE)
_FEWEST_ROWS = 2
_LOOKED_AT = 200  # rows that tell what a table is like


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell: ``[start, end)`` with its quotes, ``[left, right)`` what is inside, trimmed."""

    start: int
    end: int
    left: int
    right: int
    quoted: bool


_Row = tuple[_Cell, ...]


class CsvReader:
    """Reads ``.csv`` and ``.tsv`` files."""

    suffixes: tuple[str, ...] = (".csv", ".tsv")
    media_type: str = "text/csv"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't text, is blank, or is too large for a document."""
        text, encoding = decode_declared(data, name)
        suffix = PurePosixPath(name).suffix.lower()
        directive = _DIRECTIVE.match(text)
        first = directive.end() if directive else 0
        delimiter = directive[1] if directive else "\t" if suffix == ".tsv" else _delimiter(text[:_SAMPLE])
        stretches = _Scanner(text, delimiter, name).stretches(first)
        blocks = tuple(block for rows in _tables(text, stretches) for block in _blocks(text, rows))
        if not any(sign.isalnum() and sign != delimiter for sign in text[first:]):
            raise UnreadableDocument(f"{name} has no cell with text in it", "leave it out")
        return Document(
            name=name,
            text=text,
            blocks=blocks,
            title=PurePosixPath(name).stem,
            media_type="text/tab-separated-values" if suffix == ".tsv" else self.media_type,
            content_hash=content_hash(data),
            metadata=(("encoding", encoding),) if encoding else (),
        )


def _delimiter(sample: str) -> str:
    """The delimiter under which most lines have the same number of cells, more than one; a comma where none has."""
    best, chosen = (0.0, 0), ","
    bare = re.sub(r'"(?:[^"]|"")*"', "", sample)
    lines = [line for line in bare.split("\n") if line.strip()]
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in lines)
        number, agreeing = max(counts.items(), key=lambda c: (c[1] * (c[0] > 0), c[0]), default=(0, 0))
        rank = (agreeing / len(lines) if number else 0.0, number)
        if rank > best:
            best, chosen = rank, delimiter
    return chosen


class _Scanner:
    """Finds rows and cells (RFC 4180, blanks around quotes allowed; a quote that never closes is a plain sign)."""

    def __init__(self, text: str, delimiter: str, name: str) -> None:
        self.text, self.name = text, name
        self.delimiter = delimiter
        self.plain = re.compile(rf"[^{re.escape(delimiter)}\n]*")
        self.quoted = re.compile(rf'[ \t]*"((?:[^"]|"")*+)"[ \t]*(?=[{re.escape(delimiter)}\n]|\Z)')
        if delimiter in " \t":
            self.quoted = re.compile(rf'"((?:[^"]|"")*+)"(?=[{re.escape(delimiter)}\n]|\Z)')
        self.last_quote = text.rfind('"')
        self.cells = 0

    def stretches(self, at: int) -> list[list[_Row]]:
        """Rows without blank ones between them."""
        found: list[list[_Row]] = [[]]
        while at < len(self.text):
            row, at = self._row(at)
            if any(cell.left < cell.right for cell in row):
                found[-1].append(row)
            elif found[-1]:
                found.append([])
        return [rows for rows in found if rows]

    def _row(self, at: int) -> tuple[_Row, int]:
        cells: list[_Cell] = []
        while not cells or self.text[at - 1 : at] == self.delimiter:
            cell = self._cell(at)
            cells.append(cell)
            self._check(cell, len(cells))
            at = cell.end + 1
        return tuple(cells), at

    def _cell(self, at: int) -> _Cell:
        sign = self.text[at : at + 1]
        if sign and sign in '" \t' and at < self.last_quote:
            # A cell that would be refused as too long needs no search to the end of the file.
            found = self.quoted.match(self.text, at, min(len(self.text), at + 2 * _LONGEST_CELL + 4))
            if found:
                left, right = trim(self.text, found.start(1), found.end(1))
                return _Cell(at, found.end(), left, right, True)
        match = self.plain.match(self.text, at)
        end = match.end() if match else at
        left, right = trim(self.text, at, end)
        return _Cell(at, end, left, right, False)

    def _check(self, cell: _Cell, number: int) -> None:
        self.cells += 1
        if cell.end - cell.start > _LONGEST_CELL:
            raise UnreadableDocument(
                f"{self.name} has a cell of more than {_LONGEST_CELL:,} characters",
                "check its quotes and line ends; long text belongs in a text file",
            )
        if number > _MOST_COLUMNS:
            raise UnreadableDocument(
                f"{self.name} has a row of more than {_MOST_COLUMNS:,} cells", "check its line ends and delimiter"
            )
        if self.cells > _MOST_CELLS:
            raise UnreadableDocument(
                f"{self.name} has more than {_MOST_CELLS:,} cells",
                "split it; a data set of that size is better loaded as RDF (kg build --graph)",
            )


def _tables(text: str, stretches: Sequence[Sequence[_Row]]) -> list[list[_Row]]:
    """The rows of each table: those behind a blank row are another's where they begin with heads of their own."""
    found: list[list[_Row]] = []
    several = True  # whether the last has rows of several cells: titles alone are no table
    for rows in stretches:
        if found and not (several and _has_heads(text, rows)):
            found[-1] += rows
            several = several or _has_several(rows)
        else:
            found.append(list(rows))
            several = _has_several(rows)
    return found


def _has_several(rows: Sequence[_Row]) -> bool:
    return any(_width(row) > 1 for row in rows)


def _has_heads(text: str, rows: Sequence[_Row]) -> bool:
    """Whether rows begin with heads, told by their form, or by any where a title stands above them."""
    first = _table_start(rows)
    return len(rows) - first >= _FEWEST_ROWS and is_header(_texts(text, rows[first:]), default=first > 0)


def _texts(text: str, rows: Sequence[_Row]) -> list[list[str]]:
    return [[text[cell.left : cell.right] for cell in row[: _width(row)]] for row in rows[:_LOOKED_AT]]


def _blocks(text: str, rows: Sequence[_Row]) -> tuple[Block, ...]:
    """Lines above the table as paragraphs, then the table."""
    first = _table_start(rows)
    above = [_paragraph(text, row) for row in rows[:first]]
    body = rows[first:]
    if not body:
        return tuple(above)
    heads = is_header(_texts(text, body))
    children = tuple(_table_row(text, row, heads and place == 0) for place, row in enumerate(body))
    table = Block(BlockKind.TABLE, children[0].start, children[-1].end, children=children)
    return (*above, table)


def _table_start(rows: Sequence[_Row]) -> int:
    """Number of lines above the table: comments and titles, which fill one cell where the table has several."""
    widths = Counter(_width(row) for row in rows[:_LOOKED_AT])
    usual = max(widths.items(), key=lambda w: (w[1], w[0]), default=(0, 0))[0]
    first = 0
    while usual > 1 and first < min(len(rows), 20) and _width(rows[first]) == 1:
        first += 1
    return first if len(rows) - first >= _FEWEST_ROWS else 0


def _width(row: _Row) -> int:
    return max((place + 1 for place, cell in enumerate(row) if cell.left < cell.right), default=0)


def _paragraph(text: str, row: _Row) -> Block:
    cell = row[0]
    left = cell.left
    while left < cell.right - 1 and text[left] in "#% \t":
        left += 1
    inline = flowing(text, [(left, cell.right)]) if "\n" not in text[left : cell.right] else _inline(text, cell)
    return Block(BlockKind.PARAGRAPH, cell.left, cell.right, inline)


def _table_row(text: str, row: _Row, header: bool) -> Block:
    start, end = trim(text, row[0].start, row[-1].end)
    children = tuple(
        Block(
            BlockKind.TABLE_CELL,
            max(start, min(cell.left, end)),
            max(start, min(cell.right, end)),
            _inline(text, cell),
            header=header,
        )
        for cell in row[: max(1, _width(row))]
    )
    return Block(BlockKind.TABLE_ROW, start, end, children=children, header=header)


def _inline(text: str, cell: _Cell) -> Inline:
    """A cell's text: a doubled quote stands for one."""
    builder = InlineBuilder(text)
    at = cell.left
    while at < cell.right:
        double = text.find('""', at, cell.right) if cell.quoted else -1
        stop = cell.right if double < 0 else double
        builder.copy(at, stop - at)
        if double >= 0:
            builder.replace('"', double, 2)
            stop += 2
        at = stop
    return builder.build()

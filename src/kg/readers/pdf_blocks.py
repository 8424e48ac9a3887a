"""Lines of a page's zones to blocks: paragraphs, list items and aligned tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from kg.readers.pdf_lines import BULLET, Fragment, Row, joined
from kg.readers.pdf_tables import Grid, aligned
from kg.readers.rendering import Piece, plain

__all__ = ["Block", "Line", "blocks", "continues", "leading", "lines"]

_ITEM = re.compile(rf"(?P<sign>{BULLET.pattern})(?:\s+|(?<=[•●◦○▪▫■□‣⁃∙·➢➤❖✓\uf0b7\uf0a7\uf0d8\uf076\uf0fc]))(?=\S)")
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*\d{0,4}\s*\Z")
_STOPS = (".", "!", "?", ":", ";", "”", '"', ")")
_USUAL_LEADING = 1.2
_SAME_EDGE = 6.0  # points


@dataclass(frozen=True, slots=True)
class Line:
    """A line of running text. ``left``: how far it is set in; ``room``: what is free behind it; both in points."""

    part: Fragment
    row: Row
    left: float
    room: float


@dataclass(slots=True)
class Block:
    """Lines that belong together, or a table. ``sign``: the bullet or number that an item begins with.

    ``first``: of its zone. ``table``: number of a ruled table on its page.
    """

    page: int
    lines: list[Line]
    sign: str = ""
    grid: Grid | None = None
    table: int = -1
    first: bool = False

    @property
    def text(self) -> str:
        """Text of the first line."""
        return self.lines[0].part.text if self.lines else ""


Entry = Line | Grid | int
"""A line, an aligned table, or the number of a ruled one."""


def lines(zone: Sequence[Row]) -> list[Entry]:
    """A zone's lines and tables from top to bottom; lines of a table of contents are left out."""
    left = min((part.x0 for row in zone for part in row), default=0.0)
    right = max((part.x1 for row in zone for part in row), default=0.0)
    found: list[Entry] = []
    for ruled, stretch in groupby(zone, key=lambda row: any(part.table >= 0 for part in row)):
        if ruled:
            for row in stretch:
                found.extend(part.table if part.table >= 0 else _line([part], left, right) for part in row)
        else:
            found.extend(_plain_lines(list(stretch), left, right))
    return found


def _plain_lines(stretch: Sequence[Row], left: float, right: float) -> Iterator[Entry]:
    stretch = _numbered(stretch)
    at = 0
    while at < len(stretch):
        row = stretch[at]
        table = aligned(stretch, at) if len(row) > 1 else None
        if table is not None:
            yield table[0]
            at = table[1]
            continue
        if not any(_LEADERS.search(part.text) for part in row[-2:]):
            yield _line(row, left, right)
        at += 1


def _numbered(stretch: Sequence[Row]) -> list[Row]:
    """Rows of a list whose numbers stand bare in front of their items, 1, 2 and so on, with a full stop behind them."""
    found = list(stretch)
    run: list[int] = []
    for at, row in enumerate([*stretch, ()]):
        number = row[0].text.strip() if len(row) == 2 else ""
        if number.isdecimal() and len(number) < 4 and int(number) == len(run) + 1 and (run or not _heads(stretch, at)):
            run.append(at)
            continue
        if run and len(row) == 1 and row[0].x0 >= stretch[run[-1]][1].x0 - 2:
            continue  # an item goes on
        for place in run if len(run) > 1 else ():
            mark, item = stretch[place]
            found[place] = (joined((replace(mark, pieces=(Piece(f"{mark.text.strip()}."),)), item)),)
        run = [at] if number == "1" and not _heads(stretch, at) else []
    return found


def _heads(stretch: Sequence[Row], at: int) -> bool:
    """Whether the row above a row is the head of the same two columns."""
    if not at or len(stretch[at - 1]) != 2:
        return False
    above, row = stretch[at - 1], stretch[at]
    return all(a.x0 <= b.x1 and b.x0 <= a.x1 for a, b in zip(above, row, strict=True))


def _line(row: Sequence[Fragment], left: float, right: float) -> Line:
    part = joined(row)
    return Line(part, tuple(row), part.x0 - left, right - part.x1)


def leading(zones: Sequence[Sequence[Entry]]) -> float:
    """Usual distance of the lines of a paragraph, in em: from lines that are full to the one that follows."""
    found: Counter[float] = Counter()
    for zone in zones:
        for above, line in pairwise(zone):
            if isinstance(above, Line) and isinstance(line, Line) and not _fits_above(above, line):
                same = abs(above.part.size - line.part.size) < 0.5 and not _ITEM.match(line.part.text)
                distance = (line.part.base - above.part.base) / line.part.size
                if same and 0.8 < distance < 3:
                    found[round(distance, 1)] += 1
    return max(found.items(), key=lambda f: (f[1], -f[0]))[0] if found else _USUAL_LEADING


def _fits_above(above: Line, line: Line) -> bool:
    """Whether the first word of a line would have had room on the line above: then that one ends a paragraph."""
    text = line.part.text.strip()
    words = text.split(" ")
    width = (line.part.x1 - line.part.x0) * (len(words[0]) + 1) / max(1, len(text))
    return above.room > width + 0.4 * line.part.size


def blocks(zone: Sequence[Entry], page: int, distance: float) -> Iterator[Block]:
    """Blocks of a zone; ``distance``: usual distance of lines, in em."""
    open_: Block | None = None
    for place, entry in enumerate(zone):
        if not isinstance(entry, Line):
            if open_ is not None:
                yield open_
            open_ = None
            grid, table = (entry, -1) if isinstance(entry, Grid) else (None, entry)
            yield Block(page, [], grid=grid, table=table, first=not place)
            continue
        sign = _ITEM.match(entry.part.text)
        if open_ is not None and not sign and not _parts(open_, entry, distance):
            open_.lines.append(entry)
            continue
        if open_ is not None:
            yield open_
        open_ = Block(page, [entry], sign["sign"] if sign else "", first=not place)
    if open_ is not None:
        yield open_


def _parts(block: Block, line: Line, distance: float) -> bool:
    """Whether a line begins a new paragraph below a block."""
    last = block.lines[-1]
    em = line.part.size
    gap = line.part.base - last.part.base
    if not 0 < gap <= 1.22 * distance * em + 0.5 or abs(line.part.size - last.part.size) > 0.08 * em:
        return True
    runs_on = last.part.text.rstrip().endswith((",", "-", "–", "/")) or line.part.text.lstrip()[:1].islower()
    fits = _fits_above(last, line) and not runs_on
    if block.sign:
        hangs = line.left > block.lines[0].left + 0.3 * em
        return not hangs and (fits or line.part.text[:1].isupper())
    if fits or (line.part.bold != last.part.bold and last.room > 3 * em):
        return True
    ended = last.part.text.rstrip().endswith(_STOPS)
    if len(block.lines) > 1:
        hanging = block.lines[1].left > block.lines[0].left + 0.8 * em
        if hanging and abs(line.left - block.lines[0].left) < 0.3 * em:
            return True
        return ended and not hanging and line.left > last.left + 0.8 * em
    return False


def continues(before: Block, block: Block) -> bool:
    """Adds a block to the one before it if it is the rest of it, over the end of a column or a page."""
    if not block.first:
        return False
    if before.grid is not None:
        return _rest_of_table(before, before.grid, block)
    if not before.lines or not block.lines or block.sign:
        return False
    first, last = block.lines[0].part, before.lines[-1].part
    same = abs(first.size - last.size) <= 0.08 * last.size and first.bold == last.bold
    if same and first.text[:1].islower() and not last.text.rstrip().endswith((".", "!", "?", ":")):
        before.lines.extend(block.lines)
        return True
    return False


def _rest_of_table(before: Block, above: Grid, block: Block) -> bool:
    below = block.grid or _as_rows(above, block)
    if below is None or len(above.edges) != len(below.edges):
        return False
    shift = below.edges[0] - above.edges[0]
    if any(abs(b - a - shift) > _SAME_EDGE for a, b in zip(above.edges, below.edges, strict=True)):
        return False
    repeated = [plain(cell) for cell in above.cells[0]] == [plain(cell) for cell in below.cells[0]]
    if below.bold[0] and not all(below.bold) and not repeated:
        return False  # a header of its own
    first = int(repeated)
    before.grid = Grid(
        (*above.cells, *below.cells[first:]), above.edges, (*above.bold, *below.bold[first:]), above.heads
    )
    return True


def _as_rows(above: Grid, block: Block) -> Grid | None:
    """Lines as rows of a table whose columns they keep to; None if they don't."""
    found: list[tuple[tuple[Piece, ...], ...]] = []
    for line in block.lines:
        shift = line.row[0].x0 - above.edges[0]
        if len(line.row) != len(above.edges):
            return None
        for part, edge, following in zip(line.row, above.edges, (*above.edges[1:], float("inf")), strict=True):
            if not edge - _SAME_EDGE <= part.x0 - shift < following:
                return None
        found.append(tuple(part.pieces for part in line.row))
    bold = tuple(line.part.bold for line in block.lines)
    return Grid(tuple(found), above.edges, bold) if found else None

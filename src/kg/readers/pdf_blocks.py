"""Lines of a page's zones to blocks: paragraphs, list items and aligned tables.

Tables on a page: ruled ones from their lines, others from what is aligned in columns.

Lines put together again: words that were broken at a line's end, blanks between the others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from kg.readers.pdf_page import BULLET, Fragment, Glyph, Row, Rule, joined
from kg.readers.rendering import Piece, plain

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W_]+)[-\u00ad\u2010]\Z")
_FIRST = re.compile(r"[^\W_]+")
_OPEN = re.compile(r"[/–—@_]\Z")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a document, and whether it breaks words at the ends of its lines."""

    counts: Counter[str]
    breaks: bool

    @classmethod
    def of(cls, lines: Iterable[str]) -> Words:
        """Words of the lines, parts of broken ones left out."""
        counts: Counter[str] = Counter()
        ends = total = 0
        for line in lines:
            total += len(line) > 40
            ends += bool(_BROKEN.search(line)) and len(line) > 40
            found = _WORD.findall(line)
            counts.update(word.lower() for word in (found[1:-1] if _BROKEN.search(line) else found[1:]))
        return cls(counts, ends >= 3 and ends > 0.025 * total)

    def whole(self, left: str, right: str) -> bool:
        """Whether two parts are one word that was broken, rather than two joined by a hyphen."""
        if not (left[-1:].isalpha() and right[:1].islower() and left[-1:].islower()):
            return False
        joined, hyphenated = self.counts[(left + right).lower()], self.counts[f"{left}-{right}".lower()]
        if joined or hyphenated:
            return joined > hyphenated
        both = self.counts[left.lower()] and self.counts[right.lower()]
        return (self.breaks and not both) or len(left) < 3


def flowed(lines: Sequence[Fragment], words: Words) -> tuple[Piece, ...]:
    """The pieces of lines as one text."""
    found: list[Piece] = []
    for line in lines:
        pieces = [piece for piece in line.pieces if piece.text]
        if not pieces:
            continue
        if found:
            before = found[-1].text.rstrip()
            broken = _BROKEN.search("".join(piece.text for piece in found[-3:]).rstrip())
            first = _FIRST.match(line.text.lstrip())
            if broken and first and (before.endswith("\u00ad") or words.whole(broken[1], first[0])):
                found[-1] = Piece(before[:-1], found[-1].marks)
            elif (broken and first) or _OPEN.search(before):
                found[-1] = Piece(before, found[-1].marks)
            else:
                shared = found[-1].marks if found[-1].marks == pieces[0].marks else ()
                found.append(Piece(" ", shared))
        found.extend(pieces)
    return tuple(found)


_NEAR = 3.0  # points: lines that close are one
_MOST_CELLS = 5_000  # of a ruled table
_MOST_RULES = 3_000  # on a page with ruled tables; more are a drawing
_FEWEST_ROWS, _MOST_ROWS = 3, 300  # of an aligned table
_MOST_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruled table: the places of its lines, and which cell each field belongs to (row, column of its first)."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    owner: tuple[tuple[tuple[int, int], ...], ...]

    def field(self, glyph: Glyph) -> tuple[int, int] | None:
        """The cell (row, column of its first field) that a glyph is printed in; None outside of the table."""
        column = bisect_right(self.columns, (glyph.x0 + glyph.x1) / 2) - 1
        row = bisect_right(self.rows, glyph.base - 0.3 * glyph.size) - 1
        if 0 <= column < len(self.columns) - 1 and 0 <= row < len(self.rows) - 1:
            return self.owner[row][column]
        return None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's cells as pieces, row by row. ``edges``: where its columns begin; ``bold``: of each row, all of it;
    ``heads``: how many rows its header takes if it has one.
    """

    cells: tuple[tuple[tuple[Piece, ...], ...], ...]
    edges: tuple[float, ...]
    bold: tuple[bool, ...]
    heads: int = 1


# --- ruled ----------------------------------------------------------------------------------------


def ruled(rules: Sequence[Rule]) -> list[Ruled]:
    """Tables whose lines form at least two rows and two columns, from top to bottom."""
    if len(rules) > _MOST_RULES:
        return []
    found: list[Ruled] = []
    for group in _connected(rules):
        across = _places([r.at for r in group if not r.horizontal])
        down = _places([r.at for r in group if r.horizontal])
        if len(across) < 3 or len(down) < 3 or (len(across) - 1) * (len(down) - 1) > _MOST_CELLS:
            continue
        owner = _owners(group, across, down)
        if len({cell for row in owner for cell in row}) >= 4:
            found.append(Ruled(tuple(across), tuple(down), owner))
    return sorted(found, key=lambda t: (t.rows[0], t.columns[0]))


def _connected(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules that touch each other, directly or by others."""
    parent = list(range(len(rules)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    flat = sorted((i for i, r in enumerate(rules) if r.horizontal), key=lambda i: rules[i].at)
    places = [rules[i].at for i in flat]
    for i, rule in enumerate(rules):
        if rule.horizontal:
            continue
        low = bisect_right(places, rule.start - _NEAR)
        for j in flat[low : bisect_right(places, rule.end + _NEAR)]:
            if rules[j].start - _NEAR <= rule.at <= rules[j].end + _NEAR:
                parent[root(i)] = root(j)
    groups: dict[int, list[Rule]] = {}
    for i, rule in enumerate(rules):
        groups.setdefault(root(i), []).append(rule)
    return [groups[key] for key in sorted(groups)]


def _places(values: Sequence[float]) -> list[float]:
    """Places of lines, those that are close as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _NEAR:
            found.append(value)
    return found


def _owners(
    group: Sequence[Rule], across: Sequence[float], down: Sequence[float]
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For every field the first field of its cell: fields with no line between them are one cell."""
    upright: dict[int, list[Rule]] = {}
    level: dict[int, list[Rule]] = {}
    for rule in group:
        places = down if rule.horizontal else across
        index = max(0, bisect_right(places, rule.at + 0.01) - 1)
        (level if rule.horizontal else upright).setdefault(index, []).append(rule)
    owner: list[list[tuple[int, int]]] = []
    for row in range(len(down) - 1):
        line: list[tuple[int, int]] = []
        middle = (down[row] + down[row + 1]) / 2
        for column in range(len(across) - 1):
            centre = (across[column] + across[column + 1]) / 2
            if column and not _covered(upright.get(column, ()), middle):
                line.append(line[-1])
            elif row and not _covered(level.get(row, ()), centre):
                line.append(owner[row - 1][column])
            else:
                line.append((row, column))
        owner.append(line)
    return tuple(tuple(line) for line in owner)


def _covered(rules: Sequence[Rule], at: float) -> bool:
    return any(rule.start - _NEAR <= at <= rule.end + _NEAR for rule in rules)


# --- aligned --------------------------------------------------------------------------------------


def aligned(lines: Sequence[Row], first: int) -> tuple[Grid, int] | None:
    """The table that begins at ``lines[first]``, and the row after it; None if none does."""
    columns: list[tuple[float, float]] = []
    end = first
    while end < min(len(lines), first + _MOST_ROWS) and (_parted(lines[end]) or _goes_on(lines, end, first)):
        wider = _merged(columns, lines[end])
        if len(wider) < 2 or not _apart(lines[end], wider):
            break
        if len(wider) < len(columns) and not all(_apart(row, wider) for row in lines[first:end]):
            break
        columns = wider
        end += 1
    while end > first and not _parted(lines[end - 1]):
        end -= 1
    columns = []
    for row in lines[first:end]:
        columns = _merged(columns, row)
    return (_grid(lines[first:end], columns), end) if _is_full(lines[first:end], columns) else None


def _parted(row: Row) -> bool:
    return 1 < len(row) <= _MOST_COLUMNS and not (BULLET.match(row[0].text) and len(row) == 2 and len(row[0].text) > 3)


def _goes_on(lines: Sequence[Row], at: int, first: int) -> bool:
    """Whether a lone fragment is the second line of a cell of the row above: close below, not at the left edge."""
    if at == first or len(lines[at]) != 1:
        return False
    part, above = lines[at][0], lines[at - 1]
    close = part.base - above[0].base <= 1.45 * part.size
    inner = [p.x0 for row in lines[max(first, at - 4) : at] for p in row[1:]]
    under = any(abs(part.x0 - x) <= 0.5 * part.size for x in inner)
    return close and (under or (abs(part.x0 - above[0].x0) <= 2 and len(part.text) < 40 and len(above) > 1))


def _merged(columns: Sequence[tuple[float, float]], row: Row) -> list[tuple[float, float]]:
    """Stretches across the page that fragments take, those that overlap as one, after one more row."""
    found: list[tuple[float, float]] = []
    for x0, x1 in sorted([*columns, *((part.x0, part.x1) for part in row)]):
        if found and x0 <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], x1))
        else:
            found.append((x0, x1))
    return found


def _apart(row: Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether no two fragments of a row are in one column."""
    places = [_column(part, columns) for part in row]
    return len(set(places)) == len(places)


def _is_full(lines: Sequence[Row], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether there are rows enough, each column is filled in more than one, and the first two in most."""
    filled = [0] * len(columns)
    for row in lines:
        for part in row:
            filled[_column(part, columns)] += 1
    whole = sum(_parted(row) for row in lines)
    return whole >= _FEWEST_ROWS and len(filled) > 1 and min(filled) >= 2 and min(filled[:2]) * 2 >= whole


def _column(part: Fragment, columns: Sequence[tuple[float, float]]) -> int:
    return max(0, bisect_right([x0 for x0, _ in columns], part.x0 + 0.01) - 1)


def _grid(lines: Sequence[Row], columns: Sequence[tuple[float, float]]) -> Grid:
    cells: list[list[list[Fragment]]] = []
    for place, row in enumerate(lines):
        if not (place and len(row) < len(columns) and _continues(row, lines[place - 1], columns)):
            cells.append([[] for _ in columns])
        for part in row:
            cells[-1][_column(part, columns)].append(part)
    return Grid(
        tuple(tuple(joined(cell).pieces if cell else () for cell in row) for row in cells),
        tuple(x0 for x0, _ in columns),
        tuple(all(part.bold for cell in row for part in cell) for row in cells),
    )


def _continues(row: Row, above: Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a row holds second lines of the cells above: nothing in the first column, and no gap above."""
    close = row[0].base - above[0].base <= 1.3 * row[0].size
    few = 2 * len(row) <= len(columns)
    return close and (len(row) == 1 or (few and _column(row[0], columns) > 0))


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

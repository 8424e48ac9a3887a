"""Tables on a page: ruled ones from their lines, others from what is aligned in columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from kg.readers.pdf_lines import BULLET, Fragment, Row, joined
from kg.readers.pdf_page import Glyph, Rule
from kg.readers.rendering import Piece

__all__ = ["Grid", "Ruled", "aligned", "ruled"]

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

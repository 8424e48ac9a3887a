"""Tables of pages and word processors as grids: spanned cells repeated where they reach, header rows told apart.

Whether the first row of a table that doesn't say so holds the heads of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.model import BlockKind, MarkKind
from kg.readers.rendering import MAX_LEAVES, Node, Piece, TooLarge, plain, strong

_YEAR = re.compile(r"(?:fy|q[1-4]|h[12])?[ /-]*(?:1[5-9]|20)\d\d(?:[-/–]\d{2,4})?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T].*)?|\d{1,2}:\d\d.*")
_VALUE_HEAD = re.compile(
    r"(?:values?|amounts?|figures?|numbers?|results?|details?|descriptions?|meaning|definition|notes?|total|count)",
    re.IGNORECASE,
)
_LONGEST_HEAD = 80  # code points
_SAMPLE = 200  # rows


def is_header(rows: Sequence[Sequence[str]], default: bool = True) -> bool:
    """Whether ``rows[0]`` is a header, told by its form against that of the rows below; ``default`` where neither is.

    Heads are words over figures, differ from each other, are short and don't come again below.
    """
    if len(rows) < 2 or max(len(row) for row in rows[:_SAMPLE]) < 2:
        return False
    head = [cell.strip() for cell in rows[0]]
    inner = head[1:]
    if any(len(cell) > _LONGEST_HEAD for cell in head) or len([c for c in inner if not c]) * 3 > len(inner):
        return False
    named = [cell.casefold() for cell in head if cell]
    if len(set(named)) < len(named) and len(head) == 2:
        return False
    score = _score(head, rows[1:_SAMPLE])
    if len(head) == 2 and score <= 1:
        # "Height | 50 m" as a first row looks like a header over a column of figures.
        if _VALUE_HEAD.fullmatch(head[1]):
            return True
        mixed = _share([row[1] for row in rows[1:_SAMPLE] if len(row) > 1]) not in (0.0, 1.0)
        return score >= 0 and (default or (score > 0 and not mixed)) and not head[0].endswith(":")
    return score > 0 or (score == 0 and default)


def is_figure(text: str) -> bool:
    """Whether a cell is mainly a number or a date."""
    if _DATE.fullmatch(text):
        return True
    signs = [sign for sign in text if sign.isalnum()]
    return bool(signs) and sum(sign.isdigit() for sign in signs) * 2 >= len(signs)


def _score(head: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    score = 0
    for place, cell in enumerate(head):
        below = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
        figures = _share(below)
        if not below or not cell:
            continue
        if not is_figure(cell):
            score += figures >= 0.6
        elif _YEAR.fullmatch(cell) and not all(_YEAR.fullmatch(other) for other in below):
            score += place > 0
        elif place > 0 or figures >= 0.6:
            score -= 1 if figures < 0.6 else 2
    return score


def _share(cells: Sequence[str]) -> float:
    filled = [cell for cell in cells if cell.strip()]
    return sum(is_figure(cell.strip()) for cell in filled) / len(filled) if filled else 0.0


_WIDEST = 1_000  # columns


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its blocks, how many columns and rows it spans (rows 0: to the end), whether it is a header cell."""

    nodes: tuple[Node, ...]
    columns: int = 1
    rows: int = 1
    head: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells, in ``thead``, ``tbody``, ``tfoot`` or none of them."""

    cells: tuple[Cell, ...]
    part: str = ""


Placed = list[Cell | None]


def table(rows: Sequence[Row], caption: Sequence[Node], layout: bool) -> list[Node]:
    """A table's nodes: its caption as a label, then a table, or several where header rows stand between the others.

    Of a table that only places things on the page, the blocks in its cells.
    """
    rows = [*(r for r in rows if r.part != "tfoot"), *(r for r in rows if r.part == "tfoot")]
    width = max((sum(c.columns for c in row.cells) for row in rows if len(row.cells) > 1), default=1)
    if layout or width == 1 or not rows:
        return [*caption, *(node for row in rows for cell in row.cells for node in cell.nodes)]
    return [*_labels(caption), *_tables(rows, list(_grid(rows, min(width, _WIDEST))))]


def _labels(nodes: Sequence[Node]) -> list[Node]:
    return [Node(BlockKind.PARAGRAPH, strong(node.pieces)) if node.pieces else node for node in nodes]


def _grid(rows: Sequence[Row], width: int) -> Iterator[Placed]:
    """Cells by column; None where there is none. A cell as wide as the table stands once: it is a caption of rows."""
    reaching: dict[int, tuple[int, Cell]] = {}  # column: rows left, cell
    budget = MAX_LEAVES
    for place, row in enumerate(rows):
        budget -= width
        if budget < 0:
            raise TooLarge
        line: Placed = [None] * width
        for column, (left, cell) in list(reaching.items()):
            line[column] = cell
            if left > 1:
                reaching[column] = (left - 1, cell)
            else:
                del reaching[column]
        column = 0
        for cell in row.cells:
            while column < width and line[column] is not None:
                column += 1
            if column >= width:
                break
            span = max(1, min(cell.columns, width - column))
            whole = span == width and len(row.cells) == 1
            for at in range(column, column + (1 if whole else span)):
                line[at] = cell
                if cell.rows != 1 and not whole:
                    reaching[at] = (cell.rows - 1 if cell.rows else len(rows) - place, cell)
            column += span
        yield line


def _tables(rows: Sequence[Row], grid: Sequence[Placed]) -> Iterator[Node]:
    """Tables in order; a title that spans all columns above the heads, or between rows without heads, labels them."""
    heads: list[Placed] = []
    body: list[Placed] = []
    for row, line in zip(rows, grid, strict=True):
        if _is_title(row, line) and not heads:
            yield from _one(heads, body)
            heads, body = [], []
            yield from _labels(row.cells[0].nodes)
        elif _is_head(row, line):
            if body:
                yield from _one(heads, body)
                heads, body = [], []
            heads.append(line)
        else:
            body.append(line)
    yield from _one(heads, body)


def _is_title(row: Row, line: Placed) -> bool:
    alone = len(row.cells) == 1 and len(line) > 1 and all(cell is None for cell in line[1:])
    return alone and row.cells[0].head


def _is_head(row: Row, line: Placed) -> bool:
    filled = [cell for cell in line if cell is not None and cell.nodes]
    if row.part == "thead":
        return bool(filled)
    return len({id(cell) for cell in filled}) > 1 and all(cell.head for cell in filled)


def _one(heads: Sequence[Placed], body: Sequence[Placed]) -> Iterator[Node]:
    if not body and not heads:
        return
    texts = [[_text(cell) for cell in line] for line in body]
    nodes = [[cell_node(cell.nodes if cell else ()) for cell in line] for line in (*heads, *body)]
    first_is_head = not heads and (_is_bold(body[0]) or is_header(texts, default=len(texts[0]) > 2))
    reach = max((cell.rows for cell in body[0] if cell), default=1) if first_is_head else 0
    yield grid_nodes(nodes, len(heads) + min(reach, len(body) - 1))


def grid_nodes(cells: Sequence[Sequence[Node]], heads: int, info: str = "") -> Node:
    """A table of cells, the first ``heads`` rows of it column heads."""
    rows: list[Node] = []
    for place, line in enumerate(cells):
        header = place < heads
        children = tuple(Node(BlockKind.TABLE_CELL, cell.pieces, header=header) for cell in line)
        rows.append(Node(BlockKind.TABLE_ROW, children=children, header=header, info=info))
    return Node(BlockKind.TABLE, children=tuple(rows), info=info)


def cell_node(nodes: Sequence[Node]) -> Node:
    """A cell of blocks: their text, a break between two."""
    pieces: list[Piece] = []
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if node.pieces:
            pieces.extend((Piece("\n"), *node.pieces) if pieces else node.pieces)
        waiting.extend(reversed(node.children))
    return Node(BlockKind.TABLE_CELL, tuple(pieces))


def _text(cell: Cell | None) -> str:
    return plain(cell_node(cell.nodes).pieces) if cell else ""


def _is_bold(line: Placed) -> bool:
    pieces = [p for cell in line if cell for p in cell_node(cell.nodes).pieces if p.text.strip()]
    return bool(pieces) and all((MarkKind.STRONG, "") in piece.marks for piece in pieces)

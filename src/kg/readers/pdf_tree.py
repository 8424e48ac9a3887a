"""Pages to nodes: what repeats on every page left out, tables, headings by the size of their letters, lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.model import BlockKind, MarkKind
from kg.readers.pdf_blocks import Block, Grid, Line, Ruled, Words, blocks, continues, flowed, leading, lines, ruled
from kg.readers.pdf_page import Fragment, Glyph, Page, Row, fragments, rows, zones
from kg.readers.rendering import Item, Node, Piece, lists, plain, without
from kg.readers.table_grid import grid_nodes, is_header

__all__ = ["build"]

_LARGER = 1.12  # a heading's letters against those of the text
_LONGEST_HEADING = 200
_MOST_HEADING_WORDS = 14
_MOST_TABLES = 50  # ruled ones on a page
_TOP, _BOTTOM = 0.09, 0.92  # of the page's height: above and below stand running heads and page numbers
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|pg\.?)?\s*[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|]?(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE
)
_NUMBERED = re.compile(r"\(?(\d{1,3}|[a-z])[.)]")


@dataclass(slots=True)
class _Sheet:
    """A page taken apart."""

    number: int
    height: float
    rows: list[Row]
    tables: list[Grid]


def build(pages: Iterable[Page]) -> list[Node]:
    """Nodes of all pages, each with the page that it begins on in ``info`` ("page 3")."""
    sheets = [_sheet(page) for page in pages]
    running, shifts = _running(sheets), _shifts(sheets)
    for sheet in sheets:
        sheet.rows = _without_furniture(sheet, running, shifts)
    body = _body_size(sheets)
    zoned = [(sheet, lines(zone)) for sheet in sheets for zone in zones(sheet.rows)]
    distance = leading([zone for _, zone in zoned])
    words = Words.of(entry.part.text for _, zone in zoned for entry in zone if isinstance(entry, Line))
    found: list[Block] = []
    for sheet, zone in zoned:
        for block in blocks(zone, sheet.number, distance):
            if block.table >= 0:
                block.grid = sheet.tables[block.table]
            if not (found and continues(found[-1], block)):
                found.append(block)
    return _Writer(found, body, words).nodes()


# --- pages ----------------------------------------------------------------------------------------


def _sheet(page: Page) -> _Sheet:
    """A page's rows, a stand-in for each ruled table among them."""
    glyphs = list(page.glyphs)
    tables: list[Grid] = []
    stands: list[Fragment] = []
    for table in ruled(page.rules)[:_MOST_TABLES]:
        inside = [(g, field) for g in glyphs if (field := table.field(g)) is not None]
        grid = _ruled_grid(table, inside, page)
        if grid is None:
            continue
        held = {id(g) for g, _ in inside}
        glyphs = [g for g in glyphs if id(g) not in held]
        base, size = table.rows[0] + 1, 1.0
        stands.append(Fragment((), table.columns[0], table.columns[-1], base, size, False, len(tables)))
        tables.append(grid)
    parts = fragments(glyphs, page.links)
    return _Sheet(page.number, page.height, rows([*parts, *stands]), tables)


def _ruled_grid(table: Ruled, inside: Sequence[tuple[Glyph, tuple[int, int]]], page: Page) -> Grid | None:
    """Cells of a ruled table, spanned ones repeated; None if it isn't one: less than two rows or columns of text."""
    held: dict[tuple[int, int], list[Glyph]] = {}
    for glyph, field in inside:
        held.setdefault(field, []).append(glyph)
    texts: dict[tuple[int, int], tuple[tuple[Piece, ...], bool]] = {}
    for field, glyphs in held.items():
        parts = [p for row in rows(fragments(glyphs, page.links)) for p in row]
        texts[field] = flowed(parts, Words(Counter(), False)), all(p.bold for p in parts)
    cells: list[tuple[tuple[Piece, ...], ...]] = []
    bold: list[bool] = []
    for owners in table.owner:
        whole = len(set(owners)) == 1
        own = [texts.get(owner, ((), True)) for owner in owners]
        kept = [pieces if not (whole and place) else () for place, (pieces, _) in enumerate(own)]
        if any(kept):
            cells.append(tuple(kept))
            bold.append(all(is_bold for pieces, is_bold in own if pieces))
    used = [place for place in range(len(table.columns) - 1) if any(row[place] for row in cells)]
    if len(used) < 2 or len(cells) < 2 or len(texts) < 3:
        return None
    return Grid(
        tuple(tuple(row[place] for place in used) for row in cells),
        tuple(table.columns[place] for place in used),
        tuple(bold),
        _head_rows(table),
    )


def _head_rows(table: Ruled) -> int:
    """How many rows the cells of the first one reach down to, or one more where one of them spans columns."""
    first = set(table.owner[0])
    reach = sum(any(owner in first for owner in row) for row in table.owner)
    spans = 1 < len(first) < len(table.owner[0])
    return min(max(reach, 2 if spans else 1), len(table.owner) - 1)


def _body_size(sheets: Sequence[_Sheet]) -> float:
    sizes: Counter[float] = Counter()
    for sheet in sheets:
        for row in sheet.rows:
            for part in row:
                sizes[round(part.size * 2) / 2] += len(part.text)
    return max(sizes.items(), key=lambda s: (s[1], -s[0]))[0] if sizes else 10.0


def _text(row: Row) -> str:
    return " ".join(" ".join(part.text for part in row).split())


def _edges(sheet: _Sheet) -> list[int]:
    """Numbers of the rows in the margins, which may be running heads."""
    return [
        at
        for at, row in enumerate(sheet.rows)
        if not _TOP * sheet.height < row[0].base < _BOTTOM * sheet.height and all(part.table < 0 for part in row)
    ]


def _running(sheets: Sequence[_Sheet]) -> frozenset[str]:
    """Texts at the edges that come again from page to page, their figures apart."""
    seen: Counter[str] = Counter()
    for sheet in sheets:
        seen.update({_pattern(sheet.rows[at]) for at in _edges(sheet)})
    fewest = max(2, min(3, (len(sheets) + 1) // 2))
    return frozenset(text for text, count in seen.items() if count >= fewest and text)


def _shifts(sheets: Sequence[_Sheet]) -> frozenset[int]:
    """By how much printed page numbers differ from the count of pages, where they do alike on three pages or more."""
    seen: Counter[int] = Counter()
    for sheet in sheets:
        seen.update({shift for at in _edges(sheet) for shift in _shifts_of(sheet, sheet.rows[at])})
    return frozenset(shift for shift, count in seen.items() if count >= 3)


def _shifts_of(sheet: _Sheet, row: Row) -> set[int]:
    words = _text(row).split()
    return {sheet.number - int(word) for word in (*words[:1], *words[-1:]) if re.fullmatch("[0-9]{1,4}", word)}


def _pattern(row: Row) -> str:
    return re.sub(r"\d+", "#", _text(row))


def _without_furniture(sheet: _Sheet, running: frozenset[str], shifts: frozenset[int]) -> list[Row]:
    """Rows less running heads and page numbers."""
    edges = set(_edges(sheet))
    kept: list[Row] = []
    for at, row in enumerate(sheet.rows):
        numbered = _PAGE_NUMBER.fullmatch(_text(row)) or not shifts.isdisjoint(_shifts_of(sheet, row))
        if at not in edges or not (numbered or _pattern(row) in running):
            kept.append(row)
    return kept


# --- nodes ----------------------------------------------------------------------------------------


class _Writer:
    """Blocks to nodes, once the whole document has been seen."""

    def __init__(self, found: Sequence[Block], body: float, words: Words) -> None:
        self.found = found
        self.body = body
        self.words = words
        heads = [block for at, block in enumerate(found) if self._heads(at)]
        self.sizes = sorted({self._rank(block) for block in heads}, reverse=True)
        # The title over all, printed like the headings below it.
        titled = heads[:2] == list(found[:2]) and len(heads) > 1 and self._rank(heads[0]) == self._rank(heads[1])
        self.title = heads[0] if titled else None

    def nodes(self) -> list[Node]:
        made: list[Node] = []
        items: list[Item] = []
        for at, block in enumerate(self.found):
            info = f"page {block.page}"
            if block.sign and not self._heads(at):
                items.append(self._item(block, info))
                continue
            made.extend(lists(items))
            items = []
            if block.grid is not None:
                made.append(_table(block.grid, info))
            elif self._heads(at):
                below = self.title is not None and block is not self.title
                level = min(6, 1 + below + self.sizes.index(self._rank(block)))
                pieces = tuple(
                    Piece(p.text, tuple(m for m in p.marks if m[0] is MarkKind.LINK)) for p in self._pieces(block)
                )
                made.append(Node(BlockKind.HEADING, pieces, level=level, info=info))
            else:
                made.append(Node(BlockKind.PARAGRAPH, self._pieces(block), info=info))
        made.extend(lists(items))
        return made

    def _pieces(self, block: Block) -> tuple[Piece, ...]:
        return flowed([line.part for line in block.lines], self.words)

    def _item(self, block: Block, info: str) -> Item:
        pieces = without(self._pieces(block), len(block.sign))
        numbered = _NUMBERED.fullmatch(block.sign)
        number = None
        if numbered:
            number = int(numbered[1]) if numbered[1].isdecimal() else ord(numbered[1]) - ord("a") + 1
        depth = round(block.lines[0].left / 4)
        return Item(depth, number, (Node(BlockKind.PARAGRAPH, pieces, info=info),), info)

    def _rank(self, block: Block) -> tuple[float, bool]:
        """What orders headings: the size of their letters, then whether they are bold."""
        part = block.lines[0].part
        return round(part.size * 2) / 2, part.bold

    def _heads(self, at: int) -> bool:
        """Whether a block is a heading: larger letters than the text's, or bold, short and above something else."""
        block = self.found[at]
        if not block.lines or at + 1 == len(self.found):
            return False
        parts = [line.part for line in block.lines]
        text = " ".join(part.text for part in parts).strip()
        if len(text) > _LONGEST_HEADING or not any(sign.isalpha() for sign in text):
            return False
        numbered = not block.sign or bool(_NUMBERED.fullmatch(block.sign))
        if all(part.size >= _LARGER * self.body for part in parts):
            return numbered and not text.endswith((":", ","))
        bold = all(part.bold for part in parts) and parts[0].size >= 0.95 * self.body
        return bold and numbered and len(text.split()) <= _MOST_HEADING_WORDS and text[-1] not in ".,;:!"


def _table(grid: Grid, info: str) -> Node:
    """A table's node; the first row is its header if it is bold where the others aren't, or looks like one."""
    texts = [[plain(cell) for cell in row] for row in grid.cells]
    marked = grid.bold[0] and not all(grid.bold)
    heads = marked or is_header(texts, default=len(texts[0]) > 2)
    cells = [[Node(BlockKind.TABLE_CELL, cell) for cell in row] for row in grid.cells]
    return grid_nodes(cells, grid.heads if heads else 0, info)

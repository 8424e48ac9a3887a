"""A page of a PDF as what is printed on it: glyphs with their places, ruled lines, links.

Glyphs to fragments of lines, and fragments into reading order, column by column.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, pairwise
from typing import Any

from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdffont import PDFFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import dict_value, list_value, resolve1
from pdfminer.utils import apply_matrix_pt, apply_matrix_rect

from kg.model import MarkKind
from kg.readers.pdf_guards import Exhausted, spend
from kg.readers.rendering import RAISED, SUPERSCRIPT, MarkOf, Piece

_MOST_GLYPHS = 150_000  # on a page
_MOST_RULES = 20_000
_MOST_LINKS = 2_000
_MOST_SAVED = 500  # graphics states
_LONGEST_PATH = 50_000  # points
_THIN = 2.5  # points: a filled rectangle that is thinner is a line
_BOLD = re.compile(r"bold|black|heavy|semib|demi|(?:[-,_]|\b)bd\b", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|(?:[-,_]|\b)it\b", re.IGNORECASE)
_UNKNOWN = "\ufffd"
_FREE = (0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D)


@dataclass(frozen=True, slots=True)
class Glyph:
    """A printed character. Coordinates in points from the page's upper left corner; ``base``: of its baseline."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line, horizontal or vertical: ``at`` its place across, from ``start`` to ``end`` along it."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Link:
    """A rectangle that leads to an address."""

    x0: float
    top: float
    x1: float
    bottom: float
    target: str


@dataclass(frozen=True, slots=True)
class Page:
    """What is printed on a page; ``number`` counts from 1."""

    number: int
    height: float
    glyphs: tuple[Glyph, ...]
    rules: tuple[Rule, ...]
    links: tuple[Link, ...]


def pages(source: Iterable[PDFPage]) -> Iterator[Page]:
    """Pages in order. Raises Exhausted, and errors of the library for damaged files."""
    resources = PDFResourceManager()
    for number, page in enumerate(source, 1):
        device = _Device(resources)
        _Interpreter(resources, device).process_page(page)
        yield Page(number, device.height, tuple(device.glyphs), tuple(device.rules), tuple(_links(page)))


class _Interpreter(PDFPageInterpreter):
    """Runs a page's instructions with an eye on what they pile up."""

    def execute(self, streams: Sequence[object]) -> None:
        spend("objects", 200)
        super().execute(streams)

    def push(self, obj: Any) -> None:
        if len(self.argstack) > _MOST_SAVED:
            del self.argstack[:-100]
        super().push(obj)

    def do_q(self) -> None:
        if len(self.gstack) < _MOST_SAVED:
            super().do_q()

    @property
    def curpath(self) -> list[Any]:
        """The path being drawn."""
        return self._path

    @curpath.setter
    def curpath(self, path: list[Any]) -> None:
        self._path = _Path(path)


class _Path(list[Any]):
    """A path that takes no more points than a page's drawing needs."""

    def append(self, point: Any) -> None:
        if len(self) < _LONGEST_PATH:
            super().append(point)


class _Device(PDFTextDevice):
    """Collects glyphs and ruled lines, those of figures too; pictures are passed over."""

    def __init__(self, resources: PDFResourceManager) -> None:
        super().__init__(resources)
        self.glyphs: list[Glyph] = []
        self.rules: list[Rule] = []
        self.width = self.height = 0.0
        self._count = 0
        self._styles: dict[int, tuple[bool, bool]] = {}

    def begin_page(self, page: PDFPage, ctm: Any) -> None:
        x0, y0, x1, y1 = apply_matrix_rect(ctm, page.mediabox)
        self.width, self.height = abs(x0 - x1), abs(y0 - y1)

    def render_char(
        self,
        matrix: Any,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: Any,
        graphicstate: Any,
    ) -> float:
        spend("glyphs")
        self._count += 1
        if self._count > _MOST_GLYPHS:
            raise Exhausted("glyphs")
        advance: float = font.char_width(cid) * fontsize * scaling
        try:
            text = font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            # The codes that Windows-1252 leaves free print a bullet in fonts that say nothing else.
            text = "•" if cid in _FREE and not font.is_multibyte() else _UNKNOWN
        a, b, _, d, _, _ = matrix
        upright = a * d * scaling > 0 and abs(b) <= 0.2 * abs(a) and not font.is_vertical()
        if upright and isinstance(text, str) and text:
            size = abs(fontsize * d)
            x0, y0 = apply_matrix_pt(matrix, (0, rise))
            x1, _ = apply_matrix_pt(matrix, (advance, rise))
            self._keep(text, min(x0, x1), max(x0, x1), self.height - y0, size, font)
        return advance

    def _keep(self, text: str, x0: float, x1: float, base: float, size: float, font: PDFFont) -> None:
        if not (-50 <= x0 <= self.width + 50 and -50 <= base <= self.height + 50 and 1 <= size <= 400):
            return
        style = self._styles.get(id(font))
        if style is None:
            name = str(font.fontname)
            style = self._styles[id(font)] = (
                bool(_BOLD.search(name) or font.flags & (1 << 18)),
                bool(_ITALIC.search(name) or font.flags & (1 << 6)),
            )
        self.glyphs.append(Glyph(text, x0, x1, base, size, *style))

    def paint_path(self, graphicstate: Any, stroke: bool, fill: bool, evenodd: bool, path: Sequence[Any]) -> None:
        spend("objects", len(path))
        if not (stroke or fill):
            return
        at: tuple[float, float] | None = None
        begun: tuple[float, float] | None = None
        corners: list[tuple[float, float]] = []
        for operator, *numbers in path:
            if operator in "ml":
                try:
                    point = apply_matrix_pt(self.ctm, (float(numbers[0]), float(numbers[1])))  # type: ignore[arg-type]
                except (TypeError, ValueError):
                    continue
                if operator == "m":
                    self._shape(corners, stroke)
                    corners, begun = [point], point
                else:
                    corners.append(point)
                at = point
            elif operator == "h" and begun is not None and at is not None:
                corners.append(begun)
            else:
                corners = []
        self._shape(corners, stroke)

    def _shape(self, corners: Sequence[tuple[float, float]], stroke: bool) -> None:
        """The lines of a path; of a filled rectangle its edges, or one line if it is thin."""
        if len(corners) < 2 or len(corners) > 60:
            return
        xs, ys = [x for x, _ in corners], [self.height - y for _, y in corners]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if min(width, height) <= _THIN and len(corners) > 2:
            if width >= height:
                self._rule(True, (min(ys) + max(ys)) / 2, min(xs), max(xs))
            else:
                self._rule(False, (min(xs) + max(xs)) / 2, min(ys), max(ys))
            return
        for (x0, y0), (x1, y1) in pairwise(zip(xs, ys, strict=True)):
            if abs(y0 - y1) <= 0.5:
                self._rule(True, y0, min(x0, x1), max(x0, x1))
            elif abs(x0 - x1) <= 0.5:
                self._rule(False, x0, min(y0, y1), max(y0, y1))

    def _rule(self, horizontal: bool, at: float, start: float, end: float) -> None:
        if end - start >= 4 and len(self.rules) < _MOST_RULES:
            self.rules.append(Rule(horizontal, at, start, end))


def _links(page: PDFPage) -> Iterator[Link]:
    x, y = min(page.mediabox[0], page.mediabox[2]), max(page.mediabox[1], page.mediabox[3])
    if page.rotate or page.annots is None:
        return
    for reference in list_value(page.annots)[:_MOST_LINKS]:
        annotation = dict_value(reference)
        action = dict_value(annotation.get("A"))
        target = resolve1(action.get("URI"))
        corners = [resolve1(number) for number in list_value(annotation.get("Rect"))]
        numbers = [float(n) for n in corners if isinstance(n, (int, float))]
        if isinstance(target, bytes) and len(numbers) == 4:
            address = target.decode("utf-8", "replace").strip()
            left, right = sorted((numbers[0] - x, numbers[2] - x))
            top, bottom = sorted((y - numbers[1], y - numbers[3]))
            yield Link(left, top, right, bottom, "".join(address.split()))


BULLET = re.compile(r"[•●◦○▪▫■□‣⁃∙·➢➤❖✓\uf0b7\uf0a7\uf0d8\uf076\uf0fc\ufffd–—*-]|o(?=\s|$)|\(?\d{1,3}[.)]|\(?[a-z][.)]")
_BULLET_ALONE = re.compile(rf"(?:{BULLET.pattern})\Z")
_WIDE = 1.1  # em: a gap that parts fragments; justified blanks stay below
_BLANK = 0.16  # em: a gap that parts words
_FEWEST_ROWS = 4  # of a column
_LONGEST_RAISED = 12  # glyphs
_MOST_LINKS_OF_LINE = 50  # on a line
_MOST_CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text on one line without wide gaps; ``bold``: all of it. ``table``: number of the table that it stands for."""

    pieces: tuple[Piece, ...]
    x0: float
    x1: float
    base: float
    size: float
    bold: bool
    table: int = -1

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(piece.text for piece in self.pieces)


Row = tuple[Fragment, ...]
"""Fragments on one line, from left to right."""


def fragments(glyphs: Iterable[Glyph], links: Sequence[Link]) -> list[Fragment]:
    """Fragments from top to bottom, on each line from left to right."""
    found: list[Fragment] = []
    for line in _lines([g for g in glyphs if g.text.strip()]):
        run: list[Glyph] = []
        middle = line[0].base - 0.3 * line[0].size
        near = [link for link in links if link.top - 2 <= middle <= link.bottom + 2][:_MOST_LINKS_OF_LINE]
        for glyph in line:
            if run and glyph.x0 - run[-1].x1 > _WIDE * max(glyph.size, run[-1].size):
                found.append(_fragment(run, near))
                run = []
            run.append(glyph)
        found.append(_fragment(run, near))
    return found


def _lines(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs by line, small ones that are raised or lowered with the line that they stand in."""
    strips: list[list[Glyph]] = []
    for _, same in groupby(sorted(glyphs, key=lambda g: (_tier(g), g.base, g.x0)), key=_tier):
        first = len(strips)
        for glyph in same:
            near = len(strips) > first and abs(glyph.base - strips[-1][0].base) <= 0.15 * glyph.size
            (strips[-1].append(glyph) if near else strips.append([glyph]))
    strips.sort(key=lambda s: (s[0].base, s[0].x0))
    for strip in strips:
        strip.sort(key=lambda g: (g.x0, g.x1))
    hosts = [list(strip) for strip in strips]
    ends = [sorted(glyph.x1 for glyph in strip) for strip in strips]
    bases = [strip[0].base for strip in strips]
    for place, strip in enumerate(strips):
        for run in _runs(strip):
            host = _host(run, strips, bases, ends)
            if host is not None:
                base = bases[host]
                raised = run[0].base < base - 0.1 * strips[host][0].size
                for g in run:
                    text = g.text.translate(SUPERSCRIPT) if raised and RAISED.issuperset(g.text) else g.text
                    hosts[host].append(replace(g, text=text, base=base))
                held = {id(glyph) for glyph in run}
                hosts[place] = [glyph for glyph in hosts[place] if id(glyph) not in held]
    return [_once(sorted(line, key=lambda g: (g.x0, g.x1))) for line in hosts if line]


def _tier(glyph: Glyph) -> int:
    """Sizes by steps of a fifth, so that letters of one line share one more often than not."""
    return round(math.log(max(glyph.size, 1.0), 1.2))


def _runs(strip: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs that follow each other without a gap; only short runs, as raised and lowered ones are."""
    found: list[list[Glyph]] = []
    for glyph in strip:
        if found and glyph.x0 - found[-1][-1].x1 <= 0.3 * glyph.size:
            found[-1].append(glyph)
        else:
            found.append([glyph])
    return [run for run in found if len(run) <= _LONGEST_RAISED]


def _host(
    run: Sequence[Glyph], strips: Sequence[Sequence[Glyph]], bases: Sequence[float], ends: Sequence[Sequence[float]]
) -> int | None:
    """The strip of larger glyphs that a run follows at once, a little above or below."""
    glyph = run[0]
    largest = max(g.size for g in run)
    best: tuple[float, int] | None = None
    near = range(bisect_left(bases, glyph.base - 2 * glyph.size), bisect_right(bases, glyph.base + 2 * glyph.size))
    spend("steps", len(near))
    for place in near:
        distance, size = abs(bases[place] - glyph.base), strips[place][0].size
        if size < 1.2 * largest or distance > 0.6 * size:
            continue
        at = bisect_right(ends[place], glyph.x0 + 0.2 * size)
        follows = at and glyph.x0 - ends[place][at - 1] <= 0.3 * size
        if follows and (best is None or distance < best[0]):
            best = distance, place
    return best[1] if best else None


def _once(line: Sequence[Glyph]) -> list[Glyph]:
    """Without glyphs printed twice on the same place to look bold."""
    found: list[Glyph] = []
    for glyph in line:
        if not any(g.text == glyph.text and abs(g.x0 - glyph.x0) < 0.12 * g.size for g in found[-3:]):
            found.append(glyph)
    return found


def _fragment(run: Sequence[Glyph], links: Sequence[Link]) -> Fragment:
    pieces: list[Piece] = []
    before: Glyph | None = None
    for glyph in run:
        marks = _marks(glyph, links)
        blank = before is not None and glyph.x0 - before.x1 > _BLANK * max(glyph.size, before.size)
        text = (" " if blank else "") + glyph.text
        if pieces and pieces[-1].marks == marks:
            pieces[-1] = Piece(pieces[-1].text + text, marks)
        else:
            pieces.append(Piece(text, marks))
        before = glyph
    sizes = Counter(round(g.size, 1) for g in run)
    size = max(sizes.items(), key=lambda s: (s[1], s[0]))[0]
    words = [g for g in run if g.text.isalnum()] or list(run)
    return Fragment(tuple(pieces), run[0].x0, max(g.x1 for g in run), run[0].base, size, all(g.bold for g in words))


def _marks(glyph: Glyph, links: Sequence[Link]) -> tuple[MarkOf, ...]:
    middle, height = (glyph.x0 + glyph.x1) / 2, glyph.base - 0.3 * glyph.size
    over = (link for link in links if link.x0 <= middle <= link.x1 and link.top <= height <= link.bottom)
    strong: list[MarkOf] = [(MarkKind.STRONG, "")] if glyph.bold else []
    slanted: list[MarkOf] = [(MarkKind.EMPHASIS, "")] if glyph.italic else []
    return (*strong, *slanted, *((MarkKind.LINK, link.target) for link in islice(over, 1)))


def joined(parts: Sequence[Fragment]) -> Fragment:
    """Fragments of a row as one, a blank between two."""
    pieces: list[Piece] = []
    for part in parts:
        pieces.extend((Piece(" "), *part.pieces) if pieces else part.pieces)
    size = max(parts, key=lambda p: len(p.text)).size
    bold = all(p.bold for p in parts if not _BULLET_ALONE.match(p.text.strip()))
    return Fragment(tuple(pieces), parts[0].x0, parts[-1].x1, parts[0].base, size, bold)


def rows(parts: Sequence[Fragment]) -> list[Row]:
    """Fragments by line; a bullet or number is one with what follows it."""
    found: list[Row] = []
    lines: list[list[Fragment]] = []
    for part in sorted(parts, key=lambda p: (p.base, p.x0)):
        if lines and abs(part.base - lines[-1][0].base) <= 0.3 * min(part.size, lines[-1][0].size):
            lines[-1].append(part)
        else:
            lines.append([part])
    for line in lines:
        line.sort(key=lambda p: p.x0)
        kept: list[Fragment] = []
        for part in line:
            near = bool(kept) and part.x0 - kept[-1].x1 <= 4 * part.size
            if near and _BULLET_ALONE.match(kept[-1].text.strip()):
                kept[-1] = joined((kept[-1], part))
            else:
                kept.append(part)
        found.append(tuple(kept))
    return found


# --- columns --------------------------------------------------------------------------------------


def zones(lines: Sequence[Row], depth: int = 0) -> list[list[Row]]:
    """Rows in reading order: a zone is read from top to bottom, then the next one."""
    cut = _best_gutter(lines) if depth < 4 else None
    if cut is None:
        return [list(lines)] if lines else []
    first, last, gutter = cut
    left = [tuple(p for p in row if p.x0 < gutter) for row in lines[first:last]]
    right = [tuple(p for p in row if p.x0 >= gutter) for row in lines[first:last]]
    found = [*zones(lines[:first], depth)]
    for column in (left, right):
        found.extend(zones([row for row in column if row], depth + 1))
    found.extend(zones(lines[last:], depth))
    return found


def _best_gutter(lines: Sequence[Row]) -> tuple[int, int, float] | None:
    """(first row, row after the last, place) of the longest stretch of two columns of text."""
    starts = Counter(round(part.x0 / 2) * 2 for row in lines for part in row)
    edges = sorted(starts, key=lambda x: (-starts[x], x))[:_MOST_CANDIDATES]
    best: tuple[int, int, float] | None = None
    for edge in edges:
        if starts[edge] < _FEWEST_ROWS:
            continue
        gutter = edge - 3.0
        for clear, run in groupby(enumerate(lines), key=lambda r: not any(p.x0 < gutter < p.x1 + 3 for p in r[1])):
            stretch = list(run)
            last = stretch[-1][0] + 1
            first = _first_of_columns(lines, stretch[0][0], last, gutter)
            longer = clear and (best is None or last - first > best[1] - best[0])
            if longer and last > first and _are_columns(lines[first:last], gutter):
                best = first, last, gutter
    return best


def _first_of_columns(lines: Sequence[Row], first: int, last: int, gutter: float) -> int:
    """The first row that doesn't stand clear above the right column: those that do head both columns."""
    right = next((i for i in range(first, last) if any(p.x0 >= gutter for p in lines[i])), last)
    while first < right and (right == last or lines[right][0].base - lines[first][0].base > 2.5 * lines[first][0].size):
        first += 1
    return first


def _are_columns(lines: Sequence[Row], gutter: float) -> bool:
    """Whether both sides are running text: most of their lines fill the column and have no wide gaps in them."""
    left = [[p for p in row if p.x0 < gutter] for row in lines]
    right = [[p for p in row if p.x0 >= gutter] for row in lines]
    return all(_is_column([parts for parts in side if parts]) for side in (left, right))


def _is_column(side: Sequence[Sequence[Fragment]]) -> bool:
    if len(side) < _FEWEST_ROWS:
        return False
    left = min(parts[0].x0 for parts in side)
    width = max(parts[-1].x1 for parts in side) - left
    whole = [parts for parts in side if len(parts) == 1 and len(parts[0].text.split()) >= 3]
    full = [parts for parts in whole if parts[0].x1 - left >= 0.7 * width]
    bullets = [parts for parts in side if _BULLET_ALONE.match(parts[0].text.split(" ")[0])]
    return len(full) * 2 >= len(side) or (len(bullets) * 2 >= len(side) and len(whole) * 2 >= len(side))

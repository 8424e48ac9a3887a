"""A page of a PDF as what is printed on it: glyphs with their places, ruled lines, links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdffont import PDFFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import PDFStream, dict_value, list_value, resolve1
from pdfminer.utils import apply_matrix_pt, apply_matrix_rect

from kg.readers.pdf_budget import Exhausted, spend

__all__ = ["Glyph", "Link", "Page", "Rule", "pages"]

_MOST_GLYPHS = 150_000  # on a page
_MOST_RULES = 20_000
_MOST_LINKS = 2_000
_MOST_SAVED = 500  # graphics states that are saved, points of a path divided by 100
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

    @property
    def top(self) -> float:
        """Upper end of the space that the character takes."""
        return self.base - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Lower end of the space that the character takes."""
        return self.base + 0.2 * self.size


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
    width: float
    height: float
    glyphs: tuple[Glyph, ...]
    rules: tuple[Rule, ...]
    links: tuple[Link, ...]


def pages(source: Sequence[PDFPage] | Iterator[PDFPage]) -> Iterator[Page]:
    """Pages in order. Raises Exhausted, and errors of the library for damaged files."""
    resources = PDFResourceManager()
    for number, page in enumerate(source, 1):
        device = _Device(resources)
        _Interpreter(resources, device).process_page(page)
        yield Page(
            number, device.width, device.height, tuple(device.glyphs), tuple(device.rules), tuple(_links(page, device))
        )


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

    def do_m(self, x: Any, y: Any) -> None:
        if self._has_room():
            super().do_m(x, y)

    def do_l(self, x: Any, y: Any) -> None:
        if self._has_room():
            super().do_l(x, y)

    def do_c(self, x1: Any, y1: Any, x2: Any, y2: Any, x3: Any, y3: Any) -> None:
        if self._has_room():
            super().do_c(x1, y1, x2, y2, x3, y3)

    def do_v(self, x2: Any, y2: Any, x3: Any, y3: Any) -> None:
        if self._has_room():
            super().do_v(x2, y2, x3, y3)

    def do_y(self, x1: Any, y1: Any, x3: Any, y3: Any) -> None:
        if self._has_room():
            super().do_y(x1, y1, x3, y3)

    def do_h(self) -> None:
        if self._has_room():
            super().do_h()

    def do_re(self, x: Any, y: Any, w: Any, h: Any) -> None:
        if self._has_room():
            super().do_re(x, y, w, h)

    def _has_room(self) -> bool:
        return len(self.curpath) < 100 * _MOST_SAVED


class _Device(PDFTextDevice):
    """Collects glyphs and ruled lines; pictures are passed over."""

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

    def end_page(self, page: PDFPage) -> None:
        """Nothing is left to do."""

    def begin_figure(self, name: str, bbox: Any, matrix: Any) -> None:
        """What a figure draws counts as drawn on the page."""

    def end_figure(self, name: str) -> None:
        """Nothing is left to do."""

    def render_image(self, name: str, stream: PDFStream) -> None:
        """Pictures aren't read."""

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
        for (x0, y0), (x1, y1) in zip(zip(xs, ys, strict=True), zip(xs[1:], ys[1:], strict=True), strict=False):
            if abs(y0 - y1) <= 0.5:
                self._rule(True, y0, min(x0, x1), max(x0, x1))
            elif abs(x0 - x1) <= 0.5:
                self._rule(False, x0, min(y0, y1), max(y0, y1))

    def _rule(self, horizontal: bool, at: float, start: float, end: float) -> None:
        if end - start >= 4 and len(self.rules) < _MOST_RULES:
            self.rules.append(Rule(horizontal, at, start, end))


def _links(page: PDFPage, device: _Device) -> Iterator[Link]:
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

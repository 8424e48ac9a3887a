"""Pages of GNOME's help (Mallard, projectmallard.org) as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, parse

_NAMESPACE = "{http://projectmallard.org/1.0/}"
_MARKS = {
    "gui": "**", "em": "*", "cite": "*", "cmd": "`", "code": "`", "file": "`", "input": "`", "sys": "`", "output": "`",
}  # fmt: skip
_JOINTS = {"keyseq": "+", "guiseq": " ▸ "}
_BOXES = ("note", "example", "figure", "if", "quote")


def markdown(folder: Path, names: list[str]) -> str:
    """The named pages of a folder one after another, below headings of the second level where there are several."""
    found = [b for name in names for b in _Page(folder, name).blocks(_root(folder, name), 1 if len(names) == 1 else 2)]
    return "\n\n".join(block for block in found if block.strip()).replace("****", "**") + "\n"


def _root(folder: Path, name: str) -> Element:
    return parse(folder / f"{name}.page").getroot()


def _tag(element: Element) -> str:
    return element.tag.removeprefix(_NAMESPACE)


class _Page:
    """One page: a link without words is given the title of what it leads to."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def line(self, element: Element) -> str:
        """An element on one line."""
        return re.sub(r"\s+", " ", re.sub(r"\*\*\s*\*\*", "", self._inline(element))).strip()

    def _inline(self, element: Element) -> str:
        tag = _tag(element)
        parts = (("" if _tag(c) == "media" else self._inline(c)) + (c.tail or "") for c in element)
        text = (element.text or "") + "".join(parts)
        if tag == "link" and not text.strip() and element.get("xref"):
            text = self._title(element.get("xref", ""))
        if tag in _JOINTS:
            text = _JOINTS[tag].join(self._inline(child) for child in element)
        mark = _MARKS.get(tag, "")
        if mark and text.strip() and not text.strip().startswith(mark):
            return mark + text.strip() + mark
        return text

    def _title(self, target: str) -> str:
        page, _, section = target.partition("#")
        root = _root(self._folder, page or self._name)
        title = next((e for e in root.iter() if e.get("id") == section), root).find(f"{_NAMESPACE}title")
        return "" if title is None else self.line(title)

    def blocks(self, element: Element, level: int, lead: str = "") -> Iterator[str]:
        """The element's blocks below headings of a level; ``lead`` is said before its words."""
        tag = _tag(element)
        if tag == "title":
            yield "#" * level + " " + self.line(element)
        elif tag == "p":
            yield lead + self.line(element)
        elif tag in ("screen", "code"):
            yield "    " + self.line(element)
        elif tag in ("list", "steps", "terms"):
            yield from self._items(element, level)
        elif tag == "table":
            yield from self._table(element)
        elif tag in ("section", "page"):
            for child in element:
                yield from self.blocks(child, level + (tag == "section"))
        elif tag in _BOXES:
            first = element.find(f"{_NAMESPACE}p")
            for child in element:
                yield from self.blocks(child, level + 3, "Note: " if tag == "note" and child is first else "")

    def _items(self, element: Element, level: int) -> Iterator[str]:
        for number, item in enumerate(element.findall(f"{_NAMESPACE}item"), 1):
            inner: list[str] = []
            for child in item:
                inner += [f"**{self.line(child)}**"] if _tag(child) == "title" else self.blocks(child, level)
            bullet = f"{number}. " if _tag(element) == "steps" else "* "
            yield bullet + "\n\n".join(inner).replace("\n", "\n   ")

    def _table(self, element: Element) -> Iterator[str]:
        found = ([c for c in row if _tag(c) in ("td", "th")] for row in element.iter(f"{_NAMESPACE}tr"))
        rows = [[" ".join(map(self.line, cell)) if len(cell) else self.line(cell) for cell in row] for row in found]
        if (title := element.find(f"{_NAMESPACE}title")) is not None:
            yield f"**{self.line(title)}**"
        if element.find(f"{_NAMESPACE}thead") is None:
            rows.insert(0, [""] * len(rows[0]))
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        yield "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])

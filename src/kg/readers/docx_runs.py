"""The text of a Word paragraph as pieces with marks: runs, links, fields, changes, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kg.model import MarkKind
from kg.readers.docx_styles import Element, Styles, W, flag, value
from kg.readers.html_names import RAISED, SUPERSCRIPT
from kg.readers.rendering import Piece

__all__ = ["Runs", "chosen"]

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_LINK = re.compile(r'\s*HYPERLINK\s+(?:\\l\s+)?"([^"]*)"', re.IGNORECASE)
_CODE_STYLES = ("html code", "code", "source code", "inline code", "verbatim char")
_SKIPPED = frozenset(f"{W}{tag}" for tag in ("del", "moveFrom", "pPr", "rPr", "rt", "sdtPr", "sdtEndPr"))
_SIGNS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}ptab": " "}


def chosen(element: Element) -> list[Element]:
    """The variant of alternative content that is read: the first, or else the fallback."""
    choice = element.find(f"{MC}Choice")
    variant = choice if choice is not None and len(choice) else element.find(f"{MC}Fallback")
    return list(variant) if variant is not None else []


@dataclass(slots=True)
class Runs:
    """Reads paragraphs. ``notes``: footnotes met; ``boxes``: text boxes met, whose paragraphs come after."""

    styles: Styles
    links: Mapping[str, str]
    notes: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    fields: list[list[str]] = field(default_factory=list)  # instruction and state of the fields that are open

    def pieces(self, paragraph: Element) -> tuple[Piece, ...]:
        """Text of a paragraph, what was deleted or hidden left out."""
        self.fields = []
        return tuple(self._inside(paragraph, ""))

    def _inside(self, parent: Element, link: str) -> Iterator[Piece]:
        for child in parent:
            tag = child.tag
            if tag == f"{W}r":
                yield from self._run(child, link)
            elif tag == f"{W}hyperlink":
                anchor = child.get(f"{W}anchor")
                target = self.links.get(child.get(f"{R}id") or "", "") + (f"#{anchor}" if anchor else "")
                yield from self._inside(child, target or link)
            elif tag == f"{W}fldSimple":
                found = _LINK.match(child.get(f"{W}instr") or "")
                yield from self._inside(child, found[1] if found else link)
            elif tag in (f"{M}oMath", f"{M}oMathPara"):
                yield Piece(_formula(child))
            elif tag == f"{MC}AlternateContent":
                for variant in chosen(child):
                    yield from self._inside(variant, link)
            elif isinstance(tag, str) and tag not in _SKIPPED and len(child):
                yield from self._inside(child, link)

    def _run(self, run: Element, link: str) -> Iterator[Piece]:
        properties = run.find(f"{W}rPr")
        style = self.styles.get(value(properties, f"{W}rStyle"))
        hidden = flag(properties, "vanish")
        if style.hidden if hidden is None else hidden:
            return
        bold, italic = flag(properties, "b"), flag(properties, "i")
        marks: list[tuple[MarkKind, str]] = []
        if style.bold if bold is None else bold:
            marks.append((MarkKind.STRONG, ""))
        if style.italic if italic is None else italic:
            marks.append((MarkKind.EMPHASIS, ""))
        if style.name in _CODE_STYLES:
            marks.append((MarkKind.CODE, ""))
        raised = value(properties, f"{W}vertAlign") == "superscript"
        for text in self._contents(run):
            target = link or self._field_link()
            own = [*marks, (MarkKind.LINK, target)] if target else marks
            if raised and text.strip() and RAISED.issuperset(text.strip()):
                text = text.translate(SUPERSCRIPT)
            yield Piece(text, tuple(own))

    def _contents(self, run: Element) -> Iterator[str]:
        for child in run:
            tag = child.tag
            if tag == f"{W}t":
                if not self.fields or self.fields[-1][1] == "shown":
                    yield child.text or ""
            elif tag in _SIGNS:
                if child.get(f"{W}type") not in ("page", "column"):
                    yield _SIGNS[tag]
            else:
                self._note(child, tag)

    def _note(self, child: Element, tag: str) -> None:
        """What stands in a run and isn't text: fields, references to notes, text boxes."""
        if tag == f"{W}fldChar":
            self._field(child.get(f"{W}fldCharType") or "")
        elif tag == f"{W}instrText" and self.fields:
            self.fields[-1][0] += child.text or ""
        elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
            self.notes.append(f"{'end' if 'endnote' in tag else 'foot'}note {child.get(f'{W}id')}")
        elif tag == f"{MC}AlternateContent":
            for variant in chosen(child):
                self.boxes.extend(variant.iter(f"{W}txbxContent"))
        elif tag in (f"{W}drawing", f"{W}pict"):
            self.boxes.extend(child.iter(f"{W}txbxContent"))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self.fields.append(["", "instruction"])
        elif kind == "separate" and self.fields:
            self.fields[-1][1] = "shown"
        elif kind == "end" and self.fields:
            self.fields.pop()

    def _field_link(self) -> str:
        for instruction, _ in reversed(self.fields):
            if found := _LINK.match(instruction):
                return found[1] if "\\l" not in instruction[: found.start(1)] else f"#{found[1]}"
        return ""


def _formula(formula: Element) -> str:
    """A formula on one line, raised figures kept apart from what they follow."""
    parts: list[str] = []
    for text in formula.iter(f"{M}t"):
        written = text.text or ""
        raised = any(up.tag == f"{M}sup" for up in text.iterancestors(f"{M}sup"))
        parts.append(written.translate(SUPERSCRIPT) if raised and RAISED.issuperset(written) else written)
    return "".join(parts)

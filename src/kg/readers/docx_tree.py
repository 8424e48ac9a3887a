"""The body of a Word document as nodes.

What the styles and numbering definitions of a Word document say of a paragraph or a run.

The text of a Word paragraph as pieces with marks: runs, links, fields, changes, formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml

from kg.model import BlockKind, MarkKind
from kg.readers.rendering import (
    MAX_LEAVES,
    RAISED,
    SUPERSCRIPT,
    Item,
    Node,
    Piece,
    TooLarge,
    has_words,
    lists,
    plain,
    strong,
    without,
)
from kg.readers.table_grid import Cell, Row, table

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading (\d)")
_DEEPEST = 20  # styles based on each other
_OFF = ("0", "false", "off", "none")
Element = Any  # of lxml, which has no type information


def value(parent: Element | None, path: str) -> str:
    """``w:val`` of a child element, "" if it isn't there."""
    found = parent.find(path) if parent is not None else None
    return (found.get(f"{W}val") or "") if found is not None else ""


def flag(parent: Element | None, tag: str) -> bool | None:
    """Whether a property is switched on; None if it isn't mentioned."""
    found = parent.find(f"{W}{tag}") if parent is not None else None
    if found is None:
        return None
    return (found.get(f"{W}val") or "1").lower() not in _OFF


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it takes over from those that it is based on. ``outline``: 1 to 9, 0 for body text."""

    name: str = ""
    outline: int = 0
    list_id: str = ""
    list_level: int = 0
    bold: bool = False
    italic: bool = False
    hidden: bool = False


class Styles:
    """Styles by identifier."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._found: dict[str, Style] = {}
        self.default = ""
        for element in root.iterchildren(f"{W}style") if root is not None else ():
            id_ = element.get(f"{W}styleId") or ""
            self._elements.setdefault(id_, element)
            if element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in ("1", "true"):
                self.default = id_

    def get(self, id_: str, depth: int = 0) -> Style:
        """The style of an identifier; an empty one for unknown identifiers and styles based on themselves."""
        if id_ in self._found:
            return self._found[id_]
        element = self._elements.get(id_)
        if element is None or depth > _DEEPEST:
            return Style()
        base = self.get(value(element, f"{W}basedOn"), depth + 1)
        paragraph, run = element.find(f"{W}pPr"), element.find(f"{W}rPr")
        name = value(element, f"{W}name").lower()
        heading = _HEADING.fullmatch(name)
        outline = value(paragraph, f"{W}outlineLvl")
        level = int(outline) + 1 if outline.isdecimal() else base.outline
        own = value(paragraph, f"{W}numPr/{W}numId")
        list_level = value(paragraph, f"{W}numPr/{W}ilvl")
        bold, italic, hidden = (flag(run, tag) for tag in ("b", "i", "vanish"))
        self._found[id_] = Style(
            name=name,
            outline=int(heading[1]) if heading else level if level <= 9 else 0,
            list_id=own or base.list_id,
            list_level=int(list_level) if list_level.isdecimal() else base.list_level,
            bold=base.bold if bold is None else bold,
            italic=base.italic if italic is None else italic,
            hidden=base.hidden if hidden is None else hidden,
        )
        return self._found[id_]


@dataclass(slots=True)
class Numbering:
    """Numbering definitions, and how far each list has counted."""

    root: Element | None
    _levels: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _instances: dict[str, Element] = field(default_factory=dict)
    _abstract: dict[str, Element] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for element in self.root.iterchildren(f"{W}num", f"{W}abstractNum") if self.root is not None else ():
            is_instance = element.tag == f"{W}num"
            id_ = element.get(f"{W}numId" if is_instance else f"{W}abstractNumId") or ""
            (self._instances if is_instance else self._abstract)[id_] = element

    def next(self, list_id: str, level: int) -> int | None:
        """The number of the next item of a list at a level from 0; None for bullets."""
        form, start = self._level(list_id, level)
        if form in ("bullet", "none", ""):
            return None
        instance = self._instances.get(list_id)
        key = value(instance, f"{W}abstractNumId") if instance is not None else list_id
        if instance is not None and instance.find(f"{W}lvlOverride/{W}startOverride") is not None:
            key = f"own {list_id}"
        counts = self._counts.setdefault(key, {})
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [at for at in counts if at > level]:
            del counts[deeper]
        return min(counts[level], 999_999)

    def _level(self, list_id: str, level: int) -> tuple[str, int]:
        """Number format and first number of a list's level."""
        if (list_id, level) not in self._levels:
            instance = self._instances.get(list_id)
            abstract = self._abstract.get(value(instance, f"{W}abstractNumId"))
            own = _find_level(instance, level, f"{W}lvlOverride")
            definition = own.find(f"{W}lvl") if own is not None else None
            if definition is None:
                definition = _find_level(abstract, level, f"{W}lvl")
            start = value(own, f"{W}startOverride") or value(definition, f"{W}start") or "1"
            form = value(definition, f"{W}numFmt")
            self._levels[list_id, level] = form, int(start) if re.fullmatch(r"\d{1,6}", start) else 1
        return self._levels[list_id, level]


def _find_level(parent: Element | None, level: int, tag: str) -> Element | None:
    if parent is None:
        return None
    return next((e for e in parent.iterchildren(tag) if e.get(f"{W}ilvl") == str(level)), None)


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
        borne = {
            MarkKind.STRONG: style.bold if bold is None else bold,
            MarkKind.EMPHASIS: style.italic if italic is None else italic,
            MarkKind.CODE: style.name in _CODE_STYLES,
        }
        marks = [(kind, "") for kind, is_borne in borne.items() if is_borne]
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


_DEEPEST_TABLE = 20
_WRAPPERS = frozenset(f"{W}{tag}" for tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))
_TYPED_BULLET = re.compile(r"\s*[•●◦○▪▫■□‣⁃∙·–*-][ \t]+(?=\S)")
_CODE_BLOCKS = re.compile(r"(?:.*\bcode\b.*|html preformatted|macro|source text|preformatted text)")
_LIST_STYLE = re.compile(r"list (bullet|number|paragraph|continue)(?: (\d))?")
_MOST_HEADING_WORDS = 12


def build(word: WordDocument) -> list[Node]:
    """Nodes of the body, then of its footnotes. Raises TooLarge, and errors of the library for damaged files."""
    part = word.part
    links = {id_: rel.target_ref for id_, rel in part.rels.items() if rel.is_external}
    styles = Styles(_related(word, RELATIONSHIP_TYPE.STYLES))
    reader = _Body(styles, Numbering(_related(word, RELATIONSHIP_TYPE.NUMBERING)), Runs(styles, links))
    nodes = reader.blocks(word.element.body)
    nodes = _with_headings(nodes) if not any(n.kind is BlockKind.HEADING for n in nodes) else _under_title(nodes)
    return [*nodes, *reader.notes(word)]


def _related(word: WordDocument, kind: str) -> Element | None:
    for rel in word.part.rels.values():
        if rel.reltype == kind and not rel.is_external:
            root: Element = parse_xml(rel.target_part.blob)
            return root
    return None


@dataclass(slots=True)
class _Body:
    """Reads blocks. ``boxed``: inside a text box."""

    styles: Styles
    numbering: Numbering
    runs: Runs
    tables: int = 0
    leaves: int = 0
    boxed: bool = False

    def blocks(self, parent: Element) -> list[Node]:
        """Nodes of what stands in a body, cell, note or text box."""
        found: list[Node] = []
        items: list[Item] = []
        for element in _flat(parent):
            if element.tag == f"{W}tbl":
                made: list[Node] = self._table(element)
                item = None
            else:
                item, made = self._paragraph(element, bool(items))
                made = [*made, *self._boxes()]
            if item is not None and not item.nodes:
                continue
            if item is not None and item.depth < 0 and items:  # goes on with the item before it
                items[-1] = replace(items[-1], nodes=(*items[-1].nodes, *item.nodes))
            elif item is not None:
                items.append(item)
            if made:
                found.extend(lists(items))
                items = []
                found.extend(made)
        found.extend(lists(items))
        return _labelled(_merged(found))

    def notes(self, word: WordDocument) -> Iterator[Node]:
        """Paragraphs of the footnotes and endnotes that the text refers to."""
        wanted = dict.fromkeys(self.runs.notes)
        for kind, relation in (("foot", RELATIONSHIP_TYPE.FOOTNOTES), ("end", RELATIONSHIP_TYPE.ENDNOTES)):
            root = _related(word, relation) if any(w.startswith(kind) for w in wanted) else None
            for note in root.iterchildren() if root is not None else ():
                if f"{kind}note {note.get(f'{W}id')}" in wanted:
                    yield from self.blocks(note)

    def _boxes(self) -> list[Node]:
        """Nodes of the text boxes that hang on the paragraph just read."""
        if self.boxed:
            self.runs.boxes.clear()
        if not self.runs.boxes:
            return []
        boxes, self.runs.boxes = self.runs.boxes, []
        self.boxed = True
        found = [node for box in boxes for node in self.blocks(box)]
        self.boxed = False
        return found

    # --- paragraphs ----------------------------------------------------------------------------

    def _paragraph(self, element: Element, in_list: bool) -> tuple[Item | None, list[Node]]:
        """The list item that a paragraph is, or its nodes."""
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise TooLarge
        properties = element.find(f"{W}pPr")
        style = self.styles.get(value(properties, f"{W}pStyle") or self.styles.default)
        pieces = self.runs.pieces(element)
        if not any(piece.text.strip() for piece in pieces) or style.name.startswith("toc "):
            return None, []
        outline = value(properties, f"{W}outlineLvl")
        level = int(outline) + 1 if outline.isdecimal() and int(outline) < 9 else style.outline
        if style.name == "title":
            return None, [Node(BlockKind.HEADING, pieces, info="title", level=1)]
        if level:
            return None, [Node(BlockKind.HEADING, pieces, level=min(level, 6))]
        if _CODE_BLOCKS.fullmatch(style.name):
            return None, [Node(BlockKind.CODE, pieces)]
        if (item := self._item(properties, style, pieces, in_list)) is not None:
            return item, []
        node = Node(BlockKind.PARAGRAPH, pieces, info="caption" if style.name == "caption" else "")
        if "quote" in style.name or style.name == "block text":
            return None, [Node(BlockKind.QUOTE, children=(node,))]
        return None, [node]

    def _item(self, properties: Element | None, style: Style, pieces: tuple[Piece, ...], in_list: bool) -> Item | None:
        own = value(properties, f"{W}numPr/{W}numId")
        list_id = own or style.list_id
        named = _LIST_STYLE.fullmatch(style.name)
        node = Node(BlockKind.PARAGRAPH, pieces)
        if list_id and list_id != "0":
            at = value(properties, f"{W}numPr/{W}ilvl")
            level = min(int(at), 8) if at.isdecimal() else 0 if own else style.list_level
            depth = level + int(named[2] or "1") - 1 if named else level
            return Item(depth, self.numbering.next(list_id, level), (node,))
        if named and named[1] in ("bullet", "number"):
            return Item(int(named[2] or "1") - 1, None, (node,))
        if named and in_list:
            return Item(-1, None, (node,))
        text = "".join(piece.text for piece in pieces)
        if bullet := _TYPED_BULLET.match(text):
            return Item(0, None, (Node(BlockKind.PARAGRAPH, without(pieces, bullet.end())),))
        return None

    # --- tables --------------------------------------------------------------------------------

    def _table(self, element: Element) -> list[Node]:
        if self.tables >= _DEEPEST_TABLE:
            return []
        self.tables += 1
        lines = [self._line(row) for row in _rows(element)]
        self.tables -= 1
        rows: list[Row] = []
        below: dict[int, int] = {}  # rows that go on with the cell above, by column
        for place in range(len(lines) - 1, -1, -1):
            line, header = lines[place]
            kept = [cell for cell in line if not cell.goes_on or place == 0]
            cells = [Cell(cell.nodes, cell.width, 1 + below.get(cell.column, 0), head=header) for cell in kept]
            rows.append(Row(tuple(cells), "thead" if header else ""))
            below = {cell.column: 1 + below.get(cell.column, 0) for cell in line if cell.goes_on}
        return table(rows[::-1], [], layout=False)

    def _line(self, row: Element) -> tuple[list[_Placed], bool]:
        """Cells of a row by their columns, and whether the row is repeated as a header on every page."""
        properties = row.find(f"{W}trPr")
        before = value(properties, f"{W}gridBefore")
        column = int(before) if re.fullmatch(r"\d{1,2}", before) else 0
        found: list[_Placed] = [_Placed(at, 1, False, ()) for at in range(column)]
        for cell in _within(row, f"{W}tc"):
            own = cell.find(f"{W}tcPr")
            span = value(own, f"{W}gridSpan")
            width = max(1, int(span)) if re.fullmatch(r"\d{1,3}", span) else 1
            merge = own.find(f"{W}vMerge") if own is not None else None
            goes_on = merge is not None and merge.get(f"{W}val") != "restart"
            found.append(_Placed(column, width, goes_on, tuple(self.blocks(cell))))
            column += width
        header = properties is not None and properties.find(f"{W}tblHeader") is not None
        return found, header and value(properties, f"{W}tblHeader") not in ("0", "false")


@dataclass(frozen=True, slots=True)
class _Placed:
    """A cell in its column; ``goes_on``: it continues the one above it."""

    column: int
    width: int
    goes_on: bool
    nodes: tuple[Node, ...]


def _flat(parent: Element) -> Iterator[Element]:
    """Paragraphs and tables inside, whatever wraps them; tables of contents left out."""
    for element in parent:
        if element.tag in (f"{W}p", f"{W}tbl"):
            yield element
        elif element.tag == f"{MC}AlternateContent":
            for variant in chosen(element):
                yield from _flat([variant]) if variant.tag in (f"{W}p", f"{W}tbl") else _flat(variant)
        elif element.tag in _WRAPPERS:
            gallery = value(element, f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
            if gallery != "Table of Contents":
                yield from _flat(element)


def _rows(element: Element) -> Iterator[Element]:
    for row in _within(element, f"{W}tr"):
        properties = row.find(f"{W}trPr")
        if properties is None or properties.find(f"{W}del") is None:
            yield row


def _within(parent: Element, tag: str) -> Iterator[Element]:
    for element in parent:
        if element.tag == tag:
            yield element
        elif element.tag in _WRAPPERS:
            yield from _within(element, tag)


# --- the whole ------------------------------------------------------------------------------------


def _merged(nodes: Sequence[Node]) -> list[Node]:
    """Code and quotations of several paragraphs as one block each."""
    found: list[Node] = []
    for node in nodes:
        last = found[-1] if found else None
        if last is not None and last.kind is node.kind is BlockKind.CODE:
            found[-1] = replace(last, pieces=(*last.pieces, Piece("\n"), *node.pieces))
        elif last is not None and last.kind is node.kind is BlockKind.QUOTE:
            found[-1] = replace(last, children=(*last.children, *node.children))
        else:
            found.append(node)
    return found


def _labelled(nodes: Sequence[Node]) -> list[Node]:
    """A caption above a table as its label."""
    found: list[Node] = []
    for place, node in enumerate(nodes):
        if node.info == "caption":
            heads = place + 1 < len(nodes) and nodes[place + 1].kind is BlockKind.TABLE
            node = replace(node, pieces=strong(node.pieces) if heads else node.pieces)
        found.append(node)
    return found


def _under_title(nodes: Sequence[Node]) -> list[Node]:
    """Headings one deeper where the title stands above them."""
    headings = [node for node in nodes if node.kind is BlockKind.HEADING]
    titled = headings[0].info == "title" and any(node.level == 1 and node.info != "title" for node in headings)
    found: list[Node] = []
    for node in nodes:
        if node.kind is BlockKind.HEADING:
            node = replace(node, level=min(6, node.level + (titled and node.info != "title")), info="")
        found.append(node)
    return found


def _with_headings(nodes: Sequence[Node]) -> list[Node]:
    """Short bold paragraphs as headings, in a document that has no others."""
    found: list[Node] = []
    for place, node in enumerate(nodes):
        text = plain(node.pieces)
        bold = all((MarkKind.STRONG, "") in p.marks for p in node.pieces if p.text.strip())
        plain_text = node.kind is BlockKind.PARAGRAPH and not node.info and has_words(node)
        heads = plain_text and bold and place + 1 < len(nodes)
        if heads and len(text.split()) <= _MOST_HEADING_WORDS and text[-1] not in ".,;:!?":
            node = replace(node, kind=BlockKind.HEADING, level=2 if place else 1)
        found.append(node)
    return found

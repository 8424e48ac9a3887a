"""Markdown (CommonMark, tables, strikethrough, wiki-links, front matter) as blocks with exact offsets.

markdown-it-py says which lines a block takes; where its markup and text stand on those lines is worked out
here from the containers it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, Inline
from kg.readers import front_matter, html_text, markdown_inline, markdown_table
from kg.readers.decoding import content_hash, decode
from kg.readers.inline import InlineBuilder, Origin, origin, trim, verbatim

_DEEPEST = 60  # containers inside each other; what is nested deeper becomes one paragraph
_LONGEST_LEAF = 200_000  # code points; nobody marks up a longer paragraph, and marks in it would cost memory
_WIKILINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_EXOTIC_BLANKS = re.compile(r"[^\S \t\n]")


@dataclass(frozen=True, slots=True)
class _Place:
    """The container that blocks stand in: how many quotes, and where its content begins on its first line."""

    quotes: int = 0
    line: int = -1
    at: int = 0
    lists: int = 0


class MarkdownReader:
    """Reads ``.md`` files."""

    suffixes: tuple[str, ...] = (".md", ".markdown")
    media_type: str = "text/markdown"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't UTF-8 text or holds no words."""
        text = decode(data, name)
        matter = front_matter.find(text)
        blocks = _Tree(text, matter[:2] if matter else None).blocks
        if not any(has_text(block) for block in blocks):
            raise UnreadableDocument(f"{name} holds no text, only markup", "leave it out")
        metadata = matter[2] if matter else ()
        return Document(
            name=name,
            text=text,
            blocks=blocks,
            title=dict(metadata).get("title") or title_of(blocks, name),
            media_type=self.media_type,
            content_hash=content_hash(data),
            metadata=metadata,
        )


def title_of(blocks: tuple[Block, ...], name: str) -> str:
    """Text of the first heading of level 1, else of the first heading, else the file's stem."""
    headings = [b for b in blocks if b.kind is BlockKind.HEADING and b.inline and b.inline.text.strip()]
    top = next((b for b in headings if b.level == 1), headings[0] if headings else None)
    if top is not None and top.inline is not None:
        return " ".join(top.inline.text.split())
    return PurePosixPath(name).stem


def has_text(block: Block) -> bool:
    """Whether a block or one inside it has words."""
    if block.inline is not None and block.inline.text.strip():
        return True
    return any(has_text(child) for child in block.children)


def _reference_but_no_footnote(rule: Callable[..., bool]) -> Callable[..., bool]:
    """A footnote's text must not vanish as a link definition."""

    def reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.src.startswith("[^", state.bMarks[start] + state.tShift[start]):
            return False
        return rule(state, start, end, silent)

    return reference


def _parser(inner_bar: str) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    md.core.ruler.enableOnly(["block"])
    rules = {rule.name: rule.fn for rule in md.block.ruler.__rules__}
    md.block.ruler.at("reference", _reference_but_no_footnote(rules["reference"]), {"alt": []})
    markdown_inline.install(md, inner_bar)
    return md


class _Tree:
    """Builds the blocks of one text."""

    def __init__(self, text: str, matter: tuple[int, int] | None) -> None:
        self.text = text
        bar = next(chr(c) for c in range(0xE000, 0xF8FF) if chr(c) not in text)
        # What is parsed has the text's length: odd blanks are blanks, a wiki-link's bar is no border of a cell.
        masked = _EXOTIC_BLANKS.sub(" ", text)
        masked = _WIKILINK.sub(lambda m: m.group().replace("|", bar), masked)
        if matter is not None:
            upto = len(text) if (newline := text.find("\n", matter[1])) < 0 else newline
            masked = re.sub(r"[^\n]", " ", masked[:upto]) + masked[upto:]
        self.masked = masked
        self.lines = [0, *(match.end() for match in re.finditer("\n", masked))]
        self.md = _parser(bar)
        self.env: dict[str, Any] = {}
        self.tokens = self.md.parse(masked, self.env)
        self.next = 0
        found = [self._code(matter[0], matter[1], "yaml")] if matter else []
        self.blocks = (*found, *self._children(_Place()))

    def _code(self, start: int, end: int, info: str) -> Block:
        start, end = trim(self.text, start, end)
        return Block(BlockKind.CODE, start, end, verbatim(self.text, origin([(start, end - start)])), info=info)

    # --- lines ---------------------------------------------------------------------------------

    def _line_end(self, line: int) -> int:
        return self.lines[line + 1] - 1 if line + 1 < len(self.lines) else len(self.masked)

    def _text_end(self, line: int, last: int) -> int:
        """End of the last non-blank character on the lines ``line`` to ``last``."""
        start = self.lines[line]
        return start + len(self.masked[start : self._line_end(min(last, len(self.lines) - 1))].rstrip())

    def _begin(self, line: int, place: _Place) -> int:
        """Where on ``line`` the content of the container begins, behind quote marks and blanks."""
        at, quotes = (place.at, 0) if line == place.line else (self.lines[line], place.quotes)
        while at < len(self.masked):
            if self.masked[at] == ">" and quotes:
                quotes -= 1
            elif self.masked[at] not in " \t":
                break
            at += 1
        return at

    def _aligned(self, content: str, first: int, last: int, floor: int) -> tuple[str, Origin] | None:
        """Content as the parser gives it, found again on the lines; None where it isn't there.

        A content line is the end of its source line, less quote marks and indentation in front of it.
        """
        pieces: list[tuple[int, int]] = []
        kept: list[str] = []
        line = first
        for body in content.split("\n"):
            core = body.strip(" \t")
            while line <= last and (at := self._found(core, line, floor)) < 0:
                line += 1
            if line > last:
                return None
            lead = _same_lead(body, self.masked, at, max(self.lines[line], floor)) if core else 0
            trail = body[len(body.rstrip(" \t")) :] if core else ""
            if kept:
                newline = self._line_end(line - 1)
                kept.append("\n")
                pieces.append((newline, 1))
            piece = self.masked[at - lead : at] + core + trail
            kept.append(piece)
            pieces.append((at - lead, len(piece)))
            line += 1
        return "".join(kept), origin(pieces)

    def _found(self, core: str, line: int, floor: int) -> int:
        start, end = max(self.lines[line], floor), self._line_end(line)
        if not core:
            return end if not self.masked[start:end].strip(" \t>") else -1
        at = self.masked.rfind(core, start, end)
        return at if at >= 0 and not self.masked[at + len(core) : end].strip(" \t#") else -1

    # --- blocks --------------------------------------------------------------------------------

    def _children(self, place: _Place) -> tuple[Block, ...]:
        found: list[Block] = []
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            self.next += 1
            if token.nesting < 0:
                break
            block = self._block(token, place)
            if block is not None:
                found.append(block)
        return tuple(found)

    def _block(self, token: Token, place: _Place) -> Block | None:
        first, after = token.map or [0, 0]
        kind = token.type
        if kind == "heading_open":
            return self._heading(token, place, first, after - 1)
        if kind == "paragraph_open":
            return self._paragraph(place, first, after - 1)
        if kind in ("bullet_list_open", "ordered_list_open"):
            return self._list(token, place)
        if kind == "blockquote_open":
            return self._quote(token, place, first, after - 1)
        if kind == "table_open":
            return self._table(place, first, after - 1)
        if kind in ("fence", "code_block"):
            return self._code_block(token, place, first, after - 1)
        start, end = self._begin(first, place), self._text_end(first, after - 1)
        if kind == "html_block":
            return self._html(start, end)
        return Block(BlockKind.RULE, start, end)

    def _inline(self, content: str, where: Origin) -> Inline:
        if len(content) > _LONGEST_LEAF:
            return verbatim(self.text, where)
        return markdown_inline.parse(self.md, self.env, self.text, content, where)

    def _leaf(self, kind: BlockKind, start: int, end: int, inline: Inline, level: int = 0) -> Block | None:
        return Block(kind, start, end, inline, level=level) if inline.text.strip() else None

    def _heading(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        inline = self.tokens[self.next]
        self.next += 2
        start, end = self._begin(first, place), self._text_end(first, last)
        level = int(token.tag[1:])
        if not inline.content.strip():
            return None
        floor = start + (len(token.markup) if token.markup[0] == "#" else 0)
        found = self._aligned(inline.content, first, last, floor)
        if found is None or token.markup[0] == "#":
            at = self.masked.find(inline.content, floor)
            found = inline.content, origin([(at, len(inline.content))])
        return self._leaf(BlockKind.HEADING, start, end, self._inline(*found), level)

    def _paragraph(self, place: _Place, first: int, last: int) -> Block | None:
        content = self.tokens[self.next].content
        self.next += 2
        found = self._aligned(content, first, last, self._begin(first, place)) if content else None
        if found is None:
            return self._rest(self._begin(first, place), self._text_end(first, last))
        where = found[1]
        return self._leaf(BlockKind.PARAGRAPH, where.start, where.end, self._inline(*found))

    def _rest(self, start: int, end: int) -> Block | None:
        """A paragraph of lines that are taken as they are."""
        where = origin([(start, end - start)]) if start < end else Origin(())
        return self._leaf(BlockKind.PARAGRAPH, start, end, verbatim(self.text, where))

    def _list(self, token: Token, place: _Place) -> Block | None:
        inside = _Place(place.quotes, place.line, place.at, place.lists + 1)
        items = self._children_of_list(inside)
        if not items:
            return None
        info = "ordered" if token.type == "ordered_list_open" else ""
        return Block(BlockKind.LIST, items[0].start, items[-1].end, children=items, level=inside.lists, info=info)

    def _children_of_list(self, place: _Place) -> tuple[Block, ...]:
        items: list[Block] = []
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            self.next += 1
            if token.nesting < 0:
                break
            items.append(self._item(token, place))
        return tuple(items)

    def _item(self, token: Token, place: _Place) -> Block:
        first, after = token.map or [0, 0]
        start = self._begin(first, place)
        behind = start + len(token.info) + 1
        inside = _Place(place.quotes, first, behind, place.lists)
        children = self._contents(token, inside, behind, first, after - 1)
        end = children[-1].end if children else behind
        number = int(token.info) if token.info else None
        return Block(BlockKind.LIST_ITEM, start, end, children=children, number=number)

    def _quote(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        start = self._begin(first, place)
        inside = _Place(place.quotes + 1, first, start + 1, place.lists)
        children = self._contents(token, inside, start + 1, first, last)
        return Block(BlockKind.QUOTE, start, children[-1].end, children=children) if children else None

    def _contents(self, token: Token, inside: _Place, at: int, first: int, last: int) -> tuple[Block, ...]:
        children = self._children(inside)
        if children or token.level < _DEEPEST - 2:
            return children
        start, end = trim(self.masked, at, self._text_end(first, last))
        rest = self._rest(start, end)
        return (rest,) if rest else ()

    def _code_block(self, token: Token, place: _Place, first: int, last: int) -> Block | None:
        start, end = self._begin(first, place), self._text_end(first, last)
        fenced = token.type == "fence"
        content = token.content.rstrip()
        found = None
        if content.strip():
            found = self._aligned(content, first + fenced, last, 0 if fenced else start)
            found = found or (content, origin([(start, end - start)]))
        inline = verbatim(self.text, found[1]) if found else Inline("", ())
        info = token.info.split()[0].lower() if token.info.split() else ""
        return Block(BlockKind.CODE, start, end, inline, info=info)

    def _html(self, start: int, end: int) -> Block | None:
        builder = InlineBuilder(self.text)
        for left, right in html_text.pieces(self.text, start, end):
            builder.copy(left, right - left)
        return self._leaf(BlockKind.PARAGRAPH, start, end, builder.build())

    def _table(self, place: _Place, first: int, last: int) -> Block:
        header = self._row(place, first, True)
        rows: list[Block] = []
        depth = 1
        while depth:
            token = self.tokens[self.next]
            self.next += 1
            depth += 1 if token.type == "table_open" else -1 if token.type == "table_close" else 0
            if token.type == "tr_open" and token.map and token.map[0] != first:
                rows.append(self._row(place, token.map[0], False))
        children = (header, *rows)
        end = rows[-1].end if rows else self._text_end(first, last)
        return Block(BlockKind.TABLE, header.start, end, children=children)

    def _row(self, place: _Place, line: int, header: bool) -> Block:
        start, end = self._begin(line, place), self._text_end(line, line)
        cells = []
        for left, right in markdown_table.cells(self.masked, start, end):
            where = origin(markdown_table.content(self.masked, left, right))
            content = "".join(self.masked[s : s + n] for _, s, n in where.stretches)
            inline = self._inline(content, where) if content else Inline("", ())
            cells.append(Block(BlockKind.TABLE_CELL, left, right, inline, header=header))
        return Block(BlockKind.TABLE_ROW, start, end, children=tuple(cells), header=header)


def _same_lead(body: str, source: str, at: int, floor: int) -> int:
    """How many of the blanks before the line's text stand in the source as they are in the content."""
    lead = len(body) - len(body.lstrip(" \t"))
    same = 0
    while same < lead and at - same - 1 >= floor and source[at - same - 1] == body[lead - same - 1]:
        same += 1
    return same

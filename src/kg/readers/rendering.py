"""A clean rendering of documents whose source is not text: nodes in, stored text and blocks on it out.

Headings and paragraphs are plain lines, items begin with ``- `` or ``1. ``, the cells of a row are parted by `` | ``,
a blank line parts blocks. Every inline maps onto that text exactly.

Lists from items that come one after another, each with its depth: word processors and pages know no nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Self, TypeVar

from kg.model import Block, BlockKind, Document, Inline, MarkKind
from kg.readers.decoding import content_hash
from kg.readers.inline import InlineBuilder

MAX_LEAVES = 300_000  # paragraphs, items and cells; a block costs about a kilobyte
_CELL_BORDER = " | "
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufff9-\ufffb]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_TOKENS = re.compile(r"\s+|\S+")
_ODD_BLANKS = re.compile(r"[^\S \t\n]")

MarkOf = tuple[MarkKind, str]

_RAISED = "0123456789+-=()n"
SUPERSCRIPT = str.maketrans(_RAISED, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
RAISED = frozenset(_RAISED)


def tags(names: str) -> frozenset[str]:
    """A set of names written as one string."""
    return frozenset(names.split())


class TooLarge(Exception):
    """More leaves than :data:`MAX_LEAVES`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of plain text with the marks that all of it bears: (kind, link target). ``\\n`` is a line break.

    ``place``: (start, length) of what it stands for in a document that keeps its own text (see :func:`placed`); such
    a piece is clean.
    """

    text: str
    marks: tuple[MarkOf, ...] = ()
    place: tuple[int, int] | None = None

    def part(self, start: int, end: int) -> Piece:
        """The piece of ``text[start:end]``; what stands for something as a whole keeps its place."""
        exact = self.place is not None and self.place[1] == len(self.text)
        place = (self.place[0] + start, end - start) if exact and self.place else self.place
        return Piece(self.text[start:end], self.marks, place)


@dataclass(frozen=True, slots=True)
class Node:
    """A block before it has a place; fields as in :class:`kg.model.Block`. Leaves have pieces, others children."""

    kind: BlockKind
    pieces: tuple[Piece, ...] = ()
    children: tuple[Node, ...] = ()
    level: int = 0
    header: bool = False
    info: str = ""
    number: int | None = None


def clean(text: str) -> str:
    """Text without control characters, marks of no width and lone surrogates."""
    return _LONE_SURROGATE.sub("\ufffd", _INVISIBLE.sub("", text))


def plain(pieces: Sequence[Piece]) -> str:
    """The text of pieces on one line."""
    return " ".join(clean("".join(piece.text for piece in pieces)).split())


def strong(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces, all of them marked as strong."""
    return tuple(replace(p, marks=tuple(dict.fromkeys((*p.marks, (MarkKind.STRONG, ""))))) for p in pieces)


def without(pieces: Sequence[Piece], count: int) -> tuple[Piece, ...]:
    """The pieces less their first ``count`` characters."""
    found: list[Piece] = []
    for piece in pieces:
        cut = min(count, len(piece.text))
        count -= cut
        found.append(Piece(piece.text[cut:], piece.marks))
    return tuple(found)


def has_words(node: Node) -> bool:
    """Whether a node or one inside it has text."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if any(clean(piece.text).strip() for piece in here.pieces):
            return True
        waiting.extend(here.children)
    return False


def render(nodes: Sequence[Node]) -> tuple[str, tuple[Block, ...]]:
    """Stored text and blocks. Nodes without words are left out. Raises TooLarge."""
    writer = _Writer()
    drafts = writer.blocks([node for node in nodes if has_words(node)], "", "\n\n")
    writer.write("\n")
    text = "".join(writer.parts)
    return text, tuple(_block(text, draft) for draft in drafts)


def document(
    data: bytes, name: str, media_type: str, text: str, blocks: tuple[Block, ...], stated: dict[str, str]
) -> Document:
    """A rendered document, named by its first heading of level 1, the title in ``stated`` or its file, in this order.

    What else is ``stated`` is its metadata.
    """
    tops = (b.inline.text for b in blocks if b.kind is BlockKind.HEADING and b.level == 1 and b.inline is not None)
    title = " ".join(next(tops, "").split()) or stated.get("title") or PurePosixPath(name).stem
    metadata = tuple(sorted((key, value) for key, value in stated.items() if value and key != "title"))
    return Document(name, text, blocks, title, media_type, content_hash(data), metadata)


_Op = tuple[str, int, int]  # plain text that stands for (start, length) of the stored text; equal lengths: as it is


@dataclass(slots=True)
class _Draft:
    """A block with its place; ``ops`` and ``marks`` (kind, start, end, target) of a leaf's plain text."""

    node: Node
    start: int
    end: int = 0
    ops: list[_Op] = field(default_factory=list)
    marks: list[tuple[MarkOf, int, int]] = field(default_factory=list)
    children: list[_Draft] = field(default_factory=list)


class _Writer:
    """Writes the stored text from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.at = 0
        self.leaves = 0

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.at += len(text)

    def blocks(self, nodes: Sequence[Node], indent: str, gap: str) -> list[_Draft]:
        found: list[_Draft] = []
        for node in nodes:
            if node.kind is BlockKind.RULE:
                continue
            if found:
                self.write(gap + indent)
            found.append(self._node(node, indent))
        return found

    def _node(self, node: Node, indent: str) -> _Draft:
        draft = _Draft(node, self.at)
        if node.kind is BlockKind.LIST:
            self._list(draft, indent)
        elif node.kind is BlockKind.TABLE:
            self._table(draft, indent)
        elif node.kind is BlockKind.QUOTE:
            draft.children = self.blocks(_kept(node.children), indent, "\n" if indent else "\n\n")
        elif node.kind is BlockKind.CODE:
            self._code(draft, indent)
        else:
            self._leaf(draft, "\n" + indent)
        draft.end = self.at
        return draft

    def _list(self, draft: _Draft, indent: str) -> None:
        for place, item in enumerate(_kept(draft.node.children)):
            if place:
                self.write("\n" + indent)
            inner = _Draft(item, self.at)
            marker = "- " if item.number is None else f"{item.number}. "
            self.write(marker)
            inner.children = self.blocks(_kept(item.children), indent + " " * len(marker), "\n")
            inner.end = self.at
            draft.children.append(inner)

    def _table(self, draft: _Draft, indent: str) -> None:
        for place, row in enumerate(_kept(draft.node.children)):
            if place:
                self.write("\n" + indent)
            draft.children.append(self._row(row))

    def _row(self, row: Node) -> _Draft:
        """Cells side by side; no blank at either end of the row, however many of its cells are empty."""
        draft = _Draft(row, self.at)
        last = max(place for place, cell in enumerate(row.children) if has_words(cell))
        for place, cell in enumerate(row.children):
            if place:
                border = _CELL_BORDER if place <= last else " |"
                self.write(border.lstrip() if self.at == draft.start else border)
            inner = _Draft(cell, self.at)
            self._leaf(inner, " ")
            inner.end = self.at
            draft.children.append(inner)
        draft.end = self.at
        return draft

    def _leaf(self, draft: _Draft, line_break: str) -> None:
        """Text with its blanks collapsed; a break in it stands as ``line_break``."""
        self._count()
        length = 0
        opened: dict[MarkOf, int] = {}
        waiting = ""
        for piece in draft.node.pieces:
            for found in _TOKENS.finditer(clean(piece.text)):
                token = found[0]
                if token.isspace():
                    waiting = "\n" if "\n" in token or waiting == "\n" else " "
                    continue
                ended = [mark for mark in opened if mark not in piece.marks]
                for mark in ended:
                    draft.marks.append((mark, opened.pop(mark), length))
                if waiting and length:
                    length += self._blank(draft, waiting, line_break)
                waiting = ""
                for mark in piece.marks:
                    opened.setdefault(mark, length)
                draft.ops.append(self._op(token, piece, found.start()))
                self.write(token)
                length += len(token)
        draft.marks.extend((mark, start, length) for mark, start in opened.items())

    def _op(self, token: str, piece: Piece, start: int) -> _Op:
        return token, self.at, len(token)

    def _blank(self, draft: _Draft, blank: str, line_break: str) -> int:
        if blank == "\n" and draft.node.kind is not BlockKind.HEADING:
            draft.ops.append(("\n", self.at, len(line_break)))
            self.write(line_break)
        else:
            draft.ops.append((" ", self.at, 1))
            self.write(" ")
        return 1

    def _code(self, draft: _Draft, indent: str) -> None:
        self._count()
        code = _ODD_BLANKS.sub(" ", clean("".join(piece.text for piece in draft.node.pieces)))
        lines = [line.rstrip() for line in code.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        while lines and not lines[0]:
            lines.pop(0)
        for place, line in enumerate(lines):
            if place:
                draft.ops.append(("\n", self.at, 1))
                self.write("\n" + indent)
            draft.ops.append((line, self.at, len(line)))
            self.write(line)

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise TooLarge


def placed(text: str, start: int, end: int, nodes: Sequence[Node]) -> tuple[Block, ...] | None:
    """Blocks of nodes on ``text[start:end]``, in which their pieces have their places. Raises TooLarge.

    A cell that spans others has its text where it is written: in the others there is none. None where something else
    has no place, or the order of the nodes isn't that of the text.
    """
    placer = _Placer(text, start, end)
    drafts = placer.blocks([node for node in nodes if has_words(node)], "", "\n\n")
    return tuple(_block(text, draft) for draft in drafts) if all(map(placer.put, drafts)) else None


_NOWHERE = -1


class _Placer(_Writer):
    """Gives drafts their places in the text, which isn't written anew."""

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__()
        self.text, self.end = text, end
        self.behind = start  # the end of what has been put
        self.first: set[int] = set()  # where leaves begin

    def _op(self, token: str, piece: Piece, start: int) -> _Op:
        return token, *(piece.part(start, start + len(token)).place or (_NOWHERE, 0))

    def _blank(self, draft: _Draft, blank: str, line_break: str) -> int:
        draft.ops.append((" " if draft.node.kind is BlockKind.HEADING else blank, _NOWHERE, 0))
        return 1

    def _code(self, draft: _Draft, indent: str) -> None:
        self._count()
        pieces = list(draft.node.pieces)
        while not pieces[-1].text.strip():
            pieces.pop()
        pieces[-1] = pieces[-1].part(0, len(pieces[-1].text.rstrip()))
        while not pieces[0].text.strip("\n"):
            del pieces[0]
        lead = len(pieces[0].text) - len(pieces[0].text.lstrip("\n"))
        pieces[0] = pieces[0].part(lead, len(pieces[0].text))
        draft.ops = [self._op(piece.text, piece, 0) for piece in pieces]

    def put(self, draft: _Draft) -> bool:
        """Whether a draft and what is in it have places behind what was put before; they are given them."""
        if draft.node.kind not in _LEAVES:
            return self._put_children(draft)
        first = next((start for _, start, _ in draft.ops if start >= 0), _NOWHERE)
        if first >= self.behind:
            draft.ops = list(self._filled(draft.ops, first))
            draft.start, self.behind = draft.ops[0][1], sum(draft.ops[-1][1:])
            self.first.add(first)
        elif draft.ops and first not in self.first:
            return False
        else:
            draft.ops, draft.marks, draft.start = [], [], self.behind
        draft.end = self.behind
        return True

    def _put_children(self, draft: _Draft) -> bool:
        if not all(map(self.put, draft.children)):
            return False
        draft.start = next((child.start for child in draft.children if child.start < child.end), self.behind)
        draft.end = self.behind
        for child in draft.children:  # empty cells at the head of a row
            child.start, child.end = max(child.start, draft.start), max(child.end, draft.start)
        return True

    def _filled(self, ops: Sequence[_Op], first: int) -> Iterator[_Op]:
        """Signs that aren't written, blanks and others, stand for what lies between their neighbours, or for a tag."""
        at, waiting = max(self.behind, self.text.rfind("<", self.behind, first)), ""
        for said, start, length in ops:
            if start < 0:
                waiting += said
                continue
            yield from _gap(waiting, at, start - at)
            yield said, start, length
            waiting, at = "", start + length
        yield from _gap(waiting, at, self.text.find(">", at, self.end) + 1 - at)


def _gap(said: str, at: int, length: int) -> Iterator[_Op]:
    if said and length > 0:
        yield said, at, length - (len(said) == length > 1)


def _kept(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if has_words(node)]


_LEAVES = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE_CELL, BlockKind.CODE)


def _block(text: str, draft: _Draft) -> Block:
    node = draft.node
    return Block(
        node.kind,
        draft.start,
        draft.end,
        _inline(text, draft) if node.kind in _LEAVES else None,
        tuple(_block(text, child) for child in draft.children),
        node.level,
        node.header,
        node.info,
        node.number,
    )


def _inline(text: str, draft: _Draft) -> Inline:
    builder = InlineBuilder(text)
    ends = sorted((end, start, mark) for mark, start, end in draft.marks)
    waiting: Iterator[tuple[int, int, MarkOf]] = iter(ends)
    following = next(waiting, None)
    for piece, start, length in draft.ops:
        if piece != "\n" and text.startswith(piece, start) and len(piece) == length:
            builder.copy(start, length)
        elif length:
            builder.replace(piece, start, length)
        while following is not None and following[0] <= builder.length:
            builder.mark(following[2][0], following[1], following[2][1])
            following = next(waiting, None)
    inline = builder.build()
    return Inline(inline.text, inline.runs) if draft.node.kind is BlockKind.CODE else inline


_DEEPEST_LIST = 30


@dataclass(slots=True)
class Entry:
    """What stands in a list: how far it is set in (any measure that grows), and its number if it has one."""

    depth: float
    number: int | None
    nested: list[Self] = field(default_factory=list, kw_only=True)


@dataclass(slots=True)
class Item(Entry):
    """An item with its blocks."""

    nodes: tuple[Node, ...]
    info: str = ""


AnyEntry = TypeVar("AnyEntry", bound=Entry)


def nest(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """The outermost of consecutive entries; one deeper than the one before it is nested in that one."""
    outermost: list[AnyEntry] = []
    stack: list[AnyEntry] = []
    for entry in entries:
        while stack and (entry.depth <= stack[-1].depth or len(stack) >= _DEEPEST_LIST):
            stack.pop()
        (stack[-1].nested if stack else outermost).append(entry)
        stack.append(entry)
    return outermost


def runs(entries: Sequence[AnyEntry]) -> list[list[AnyEntry]]:
    """Siblings by list: a new one where the numbering starts again, or numbers and bullets change."""
    found: list[list[AnyEntry]] = []
    for entry in entries:
        last = found[-1][-1].number if found else None
        restarts = last is not None and entry.number is not None and entry.number <= last
        if not found or (last is None) != (entry.number is None) or restarts:
            found.append([])
        found[-1].append(entry)
    return found


def lists(items: Sequence[Item], level: int = 1) -> list[Node]:
    """The lists that consecutive items make up."""
    return [_list(run, level) for run in runs(nest(items))]


def _list(run: Sequence[Item], level: int) -> Node:
    items = tuple(
        Node(
            BlockKind.LIST_ITEM,
            children=(*item.nodes, *(_list(inner, level + 1) for inner in runs(item.nested))),
            number=item.number,
            info=item.info,
        )
        for item in run
    )
    return Node(BlockKind.LIST, children=items, level=level, info="ordered" if run[0].number is not None else "")

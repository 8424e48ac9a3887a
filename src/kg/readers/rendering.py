"""A clean rendering of documents whose source is not text: nodes in, stored text and blocks on it out.

Headings and paragraphs are plain lines, items begin with ``- `` or ``1. ``, the cells of a row are parted by `` | ``,
a blank line parts blocks. Every inline maps onto that text exactly.

Lists from items that come one after another, each with its depth: word processors and pages know no nesting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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
    blocks = writer.blocks(nodes, "", "\n\n")
    writer.write("\n")
    return "".join(writer.parts), blocks


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


_Said = tuple[str, int, int, tuple[MarkOf, ...]]
"""Plain text with the (start, length) of the stored text that it stands for, and its marks."""


class _Writer:
    """Writes the stored text from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.at = 0
        self.leaves = 0

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.at += len(text)

    def blocks(self, nodes: Sequence[Node], indent: str, gap: str) -> tuple[Block, ...]:
        found: list[Block] = []
        for node in filter(has_words, nodes):
            if found:
                self.write(gap + indent)
            found.append(self._block(node, indent))
        return tuple(found)

    def _block(self, node: Node, indent: str) -> Block:
        if node.kind is BlockKind.LIST:
            return self._around(node, self.at, self._each(self._item, node, indent))
        if node.kind is BlockKind.TABLE:
            return self._around(node, self.at, self._each(self._row, node, indent))
        if node.kind is BlockKind.QUOTE:
            return self._around(node, self.at, self.blocks(node.children, indent, "\n" if indent else "\n\n"))
        return self._code(node, indent) if node.kind is BlockKind.CODE else self._leaf(node, "\n" + indent)

    def _each(self, write: Callable[[Node, str], Block], node: Node, indent: str) -> tuple[Block, ...]:
        """Items of a list or rows of a table, a line each."""
        found: list[Block] = []
        for child in filter(has_words, node.children):
            if found:
                self.write("\n" + indent)
            found.append(write(child, indent))
        return tuple(found)

    def _item(self, item: Node, indent: str) -> Block:
        start = self.at
        marker = "- " if item.number is None else f"{item.number}. "
        self.write(marker)
        return self._around(item, start, self.blocks(item.children, indent + " " * len(marker), "\n"))

    def _row(self, row: Node, indent: str) -> Block:
        """Cells side by side; no blank at either end of the row, however many of its cells are empty."""
        start = self.at
        last = max(place for place, cell in enumerate(row.children) if has_words(cell))
        cells: list[Block] = []
        for place, cell in enumerate(row.children):
            if place:
                border = _CELL_BORDER if place <= last else " |"
                self.write(border.lstrip() if self.at == start else border)
            cells.append(self._leaf(cell, " "))
        return self._around(row, start, tuple(cells))

    def _around(self, node: Node, start: int, children: tuple[Block, ...]) -> Block:
        """The block of what has just been written."""
        return _block(node, start, self.at, children=children)

    def _leaf(self, node: Node, line_break: str) -> Block:
        """Text with its blanks collapsed; a break in it stands as ``line_break``."""
        start, found = self.at, list[_Said]()
        blank = ""
        for piece in node.pieces:
            for token in _TOKENS.finditer(clean(piece.text)):
                if token[0].isspace():
                    blank = "\n" if "\n" in token[0] or blank == "\n" else " "
                    continue
                if blank and found:
                    shared = tuple(mark for mark in found[-1][3] if mark in piece.marks)
                    breaks = blank == "\n" and node.kind is not BlockKind.HEADING
                    found.append((*(self._blank("\n", line_break) if breaks else self._blank(" ", " ")), shared))
                blank = ""
                found.append((*self._token(token[0], piece, token.start()), piece.marks))
        return self._written(node, start, found)

    def _token(self, token: str, piece: Piece, start: int) -> tuple[str, int, int]:
        """A piece's ``token``, which stands at ``start`` in it, with its place."""
        self.write(token)
        return token, self.at - len(token), len(token)

    def _blank(self, said: str, written: str) -> tuple[str, int, int]:
        self.write(written)
        return said, self.at - len(written), len(written)

    def _code(self, node: Node, indent: str) -> Block:
        start, found = self.at, list[_Said]()
        code = _ODD_BLANKS.sub(" ", clean("".join(piece.text for piece in node.pieces)))
        lines = "\n".join(line.rstrip() for line in code.split("\n")).strip("\n")
        for place, line in enumerate(lines.split("\n")):
            if place:
                found.append(("\n", self.at, 1, ()))
                self.write("\n" + indent)
            found.append((line, self.at, len(line), ()))
            self.write(line)
        return self._written(node, start, found)

    def _written(self, node: Node, start: int, found: Sequence[_Said]) -> Block:
        """The block of a leaf. Raises TooLarge."""
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise TooLarge
        return _block(node, start, self.at, self._inline(node, found))

    def _inline(self, node: Node, found: Sequence[_Said]) -> Inline:
        builder = InlineBuilder("")
        opened: dict[MarkOf, int] = {}
        for said, start, length, marks in (*found, ("", 0, 0, ())):
            for mark in [mark for mark in opened if mark not in marks]:
                builder.mark(mark[0], opened.pop(mark), mark[1])
            for mark in marks:
                opened.setdefault(mark, builder.length)
            if self._is_kept(said, start, length):
                builder.keep(said, start)
            else:
                builder.replace(said, start, length)
        inline = builder.build()
        return Inline(inline.text, inline.runs) if node.kind is BlockKind.CODE else inline

    def _is_kept(self, said: str, start: int, length: int) -> bool:
        """Whether what is said stands so in the stored text."""
        return said != "\n"


class _Displaced(Exception):
    """Something has no place in the text, or another order than there."""


def placed(text: str, start: int, end: int, nodes: Sequence[Node]) -> tuple[Block, ...] | None:
    """Blocks of nodes on ``text[start:end]``, in which their pieces have their places. Raises TooLarge.

    A cell that spans others has its text where it is written: in the others there is none. None where something else
    has no place, or the order of the nodes isn't that of the text.
    """
    try:
        return _Placer(text, start, end).blocks(nodes, "", "")
    except _Displaced:
        return None


_NOWHERE = -1


class _Placer(_Writer):
    """Gives nodes their places in the text, which isn't written anew."""

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__()
        self.text, self.end = text, end
        self.at = start  # the end of what has its place
        self.first: set[int] = set()  # where leaves begin

    def write(self, text: str) -> None:
        pass

    def _token(self, token: str, piece: Piece, start: int) -> tuple[str, int, int]:
        return token, *(piece.part(start, start + len(token)).place or (_NOWHERE, 0))

    def _blank(self, said: str, written: str) -> tuple[str, int, int]:
        return said, _NOWHERE, 0

    def _code(self, node: Node, indent: str) -> Block:
        pieces = list(node.pieces)
        while not pieces[-1].text.strip():
            pieces.pop()
        pieces[-1] = pieces[-1].part(0, len(pieces[-1].text.rstrip()))
        while not pieces[0].text.strip("\n"):
            del pieces[0]
        lead = len(pieces[0].text) - len(pieces[0].text.lstrip("\n"))
        pieces[0] = pieces[0].part(lead, len(pieces[0].text))
        return self._written(node, self.at, [(*self._token(piece.text, piece, 0), ()) for piece in pieces])

    def _written(self, node: Node, start: int, found: Sequence[_Said]) -> Block:
        first = next((at for _, at, _, _ in found if at >= 0), _NOWHERE)
        if first >= self.at:
            found = list(self._filled(found, first))
            start, self.at = found[0][1], sum(found[-1][1:3])
            self.first.add(first)
        elif found and first not in self.first:
            raise _Displaced
        else:
            found, start = (), self.at
        return super()._written(node, start, found)

    def _is_kept(self, said: str, start: int, length: int) -> bool:
        return said != "\n" and len(said) == length and self.text.startswith(said, start)

    def _around(self, node: Node, start: int, children: tuple[Block, ...]) -> Block:
        start = next((child.start for child in children if child.start < child.end), self.at)
        # Empty cells at the head of a row begin with it.
        children = tuple(replace(c, start=max(c.start, start), end=max(c.end, start)) for c in children)
        return super()._around(node, start, children)

    def _filled(self, found: Sequence[_Said], first: int) -> Iterator[_Said]:
        """Signs that aren't written, blanks and others, stand for what lies between their neighbours, or for a tag."""
        at, waiting = max(self.at, self.text.rfind("<", self.at, first)), ""
        marks: tuple[MarkOf, ...] = ()
        for said, start, length, own in found:
            if start < 0:
                waiting, marks = waiting + said, own
                continue
            yield from _gap(waiting, at, start - at, marks)
            yield said, start, length, own
            waiting, at = "", start + length
        yield from _gap(waiting, at, self.text.find(">", at, self.end) + 1 - at, marks)


def _gap(said: str, at: int, length: int, marks: tuple[MarkOf, ...]) -> Iterator[_Said]:
    if said and length > 0:
        yield said, at, length - (len(said) == length > 1), marks


def _block(node: Node, start: int, end: int, inline: Inline | None = None, children: tuple[Block, ...] = ()) -> Block:
    return Block(node.kind, start, end, inline, children, node.level, node.header, node.info, node.number)


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

"""A document, its tree of blocks, its passages and their units of quotation."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    LIST_ITEM = "list_item"
    TABLE = "table"
    TABLE_ROW = "table_row"
    TABLE_CELL = "table_cell"
    QUOTE = "quote"
    CODE = "code"
    RULE = "rule"


class MarkKind(StrEnum):
    """Inline markup that carries meaning."""

    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    LINK = "link"
    WIKILINK = "wikilink"


@dataclass(frozen=True, slots=True)
class Mark:
    """Inline markup over ``Inline.text[start:end]`` (offsets of the plain text, not the document)."""

    kind: MarkKind
    start: int
    end: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of plain text and the stretch of the document that it comes from.

    Equal lengths map character by character; unequal ones (``&amp;`` for ``&``) only as a whole.
    """

    plain: int
    source: int
    plain_length: int
    source_length: int


@dataclass(frozen=True, slots=True)
class Inline:
    """Text of a block with its markup removed, and the way back to the document's offsets."""

    text: str
    runs: tuple[Run, ...]
    marks: tuple[Mark, ...] = ()

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Document offsets of ``text[start:end]``; ``0 <= start < end <= len(text)``."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no such stretch of the text: {start}:{end} of {len(self.text)}")
        return self._place(start, False), self._place(end - 1, True)

    def _place(self, at: int, after: bool) -> int:
        run = self.runs[bisect_right(self.runs, at, key=lambda r: r.plain) - 1]
        if run.plain_length == run.source_length:
            return run.source + (at - run.plain) + (1 if after else 0)
        return run.source + (run.source_length if after else 0)


@dataclass(frozen=True, slots=True)
class Block:
    """A node of a document's tree. ``[start, end)`` covers the block with its markup.

    Leaves (heading, paragraph, table cell, code) have ``inline``. A list item holds its own text as
    paragraphs, then nested lists. ``level``: of a heading 1-6, of a list its nesting from 1.
    ``header``: a row or cell of column heads. ``info``: the language of code, ``ordered`` of a list.
    ``number``: the number printed at an ordered item.
    """

    kind: BlockKind
    start: int
    end: int
    inline: Inline | None = None
    children: tuple[Block, ...] = ()
    level: int = 0
    header: bool = False
    info: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a reader gives it. ``name`` is its path relative to the PATH given, with ``/``."""

    name: str
    text: str
    blocks: tuple[Block, ...]
    title: str
    media_type: str
    content_hash: str
    metadata: tuple[tuple[str, str], ...] = ()


class UnitKind(StrEnum):
    """What a unit of quotation is."""

    HEADING = "heading"
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest stretch that is quoted to people: a sentence, bullet, table row, heading or line of code.

    ``plain`` has no markup; of a row it is ``Head: cell; Head: cell``. ``context`` is what a reader needs
    beside it: the heading path, the sentence or label that introduces a list.
    """

    kind: UnitKind
    start: int
    end: int
    plain: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that is retrieved, cited and named as a graph. Passages never overlap."""

    id: str
    document: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...]
    order: int
    units: tuple[Unit, ...] = ()

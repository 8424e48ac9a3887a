"""Blocks as plain lists, for assertions."""

from __future__ import annotations

from collections.abc import Sequence

from kg.model import Block, BlockKind, Document
from kg.readers import read
from tests.readers.invariants import check


def outline(blocks: Sequence[Block]) -> list[object]:
    """(level, text) of headings, (kind, text) of other leaves, (kind, outline) of containers; tables by rows."""
    found: list[object] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.inline:
            found.append((block.level, block.inline.text))
        elif block.kind is BlockKind.TABLE:
            found.append(("table", table(block)))
        elif block.inline:
            found.append((block.kind.value, block.inline.text))
        elif block.kind is BlockKind.LIST_ITEM:
            found.append((block.number if block.number is not None else "-", outline(block.children)))
        else:
            found.append((block.kind.value, outline(block.children)))
    return found


def table(block: Block) -> list[list[str]]:
    """Texts of the cells by row; header rows begin with "#"."""
    found = []
    for row in block.children:
        cells = [cell.inline.text if cell.inline else "" for cell in row.children]
        found.append(["#", *cells] if row.header else cells)
    return found


def checked(data: bytes, name: str) -> Document:
    """The document, with what holds for every document checked."""
    document = read(data, name)
    check(document)
    return document


def marks(block: Block) -> list[tuple[str, str, str]]:
    """(kind, marked text, target) of a leaf."""
    assert block.inline is not None
    return [(m.kind.value, block.inline.text[m.start : m.end], m.target) for m in block.inline.marks]

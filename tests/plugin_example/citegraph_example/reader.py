"""Reads ``.ini`` files: a section is a heading, ``key = value`` a bullet with its key in bold."""

from __future__ import annotations

import re

from kg.model import Block, BlockKind, Document, Inline, MarkKind
from kg.readers.decoding import content_hash, decode
from kg.readers.inline import InlineBuilder

_SECTION = re.compile(r"\[(.+)\]\s*$")
_ENTRY = re.compile(r"([^=;#\s][^=]*?)(\s*=\s*)(\S.*?)\s*$")


class IniReader:
    """Reads ``.ini`` files."""

    suffixes: tuple[str, ...] = (".ini",)
    media_type: str = "text/plain"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't text."""
        text = decode(data, name)
        blocks, start = [], 0
        for line in text.splitlines(keepends=True):
            block = _heading(text, line, start) or _item(text, line, start)
            if block is not None:
                blocks.append(block)
            start += len(line)
        title = next((b.inline.text for b in blocks if b.kind is BlockKind.HEADING and b.inline), name)
        return Document(name, text, tuple(blocks), title, self.media_type, content_hash(data))


def _heading(text: str, line: str, start: int) -> Block | None:
    found = _SECTION.match(line)
    if found is None:
        return None
    inline = _copied(text, start + found.start(1), start + found.end(1))
    return Block(BlockKind.HEADING, start, start + found.end(1) + 1, inline=inline, level=2)


def _item(text: str, line: str, start: int) -> Block | None:
    found = _ENTRY.match(line)
    if found is None:
        return None
    first, last = start + found.start(1), start + found.end(3)
    builder = InlineBuilder(text)
    builder.copy(first, len(found[1]))
    builder.mark(MarkKind.STRONG, 0)
    builder.replace(": ", first + len(found[1]), len(found[2]))  # stands for "=" as a whole
    builder.copy(start + found.start(3), len(found[3]))
    paragraph = Block(BlockKind.PARAGRAPH, first, last, inline=builder.build())
    item = Block(BlockKind.LIST_ITEM, first, last, children=(paragraph,))
    return Block(BlockKind.LIST, first, last, children=(item,), level=1)


def _copied(text: str, start: int, end: int) -> Inline:
    builder = InlineBuilder(text)
    builder.copy(start, end - start)
    return builder.build()

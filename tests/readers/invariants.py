"""What holds for every document, whatever the reader and the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.model import Block, Document, Inline
from kg.readers.rendering import SUPERSCRIPT

LEAVES_ONLY = {"heading", "paragraph", "table_cell", "code"}


def leaves(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.inline is not None:
            yield block
        yield from leaves(block.children)


def check(document: Document) -> None:
    assert document.text.strip()
    assert any(leaf.inline is not None and leaf.inline.text.strip() for leaf in leaves(document.blocks))
    _check_blocks(document, document.blocks, 0, len(document.text))


def _check_blocks(document: Document, blocks: Sequence[Block], start: int, end: int) -> None:
    at = start
    for block in blocks:
        assert at <= block.start <= block.end <= end, (block.kind, at, block.start, block.end, end)
        at = block.end
        assert (block.inline is not None) == (block.kind.value in LEAVES_ONLY), block.kind
        if block.inline is not None:
            assert not block.children
            _check_inline(document.text, block, block.inline)
        _check_blocks(document, block.children, block.start, block.end)


def _check_inline(text: str, block: Block, inline: Inline) -> None:
    plain, source = 0, block.start
    for run in inline.runs:
        assert run.plain == plain and run.plain_length > 0 and run.source_length > 0
        assert run.source >= source
        plain, source = run.plain + run.plain_length, run.source + run.source_length
        if run.plain_length == run.source_length:
            there, here = text[run.source : source], inline.text[run.plain : plain]
            assert there.translate(SUPERSCRIPT) == here.translate(SUPERSCRIPT) or (
                run.plain_length == 1 and there.isspace() and here.isspace()
            )
    assert plain == len(inline.text) and source <= block.end
    for mark in inline.marks:
        assert 0 <= mark.start < mark.end <= len(inline.text)
    for at, sign in enumerate(inline.text):
        begin, end = inline.source(at, at + 1)
        assert block.start <= begin < end <= block.end
        assert (
            text[begin:end].translate(SUPERSCRIPT) == sign.translate(SUPERSCRIPT) or sign.isspace() or end - begin > 1
        )


def same(there: str, here: str) -> bool:
    """Whether the text reads as the document has it: raised figures are other signs."""
    return there.translate(SUPERSCRIPT) == here.translate(SUPERSCRIPT)

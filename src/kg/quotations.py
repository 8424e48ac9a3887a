"""Units of quotation: the sentences, list items, table rows, headings and code lines of a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kg.model import Block, BlockKind, Document, Inline, MarkKind, Unit, UnitKind
from kg.sentences import spans

LONGEST_UNIT = 300  # code points; a list item longer than that is quoted by the sentence
_LONGEST_LABEL = 120
_LONGEST_CONTEXT = 300


def units(document: Document) -> tuple[Unit, ...]:
    """All units of a document, in order, without overlap, blanks at their ends off."""
    return tuple(_Walk(document.text).blocks(document.blocks, ""))


def shortened(text: str, longest: int) -> str:
    """Text on one line, cut at a word if it is longer than ``longest`` code points."""
    text = " ".join(text[: 8 * longest].split())
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[longest // 2 :] else cut).rstrip() + "…"


def introduces(block: Block) -> str:
    """The label or sentence by which a paragraph introduces the block below it; "" if it doesn't."""
    if block.kind is not BlockKind.PARAGRAPH or block.inline is None:
        return ""
    text = block.inline.text.strip()
    if text.endswith(":"):
        last = spans(text)[-1]
        return shortened(text[last[0] : last[1] - 1], _LONGEST_CONTEXT)
    bold = any(m.kind is MarkKind.STRONG and m.end - m.start == len(text) for m in block.inline.marks)
    return shortened(text, _LONGEST_CONTEXT) if bold and len(text) <= _LONGEST_LABEL else ""


def sentences(text: str, start: int, end: int, inline: Inline) -> list[tuple[int, int, str]]:
    """Sentences of a leaf that takes ``text[start:end]``: (start, end) with their markup, and plain text."""
    found = spans(inline.text)
    if not found:
        return []
    inner = [inline.source(a, b) for a, b in found]
    starts, ends = [start], []
    for (_, behind), (ahead, _) in pairwise(inner):
        left, right = _parted(text, behind, ahead)
        ends.append(left)
        starts.append(right)
    ends.append(end)
    plain = [" ".join(inline.text[a:b].split()) for a, b in found]
    return list(zip(starts, ends, plain, strict=True))


def _parted(text: str, behind: int, ahead: int) -> tuple[int, int]:
    """End of the sentence that ends at ``behind`` and start of the next, at ``ahead``, each with its own markup."""
    gap = text[behind:ahead]
    blanks = [i for i, sign in enumerate(gap) if sign.isspace()]
    if not blanks:
        return ahead, ahead
    # A link or tag that opens the next sentence may hold blanks; otherwise the last blank parts the two.
    opening = (i for i in blanks if gap.startswith(("[", "![", "<"), i + 1))
    cut = next(opening, blanks[-1])
    # In front of the blank stand closing marks, perhaps of HTML, and behind a newline those of a quote.
    end = cut
    while end and (gap[end - 1].isspace() or gap[end - 1] == ">"):
        end -= 1
    while gap[end] == ">":
        end += 1
    return behind + end, behind + cut + 1


@dataclass
class _Walk:
    text: str
    heading: str = ""

    def blocks(self, blocks: Sequence[Block], above: str) -> Iterator[Unit]:
        """Units of blocks that stand one below the other; ``above`` is what introduces the first of them."""
        intro = above
        for block in blocks:
            context = intro or shortened(self.heading, _LONGEST_CONTEXT)
            if block.kind is BlockKind.HEADING:
                yield from self._heading(block)
            elif block.kind is BlockKind.PARAGRAPH:
                yield from self._sentences(block, above)
            elif block.kind is BlockKind.LIST:
                yield from self._list(block, context)
            elif block.kind is BlockKind.TABLE:
                yield from self._table(block, context)
            elif block.kind is BlockKind.CODE:
                yield from self._code(block, context)
            elif block.kind is BlockKind.QUOTE:
                yield from self.blocks(block.children, intro)
            intro = introduces(block) or (above if block.kind is BlockKind.PARAGRAPH else "")

    def _heading(self, block: Block) -> Iterator[Unit]:
        if block.inline is None:
            return
        self.heading = block.inline.text
        last = self.text.rfind("\n", block.start, block.end)
        underlined = last >= 0 and not self.text[last : block.end].strip(" \t\n>=-")
        end = block.start + len(self.text[block.start : last].rstrip()) if underlined else block.end
        yield Unit(UnitKind.HEADING, block.start, end, " ".join(block.inline.text.split()))

    def _sentences(self, block: Block, context: str) -> Iterator[Unit]:
        if block.inline is not None:
            for start, end, plain in sentences(self.text, block.start, block.end, block.inline):
                yield Unit(UnitKind.SENTENCE, start, end, plain, context)

    def _list(self, block: Block, context: str) -> Iterator[Unit]:
        for item in block.children:
            first = item.children[0] if item.children else None
            if first is None or first.kind is not BlockKind.PARAGRAPH or first.inline is None:
                yield from self.blocks(item.children, context)
                continue
            own = sentences(self.text, item.start, first.end, first.inline)
            label = _label(first.inline)
            inner = shortened(f"{context} > {label}" if context else label, _LONGEST_CONTEXT)
            if first.end - item.start <= LONGEST_UNIT:
                own = [(item.start, first.end, " ".join(first.inline.text.split()))]
            for place, (start, end, plain) in enumerate(own):
                kind = UnitKind.SENTENCE if place else UnitKind.ITEM
                yield Unit(kind, start, end, plain, inner if place else context)
            yield from self.blocks(item.children[1:], inner)

    def _table(self, block: Block, context: str) -> Iterator[Unit]:
        heads: list[str] = []
        for row in block.children:
            cells = [" ".join(cell.inline.text.split()) if cell.inline else "" for cell in row.children]
            if row.header:
                heads = [shortened(cell, _LONGEST_LABEL) for cell in cells]
                plain = "; ".join(cell for cell in cells if cell)
            else:
                heads_here = [*heads, *[""] * (len(cells) - len(heads))]
                named = [
                    f"{head}: {cell}" if head else cell for head, cell in zip(heads_here, cells, strict=False) if cell
                ]
                plain = "; ".join(named)
            if plain:
                yield Unit(UnitKind.LINE if row.header else UnitKind.ROW, row.start, row.end, plain, context)

    def _code(self, block: Block, context: str) -> Iterator[Unit]:
        if block.inline is None:
            return
        at = 0
        for line in block.inline.text.split("\n"):
            body = line.strip()
            if body:
                begin = at + len(line) - len(line.lstrip())
                start, end = block.inline.source(begin, begin + len(body))
                yield Unit(UnitKind.LINE, start, end, body, context)
            at += len(line) + 1


def _label(inline: Inline) -> str:
    """What names a list item: bold text at its head, the key before a colon, else its first sentence."""
    for mark in inline.marks:
        if mark.kind is MarkKind.STRONG and mark.start == 0 and mark.end <= _LONGEST_LABEL:
            return inline.text[: mark.end].strip().rstrip(":")
    key, colon, _ = inline.text[:_LONGEST_LABEL].partition(": ")
    if colon:
        return key.strip()
    first = spans(inline.text[: 4 * _LONGEST_LABEL])
    return shortened(inline.text[slice(*first[0])], _LONGEST_LABEL).rstrip(":") if first else ""

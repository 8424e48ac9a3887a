"""Documents cut into passages: slices of the stored text that are retrieved, cited and named as graphs.

Units of quotation: the sentences, list items, table rows, headings and code lines of a document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from kg.model import Block, BlockKind, Document, Inline, MarkKind, Passage, Unit, UnitKind
from kg.namespaces import passage_id
from kg.text.sentence_spans import spans
from kg.text.table_heads import heads_over

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
    found = labelled_lines(text, inline) or spans(inline.text)
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


def line_spans(text: str, inline: Inline) -> list[tuple[int, int]]:
    """The lines of a leaf's plain text as the document breaks them, trimmed, those that are blank left out."""
    breaks = {r.plain for r in inline.runs if text[r.source : r.source + r.source_length].strip(" ") == "\n"}
    cuts = [0, *sorted(breaks | {at for at, sign in enumerate(inline.text) if sign == "\n"}), len(inline.text)]
    return [_trimmed(inline.text, start, end) for start, end in pairwise(cuts) if inline.text[start:end].strip()]


_LABELLED = re.compile(r"(?P<key>[^\W\d_]{2}[^:.!?;\n]{0,40}?)\s*:\s+\S")  # no "Q: … A: …"


def labelled_lines(text: str, inline: Inline) -> list[tuple[int, int]]:
    """The lines of a record ("Phone: ext. 4405"), each under a key of its own; none where one isn't labelled, or a key
    comes twice, as who speaks does in a dialogue, or only some have a capital, as wrapped prose with colons.
    """
    found = line_spans(text, inline)
    keys = [m["key"] for a, b in found if b - a <= LONGEST_UNIT and (m := _LABELLED.match(inline.text, a, b))]
    own = len({key.casefold() for key in keys}) == len(found) > 1
    return found if own and len({key[0].islower() for key in keys}) == 1 else []


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
        header, over = heads_over(block)
        for number, row in enumerate(block.children):
            cells = [" ".join(cell.inline.text.split()) if cell.inline else "" for cell in row.children]
            head = row.header or number < header
            if head:
                cells = over if 1 < header == number + 1 else cells  # the last line of several tells what all say
                heads = [shortened(cell, _LONGEST_LABEL) for cell in cells]
                plain = "; ".join(cell for cell in cells if cell)
            else:
                heads_here = [*heads, *[""] * (len(cells) - len(heads))]
                named = [
                    f"{head}: {cell}" if head else cell for head, cell in zip(heads_here, cells, strict=False) if cell
                ]
                plain = "; ".join(named)
            if plain:
                yield Unit(UnitKind.LINE if head else UnitKind.ROW, row.start, row.end, plain, context)

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


SOFT_LIMIT = 1200  # code points; passages end at a block's end before they grow longer
HARD_LIMIT = 1500
_SHORT = 400  # a passage shorter than this takes up to HARD_LIMIT rather than end
_LONGEST_HEADING = 300


def split(document: Document, document_id: str) -> tuple[Passage, ...]:
    """Passages in order: they hold all text of the document's blocks and never overlap.

    A passage belongs to one section and the first of a section begins with its heading lines. Longer
    sections are cut between blocks, longer blocks between rows, items, sentences or lines.
    """
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for section in _sections(document.blocks):
        for start, end in _packed(_pieces(document.text, section)):
            found.append((start, end, section.path))
    shares = _shared(units(document), [(start, end) for start, end, _ in found], document.text)
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for order, ((start, end, path), share) in enumerate(zip(found, shares, strict=True)):
        text = document.text[start:end]
        id_ = passage_id(document_id, text, seen[text])
        seen[text] += 1
        passages.append(Passage(id_, document_id, start, end, text, path, order, tuple(share)))
    return tuple(passages)


@dataclass
class _Section:
    """Headings and the blocks below them; ``path`` are the headings in force, outermost first."""

    path: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch that isn't cut; ``stays`` says that it goes with the next one (a heading, an introduction)."""

    start: int
    end: int
    stays: bool = False


def _sections(blocks: Sequence[Block]) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    section = _Section()
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.inline is not None:
            if section.blocks and section.blocks[-1].kind is not BlockKind.HEADING:
                yield section
                section = _Section()
            path = [(level, text) for level, text in path if level < block.level]
            path.append((block.level, shortened(block.inline.text, _LONGEST_HEADING)))
        section.path = tuple(text for _, text in path)
        if block.kind is not BlockKind.RULE:
            section.blocks.append(block)
    if section.blocks:
        yield section


def _pieces(text: str, section: _Section) -> list[_Piece]:
    """Pieces of a section, none longer than the hard limit even with the headings and introductions before it."""
    found: list[_Piece] = []
    for place, block in enumerate(section.blocks):
        follows = place + 1 < len(section.blocks)
        stays = follows and (block.kind is BlockKind.HEADING or bool(introduces(block)))
        room = HARD_LIMIT - _lead(found, block)
        if block.end - block.start <= room:
            found.append(_Piece(block.start, block.end, stays))
        else:
            found.extend(_cut(text, block, min(SOFT_LIMIT, room)))
            if stays:
                found[-1] = replace(found[-1], stays=True)
    return found


def _lead(found: list[_Piece], block: Block) -> int:
    """Length of what stays with the block, up to its start: at most half of the limit, or nothing stays.

    What is no block (a comment, a table of contents) counts too where it stands between.
    """
    first = len(found)
    while first and found[first - 1].stays:
        first -= 1
    if first == len(found):
        return 0
    length = block.start - found[first].start
    if length <= HARD_LIMIT // 2:
        return length
    found[-1] = replace(found[-1], stays=False)
    return 0


def _cut(text: str, block: Block, limit: int) -> Iterator[_Piece]:
    """A block in pieces of at most ``limit``, at the best places that its kind offers."""
    bounds = _seams(text, block)
    for start, end, inner in bounds:
        if end - start <= limit:
            yield _Piece(start, end)
        elif inner is not None and (inner.children or inner.inline is not None) and inner is not block:
            pieces = list(_cut(text, inner, limit))
            first = pieces[0]
            yield from _cut_anywhere(text, start, first.end, limit)
            yield from pieces[1:-1]
            if len(pieces) > 1:
                yield from _cut_anywhere(text, pieces[-1].start, max(end, pieces[-1].end), limit)
        else:
            yield from _cut_anywhere(text, start, end, limit)


def _seams(text: str, block: Block) -> list[tuple[int, int, Block | None]]:
    """Stretches (start, end) that make up the block, each with the block inside it that can be cut further."""
    if block.kind is BlockKind.TABLE and len(block.children) > 1:
        head, *rows = block.children
        found: list[tuple[int, int, Block | None]] = [(row.start, row.end, None) for row in rows]
        found[0] = (head.start, rows[0].end, None)
    elif block.children:
        found = [(child.start, child.end, child) for child in block.children]
    elif block.kind is BlockKind.CODE and block.inline is not None and block.inline.text.strip():
        found = _lines(text, block)
    elif block.inline is not None and block.inline.text.strip():
        found = [(start, end, None) for start, end, _ in sentences(text, block.start, block.end, block.inline)]
    else:
        found = [(block.start, block.end, None)]
    found[0] = (block.start, *found[0][1:])
    found[-1] = (found[-1][0], max(block.end, found[-1][1]), found[-1][2])
    return found


def _lines(text: str, block: Block) -> list[tuple[int, int, Block | None]]:
    found: list[tuple[int, int, Block | None]] = []
    at = block.start
    for line in text[block.start : block.end].split("\n"):
        if line.strip():
            found.append((at + len(line) - len(line.lstrip()), at + len(line.rstrip()), None))
        at += len(line) + 1
    return found


def _cut_anywhere(text: str, start: int, end: int, limit: int) -> Iterator[_Piece]:
    """Pieces of at most ``limit``, cut at blanks, or within a word that is longer than half of that."""
    start = _behind_blanks(text, start, end)
    while end - start > limit:
        window = text[start : start + limit + 1]
        blank = max(window.rfind(" "), window.rfind("\n"), window.rfind("\t"))
        cut = blank if blank > limit // 2 else limit
        body = window[:cut].rstrip()
        yield _Piece(start, start + len(body))
        start = _behind_blanks(text, start + cut, end)
    if start < end:
        yield _Piece(start, end)


def _behind_blanks(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _packed(pieces: Sequence[_Piece]) -> list[tuple[int, int]]:
    """Pieces filled into passages up to the soft limit, those that stay together kept so."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(pieces):
        start = pieces[at].start
        while pieces[at].stays and at + 1 < len(pieces) and pieces[at + 1].end - start <= HARD_LIMIT:
            at += 1
        end = pieces[at].end
        at += 1
        if found:
            before = found[-1]
            limit = HARD_LIMIT if min(before[1] - before[0], end - start) < _SHORT and at == len(pieces) else SOFT_LIMIT
            if before[1] - before[0] < _SHORT:
                limit = HARD_LIMIT
            if end - before[0] <= limit:
                found[-1] = (before[0], end)
                continue
        found.append((start, end))
    return found


def _shared(all_units: Sequence[Unit], places: Sequence[tuple[int, int]], text: str) -> list[list[Unit]]:
    """Units of every passage; a unit that a passage's end cuts is cut there too."""
    shares: list[list[Unit]] = [[] for _ in places]
    at = 0
    for unit in all_units:
        while at < len(places) and places[at][1] <= unit.start:
            at += 1
        index = at
        while index < len(places) and places[index][0] < unit.end:
            start, end = places[index]
            if start <= unit.start and unit.end <= end:
                shares[index].append(unit)
            else:
                part = _trimmed(text, max(start, unit.start), min(end, unit.end))
                plain = " ".join(text[slice(*part)].split())
                if plain:
                    shares[index].append(replace(unit, start=part[0], end=part[1], plain=plain))
            index += 1
    return shares


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    return start, start + len(body.strip())

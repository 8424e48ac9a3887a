"""One document as extractors see it: its blocks in order, each with its headings, subject, standing and passage.

Pure and lazy: everything is computed from the document, its passages and the ontology, once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

from kg.extract.words import Words
from kg.model import Block, BlockKind, Claim, Document, EntityName, Inline, MarkKind, Passage
from kg.ontology import Ontology
from kg.text import entities
from kg.text.entities import EntityMention
from kg.text.gazetteer import Casing
from kg.text.sentence_spans import spans
from kg.text.stretch import Found, Stretch

Span = tuple[int, int]
T = TypeVar("T")

_LABEL_LENGTH = 90
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A top-level block (not a heading) in its place.

    ``sections``: the headings above it, outermost first. ``label``: the paragraph right before it that introduces
    it (ends in a colon, or is wholly bold), if any.
    """

    block: Block
    sections: tuple[Block, ...]
    label: Block | None


@dataclass(frozen=True, eq=False)
class Source:
    """A document with what extractors ask of it. ``learned``: classes of names that earlier extractors found."""

    document: Document
    document_id: str
    passages: tuple[Passage, ...]
    ontology: Ontology
    learned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _names: dict[int, tuple[Found[EntityMention], ...]] = field(default_factory=dict, repr=False, compare=False)

    def taught(self, claims: Iterable[Claim]) -> dict[str, tuple[str, ...]]:
        """Classes of names by their folded words, as the values and subjects of claims have them.

        The most specific ones; none where two can't hold of one thing (homonyms).
        """
        found: dict[str, set[str]] = {}
        for claim in claims:
            for name in (claim.subject, claim.object):
                if isinstance(name, EntityName) and name.classes:
                    found.setdefault(name.surface.casefold(), set()).update(name.classes)
        specific = {name: self.ontology.most_specific(classes) for name, classes in found.items()}
        return {
            name: classes
            for name, classes in specific.items()
            if all(self.ontology.compatible(a, b) for a, b in combinations(classes, 2))
        }

    @cached_property
    def casing(self) -> Casing:
        """How the document writes its words, for finding names."""
        return Casing.of(inline.text for inline in self.leaves(headings=False))

    def names_in(self, stretch: Stretch) -> list[Found[EntityMention]]:
        """Names of entities inside a stretch, by offsets within it."""
        inline = stretch.inline
        if id(inline) not in self._names:
            self._names[id(inline)] = entities.find(inline.text, self.ontology, inline.marks, self.casing)
        found = (f for f in self._names[id(inline)] if stretch.start <= f.start and f.end <= stretch.end)
        named = (f for f in found if any(c.isupper() for c in f.value.surface) or f.value.known)
        return [Found(f.start - stretch.start, f.end - stretch.start, f.value) for f in named]

    @cached_property
    def words(self) -> Words:
        """Which words the document uses as common words, and which as names."""
        return Words.of(self.leaves(headings=False), self.document.title)

    @cached_property
    def _chained(self) -> list[tuple[Block, tuple[Block, ...], Block | None]]:
        """Top-level blocks in order, each with the headings above it, outermost first, and the block before it."""
        found: list[tuple[Block, tuple[Block, ...], Block | None]] = []
        chain: tuple[Block, ...] = ()
        before: Block | None = None
        for block in top_blocks(self.document.blocks):
            is_heading = block.kind is BlockKind.HEADING
            chain = tuple(h for h in chain if h.level < block.level) if is_heading else chain
            found.append((block, chain, before))
            chain = (*chain, block) if is_heading else chain
            before = block
        return found

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """Top-level blocks in order with their headings; headings and rules themselves are left out."""
        left_out = (BlockKind.HEADING, BlockKind.RULE)
        told = (one for one in self._chained if one[0].kind not in left_out)
        return tuple(Placed(block, above, before if is_label(before) else None) for block, above, before in told)

    @cached_property
    def places(self) -> dict[Placed, int]:
        """Where each of :attr:`placed` stands among them."""
        return {placed: at for at, placed in enumerate(self.placed)}

    @cached_property
    def memo(self) -> dict[tuple[str, int], tuple[object, Any]]:
        """What was computed of a block, by what it is and the block's identity, beside the block, which keeps that."""
        return {}

    def once(self, what: str, of: object, compute: Callable[[], T]) -> T:
        """What is computed of a block, the same each time that it is asked for."""
        key = (what, id(of))
        if key not in self.memo:
            self.memo[key] = of, compute()
        found: T = self.memo[key][1]
        return found

    @cached_property
    def headings(self) -> tuple[tuple[Block, tuple[Block, ...]], ...]:
        """Every heading with those above it, outermost first."""
        return tuple((block, above) for block, above, _ in self._chained if block.kind is BlockKind.HEADING)

    def leaves(self, headings: bool = True) -> Iterator[Inline]:
        """The text of every leaf block but code, in document order."""
        for block in walk(self.document.blocks):
            wanted = block.kind is not BlockKind.CODE and (headings or block.kind is not BlockKind.HEADING)
            if wanted and block.inline is not None:
                yield block.inline

    @cached_property
    def _starts(self) -> list[int]:
        return [p.start for p in self.passages]

    def passage_at(self, offset: int) -> Passage:
        """The passage that holds the offset, or the last one that begins before it."""
        return self.passages[max(0, bisect_right(self._starts, offset) - 1)]

    def quote(self, start: int, end: int) -> Span:
        """The row, bullet, sentence or line around a stretch, never beyond the passage in which the stretch begins.

        Empty where that passage holds none of it: no claim can quote what no passage has.
        """
        passage = self.passage_at(start)
        around = [u for u in passage.units if u.start < end and start < u.end]
        if around:
            start, end = min(start, around[0].start), max(end, around[-1].end)
        start = max(start, passage.start)
        return start, max(start, min(end, passage.end))

    def cut(self, span: Span) -> str:
        """The document's text over a span."""
        return self.document.text[span[0] : span[1]]


def top_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks of the outermost level; what a quotation holds counts as if it stood outside."""
    for block in blocks:
        if block.kind is BlockKind.QUOTE and block.children:
            yield from top_blocks(block.children)
        else:
            yield block


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks and all below them, in document order."""
    for block in blocks:
        yield block
        yield from walk(block.children)


def is_label(block: Block | None) -> bool:
    """Whether a paragraph introduces what follows: ends in a colon, or is short and wholly bold."""
    if block is None or block.kind is not BlockKind.PARAGRAPH or block.inline is None:
        return False
    text = block.inline.text.rstrip()
    bold = any(m.kind == "strong" and m.start == 0 and m.end >= len(text) for m in block.inline.marks)
    return text.endswith(":") or (bold and len(text) <= _LABEL_LENGTH)


def sentences(stretch: Stretch) -> Iterator[Stretch]:
    """Sentences in order, trimmed."""
    code = {found.start - stretch.start for found, _ in stretch.marked(MarkKind.CODE)}
    for start, end in spans(stretch.text, code):
        yield stretch.part(start, end)


def lines_of(whole: Stretch) -> Iterator[Stretch]:
    """Lines that hold anything, trimmed."""
    for found in _LINE.finditer(whole.text):
        if line := whole.part(*found.span()).strip():
            yield line

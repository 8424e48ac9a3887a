"""HTML inside of Markdown: read as pages are, each character traced to where it stands in the Markdown.

The parser of HTML tells no places. So each text between tags is handed to it as one sign, a private one that numbers
it; where the sign comes up in the tree, that text is put in, with its places.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise

from kg.errors import UnreadableDocument
from kg.model import Block, Inline, Mark
from kg.readers.html import TAG, check_markup
from kg.readers.inline import trim
from kg.readers.rendering import Piece, TooLarge, clean, placed

_HIDDEN = re.compile(r"<(script|style)\b", re.IGNORECASE)
_SHORT = re.compile(r"</?[A-Za-z][^<>]*>|<[?!][^<>]*>")
_FIRST, _LAST = 0xF0000, 0xFFFFD  # private signs
_SIGN = re.compile(rf"(\s*[{chr(_FIRST)}-{chr(_LAST)}]\s*)")
_PARTING = re.compile(r"\n(?:[ \t]*\n)+")
_REFERENCE = re.compile(r"&#?\w+;")


def text_pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches (start, end) of ``text[start:end]`` outside markup, comments, scripts and styles; no blank ones."""
    found: list[tuple[int, int]] = []
    at = kept = start
    missing: set[str] = set()  # ends that don't come any more, so that none is looked for twice
    while (sign := text.find("<", at, end)) >= 0:
        upto = _markup_end(text, sign, end, missing)
        at = upto if upto > sign else sign + 1
        if upto > sign:
            found.append((kept, sign))
            kept = upto
    found.append((kept, end))
    return [piece for piece in found if text[slice(*piece)].strip()]


def _markup_end(text: str, at: int, end: int, missing: set[str]) -> int:
    """End of the markup that begins at ``at``; ``at`` if none does."""
    closing = ""
    if text.startswith("<!--", at):
        closing = "-->"
    elif hidden := _HIDDEN.match(text, at, end):
        closing = f"</{hidden[1].lower()}>"
    if closing and closing not in missing:
        close = text.find(closing, at, end)
        if close >= 0:
            return close + len(closing)
        missing.add(closing)
    match = None if "tag" in missing else TAG.match(text, at, end)
    if match is None:
        if text[at + 1 : at + 3].lstrip("/")[:1].isalpha():
            missing.add("tag")  # one that isn't closed is sought up to the end
        match = _SHORT.match(text, at, end)
    return match.end() if match else at


def blocks_of(text: str, start: int, end: int, inline: Callable[[int, int], Inline]) -> tuple[Block, ...] | None:
    """Blocks of the HTML that ``text[start:end]`` is, of whose texts ``inline`` reads the Markdown.

    None where it can't be told where something in it stands, or it would take too long.
    """
    stretches = text_pieces(text, start, end)
    if not stretches:
        return ()
    if len(stretches) > _LAST - _FIRST:
        return None
    source = _signs_for(text, start, end, stretches)
    try:
        check_markup(source, "HTML")
        from selectolax.lexbor import LexborHTMLParser

        from kg.readers.html_tree import build

        body = LexborHTMLParser(source).body
        nodes = build(body, False, _Stretches(text, stretches, inline)) if body is not None else []
        return placed(text, start, end, nodes)
    except (UnreadableDocument, TooLarge):
        return None


def _signs_for(text: str, start: int, end: int, stretches: list[tuple[int, int]]) -> str:
    """The HTML with a sign instead of each stretch; the blanks around it stay."""
    parts: list[str] = []
    at = start
    for number, stretch in enumerate(stretches):
        first, last = trim(text, *stretch)
        parts.extend((text[at:first], chr(_FIRST + number)))
        at = last
    return "".join((*parts, text[at:end]))


class _Stretches:
    """Gives the pieces of a text of the tree, which are signs and blanks."""

    def __init__(self, text: str, stretches: list[tuple[int, int]], inline: Callable[[int, int], Inline]) -> None:
        self.text, self.stretches, self.inline = text, stretches, inline

    def __call__(self, signs: str, verbatim: bool) -> Iterator[Piece]:
        for piece in self._pieces(signs, verbatim):
            start = 0
            for seen, signs_here in groupby(piece.text, lambda sign: bool(clean(sign))):
                end = start + len(list(signs_here))
                if seen:
                    yield piece.part(start, end)
                start = end

    def _pieces(self, signs: str, verbatim: bool) -> Iterator[Piece]:
        for part in _SIGN.split(signs):
            sign = part.strip()
            if not sign:
                yield Piece(part if verbatim or not part else " ")
                continue
            start, end = self.stretches[ord(sign) - _FIRST]
            if verbatim:
                yield from self._verbatim(start, end)
                continue
            start, end = trim(self.text, start, end)
            yield Piece(" " if part[0].isspace() else "")
            for gap in _PARTING.finditer(self.text, start, end):
                yield from (*_pieces(self.inline(start, gap.start())), Piece("\n"))
                start = gap.end()
            yield from (*_pieces(self.inline(start, end)), Piece(" " if part[-1].isspace() else ""))

    def _verbatim(self, start: int, end: int) -> Iterator[Piece]:
        for reference in _REFERENCE.finditer(self.text, start, end):
            yield self._piece(start, reference.start())
            yield Piece(html.unescape(reference[0]), (), (reference.start(), len(reference[0])))
            start = reference.end()
        yield self._piece(start, end)

    def _piece(self, start: int, end: int) -> Piece:
        return Piece(self.text[start:end], (), (start, end - start))


def _pieces(inline: Inline) -> Iterator[Piece]:
    """The inline cut wherever a mark begins or ends, or it isn't as in the source."""
    cuts = {0, len(inline.text), *(mark.start for mark in inline.marks), *(mark.end for mark in inline.marks)}
    cuts.update(run.plain for run in inline.runs)
    waiting = list(reversed(inline.marks))  # by their start
    opened: list[Mark] = []
    for start, end in pairwise(sorted(cuts)):
        while waiting and waiting[-1].start <= start:
            opened.append(waiting.pop())
        opened = [mark for mark in opened if mark.end > start]
        first, last = inline.source(start, end)
        marks = tuple((mark.kind, mark.target) for mark in opened)
        yield Piece(inline.text[start:end], marks, (first, last - first))

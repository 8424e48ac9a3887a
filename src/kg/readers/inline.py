"""Building :class:`kg.model.Inline`: plain text with an exact way back to the document's offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from kg.model import Inline, Mark, MarkKind, Run

_URL = re.compile(r"\bhttps?://[^\s<>\"“”`|\\^{}]{1,2000}", re.IGNORECASE)
_URL_TAIL = ".,;:!?'’*_"
_PAIRS = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the characters of a leaf's content stand in the document.

    Stretches ``(content, source, length)`` in order that tile the content; each maps character by character.
    """

    stretches: tuple[tuple[int, int, int], ...]

    def within(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Source stretches (start, length) of ``content[start:end]``, in order."""
        index = max(0, bisect_right(self.stretches, start, key=lambda s: s[0]) - 1)
        while start < end and index < len(self.stretches):
            content, source, length = self.stretches[index]
            stop = min(end, content + length)
            if stop > start:
                yield source + start - content, stop - start
                start = stop
            index += 1

    def at(self, place: int) -> int:
        """Source offset of the character ``content[place]``."""
        return next(self.within(place, place + 1))[0]

    @property
    def start(self) -> int:
        """Source offset of the first character."""
        return self.stretches[0][1]

    @property
    def end(self) -> int:
        """Source offset behind the last character."""
        _, source, length = self.stretches[-1]
        return source + length


def origin(pieces: Iterable[tuple[int, int]]) -> Origin:
    """Origin from source pieces (start, length) that make up the content one after another."""
    stretches: list[tuple[int, int, int]] = []
    content = 0
    for source, length in pieces:
        if not length:
            continue
        if stretches and sum(stretches[-1][1:]) == source:
            first, at, before = stretches[-1]
            stretches[-1] = (first, at, before + length)
        else:
            stretches.append((content, source, length))
        content += length
    return Origin(tuple(stretches))


# Blanks that stand for one; and the hyphens with which typesetting breaks words at the margin.
_GAP = re.compile(r"[ \t]*(?:\t|[ ]{2})[ \t]*")
_BREAKS = "\u2010\u00ad"


class InlineBuilder:
    """Collects plain text, runs and marks of one leaf from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: list[str] = []
        self._runs: list[Run] = []
        self._marks: list[Mark] = []
        self._open = False  # whether the last run may grow
        self.length = 0

    def copy(self, source: int, length: int) -> None:
        """Adds ``text[source:source + length]`` as it is."""
        self.keep(self._text[source : source + length], source)

    def keep(self, plain: str, source: int) -> None:
        """Adds plain text that stands as it is at ``source``."""
        if not plain:
            return
        last = self._runs[-1] if self._runs else None
        if last is not None and self._open and last.source + last.source_length == source:
            grown = last.plain_length + len(plain)
            self._runs[-1] = Run(last.plain, last.source, grown, grown)
        else:
            self._runs.append(Run(self.length, source, len(plain), len(plain)))
        self._parts.append(plain)
        self.length += len(plain)
        self._open = True

    def replace(self, plain: str, source: int, length: int) -> None:
        """Adds ``plain`` for ``text[source:source + length]``, which it stands for as a whole."""
        if not plain:
            return
        self._runs.append(Run(self.length, source, len(plain), length))
        self._parts.append(plain)
        self.length += len(plain)
        self._open = False

    def mark(self, kind: MarkKind, start: int, target: str = "") -> None:
        """Marks the plain text from ``start`` up to here."""
        if start < self.length:
            self._marks.append(Mark(kind, start, self.length, target))

    def build(self) -> Inline:
        """The inline, marks in order of their start, wider ones first, with bare addresses marked as links."""
        text = "".join(self._parts)
        marks = [*self._marks, *_bare_addresses(text, self._marks)]
        marks.sort(key=lambda m: (m.start, -m.end, m.kind, m.target))
        return Inline(text, tuple(self._runs), tuple(marks))


def _bare_addresses(text: str, marks: Iterable[Mark]) -> Iterator[Mark]:
    taken = sorted((m.start, m.end) for m in marks if m.kind in (MarkKind.LINK, MarkKind.WIKILINK))
    for match in _URL.finditer(text):
        index = bisect_right(taken, match.start(), key=lambda t: t[0]) - 1
        if index >= 0 and taken[index][1] > match.start():
            continue
        address = _trimmed(match.group())
        yield Mark(MarkKind.LINK, match.start(), match.start() + len(address), address)


def _trimmed(address: str) -> str:
    """Without the punctuation that belongs to the sentence around it."""
    while (last := address[-1]) in _URL_TAIL or address.count(last) > address.count(_PAIRS.get(last, last)):
        address = address[:-1]
    return address


def flowing(text: str, lines: Iterable[tuple[int, int]]) -> Inline:
    """Inline of the source lines (start, end), trimmed, joined by blanks that stand for the newlines.

    Several blanks within a line are one. A word that typesetting broke at the margin (by another hyphen than the
    keyboard's) is one word again.
    """
    builder = InlineBuilder(text)
    kept = [(start, end) for start, end in (trim(text, *line) for line in lines) if start < end]
    for (start, end), after in zip_longest(kept, kept[1:]):
        broken = after is not None and text[end - 1] in _BREAKS and text[after[0]].islower()
        _spaced(builder, text, start, end - broken)
        if after is not None and not broken:
            builder.replace(" ", text.find("\n", end), 1)
    return builder.build()


def _spaced(builder: InlineBuilder, text: str, start: int, end: int) -> None:
    for gap in _GAP.finditer(text, start, end):
        builder.copy(start, gap.start() - start)
        builder.replace(" ", gap.start(), gap.end() - gap.start())
        start = gap.end()
    builder.copy(start, end - start)


def verbatim(text: str, origin_: Origin) -> Inline:
    """Inline of a content taken over character by character (code). No marks."""
    builder = InlineBuilder(text)
    for _, source, length in origin_.stretches:
        builder.copy(source, length)
    inline = builder.build()
    return Inline(inline.text, inline.runs)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without blanks at its ends; empty at ``start`` if there is nothing else."""
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return start, start
    start += len(piece) - len(piece.lstrip())
    return start, start + len(body)

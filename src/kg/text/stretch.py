"""A stretch of a block's plain text that knows where in the document it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kg.model import Inline, MarkKind

# --- A value with its place in the text


class Spanned(Protocol):
    """Something that covers a stretch of text."""

    @property
    def start(self) -> int:
        """First code point."""
        ...

    @property
    def end(self) -> int:
        """One past the last code point."""
        ...


T = TypeVar("T", covariant=True)
S = TypeVar("S", bound=Spanned)


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value read from ``text[start:end]``."""

    start: int
    end: int
    value: T


def apart(found: Iterable[S]) -> tuple[S, ...]:
    """Spans left to right without overlaps: of two that overlap, the one that starts first, then the longer."""
    kept: list[S] = []
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or kept[-1].end <= one.start:
            kept.append(one)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Stretch:
    """``inline.text[start:end]``. Parts are given by offsets within the stretch."""

    inline: Inline
    start: int
    end: int

    @classmethod
    def whole(cls, inline: Inline) -> Stretch:
        """All of a block's text, without the white space around it."""
        return cls(inline, 0, len(inline.text)).strip()

    @property
    def text(self) -> str:
        """The plain text."""
        return self.inline.text[self.start : self.end]

    @property
    def span(self) -> tuple[int, int]:
        """Offsets in the document. Raises ValueError for an empty stretch."""
        return self.inline.source(self.start, self.end)

    def __bool__(self) -> bool:
        """Whether it has any length."""
        return self.end > self.start

    def part(self, start: int, end: int | None = None) -> Stretch:
        """The stretch from ``start`` to ``end`` of this one."""
        return Stretch(self.inline, self.start + start, self.end if end is None else self.start + end)

    def strip(self, characters: str | None = None) -> Stretch:
        """Without such characters (white space) at both ends."""
        text = self.text
        left = len(text) - len(text.lstrip(characters))
        return self.part(left, max(left, len(text.rstrip(characters))))

    def split(self, pattern: re.Pattern[str]) -> Iterator[Stretch]:
        """Parts between matches outside brackets and quotation marks, stripped; empty ones are left out."""
        at, text = 0, self.text
        for found in pattern.finditer(text):
            if found.start() >= at and not nested(text, found.start()):
                if piece := self.part(at, found.start()).strip():
                    yield piece
                at = found.end()
        if piece := self.part(at).strip():
            yield piece

    def marked(self, kind: MarkKind) -> Iterator[tuple[Stretch, str]]:
        """Parts that carry a mark, with its target."""
        for mark in self.inline.marks:
            start, end = max(mark.start, self.start), min(mark.end, self.end)
            if mark.kind is kind and start < end:
                yield Stretch(self.inline, start, end), mark.target


_OPEN, _CLOSE = "([{“«", ")]}”»"


def nested(text: str, at: int) -> bool:
    """Whether a position lies inside brackets or quotation marks.

    >>> nested("a (b, c), d", 4), nested("a (b, c), d", 8)
    (True, False)
    """
    depth, quoted = 0, False
    for character in text[:at]:
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth = max(0, depth - 1)
        elif character == '"':
            quoted = not quoted
    return (depth > 0 and any(c in _CLOSE for c in text[at:])) or (quoted and '"' in text[at:])

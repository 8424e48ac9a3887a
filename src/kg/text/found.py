"""A value with its place in the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


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

"""Which page of a paged document an offset of its stored text is on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from kg.model import Block

__all__ = ["KEY", "page_at", "page_starts"]

KEY = "page_starts"
"""Metadata of a paged document: for every page, where its text begins, parted by blanks."""
_PAGE = "page "


def page_starts(blocks: Sequence[Block], pages: int) -> str:
    """The value of :data:`KEY`, from blocks whose ``info`` says ``page 3`` where they begin on that page."""
    first: dict[int, int] = {}
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        number = block.info.removeprefix(_PAGE)
        if block.info.startswith(_PAGE) and number.isdecimal():
            first.setdefault(int(number), block.start)
        waiting.extend(reversed(block.children))
    starts: list[int] = []
    following = max((block.end for block in blocks), default=0)
    for page in range(pages, 0, -1):
        following = min(following, first.get(page, following))
        starts.append(following)
    starts = [0, *reversed(starts[:-1])]
    return " ".join(map(str, starts))


def page_at(metadata: Iterable[tuple[str, str]], offset: int) -> int | None:
    """The page, from 1, that an offset of the stored text is on; None for documents without pages."""
    starts = [int(start) for start in dict(metadata).get(KEY, "").split()]
    return bisect_right(starts, offset) if starts else None

"""Cells of a GFM table row with exact places, from the row's source."""

from __future__ import annotations

from itertools import pairwise

from kg.readers.inline import trim


def cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Trimmed (start, end) of every cell of the row ``text[start:end]``; bars at its ends are borders.

    A bar behind a backslash belongs to the cell. An empty cell is an empty stretch.
    """
    borders = [at for at in range(start, end) if text[at] == "|" and not _escaped(text, start, at)]
    bounds = [start - 1, *borders, end]
    pieces = [(left + 1, right) for left, right in pairwise(bounds)]
    if pieces and not text[slice(*pieces[0])].strip():
        pieces.pop(0)
    if pieces and not text[slice(*pieces[-1])].strip():
        pieces.pop()
    return [trim(text, *piece) for piece in pieces]


def content(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Source pieces (start, length) of a cell's content: the backslash of an escaped bar is left out."""
    pieces: list[tuple[int, int]] = []
    at = start
    while (bar := text.find("\\|", at, end)) >= 0:
        pieces.append((at, bar - at))
        at = bar + 1
    pieces.append((at, end - at))
    return pieces


def _escaped(text: str, start: int, at: int) -> bool:
    # As in GFM: one backslash right before the bar escapes it, whatever stands before that.
    return at > start and text[at - 1] == "\\"

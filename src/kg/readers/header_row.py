"""Whether the first row of a table that doesn't say so holds the heads of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["is_figure", "is_header"]

_YEAR = re.compile(r"(?:fy|q[1-4]|h[12])?[ /-]*(?:1[5-9]|20)\d\d(?:[-/–]\d{2,4})?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T].*)?|\d{1,2}:\d\d.*")
_VALUE_HEAD = re.compile(
    r"(?:values?|amounts?|figures?|numbers?|results?|details?|descriptions?|meaning|definition|notes?|total|count)",
    re.IGNORECASE,
)
_LONGEST_HEAD = 80  # code points
_SAMPLE = 200  # rows


def is_header(rows: Sequence[Sequence[str]], default: bool = True) -> bool:
    """Whether ``rows[0]`` is a header, told by its form against that of the rows below; ``default`` where neither is.

    Heads are words over figures, differ from each other, are short and don't come again below.
    """
    if len(rows) < 2 or max(len(row) for row in rows[:_SAMPLE]) < 2:
        return False
    head = [cell.strip() for cell in rows[0]]
    inner = head[1:]
    if any(len(cell) > _LONGEST_HEAD for cell in head) or len([c for c in inner if not c]) * 3 > len(inner):
        return False
    named = [cell.casefold() for cell in head if cell]
    if len(set(named)) < len(named) and len(head) == 2:
        return False
    score = _score(head, rows[1:_SAMPLE])
    if len(head) == 2 and score <= 1:
        # "Height | 50 m" as a first row looks like a header over a column of figures.
        if _VALUE_HEAD.fullmatch(head[1]):
            return True
        mixed = _share([row[1] for row in rows[1:_SAMPLE] if len(row) > 1]) not in (0.0, 1.0)
        return score >= 0 and (default or (score > 0 and not mixed)) and not head[0].endswith(":")
    return score > 0 or (score == 0 and default)


def is_figure(text: str) -> bool:
    """Whether a cell is mainly a number or a date."""
    if _DATE.fullmatch(text):
        return True
    signs = [sign for sign in text if sign.isalnum()]
    return bool(signs) and sum(sign.isdigit() for sign in signs) * 2 >= len(signs)


def _score(head: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    score = 0
    for place, cell in enumerate(head):
        below = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
        figures = _share(below)
        if not below or not cell:
            continue
        if not is_figure(cell):
            score += figures >= 0.6
        elif _YEAR.fullmatch(cell) and not all(_YEAR.fullmatch(other) for other in below):
            score += place > 0
        elif place > 0 or figures >= 0.6:
            score -= 1 if figures < 0.6 else 2
    return score


def _share(cells: Sequence[str]) -> float:
    filled = [cell for cell in cells if cell.strip()]
    return sum(is_figure(cell.strip()) for cell in filled) / len(filled) if filled else 0.0

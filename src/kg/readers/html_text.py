"""Text between the tags of a stretch of HTML inside Markdown (whole HTML files have a reader of their own)."""

from __future__ import annotations

import re

from kg.readers.inline import trim

_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[?!][^<>]*>")
_HIDDEN = re.compile(r"<(script|style)\b", re.IGNORECASE)


def pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches (start, end) of ``text[start:end]`` outside markup, comments, scripts and styles.

    The blanks before the first and behind the last are left out.
    """
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
    return _trimmed(text, [piece for piece in found if piece[0] < piece[1]])


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
    match = _TAG.match(text, at, end)
    return match.end() if match else at


def _trimmed(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    while found and not text[slice(*found[0])].strip():
        found.pop(0)
    while found and not text[slice(*found[-1])].strip():
        found.pop()
    if found:
        first, last = trim(text, *found[0]), trim(text, *found[-1])
        found[0] = (first[0], found[0][1])
        found[-1] = (found[-1][0], last[1])
        if len(found) == 1:
            found[0] = first
    return found

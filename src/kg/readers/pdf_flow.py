"""Lines put together again: words that were broken at a line's end, blanks between the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kg.readers.pdf_lines import Fragment
from kg.readers.rendering import Piece

__all__ = ["Words", "flowed"]

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W_]+)[-\u00ad\u2010]\Z")
_FIRST = re.compile(r"[^\W_]+")
_OPEN = re.compile(r"[/–—@_]\Z")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a document, and whether it breaks words at the ends of its lines."""

    counts: Counter[str]
    breaks: bool

    @classmethod
    def of(cls, lines: Iterable[str]) -> Words:
        """Words of the lines, parts of broken ones left out."""
        counts: Counter[str] = Counter()
        ends = total = 0
        for line in lines:
            total += len(line) > 40
            ends += bool(_BROKEN.search(line)) and len(line) > 40
            found = _WORD.findall(line)
            counts.update(word.lower() for word in (found[1:-1] if _BROKEN.search(line) else found[1:]))
        return cls(counts, ends >= 3 and ends > 0.025 * total)

    def whole(self, left: str, right: str) -> bool:
        """Whether two parts are one word that was broken, rather than two joined by a hyphen."""
        if not (left[-1:].isalpha() and right[:1].islower() and left[-1:].islower()):
            return False
        joined, hyphenated = self.counts[(left + right).lower()], self.counts[f"{left}-{right}".lower()]
        if joined or hyphenated:
            return joined > hyphenated
        both = self.counts[left.lower()] and self.counts[right.lower()]
        return (self.breaks and not both) or len(left) < 3


def flowed(lines: Sequence[Fragment], words: Words) -> tuple[Piece, ...]:
    """The pieces of lines as one text."""
    found: list[Piece] = []
    for line in lines:
        pieces = [piece for piece in line.pieces if piece.text]
        if not pieces:
            continue
        if found:
            before = found[-1].text.rstrip()
            broken = _BROKEN.search("".join(piece.text for piece in found[-3:]).rstrip())
            first = _FIRST.match(line.text.lstrip())
            if broken and first and (before.endswith("\u00ad") or words.whole(broken[1], first[0])):
                found[-1] = Piece(before[:-1], found[-1].marks)
            elif (broken and first) or _OPEN.search(before):
                found[-1] = Piece(before, found[-1].marks)
            else:
                shared = found[-1].marks if found[-1].marks == pieces[0].marks else ()
                found.append(Piece(" ", shared))
        found.extend(pieces)
    return tuple(found)

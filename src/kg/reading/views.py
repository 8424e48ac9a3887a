"""The text of passages as it is read: below its headings, rows with their heads, items with what introduces them.

Every character of a view that stands in a unit of quotation is traced to that unit, so that an answer's span is quoted
from the document.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from kg.model import Passage, UnitKind

# Characters of the units that are read together; a unit that is longer is read alone.
ROOM = 700
_HEADINGS = 3
_PATH = " > "


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of one passage to be read. ``numbers``: its units'; ``starts``: where each begins in the text."""

    passage: Passage
    text: str
    numbers: tuple[int, ...]
    starts: tuple[int, ...]

    def unit_at(self, place: int) -> int | None:
        """Number of the unit that a place of the text stands in; None before the first, in the headings."""
        at = bisect_right(self.starts, place) - 1
        return self.numbers[at] if at >= 0 else None

    def start_of(self, number: int) -> int:
        """Where a unit of the view begins in the text."""
        return self.starts[self.numbers.index(number)]

    def within(self, start: int, end: int) -> str:
        """The stretch ``[start, end)`` of the text, cut where its first unit ends."""
        at = bisect_right(self.starts, start)
        last = self.starts[at] - 1 if at < len(self.starts) else len(self.text)
        return self.text[start : min(end, last)].strip()


def view(passage: Passage, title: str, numbers: Iterable[int]) -> View:
    """Some units of a passage, in order, below the document's title and the nearest headings."""
    headings = [h for h in passage.headings[-_HEADINGS:] if h != title]
    text, introduced = _PATH.join(([title] if title else []) + headings), ""
    kept, starts = [], []
    for number in sorted(numbers):
        unit = passage.units[number]
        if unit.context and unit.context != introduced and unit.context not in text:
            text += f"\n{unit.context}"
        introduced = unit.context
        text += "\n" if text else ""
        kept.append(number)
        starts.append(len(text))
        text += unit.plain
    return View(passage, text, tuple(kept), tuple(starts))


def views(best: Iterable[tuple[Passage, int]], titles: dict[str, str], most: int) -> list[View]:
    """At most ``most`` views around units given best first: each with what stands around it, none read twice."""
    taken: set[tuple[str, int]] = set()
    found: list[View] = []
    for passage, number in best:
        if (passage.id, number) in taken:
            continue
        numbers = _around(passage, number, taken)
        taken |= {(passage.id, n) for n in numbers}
        found.append(view(passage, titles.get(passage.document, ""), numbers))
        if len(found) == most:
            break
    return found


def _around(passage: Passage, number: int, taken: set[tuple[str, int]]) -> list[int]:
    """A unit and its neighbours, from near to far, as far as there is room; without headings and what is taken."""
    room = ROOM - len(passage.units[number].plain)
    numbers = [number]
    before, after = number - 1, number + 1
    while room > 0 and (before >= 0 or after < len(passage.units)):
        for at in (before, after):
            if not 0 <= at < len(passage.units) or (passage.id, at) in taken:
                continue
            unit = passage.units[at]
            if unit.kind != UnitKind.HEADING and len(unit.plain) <= room:
                numbers.append(at)
                room -= len(unit.plain) + 1
            elif unit.kind != UnitKind.HEADING:
                room = 0
        before, after = before - 1, after + 1
    return sorted(numbers)

"""What happened at a time: the units that date something within it, in the order of time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.drafts import Asking, Draft, Value, clip, covered
from kg.ask.question import Question
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import Date, cells, dates
from kg.model import UnitKind

_ASKS = re.compile(
    r"^(?:so\s+|and\s+)?(?:tell me\s+)?(?:"
    r"what(?:\s+else|\s+all)?\s+(?:happened|took place|occurred|came about|went on|was going on)\b"
    r"|(?:what|which|list|show)(?:\s+me)?(?:\s+(?:are|were|all))?(?:\s+the)?\s+(?:main\s+|key\s+)?(?:events|happenings)\b)",
    re.IGNORECASE,
)
_SAID = w.words("""
    what else all happened took take place occurred came about went on was were going events happenings which list show
    me tell the main key in during of at between and from to happen occur are
    """)
# A unit that says no more than where something comes from, or that only opens others, tells of no event.
_NO_EVENT = re.compile(r"^(?:sources?|see|published|updated|accessed|retrieved)\b|:\s*$|^\S+://\S*$", re.IGNORECASE)
_INSIDE = re.compile(r"\([^()]*$")
_HEADS = w.words("date year event what when month day")
_MOST, _PIECE, _ROOM = 8, 150, 560
# So much of what else the question says, a unit must say.
_ABOUT = 0.6


@dataclass(frozen=True, slots=True)
class Happening:
    """A unit with the date within the time asked about that stands in it first."""

    day: str
    order: tuple[int, float]
    scored: Scored


class HappeningsQuestion:
    """``what happened in 1958?``, ``which events took place in May 2020?``."""

    name = "happenings"

    def asks(self, question: Question) -> bool:
        """A question for events that names a time."""
        return bool(_ASKS.match(question.text)) and bool(dates(question.text))

    def read(self, asking: Asking) -> Draft | None:
        """The events, the earliest first; None if nothing is dated then."""
        asked = dates(asking.question.text)
        first, last = min(d.earliest for d in asked), max(d.latest for d in asked)
        rest = _rest(asking, asked)
        found = [
            h for s in asking.found.units if (h := _happening(s, first, last)) is not None and _is_about(rest, h.scored)
        ]
        if not found:
            return None
        kept = sorted(_told_apart(sorted(found, key=lambda h: h.order))[:_MOST], key=lambda h: (h.day, h.order))
        values = tuple(Value(clip(_told(h.scored), 0, _PIECE), (i,)) for i, h in enumerate(kept))
        text = clip("; ".join(v.label.rstrip(".") for v in values), 0, _ROOM)
        return Draft(self.name, text, values, tuple(h.scored for h in kept), 0.9, explained=0.9)


def _rest(asking: Asking, asked: tuple[Date, ...]) -> tuple[Term, ...]:
    """What the question says beside asking for events of a time."""
    return tuple(
        t
        for t in asking.found.terms
        if t.word.token.lower not in _SAID and not any(d.start <= t.word.token.start < d.end for d in asked)
    )


def _is_about(rest: tuple[Term, ...], scored: Scored) -> bool:
    """Whether a unit says the rest of the question; a list's, with what stands over it."""
    listed = scored.unit.kind in (UnitKind.LINE, UnitKind.ITEM)
    over = (scored.unit.context, *scored.passage.headings[-1:]) if listed else ()
    return not rest or covered(rest, " ".join((scored.plain, *over))) >= _ABOUT


def _happening(scored: Scored, first: str, last: str) -> Happening | None:
    """The unit as an event of the time from ``first`` to ``last``, if it tells of one."""
    plain, kind = scored.plain, scored.unit.kind
    if kind == UnitKind.HEADING or _NO_EVENT.search(plain):
        return None
    for date in dates(plain):
        aside = kind == UnitKind.SENTENCE and _INSIDE.search(plain[: date.start])
        if first <= date.earliest and date.latest <= last and not aside:
            opens = len(plain[: date.start].split()) <= 3 and kind != UnitKind.ROW
            told = "event" in plain[: date.end + 20].casefold() if kind == UnitKind.ROW else kind != UnitKind.SENTENCE
            return Happening(date.earliest, (-int(opens) - int(told), -scored.score), scored)
    return None


def _told(scored: Scored) -> str:
    """What a unit says; a row by its cells, the heads that say nothing left out."""
    row = cells(scored.plain) if scored.unit.kind == UnitKind.ROW else ()
    if len(row) < 2:
        return scored.plain
    said = (cell.text if head.casefold() in _HEADS else f"{head}: {cell.text}" for head, cell in row)
    return ", ".join(said)


def _told_apart(found: list[Happening]) -> list[Happening]:
    """Each event once: of units that say the same words the first."""
    kept: list[Happening] = []
    for one in found:
        words = set(one.scored.plain.casefold().split())
        same = (len(words & set(k.scored.plain.casefold().split())) / len(words) for k in kept)
        if max(same, default=0.0) < 0.7:
            kept.append(one)
    return kept

"""Who held a place when: tables whose rows say from when to when somebody or something was what the table lists.

"Who was abbot in 1420?", "… when the tower was built?", "Who became abbot after Odo?", "How long was Odo abbot?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.ask.drafts import Asking, Draft, Value, sentence
from kg.ask.groups import groups
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored
from kg.ask.spans import cells, dates
from kg.ask.terms import bag
from kg.ask.times import best_date
from kg.ask.words import DURATION_NOUNS, MONTHS
from kg.model import UnitKind

_FROM = re.compile(
    r"(?:from|since|start\w*|began|beginning|appointed|elected|took office|in office since)", re.IGNORECASE
)
_TO = re.compile(r"(?:to|until|till|end\w*|left|retired|through)", re.IGNORECASE)
_WHEN = re.compile(r"\s+when\s+(?P<event>.+?)[?.\s]*$", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:after|succeed\w*|successor|follow\w*|replaced?)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:before|preced\w*|predecessor)\b", re.IGNORECASE)
_LONG = re.compile(r"\bhow (?:long|many years)\b", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:was|were|been)\s+(?:succeeded|followed|replaced|preceded)\s+by\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tenure:
    """Who or what, from which year to which (None: still), and the row."""

    name: str
    first: int
    last: int | None
    scored: Scored


class TenureQuestion:
    """Who held a place at a time, next to somebody, or for how long."""

    name = "entity"

    def asks(self, question: Question) -> bool:
        """``who … in YEAR``, ``who … when EVENT``, ``who … after NAME``, ``how long was NAME …``."""
        text = question.text
        if _LONG.search(text):
            return bool(question.names) and not re.search(r"\b(?:after|before|between)\b", question.lower)
        if question.opening not in ("who", "which"):
            return False
        timed = len(dates(text)) == 1 or _WHEN.search(text)
        return bool(timed or (question.names and (_NEXT.search(text) or _LAST.search(text))))

    def read(self, asking: Asking) -> Draft | None:
        """The row or rows of the best table of tenures; None where none is about what is asked."""
        text = asking.question.text
        event = _WHEN.search(text)
        plain = asking.about(text[: event.start()] + "?") if event else asking
        for held in _tables(plain):
            if _LONG.search(text):
                draft = _how_long(asking, held)
            elif event or dates(text):
                draft = _at(asking, held, event["event"] if event else "")
            else:
                draft = _beside(asking, held)
            if draft is not None:
                return draft
        return None


def _tables(asking: Asking) -> Iterator[list[Tenure]]:
    """Tables of tenures whose head, title or headings say all that the question asks, their rows in order of time."""
    for group in groups(asking.found.units):
        heads = [h for h, _ in cells(group.units[0].plain)]
        start = next((h for h in heads[1:] if _FROM.fullmatch(h)), None)
        end = next((h for h in heads[1:] if _TO.fullmatch(h)), None)
        if start is None or not _about(asking, heads[0], (group.title, *group.passage.headings)):
            continue
        found = []
        for number, unit in enumerate(group.passage.units):  # the last row may have no end, and fewer cells
            row = (
                dict(cells(unit.plain)) if unit.kind is UnitKind.ROW and unit.context == group.units[0].context else {}
            )
            first, last = (_year(row[h].text) if h in row else None for h in (start, end or ""))
            if first is not None and heads[0] in row:
                found.append(Tenure(row[heads[0]].text, first, last, group.scored(number)))
        if len(found) > 1:
            yield sorted(found, key=lambda t: (t.first, t.scored.number))


def _about(asking: Asking, head: str, over: Sequence[str]) -> bool:
    """Whether a table lists what the question asks of, and its headings say whatever else the question does."""
    own = [
        t
        for t in asking.found.terms
        if t.word.role in (Role.CONTENT, Role.FOCUS)
        and not t.word.token.digits
        and t.word.token.lower not in DURATION_NOUNS | MONTHS
        and not _NEXT.fullmatch(t.word.token.lower)
        and not _LAST.fullmatch(t.word.token.lower)
    ]
    words = bag(head)
    rest = words | bag(" ".join(over))
    return any(t.found(words) >= 0.7 for t in own) and all(t.found(rest) >= 0.7 for t in own)


def _year(text: str) -> int | None:
    found = dates(text)
    return int(found[0].earliest[:4]) if found else None


def _draft(held: Sequence[Tenure], more: tuple[Scored, ...] = (), said: str = "") -> Draft:
    label = ", ".join(t.name for t in held)
    evidence = (*(t.scored for t in held), *more)
    values = tuple(Value(t.name, tuple(sorted({i, *range(len(held), len(evidence))}))) for i, t in enumerate(held))
    shown = f"{label} ({said})" if said else label
    return Draft("order", sentence(shown, held[0].scored.plain), values, evidence, 0.9, explained=1.0)


def _nobody() -> Draft:
    """What is given where the table is found and has no row for it: nothing, rather than another reading."""
    return Draft("order", "", (), (), 0.0)


def _at(asking: Asking, held: Sequence[Tenure], event: str) -> Draft | None:
    """Those whose tenure has the year asked for, or that of an event; both where one took over from the other then."""
    more: tuple[Scored, ...] = ()
    said = ""
    if event:
        dated = best_date(asking.about(f"When {event}?"))
        year = _year(dated.label) if dated is not None and dated.scored.own >= 0.6 else None
        more, said = ((dated.scored,), dated.label) if dated is not None else ((), "")
    else:
        year = _year(asking.question.text)
    if year is None:
        return None
    still = max(t.first for t in held)
    found = [
        t
        for i, t in enumerate(held)
        if t.first <= year and (t.last if t.last is not None else _until(held, i, still)) >= year
    ]
    return _draft(found, more, said) if 0 < len(found) <= 2 else _nobody()


def _until(held: Sequence[Tenure], place: int, still: int) -> int:
    """Up to when a tenure without an end lasted: to the next, the last of all to this day."""
    return 9999 if held[place].first == still else held[place + 1].first


def _beside(asking: Asking, held: Sequence[Tenure]) -> Draft | None:
    """The one after or before the one that is named."""
    named = {t for name in asking.question.names for t in bag(name.text)}
    place = next((i for i, t in enumerate(held) if bag(t.name) and bag(t.name) <= named), None)
    if place is None:
        return None
    text = asking.question.text
    step = 1 if _NEXT.search(text) else -1
    step = -step if _named_first(asking, held[place].name) and not _PASSIVE.search(text) else step
    at = place + step
    return _draft([held[at]], (held[place].scored,)) if 0 <= at < len(held) else _nobody()


def _named_first(asking: Asking, name: str) -> bool:
    """Whether the one named did it: "whom did Odo succeed"."""
    verb = re.search(r"\b(?:succeed\w*|follow\w*|replaced?|preced\w*)\b", asking.question.text, re.IGNORECASE)
    at = asking.question.text.find(name)
    return verb is not None and 0 <= at < verb.start()


def _how_long(asking: Asking, held: Sequence[Tenure]) -> Draft | None:
    """The years between a tenure's beginning and end."""
    named = {t for name in asking.question.names for t in bag(name.text)}
    one = next((t for t in held if bag(t.name) and bag(t.name) <= named), None)
    if one is None or one.last is None:
        return None
    years = one.last - one.first
    label = f"{years} year{'s' if years != 1 else ''}"
    text = sentence(f"{label} ({one.first} to {one.last})", one.scored.plain)
    return Draft("duration", text, (Value(label),), (one.scored,), 0.9, explained=1.0)

"""How long between two events: their dates subtracted."""

from __future__ import annotations

import re
from datetime import date

from kg.ask.drafts import Asking, Choice, Draft, Value
from kg.ask.question import Question
from kg.ask.times import best_date, date_choices

_BETWEEN = re.compile(
    r"\b(?:how (?:long|many (?P<unit>days|weeks|months|years)|much time|soon|much later|much earlier))\b.*?"
    r"\b(?P<how>between|after|before|from|since|until)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s+(?:did|was|were|does|do|is|had|has|and|to|until|came|could|would)\s+", re.IGNORECASE)
_DID = re.compile(r"\s+(?:did|does|do)\s+", re.IGNORECASE)
_DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}


def events(question: Question) -> tuple[str, str, str] | None:
    """The two events and the unit asked for (or ""): ``how many months after A did B``."""
    match = _BETWEEN.search(question.text.strip(" ?"))
    if not match:
        return None
    # "After it was founded did it move": the question's own helping verb parts the two.
    own = _DID if match["how"].casefold() in ("after", "before") and _DID.search(match["rest"]) else _SPLIT
    pieces = own.split(match["rest"], maxsplit=1)
    if len(pieces) < 2 or not all(p.strip() for p in pieces):
        return None
    return pieces[0].strip(), pieces[1].strip(), (match["unit"] or "").casefold()


class DurationQuestion:
    """The time from one event to another."""

    name = "duration"

    def asks(self, question: Question) -> bool:
        """``how long/how many months after A did B``, ``how much time lay between A and B``."""
        return events(question) is not None

    def read(self, asking: Asking) -> Draft | None:
        """The difference of the events' dates; None unless both are dated alike exactly."""
        parted = events(asking.question)
        assert parted is not None
        one, two = (_dated(asking, event) for event in parted[:2])
        if one is None or two is None or one.label == two.label:
            return None
        first, last = sorted((one, two), key=lambda c: c.value)
        text = between(first.day, last.day, parted[2])
        if not text:
            return None
        shown = f"{text} – from {first.label} to {last.label}"
        return Draft(self.name, shown, (Value(text.split(" (")[0]),), (one.scored, two.scored), min(one.fit, two.fit))


_ENDS = re.compile(r"\b(?:end|ended|ending|finish\w*|complet\w*|conclu\w*|last|clos\w*|stop\w*)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start\w*|beg[iau]n\w*|begin\w*|first|open\w*|launch\w*)\b", re.IGNORECASE)


def _dated(asking: Asking, event: str) -> Choice | None:
    """The date of one event; of a period the end that the event speaks of.

    "Its founding" is that of the first thing that the rest of the question names.
    """
    pronoun = re.search(r"\b(?:its|his|her|their)\b", event, re.IGNORECASE)
    owner = next((n.text for n in asking.question.names if n.text not in event), "") if pronoun else ""
    sub = asking.about(f"When {event} {owner}".strip() + "?")
    best = best_date(sub)
    if best is None:
        return None
    near = [
        c for c in date_choices(sub) if c.scored.key == best.scored.key and abs(c.span.start - best.span.start) < 40
    ]
    if len(near) > 1 and _ENDS.search(event):
        return max(near, key=lambda c: c.value)
    if len(near) > 1 and _STARTS.search(event):
        return min(near, key=lambda c: c.value)
    return best


def between(first: str, last: str, unit: str = "") -> str:
    """The time between two dates in whole units, with the days where both are exact to the day.

    Dates are ``2019``, ``2019-02`` or ``2019-07-22``.

    >>> between("2019-03-11", "2019-07-22"), between("2015-12", "2016-08", "months"), between("2015", "2018")
    ('4 months (133 days)', '8 months', '3 years')
    """
    precision = min(first.count("-"), last.count("-"))
    years = int(last[:4]) - int(first[:4])
    if precision == 0:
        return f"{years} {'year' if years == 1 else 'years'}"
    months = years * 12 + int(last[5:7]) - int(first[5:7])
    if precision == 1:
        return _in_months(months, unit)
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    days = (end - start).days
    if unit in ("days", "weeks"):
        return f"{round(days / _DAYS[unit])} {unit}"
    whole = months - (1 if end.day < start.day else 0)
    return f"{_in_months(whole, unit)} ({days} days)" if whole else f"{days} days"


def _in_months(months: int, unit: str) -> str:
    if unit == "years":
        return f"{months / 12:.2g} years"
    if not unit and months >= 24:
        years, rest = divmod(months, 12)
        return f"{years} years" + (f" and {rest} {'month' if rest == 1 else 'months'}" if rest else "")
    return f"{months} {'month' if months == 1 else 'months'}"

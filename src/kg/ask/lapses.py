"""The time between two events that a question names."""

from __future__ import annotations

import re
from datetime import date

from kg.ask.question import Question

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


def between(first: str, last: str, unit: str = "") -> str:
    """The time between two dates in whole units, with the days where both are exact to the day; "" within one year
    that is all that is known.

    Dates are ``2019``, ``2019-02`` or ``2019-07-22``.

    >>> between("2019-03-11", "2019-07-22"), between("2015-12", "2016-08", "months"), between("2015", "2018")
    ('4 months (133 days)', '8 months', '3 years')
    """
    precision = min(first.count("-"), last.count("-"))
    years = int(last[:4]) - int(first[:4])
    if precision == 0:
        return f"{years} {'year' if years == 1 else 'years'}" if years else ""
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
        years = months / 12
        return f"{years:.2g} years" if years < 99 else f"{years:.0f} years"
    if not unit and months >= 24:
        years, rest = divmod(months, 12)
        return f"{years} years" + (f" and {rest} {'month' if rest == 1 else 'months'}" if rest else "")
    return f"{months} {'month' if months == 1 else 'months'}"

"""Dates in the short forms of cells, keys and file listings, that running text doesn't use or uses for other things.

Only a whole text is read. ``expected``: its header or key asks for a date, which makes out of ``20250527`` and
``May-25`` (the month of a year of two digits, not a day) what they are.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from kg.model import DateValue, Precision
from kg.text.words import MONTHS

_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
_SHORT = r"(?P<yy>\d\d)"
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}[\s-]?(?P<part>[QH])(?P<nth>[1-4])",
        rf"(?P<part>[QH])(?P<nth>[1-4])[\s/-]*{_YEAR}",
        rf"(?P<part>[QH])(?P<nth>[1-4])(?:\s?['’]|[\s/-]){_SHORT}",
        rf"(?P<nth>[1-4])(?P<part>[QH])[\s-]?{_YEAR}",
        rf"(?P<nth>[1-4])(?P<part>[QH])\s?['’]?{_SHORT}",
        rf"{_YEAR}-?W(?P<week>\d\d)(?:-?(?P<weekday>[1-7]))?",
        rf"(?:calendar )?(?:week|CW|KW|wk)\.?\s?(?P<week>\d{{1,2}})(?:\s?[/,]\s?|\s+(?:of\s+)?){_YEAR}",
        rf"(?:(?:fiscal|financial)(?:\s+year)?\s+|FY\s?){_YEAR}",
        rf"FY\s?['’]?{_SHORT}",
        rf"{_DAY}[\s-]{_MONTH}\s?['’]\s?{_SHORT}",
        rf"{_MONTH}\s?['’]\s?{_SHORT}",
    )
)
_EXPECTED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])",
        rf"{_DAY}[\s-]{_MONTH}[\s-]{_SHORT}",
        rf"{_MONTH}[\s-]{_SHORT}",
        rf"(?P<month>0?[1-9]|1[0-2])/{_YEAR}",
        rf"{_YEAR}/(?P<month>0?[1-9]|1[0-2])",
    )
)
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+(?=\w)", re.IGNORECASE)
_CLOCK = re.compile(
    r",?\s+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:\s?[ap]m)?(?:\s?(?:UTC|GMT|Z|CET|CEST|[+-]\d\d:?\d\d))?",
    re.IGNORECASE,
)
_CENTURY_TURNS = 69  # of years in two digits, as POSIX reads them


def bare_day(text: str) -> str:
    """A date without the day of the week before it and the time of day behind it ("Tue, 27 May 2025 10:30")."""
    text = _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text
    clock = _CLOCK.search(text)
    return text[: clock.start()] if clock and clock.end() == len(text) else text


def whole(text: str, expected: bool) -> DateValue | None:
    """The date that the whole text writes in one of the short forms."""
    for form in (*_FORMS, *(_EXPECTED if expected else ())):
        if found := form.fullmatch(text):
            return _date(text, {name: value for name, value in found.groupdict().items() if value})
    return None


def _date(text: str, got: dict[str, str]) -> DateValue | None:
    short = int(got.get("yy", 0))
    year = int(got.get("year") or (1900 + short if short >= _CENTURY_TURNS else 2000 + short))
    if "week" in got:
        return _week(text, year, int(got["week"]), int(got.get("weekday", 0)))
    if "part" in got:
        return _part(text, year, got["part"].upper(), int(got["nth"]))
    if "month" not in got:
        # a business year; its own first day isn't told
        return DateValue(text, f"{year}", Precision.YEAR, f"{year}-01-01", f"{year}-12-31", approximate=True)
    name = got["month"].casefold()
    month = int(name) if name.isdigit() else next(i for i, m in enumerate(MONTHS, 1) if m.startswith(name[:3]))
    last, day = monthrange(year, month)[1], int(got.get("day", 0))
    if "day" not in got:
        return DateValue(
            text, f"{year}-{month:02d}", Precision.MONTH, f"{year}-{month:02d}-01", f"{year}-{month:02d}-{last}"
        )
    iso = f"{year}-{month:02d}-{day:02d}"
    return DateValue(text, iso, Precision.DAY, iso, iso) if 1 <= day <= last else None


def _week(text: str, year: int, week: int, weekday: int) -> DateValue | None:
    """A week of ISO 8601 and its days; of a whole week the year is all that has a date type of its own."""
    try:
        first = date.fromisocalendar(year, week, weekday or 1)
    except ValueError:
        return None
    if weekday:
        return DateValue(text, first.isoformat(), Precision.DAY, first.isoformat(), first.isoformat())
    last = first + timedelta(days=6)
    return DateValue(text, f"{year}", Precision.YEAR, first.isoformat(), last.isoformat())


def _part(text: str, year: int, part: str, nth: int) -> DateValue | None:
    """A quarter or half of a year."""
    months = 3 if part == "Q" else 6
    if nth * months > 12:
        return None
    first, last = (nth - 1) * months + 1, nth * months
    days = monthrange(year, last)[1]
    return DateValue(text, f"{year}", Precision.YEAR, f"{year}-{first:02d}-01", f"{year}-{last:02d}-{days}")

"""Dates and periods as English writes them, with their precision and their bounds; no day is ever invented.

``DateValue.value`` is the date, or a period's first; ``end`` its last. A period open at its start ("until July
2024") has no ``earliest`` and gives the last date as its value. Years 1000-2100 only, and not where they count.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from kg.model import DateValue, Precision
from kg.text import masks
from kg.text.nouns import noun_after
from kg.text.stretch import Found, apart
from kg.text.units import CURRENCY_SIGNS, match_unit
from kg.text.words import MONTHS, word_set

_MONTH = (
    r"(?P<month>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|Jul(?:y|\.)?|Aug(?:ust|\.)?|"
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?|JAN|FEB|MAR|APR|MAY|JUNE?|JULY?|AUG|SEPT?|"
    r"OCT|NOV|DEC)"
)
_YEAR = r"(?P<year>1\d{3}|20\d{2}|2100)(?![\d,]\d|\.\d|\w)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ONE = re.compile(
    "|".join(
        f"(?:{re.sub('[?]P<', f'?P<{letter}_', pattern)})"
        for letter, pattern in {
            "a": r"(?P<year>1\d{3}|20\d{2}|2100)-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
            r"(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])",
            "b": rf"{_MONTH}\s{_DAY}(?:,\s?|\s){_YEAR}",
            "c": rf"{_DAY}(?:\sof)?[\s-]{_MONTH},?[\s-]{_YEAR}",
            "d": rf"{_MONTH}(?:,?\s(?:of\s)?|-){_YEAR}",
            "e": r"(?P<year>1\d{3}|20\d{2}|2100)/(?P<month>0?[1-9]|1[0-2])/(?P<day>0?[1-9]|[12]\d|3[01])(?![\w/])",
            "f": r"(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?P<year>1\d{3}|20\d{2})(?![\w.]\w|\w)",
            "g": r"(?P<first>0?[1-9]|[12]\d|3[01])/(?P<second>0?[1-9]|[12]\d|3[01])/(?P<year>1\d{3}|20\d{2})(?![\w/])",
            "h": r"(?P<year>1\d{3}|20\d{2}|2100)-(?P<month>0[1-9]|1[0-2])(?![\w-])",
            "i": _YEAR,
        }.items()
    )
)
_AT = re.compile(
    rf"(?<![\w$€£#@/\\])(?<!\d[.,:-])(?:(?<![A-Za-z]-)|(?<=\b[Mm]id-)|(?<=\b[Pp]re-)|(?<=arly-)|(?<=\b[Ll]ate-)|(?<=ost-))(?=\d|{_MONTH})"
)
_TO = re.compile(r"\s?[-–—]\s?|\s+(?:to|through|until|till)\s+|\s+and\s+(?=\S)|\s?→\s?")
_OPEN = re.compile(
    r"\+(?!\w)|\s?[-–—]\s?(?:present|now|today|ongoing|current)\b|\s+(?:to|until|through)\s+(?:the\s+)?(?:present|now|today|date)\b|(?:\s+and\s+|\s+)(?:onwards?|later)\b|[-–—](?=\s*(?:$|[),.;|\n\]]))",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?P<since>since|starting(?:\s+in)?|beginning\s+in|as\s+of|from)|(?P<after>after)|(?P<until>until|till|through|up\s+to|by)|"
    r"(?P<before>before|prior\s+to))\s+$",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?P<word>early|mid|middle\s+of|late|beginning\s+of|start\s+of|end\s+of|first\s+half\s+of|second\s+half\s+of|"
    r"first\s+quarter\s+of|second\s+quarter\s+of|third\s+quarter\s+of|fourth\s+quarter\s+of|spring|summer|autumn|fall|"
    r"[QH][1-4]|around|circa|c\.|ca\.|about|approximately|roughly|~)(?:[\s,-]+(?:of\s+|in\s+|the\s+)?|(?<=~))$",
    re.IGNORECASE,
)
_DECADE = re.compile(r"(?P<decade>1\d{2}0|20\d0)['’]?s(?!\w)")
_CENTURY = re.compile(r"\b(?P<nth>1[1-9]|2[01])(?:th|st)[\s-]century\b", re.IGNORECASE)
_SHORT_END = re.compile(r"[-–/](?P<yy>\d{2})(?![\w-]|[.,]\d)")
_MONTH_RANGE = re.compile(rf"{_MONTH}(?:\s(?P<first>\d{{1,2}}))?\s?(?:[-–—]|to|through|and)\s?")
_DAY_RANGE = re.compile(
    rf"(?:(?P<d1>\d{{1,2}})\s?[-–—]\s?(?P<d2>\d{{1,2}})\s{_MONTH}\s{_YEAR}|"
    rf"{_MONTH.replace('<month>', '<month2>')}\s(?P<e1>\d{{1,2}})\s?[-–—]\s?(?P<e2>\d{{1,2}}),?\s"
    rf"{_YEAR.replace('<year>', '<year2>')})"
)
_TIME_WORDS = word_set(
    "in since by until till from to of during between after before circa early late mid through year years "
    "dated founded born died established built completed opened released published launched announced introduced "
    "and or c ca spring summer autumn fall winter")  # fmt: skip
_YEARLY = word_set(
    "figures results earnings revenues sales elections olympics games estimates reports emissions prices levels "
    "standards rules guidelines numbers statistics awards championships models editions seasons announcements "
    "regulations data series films songs albums papers posts"
)
_HINT_DATE = re.compile(
    r"\b(?:year|date|when|period|era|since|until|founded|founding|established|opened|closed|built|born|birth|died|death|lifespan|released?|launch(?:ed)?|announced|published|introduced|completed|commissioned|started?|ended|start|end|time|season|years)\b",
    re.IGNORECASE,
)
_HINT_SHORT = re.compile(
    rf"{_HINT_DATE.pattern}|\b(?:eol|life|support(?:ed)?|discontinued|deprecated|retired|expir\w+|due|deadline|updated?|"
    r"modified|quarter|month|day)\b",
    re.IGNORECASE,
)
_HINT_COUNT = re.compile(
    r"\b(?:count|number|no\.|total|amount|quantity|size|cost|price|revenue|value|how many)\b|#", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Point:
    """One date at ``[start, end)``: year, perhaps month and day."""

    start: int
    end: int
    year: int
    month: int = 0
    day: int = 0

    @property
    def iso(self) -> str:
        parts = [f"{self.year:04d}"] + [f"{n:02d}" for n in (self.month, self.day) if n]
        return "-".join(parts)

    @property
    def precision(self) -> Precision:
        return Precision.DAY if self.day else Precision.MONTH if self.month else Precision.YEAR

    @property
    def earliest(self) -> str:
        return f"{self.year:04d}-{self.month or 1:02d}-{self.day or 1:02d}"

    @property
    def latest(self) -> str:
        month = self.month or 12
        return f"{self.year:04d}-{month:02d}-{self.day or monthrange(self.year, month)[1]:02d}"


def _month(name: str) -> int:
    prefix = name[:3].casefold()
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(prefix))


def _point(text: str, at: int) -> _Point | None:
    """The date at exactly this place."""
    found = _ONE.match(text, at)
    if not found:
        return None
    got = {name[2:]: value for name, value in found.groupdict().items() if value}
    year = int(got["year"])
    if "first" in got:
        first, second = int(got["first"]), int(got["second"])
        if (first > 12) == (second > 12) and first != second:
            return None  # 03/04/2020 may be either
        day, month = (first, second) if first > 12 or first == second else (second, first)
    else:
        month = 0 if "month" not in got else int(got["month"]) if got["month"].isdigit() else _month(got["month"])
        day = int(got.get("day", 0))
    if day and not 1 <= day <= monthrange(year, month)[1]:
        return None
    return _Point(at, found.end(), year, month, day)


@lru_cache(maxsize=8192)  # several readings of a text ask for its dates
def find(text: str) -> tuple[Found[DateValue], ...]:
    """Dates and periods, left to right, never overlapping; ``text[start:end] == value.stated``."""
    return _find(text, certain=False)


def parse(text: str, hint: str = "") -> DateValue | None:
    """The date that a whole cell, key's value or bracket states. ``hint``: the column head or key.

    A bare number from 1800 to 2100 is a year unless the hint counts ("GPU count"); from 1000 if the hint is of time.
    """
    plain = text.strip().strip("()[]").strip()
    bare = re.fullmatch(r"\d{4}", plain)
    if bare and (_HINT_COUNT.search(hint) or not (_HINT_DATE.search(hint) or 1800 <= int(plain) <= 2100)):
        return None
    if short := short_form(plain, bool(_HINT_SHORT.search(hint)) and not _HINT_COUNT.search(hint)):
        return short
    day = bare_day(plain)
    found = _find(day, certain=True)
    whole = found and found[0].start == 0 and found[0].end == len(day)
    return replace(found[0].value, stated=plain) if whole else None


_DAY_BEFORE = re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?\s$")


def _find(text: str, certain: bool) -> tuple[Found[DateValue], ...]:
    hidden = _digits_only(masks.opaque(text), text)
    found: list[Found[DateValue]] = []
    at = 0
    while (place := _AT.search(text, at)) is not None:
        one = _read(text, place.start(), certain)
        if one is None or masks.covered(hidden, one.start, one.end):
            at = place.start() + 1
            continue
        found.append(one)
        at = max(one.end, place.start() + 1)
    return apart(found)


def _digits_only(hidden: tuple[tuple[int, int], ...], text: str) -> tuple[tuple[int, int], ...]:
    """Opaque stretches but for dotted dates, which look like version numbers."""
    return tuple((s, e) for s, e in hidden if not re.fullmatch(r"\d{1,2}\.\d{1,2}\.(?:1\d|20)\d{2}", text[s:e]))


def _read(text: str, at: int, certain: bool) -> Found[DateValue] | None:
    whole = _decade(text, at) or _day_range(text, at) or _month_range(text, at)
    if whole:
        return _narrowed(text, whole)
    point = _point(text, at)
    if point and point.month and not point.day and _DAY_BEFORE.search(text, max(0, at - 5), at):
        return None  # "31 February 2019"
    if point is None or (not point.month and not certain and not _is_year(text, point)):
        return None
    return _narrowed(text, _period(text, point, certain))


def _value(text: str, start: int, end: int, first: _Point, last: _Point | None = None) -> Found[DateValue]:
    latest, finish = (last.latest, last.iso) if last else (first.latest, "")
    return Found(start, end, DateValue(text[start:end], first.iso, first.precision, first.earliest, latest, finish))


def _period(text: str, point: _Point, certain: bool) -> Found[DateValue]:
    """A period that begins with this date, or the date alone."""
    short = _SHORT_END.match(text, point.end) if point.precision is Precision.YEAR else None
    if short:
        year = point.year - point.year % 100 + int(short["yy"])
        if year > point.year:
            return _value(text, point.start, short.end(), point, _Point(0, 0, year))
    if point.precision is Precision.MONTH and re.fullmatch(r"\d{4}-\d\d", text[point.start : point.end]):
        year = point.year - point.year % 100 + point.month
        if year == point.year + 1:  # "2011-12" is a season, "2011-05" a month
            return _value(text, point.start, point.end, replace(point, month=0), _Point(0, 0, year))
    opened = _OPEN.match(text, point.end)
    if opened:
        value = DateValue(text[point.start : opened.end()], point.iso, point.precision, point.earliest, "")
        return Found(point.start, opened.end(), value)
    to = _TO.match(text, point.end)
    last = _point(text, to.end()) if to else None
    joined = to is not None and (to[0].strip() != "and" or text[: point.start].casefold().endswith("between "))
    # "2019 - 2020" is a period; "1500 to 2000 people" was refused before.
    if (
        last
        and joined
        and last.earliest > point.earliest
        and (certain or last.month or _is_year(text, last, period=True))
    ):
        start = point.start - 8 if text[: point.start].casefold().endswith("between ") else point.start
        return _value(text, start, last.end, point, last)
    return _value(text, point.start, point.end, point)


def _day_range(text: str, at: int) -> Found[DateValue] | None:
    found = _DAY_RANGE.match(text, at)
    if not found:
        return None
    year, month = int(found["year"] or found["year2"]), _month(found["month"] or found["month2"])
    days = [int(found["d1"] or found["e1"]), int(found["d2"] or found["e2"])]
    if not 1 <= days[0] < days[1] <= monthrange(year, month)[1]:
        return None
    first, last = (_Point(0, 0, year, month, day) for day in days)
    return _value(text, at, found.end(), first, last)


def _month_range(text: str, at: int) -> Found[DateValue] | None:
    """``January-May 2020``, ``June 30 - July 4, 2019``: the year is given once."""
    found = _MONTH_RANGE.match(text, at)
    last = _point(text, found.end()) if found else None
    if not found or not last or not last.month:
        return None
    month, day = _month(found["month"]), int(found["first"] or 0)
    if month > last.month or bool(day) != bool(last.day) or (day and day > monthrange(last.year, month)[1]):
        return None
    return _value(text, at, last.end, _Point(0, 0, last.year, month, day), last)


def _decade(text: str, at: int) -> Found[DateValue] | None:
    found = _DECADE.match(text, at)
    if found:
        year = int(found["decade"])
        one = _value(text, at, found.end(), _Point(0, 0, year), _Point(0, 0, year + 9))
        return replace(one, value=replace(one.value, approximate=True))
    century = _CENTURY.match(text, at)
    if not century:
        return None
    last = 100 * int(century["nth"])
    one = _value(text, at, century.end(), _Point(0, 0, last - 99), _Point(0, 0, last))
    return replace(one, value=replace(one.value, approximate=True))


# --- what stands before the date ---------------------------------------------------------------

_PARTS = {
    "early": ("01-01", "04-30"), "beginning": ("01-01", "03-31"), "start": ("01-01", "03-31"),
    "mid": ("04-01", "09-30"), "middle": ("04-01", "09-30"), "late": ("09-01", "12-31"), "end": ("10-01", "12-31"),
    "spring": ("03-01", "06-30"), "summer": ("06-01", "09-30"), "autumn": ("09-01", "12-31"),
    "fall": ("09-01", "12-31"),
    "first half": ("01-01", "06-30"), "second half": ("07-01", "12-31"), "h1": ("01-01", "06-30"),
    "h2": ("07-01", "12-31"), "q1": ("01-01", "03-31"), "q2": ("04-01", "06-30"), "q3": ("07-01", "09-30"),
    "q4": ("10-01", "12-31"),
}  # fmt: skip
_QUARTERS = {"first quarter": "q1", "second quarter": "q2", "third quarter": "q3", "fourth quarter": "q4"}
_EXACT_PARTS = frozenset({"h1", "h2", "q1", "q2", "q3", "q4", "first half", "second half"})
_DAYS = {
    "early": (1, 10), "beginning": (1, 10), "start": (1, 10), "mid": (11, 20), "middle": (11, 20), "late": (21, 31),
    "end": (21, 31),
}  # fmt: skip


def _narrowed(text: str, one: Found[DateValue]) -> Found[DateValue]:
    """With the words before it: part of a year, about, since, until."""
    part = _PART.search(text, max(0, one.start - 24), one.start)
    if part and (part.start() == 0 or not text[part.start() - 1].isalnum()):
        one = Found(part.start(), one.end, _part(text[part.start() : one.end], one.value, part["word"]))
    lead = _LEAD.search(text, max(0, one.start - 18), one.start)
    if not lead or (lead.start() and text[lead.start() - 1].isalnum()) or one.value.end or not one.value.latest:
        return one
    value = replace(one.value, stated=text[lead.start() : one.end])
    if lead["since"]:
        if lead["since"].casefold() == "from":
            return one
        value = replace(value, latest="")
    elif lead["after"]:
        value = replace(value, earliest=_next_day(value.latest, 1), latest="")
    elif lead["until"]:
        value = replace(value, earliest="", end=value.value)
    else:
        value = replace(value, earliest="", latest=_next_day(value.earliest, -1), end=value.value)
    return Found(lead.start(), one.end, value)


def _next_day(iso: str, days: int) -> str:
    return (date.fromisoformat(iso) + timedelta(days)).isoformat()


def _part(stated: str, value: DateValue, word: str) -> DateValue:
    key = re.sub(r"\s+", " ", word.casefold().removesuffix(" of").strip())
    key = _QUARTERS.get(key, key)
    value = replace(value, stated=stated, approximate=value.approximate or key not in _EXACT_PARTS)
    if value.precision is Precision.YEAR and not value.end and key in _PARTS:
        first, last = _PARTS[key]
        return replace(value, earliest=f"{value.value}-{first}", latest=f"{value.value}-{last}" if value.latest else "")
    if value.precision is Precision.MONTH and not value.end and key in _DAYS:
        first_day, last_day = _DAYS[key]
        last_day = min(last_day, int(value.latest[-2:] or last_day))
        return replace(value, earliest=f"{value.value}-{first_day:02d}", latest=f"{value.value}-{last_day:02d}")
    if value.end and key in ("early", "mid", "late") and value.precision is Precision.YEAR:
        return _part_of_decade(value, key)
    return value


def _part_of_decade(value: DateValue, key: str) -> DateValue:
    first, last = int(value.value), int(value.end)
    third = (last - first + 1) // 3
    spans = {"early": (first, first + third), "mid": (first + third, last - third), "late": (last - third, last)}
    low, high = spans[key]
    return replace(value, earliest=f"{low}-01-01", latest=f"{high}-12-31")


# --- whether four digits are a year ------------------------------------------------------------

_ROUGHLY = frozenset({"about", "approximately", "roughly", "around", "~"})
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.?[\s\u00a0]*[(\"“'‘]?$")
_LISTED = re.compile(r"[^\W\d_],\s$")


def _is_year(text: str, point: _Point, period: bool = False) -> bool:
    """Whether four digits in running text are a year, by what stands around them."""
    start, end = point.start, point.end
    if start and (text[start - 1] in CURRENCY_SIGNS or text[max(0, start - 2) : start] in ("~$", "no.")):
        return False
    before = _WORD_BEFORE.search(text, max(0, start - 24), start)
    word = before[1].casefold() if before else ""
    if len(word) > 2 and any(month.startswith(word) for month in MONTHS):
        return False  # a month that the pattern of dates refused: "31 February 2019"
    part = _PART.search(text, max(0, start - 24), start)
    temporal = word in _TIME_WORDS or period or bool(part and part["word"].casefold() not in _ROUGHLY)
    if _counts(text, start, end, word, temporal):
        return False
    if point.year >= 1900:
        return True
    bracketed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]", "-", "–", "—")
    to = _TO.match(text, end)
    ranged = to is not None and _point(text, to.end()) is not None
    return temporal or bracketed or ranged or bool(_LISTED.search(text, max(0, start - 3), start))


def _counts(text: str, start: int, end: int, word: str, temporal: bool) -> bool:
    """Whether the four digits count or measure something, or name a thing."""
    after = text[end : end + 1]
    if after in ("%", "°", "×", "+") and not (after == "+" and int(text[start:end]) >= 1990):
        return True
    unit = match_unit(text, end + 1) if after in (" ", "-", "\u00a0") else None
    if unit and unit[0] != "UNITLESS" and not (text[end + 1 : unit[1]].isupper() and unit[1] - end < 4):
        return unit[1] - end > 2 or text[unit[1] : unit[1] + 1] in ("", " ", ".", ",", ")")
    if re.match(r"\s?[x×]\s?\d", text[end:]) or (after == "-" and text[end + 1 : end + 2].isalpha()):
        return not (after == "-" and re.match(r"-(?:present|now|today|era|style|built|based|level)", text[end:], re.I))
    if masks.follows_name(text, start, False) and word in masks.DESIGNATORS:
        return True
    noun = noun_after(text, end) if after == " " else None
    if noun is None or not noun.plural or temporal:
        return False
    head = noun.words.split()
    return (
        word != "the"
        and head[-1].casefold() not in _YEARLY
        and (len(head) == 1 or not head[0][0].isupper() or word == "")
    )


# --- Dates in the short forms of cells, keys and file listings, that running text doesn't use or uses for other things

_PLAIN_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
_SHORT = r"(?P<yy>\d\d)"
_SHORT_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_PLAIN_YEAR}[\s-]?(?P<part>[QH])(?P<nth>[1-4])",
        rf"(?P<part>[QH])(?P<nth>[1-4])[\s/-]*{_PLAIN_YEAR}",
        rf"(?P<part>[QH])(?P<nth>[1-4])(?:\s?['’]|[\s/-]){_SHORT}",
        rf"(?P<nth>[1-4])(?P<part>[QH])[\s-]?{_PLAIN_YEAR}",
        rf"(?P<nth>[1-4])(?P<part>[QH])\s?['’]?{_SHORT}",
        rf"{_PLAIN_YEAR}-?W(?P<week>\d\d)(?:-?(?P<weekday>[1-7]))?",
        rf"(?:calendar )?(?:week|CW|KW|wk)\.?\s?(?P<week>\d{{1,2}})(?:\s?[/,]\s?|\s+(?:of\s+)?){_PLAIN_YEAR}",
        rf"(?:(?:fiscal|financial)(?:\s+year)?\s+|FY\s?){_PLAIN_YEAR}",
        rf"FY\s?['’]?{_SHORT}",
        rf"{_DAY}[\s-]{_SHORT_MONTH}\s?['’]\s?{_SHORT}",
        rf"{_SHORT_MONTH}\s?['’]\s?{_SHORT}",
    )
)
_EXPECTED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_PLAIN_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])",
        rf"{_DAY}[\s-]{_SHORT_MONTH}[\s-]{_SHORT}",
        rf"{_SHORT_MONTH}[\s-]{_SHORT}",
        rf"(?P<month>0?[1-9]|1[0-2])/{_PLAIN_YEAR}",
        rf"{_PLAIN_YEAR}/(?P<month>0?[1-9]|1[0-2])",
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


def short_form(text: str, expected: bool) -> DateValue | None:
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
        return _quarter_or_half(text, year, got["part"].upper(), int(got["nth"]))
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


def _quarter_or_half(text: str, year: int, part: str, nth: int) -> DateValue | None:
    """A quarter or half of a year."""
    months = 3 if part == "Q" else 6
    if nth * months > 12:
        return None
    first, last = (nth - 1) * months + 1, nth * months
    days = monthrange(year, last)[1]
    return DateValue(text, f"{year}", Precision.YEAR, f"{year}-{first:02d}-01", f"{year}-{last:02d}-{days}")

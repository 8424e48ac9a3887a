"""Values that stand in a unit's text: numbers with what they count, dates, and cells."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from functools import lru_cache

from kg.text.terms import NUMBER_WORDS


@dataclass(frozen=True, slots=True)
class Span:
    """``text`` stands at ``[start, end)`` of a unit's plain text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Number(Span):
    """A number as written, with its bounds. ``measure``: money, percent, duration, data, rate … or "" for a count.

    ``noun``: up to three words after it; ``label``: the words that a colon or cell head puts before it.
    """

    low: float
    high: float
    measure: str
    noun: str


@dataclass(frozen=True, slots=True)
class Date(Span):
    """A date or period, bounded by ISO days. ``latest`` is the last day that it may mean."""

    earliest: str
    latest: str
    precision: int

    @property
    def day(self) -> str:
        """Its first day as exactly as it is told: ``2019``, ``2019-02`` or ``2019-07-22``."""
        return self.earliest[: {1: 4, 2: 7, 3: 10}[self.precision]]


_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "t": 1e12,
           "trillion": 1e12}  # fmt: skip
_SCALE = r"(?:[\s-]?(?:thousand|million|billion|trillion|bn)\b|[kKmMbBT](?![\w&]))"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ABOUT = (
    r"(?:(?:about|around|approximately|roughly|nearly|almost|over|under|more than|less than|at least|at most|up to)\s+"
    r"|[~≈<>≤≥]\s?)"
)
_WORDED = "|".join(sorted((n for n in NUMBER_WORDS if n not in ("zero", "one")), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.:/])(?<!\w-)(?P<about>{_ABOUT})?(?P<money>(?:US)?[$€£¥]\s?)?(?P<a>{_DIGITS})(?P<as>{_SCALE})?"
    rf"(?:\s?(?:[-–—]|\bto\b)\s?[~$€£¥]?(?P<b>{_DIGITS})(?P<bs>{_SCALE})?)?(?P<plus>\+|%|\s?percent\b|x(?!\w))?"
    rf"(?P<unit>\s?(?:[°µ]?[A-Za-z]{{1,4}}(?:/[a-z]+)?|[a-z]{{2,6}}ps)(?![\w]))?"
)
_WORD_NUMBER = re.compile(
    rf"(?P<about>{_ABOUT})?\b(?P<a>{_WORDED}|hundreds of thousands|tens of thousands|thousands|hundreds|dozens|tens)\b",
    re.I,
)
_MEASURE_WORDS = {
    "duration": "second seconds sec secs minute minutes min mins hour hours h hr hrs day days week "
    "weeks month months year years yr yrs ms",
    "money": "dollar dollars euro euros pound pounds usd eur gbp cent cents pence penny",
    "percent": "percent per-cent",
    "data": "kb mb gb tb pb kib mib gib tib byte bytes bit bits",
    "rate": "gbps mbps kbps tbps qps rpm fps hz khz mhz ghz flop flops gflops tflops pflops",
    "length": "mm cm m km nm µm metre metres meter meters kilometre kilometres kilometer kilometers "
    "mile miles foot feet ft inch inches",
    "weight": "kg g mg t tonne tonnes ton tons gram grams kilogram kilograms lb lbs ounce ounces",
    "power": "w kw mw gw watt watts kilowatt kilowatts megawatt megawatts gigawatt gigawatts",
    "temperature": "c f °c °f k degree degrees celsius fahrenheit kelvin",
    "volume": "l ml litre litres liter liters gallon gallons barrel barrels",
}  # fmt: skip
MEASURE_OF = {word: measure for measure, words in _MEASURE_WORDS.items() for word in words.split()}
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"(?P<iso>\b\d{{4}}-(?:0[1-9]|1[0-2])(?:-\d\d)?\b(?!-))"
    rf"|(?P<m1>{_MONTH})\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y1>\d{{4}})\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{_MONTH}),?\s+(?P<y2>\d{{4}})\b"
    rf"|\b(?P<m3>{_MONTH})(?:\s+of)?,?\s+(?P<y3>\d{{4}})\b"
    rf"|(?<![\w$€£.,~-])(?P<y4>1[5-9]\d\d|20\d\d)(?:\s?[-–]\s?(?P<y5>\d{{4}}|\d\d)(?!\d))?(?![\d%]|[.,]\d|[A-Za-z])"
)


@lru_cache(maxsize=20_000)
def numbers(text: str) -> tuple[Number, ...]:
    """Numbers of a text that are neither dates nor parts of names, in order."""
    taken = [(d.start, d.end) for d in dates(text)]
    found = []
    for m in _NUMBER.finditer(text):
        if not any(s < m.end() and m.start() < e for s, e in taken):
            found.append(_number(m, text))
    for m in _WORD_NUMBER.finditer(text):
        if not any(n.start < m.end() and m.start() < n.end for n in found):
            value = float(NUMBER_WORDS.get(m["a"].casefold(), 0) or _VAGUE.get(m["a"].casefold(), 2))
            noun = _noun(text, m.end())
            measure = MEASURE_OF.get(noun.split(" ")[0].casefold(), "")
            found.append(Number(m.start(), m.end(), m.group(), value, value, measure, noun))
    return tuple(sorted(found, key=lambda n: n.start))


_VAGUE = {
    "hundreds of thousands": 2e5, "tens of thousands": 2e4, "thousands": 2e3, "hundreds": 200, "dozens": 24, "tens": 20,
}  # fmt: skip


def _number(m: re.Match[str], text: str) -> Number:
    low = _value(m["a"], m["as"])
    high = _value(m["b"], m["bs"]) if m["b"] else low
    if m["b"] and m["bs"] and not m["as"] and low < high / 100:
        low = _value(m["a"], m["bs"])
    unit = (m["unit"] or "").strip()
    measure = _measure(m["money"], m["plus"], unit)
    # Of "$20,000 from Ana" the next word is no unit.
    said = measure and (not m["money"] or "/" in unit or _measure(None, None, unit))
    end = m.end() if said or not unit else m.start("unit")
    noun = _noun(text, end)
    measure = measure or MEASURE_OF.get(noun.split(" ")[0].casefold(), "")
    return Number(m.start(), end, text[m.start() : end].strip(), low, max(low, high), measure, noun)


def _measure(money: str | None, plus: str | None, unit: str) -> str:
    if money:
        return "money"
    if plus and plus.strip() in ("%", "percent"):
        return "percent"
    if plus == "x":
        return "factor"
    if unit in ("C", "F") or unit.casefold() not in ("c", "f", "k", "t", "m", "g", "w", "h", "l"):
        return MEASURE_OF.get(unit.split("/")[0].casefold(), "")
    return ""


def _value(digits: str, scale: str | None) -> float:
    value = float(digits.replace(",", ""))
    return value * _SCALES[scale.strip(" -").casefold()] if scale else value


def _noun(text: str, at: int) -> str:
    """Up to four words right after a position, before any punctuation."""
    match = re.match(r"[\s-]*((?:[^\W_][\w’'/-]*\s?){1,4})", text[at:])
    return match[1].strip() if match else ""


@lru_cache(maxsize=20_000)
def dates(text: str) -> tuple[Date, ...]:
    """Dates of a text, in order, none invented."""
    return tuple(d for m in _DATE.finditer(text) if (d := _date(m)) is not None)


def _date(m: re.Match[str]) -> Date | None:
    year = m["y1"] or m["y2"] or m["y3"] or m["y4"] or (m["iso"] or "")[:4]
    if m["iso"]:
        pieces = [int(p) for p in m["iso"].split("-")]
        month, day = pieces[1], pieces[2] if len(pieces) > 2 else 0
    else:
        name = m["m1"] or m["m2"] or m["m3"]
        month = _month(name) if name else 0
        day = int(m["d1"] or m["d2"] or 0)
    if month > 12 or (day and day > calendar.monthrange(int(year), month or 1)[1]):
        return None  # no such day: 31 June
    end_year = max(year, year[: -len(m["y5"])] + m["y5"]) if m["y5"] else year
    precision = 3 if day else 2 if month else 1
    first = f"{year}-{month or 1:02d}-{day or 1:02d}"
    last_month = month or 12
    last_day = day or calendar.monthrange(int(end_year), last_month)[1]
    return Date(m.start(), m.end(), m.group(), first, f"{end_year}-{last_month:02d}-{last_day:02d}", precision)


def _month(name: str) -> int:
    return [m[:3].casefold() for m in calendar.month_name].index(name[:3].casefold())


def read(text: str) -> None:
    """Reads what is kept of a text: its dates and numbers."""
    for each in (dates, numbers):
        each(text)


def cells(text: str) -> tuple[tuple[str, Span], ...]:
    """A row's cells (``Head: cell; Head: cell``) or a labelled item (``Key: value``) as pairs of label and value."""
    found = re.finditer(r"(?:^|;\s)([^:;]{1,60}):\s+(.*?)(?=;\s[^:;]{1,60}:\s|$)", text, re.DOTALL)
    return tuple((m[1].strip(), Span(m.start(2), m.end(2), m[2])) for m in found)

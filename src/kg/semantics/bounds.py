"""Numbers and dates in a question: "1,000", "$2 million", "2019", "March 2020"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from kg.semantics.logic import Bound
from kg.text.question_words import NUMBERS, SCALES

_BOUND = re.compile(r"\d[\d,]*(?:\.\d+)?")
_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items() if name != "may"} | {"sept": 9}
_DAY = re.compile(
    rf"(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m>{'|'.join(_MONTHS)})"
    rf"|(?P<m2>{'|'.join(_MONTHS)}) (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)(?: ,| of)? (?P<y>[12]\d{{3}}) "
    r"|(?P<y3>[12]\d{3}) (?P<m3>\d\d) (?P<d3>\d\d) "
)


def number_of(word: str) -> float | None:
    """The number that a word says."""
    if word in NUMBERS:
        return float(NUMBERS[word])
    return float(word.replace(",", "")) if _BOUND.fullmatch(word) else None


def bounds_at(words: Sequence[str], at: int) -> Iterator[tuple[int, Bound]]:
    """Numbers and dates that begin at a word."""
    currency = words[at] in ("$", "€", "£")
    first = at + currency
    if first >= len(words):
        return
    word = words[first]
    yield from _days(words, at)
    number = number_of(word)
    if number is None and (match := re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|bn|million|billion)", word)):
        number = float(match[1]) * SCALES[match[2]]
    if word in _MONTHS and first + 1 < len(words) and re.fullmatch(r"[12]\d{3}", words[first + 1]):
        yield first + 2, month(int(words[first + 1]), _MONTHS[word])
    if number is None:
        return
    end, text = first + 1, word
    if end < len(words) and words[end] in SCALES:
        number, end, text = number * SCALES[words[end]], end + 1, f"{word} {words[end]}"
    elif re.fullmatch(r"[12]\d{3}", word) and not currency:
        yield end, year(int(word))
    yield end, Bound(number, text)


def _days(words: Sequence[str], at: int) -> Iterator[tuple[int, Bound]]:
    """Days and decades: "1 April 2023", "April 1, 2023", "2023-04-01", "the 1990s"."""
    if match := re.fullmatch(r"([12]\d{2}0)s", words[at]):
        first = int(match[1])
        yield at + 1, Bound(_day(first, 1), f"the {words[at]}", True, _day(first + 10, 1))
    found = _DAY.match(" ".join(words[at : at + 5]) + " ")
    if found is None:
        return
    year_, month_, day_ = (next(v for k, v in found.groupdict().items() if v and k[0] == part) for part in "ymd")
    try:
        date = datetime.date(int(year_), int(_MONTHS.get(month_, month_)), int(day_))
    except ValueError:
        return
    start = float(date.toordinal())
    yield at + found[0].count(" "), Bound(start, date.isoformat(), True, start + 1)


def year(number: int) -> Bound:
    """A year."""
    return Bound(_day(number, 1), str(number), True, _day(number + 1, 1))


def month(year_: int, number: int) -> Bound:
    """A month of a year."""
    return Bound(_day(year_, number), f"{year_}-{number:02}", True, _day(year_ + number // 12, number % 12 + 1))


def _day(year_: int, month_: int) -> float:
    return float(datetime.date(year_, month_, 1).toordinal())

"""Numbers and dates in a question: "1,000", "$2 million", "2019", "March 2020"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from kg.semantics.logic import Bound
from kg.semantics.words import NUMBERS, SCALES

_BOUND = re.compile(r"\d[\d,]*(?:\.\d+)?")
_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}


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
    number = number_of(word)
    if number is None and (match := re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|bn|million|billion)", word)):
        number = float(match[1]) * SCALES[match[2]]
    if word in _MONTHS and first + 1 < len(words) and re.fullmatch(r"[12]\d{3}", words[first + 1]):
        yield first + 2, month(int(words[first + 1]), _MONTHS[word])
    if number is None:
        return
    end, text = first + 1, word
    if end < len(words) and words[end] in SCALES:
        number, end = number * SCALES[words[end]], end + 1
    elif re.fullmatch(r"[12]\d{3}", word) and not currency:
        yield end, year(int(word))
    yield end, Bound(number, text)


def year(number: int) -> Bound:
    """A year."""
    return Bound(_day(number, 1), str(number), True, _day(number + 1, 1))


def month(year_: int, number: int) -> Bound:
    """A month of a year."""
    return Bound(_day(year_, number), f"{year_}-{number:02}", True, _day(year_ + number // 12, number % 12 + 1))


def _day(year_: int, month_: int) -> float:
    return float(datetime.date(year_, month_, 1).toordinal())

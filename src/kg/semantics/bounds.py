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
_ON = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"[12]\d{3}")


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
        number, end = number * SCALES[words[end]], end + 1
    elif re.fullmatch(r"[12]\d{3}", word) and not currency:
        yield end, year(int(word))
    yield end, Bound(number, text)


def _days(words: Sequence[str], at: int) -> Iterator[tuple[int, Bound]]:
    """Days and decades: "1 April 2023", "April 1, 2023", "2023-04-01", "the 1990s"."""
    said = [w for w in words[at : at + 6] if w not in (",", "of", "the")][:3]
    left_out, end = [w for w in words[at : at + 6] if w in (",", "of", "the")], 0
    if match := re.fullmatch(r"([12]\d{2}0)s", words[at]):
        first = int(match[1])
        yield at + 1, Bound(_day(first, 1), f"the {words[at]}", True, _day(first + 10, 1))
    if words[at] in (",", "of", "the") or len(said) < 3:
        return
    one, two, three = said
    numbers: tuple[str, str, str] | None = None
    if _ON.fullmatch(one) and two in _MONTHS and _YEAR.fullmatch(three):
        numbers = three, str(_MONTHS[two]), _ON.fullmatch(one)[1]  # type: ignore[index]
    elif one in _MONTHS and _ON.fullmatch(two) and _YEAR.fullmatch(three):
        numbers = three, str(_MONTHS[one]), _ON.fullmatch(two)[1]  # type: ignore[index]
    elif _YEAR.fullmatch(one) and not left_out and len(two) == len(three) == 2 and (two + three).isdigit():
        numbers = one, two, three
    if numbers is None:
        return
    try:
        day = float(datetime.date(*(int(n) for n in numbers)).toordinal())
    except ValueError:
        return
    seen = 0
    while seen < 3:
        seen += words[at + end] not in (",", "of", "the")
        end += 1
    yield at + end, Bound(day, datetime.date.fromordinal(int(day)).isoformat(), True, day + 1)


def year(number: int) -> Bound:
    """A year."""
    return Bound(_day(number, 1), str(number), True, _day(number + 1, 1))


def month(year_: int, number: int) -> Bound:
    """A month of a year."""
    return Bound(_day(year_, number), f"{year_}-{number:02}", True, _day(year_ + number // 12, number % 12 + 1))


def _day(year_: int, month_: int) -> float:
    return float(datetime.date(year_, month_, 1).toordinal())

"""Figures of special shapes: ranks, fractions, alternatives joined by a slash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from kg.model import Quantity
from kg.text.amounts import Amount, amount, lead, unit_at
from kg.text.nouns import measured_after, noun_after
from kg.text.numbers import digits, written
from kg.text.units import dimension


@dataclass(frozen=True, slots=True)
class Reading:
    """A quantity over ``[start, end)``; ``noun_end`` is where its noun and "per" end."""

    start: int
    end: int
    noun_end: int
    value: Quantity


_TOP = re.compile(r"(?<![\w-])[Tt]op[\s-](?=\d|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty)")
_RANK = re.compile(r"(?<![\w#/&])#(?=\d{1,5}(?![\w.]))|\branked\s+(?=\d{1,4}\b)|\branks?\s+(?=\d{1,4}\b)")
_FRACTION = re.compile(
    r"(?<![\w/.,$])(\d{1,3})/(\d{1,3}(?:,\d{3})+|\d+)(ths?|rds?|nds?)?(?![\w/]|[.,-]\d)(?:(?=\s+of\b)|(?<=[a-z]))?"
)
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
    "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_WORD_FRACTION = re.compile(
    r"\b(?P<n>an?|one|two|three|four|five|seven|nine)[\s-](?P<d>half|third|quarter|fourth|fifth|sixth|eighth|tenth|"
    r"hundredth|thousandth|halves)(?P<s>s)?\b(?=\s+(?:of|the|as)\b|\s*$|\s*[,.;)])",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\w/.,])(?=\d[\d,.]*\s?[A-Za-z%µ]{0,4}/\d[\d,.]*\s?[A-Za-z%µ])")
_PLACES = 12


def special(text: str) -> Iterator[Reading]:
    """Ranks (``#10``, ``top-5``), fractions (``1/10,000th``, ``two-thirds``) and pairs (``16/32GB``), in any order."""
    yield from _ranks(text)
    yield from _fractions(text)
    for place in _SLASHED.finditer(text):
        yield from _pair(text, place.start())


def _ranks(text: str) -> Iterator[Reading]:
    for found in _TOP.finditer(text):
        number = digits(text, found.end()) or written(text, found.end())
        if number and number.value == int(number.value):
            value = Quantity(text[found.start() : number.end], None, number.value, noun="rank")
            yield Reading(found.start(), number.end, number.end, value)
    for found in _RANK.finditer(text):
        number = digits(text, found.end())
        if number and text[number.end : number.end + 1] != "x":
            value = Quantity(text[found.start() : number.end], number.value, number.value, noun="rank")
            yield Reading(found.start(), number.end, number.end, value)


def _fractions(text: str) -> Iterator[Reading]:
    for found in _FRACTION.finditer(text):
        above, below = int(found[1]), int(found[2].replace(",", ""))
        spelt = found[3] is not None or text[found.end() :].startswith(" of ")
        if spelt and 0 < above < below:
            yield _fraction(text, found.start(), found.end(), above, below)
    for word in _WORD_FRACTION.finditer(text):
        number = written(word["n"], 0)
        above = int(number.value) if number else 1
        below = _PARTS["half" if word["d"].casefold() == "halves" else word["d"].casefold()]
        if above < below and not (
            word["d"].casefold() in ("quarter", "third")
            and above == 1
            and not word["s"]
            and word["n"].casefold() == "one"
            and "-" not in word[0]
        ):
            yield _fraction(text, word.start(), word.end(), above, below)


def _fraction(text: str, start: int, end: int, above: int, below: int) -> Reading:
    """A part of one; thirds and the like are rounded to 12 places and approximate."""
    exact = Decimal(above) / below
    rounded = round(exact, _PLACES)
    before = lead(text, start, False)
    noun = measured_after(text, end)
    value = Quantity(
        text[before.start : end],
        None if before.upper else rounded,
        None if before.lower else rounded,
        rounded * below != above or before.approximate,
        "UNITLESS",
        noun.words if noun else "",
    )
    return Reading(before.start, end, noun.end if noun else end, value)


def _pair(text: str, at: int) -> Iterator[Reading]:
    """``16/32GB``, ``800G/1.6T``: two alternatives; the unit may be given once."""
    one = amount(text, at)
    unit_one = unit_at(text, one.end, one) if one else None
    slash = (unit_one[1] if unit_one else one.end) if one else at
    two = amount(text, slash + 1) if text[slash : slash + 1] == "/" else None
    if not one or not two:
        return
    unit_two = _second_unit(text, two, unit_one)
    if not unit_two or text[unit_two[1] : unit_two[1] + 1].isalnum():
        return
    if unit_one and dimension(unit_one[0]) != dimension(unit_two[0]):
        return
    noun = measured_after(text, unit_two[1]) or noun_after(text, unit_two[1])
    words, noun_end = (noun.words, noun.end) if noun else ("", unit_two[1])
    scale = two.factor if one.factor == 1 and unit_two[0] != "TeraBIT-PER-SEC" else Decimal(1)
    value = two.mantissa if unit_two[0] == "TeraBIT-PER-SEC" and two.factor != 1 else two.value
    first = Quantity(text[at:slash], one.value * scale, one.value * scale, unit=(unit_one or unit_two)[0], noun=words)
    yield Reading(at, slash, slash, first)
    second = Quantity(text[two.start : unit_two[1]], value, value, unit=unit_two[0], noun=words)
    yield Reading(two.start, unit_two[1], noun_end, second)


def _second_unit(text: str, two: Amount, one: tuple[str, int] | None) -> tuple[str, int] | None:
    if one and one[0] == "GigaBIT-PER-SEC" and two.factor != 1 and text[two.end - 1] == "T":
        return "TeraBIT-PER-SEC", two.end
    return unit_at(text, two.end, two)

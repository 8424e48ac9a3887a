"""The figures of two texts held against one another: whether one that a question supposes is any that a text states.

A yes for "after three years?" where that takes six answers nothing, nor one for Mondays "from Tuesday to Saturday".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from kg.text import quantities, units
from kg.text.question_words import SECOND, degrees, graded
from kg.text.tokens import stem, words

_ORDINALS = {"first": 1} | {word: place for word, place in SECOND.items() if word.isalpha()}
_ORDINAL = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,2}})(?:st|nd|rd|th))\s+(?P<noun>[a-z]+)(?P<on>\s+on\b)?",
    re.IGNORECASE,
)
_KEY = re.compile(r"(?:^|[;,.])\s*([^;:,.]{1,40}):\s*$")  # "Seats: 16"
_THAN = re.compile(r"(\w+)\s+than\s+$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NTH = "nth"
# "5 million pounds" are of money where money is spoken of.
_EITHER = frozenset(("LB", "CCY_GBP"))


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's bounds (None where open) in a unit, with the stems of what it counts."""

    low: Decimal | None
    high: Decimal | None
    unit: str | None
    of: frozenset[str]

    def measures_as(self, other: Figure) -> bool:
        """Whether both measure or count the same: by unit, or of bare counts by a word."""
        if {self.unit, other.unit} <= _EITHER:
            return True
        if self.unit in (None, _NTH):
            return self.unit == other.unit and bool(self.of & other.of)
        return other.unit != _NTH and units.convertible(self.unit, other.unit)

    def meets(self, other: Figure) -> bool:
        """Whether a value may be within the bounds of both."""
        low, high = (_in(end, other.unit, self.unit) for end in (other.low, other.high))
        return (self.low is None or high is None or high >= self.low) and (
            self.high is None or low is None or low <= self.high
        )


def _in(value: Decimal | None, unit: str | None, to: str | None) -> Decimal | None:
    if value is None or unit is None or to is None or unit == to or {unit, to} <= _EITHER or _NTH in (unit, to):
        return value
    return units.convert(value, unit, to)


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text, years and dates left out; "the fourth day on" is four or more."""
    found = []
    for one in quantities.find(text):
        value, before = one.value, _KEY.search(text[: one.start])
        if not _YEAR.fullmatch(value.stated):
            of = _stems(f"{value.noun} {before[1] if before else ''}")
            found.append(_opened(text[: one.start], Figure(value.lower, value.upper, value.unit, of)))
    for match in _ORDINAL.finditer(text):
        place = Decimal(_ORDINALS.get((match["word"] or "").casefold(), 0) or int(match["digits"] or 0))
        found.append(Figure(place, None if match["on"] else place, _NTH, _stems(match["noun"])))
    return tuple(found)


def _opened(before: str, figure: Figure) -> Figure:
    """A figure that a comparison stands before, "longer than", open towards the end that it speaks of."""
    than = _THAN.search(before)
    base = (graded(than[1].casefold()) or ("",))[0] if than else ""
    if base not in degrees():
        return figure
    return replace(figure, high=None) if degrees()[base][0] > 0 else replace(figure, low=None)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))


def ruled_out(question: str, quoted: str) -> bool:
    """Whether a figure that a question supposes is none of those that are quoted of the same.

    >>> ruled_out("Can I go after three years?", "After six years you may go.")
    True
    >>> ruled_out("Is it 5 km?", "It is 5000 m.")
    False
    """
    told = figures(quoted)
    for asked in figures(question):
        same = [one for one in told if asked.measures_as(one)]
        near = [one for one in same if asked.of & one.of] or same
        if near and not any(asked.meets(one) for one in near):
            return True
    return _on_other_days(question, quoted)


# --- Days of the week

_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED = rf"(?:(?i:{'|'.join(_WEEK)})s?|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b"
_DAY, _STRETCH = re.compile(rf"\b{_NAMED}"), re.compile(rf"\b({_NAMED})\s*(?:to|till|until|through|[-–—])\s*({_NAMED})")
_LEFT_OUT = re.compile(r"\b(?:not|no|never|closed|shut|except|without)\b", re.IGNORECASE)


def _on_other_days(question: str, quoted: str) -> bool:
    """Whether a question's days of the week are none of those quoted, among which there is a stretch of days."""
    asked, told = (set(map(_place, _DAY.findall(text))) for text in (question, quoted))
    stretches = [(_place(first), _place(last)) for first, last in _STRETCH.findall(quoted)]
    for first, last in stretches:
        told |= {(first + n) % 7 for n in range((last - first) % 7)}
    return bool(asked and stretches) and not asked & told and _LEFT_OUT.search(quoted) is None


def _place(day: str) -> int:
    """Of a day in the week, Monday 0."""
    return next(n for n, name in enumerate(_WEEK) if name.startswith(day.casefold()[:3]))

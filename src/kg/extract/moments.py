"""Cells and brackets that tell a date, with the small words around it: "Ended 3 months ago (14 July 2022)"."""

from __future__ import annotations

import re

from kg.extract.stretch import Stretch
from kg.extract.words import WORD, word_set
from kg.mentions import dates
from kg.model import DateValue

_DATE_WORDS = word_set("in on since from the about circa c by around")
# What becomes of a thing at the date, as columns of support and sales tell it.
_TURNS = word_set(
    "ended ends ending expired expires expiring starts started begins began supported released discontinued closed "
    "retired withdrawn until till to through on as of"
)
_SPAN = r"(?:an?|one|two|three|\d+)\s+(?:day|week|month|year)s?"
_AGO = re.compile(
    r"(?:(?:ended|ends?|ending|expire[sd]?|released|started|starts|began|begins|due|retired|supported)\s+)?"
    r"(?:in\s+|for\s+)?(?:less than\s+|about\s+|over\s+|almost\s+)?"
    rf"{_SPAN}(?:(?:,|,?\s+and)\s+{_SPAN})*(?:\s+(?:ago|from now|left|old))?|"
    r"ended|ends|expired|expires|today|yesterday|tomorrow",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")


def whole_date(stretch: Stretch, hint: str = "") -> DateValue | None:
    """The date that makes up the stretch, small words apart; ``hint`` is the header or key."""
    if (parsed := dates.parse(stretch.text, hint)) is not None:
        return parsed
    text = stretch.text
    for found in dates.find(text):
        rest = WORD.findall(text[: found.start] + " " + text[found.end :])
        if all(w.lower() in _DATE_WORDS for w in rest):
            return found.value
    return None


def turning_date(stretch: Stretch) -> DateValue | None:
    """The date of a cell that says how far away it is, or what comes with it ("Ended 2 years ago (May 2022)")."""
    text = stretch.text
    bracket = _BRACKET.search(text)
    if bracket and _AGO.fullmatch(text[: bracket.start()].strip()):
        return dates.parse(bracket[1])
    found = dates.find(text)
    if len(found) != 1 or found[0].end != len(text) or not found[0].start:
        return None
    before = WORD.findall(text[: found[0].start].lower())
    return found[0].value if before and before[0] not in ("until", "to") and _TURNS.issuperset(before) else None

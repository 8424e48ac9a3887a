"""What a cell, bracket or bullet tells as a whole: a date with small words around it, the quantity that it begins with.

"Ended 3 months ago (14 July 2022)"; negative quantities also as accounts write them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kg.model import DateValue, Quantity
from kg.text import dates, quantities
from kg.text.stretch import Stretch
from kg.text.words import WORD, word_set

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
_LEAD = re.compile(r"(?:[^\w$€£¥~<>≤≥±+\-−–#]|\b(?:a|an|the|of|about|total|in|at|up|to)\b)*", re.IGNORECASE)
_RED = re.compile(r"(US\$|[$€£¥₹])?\s*\(\s*(US\$|[$€£¥₹])?\s*(\d[\d,]*(?:\.\d+)?)\s*([%kKmMB]|bn)?\s*\)\s*%?")


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


def leading_quantity(text: str) -> tuple[int, int, Quantity] | None:
    """The quantity with which a text begins (small words apart): start, end, value."""
    for found in quantities.find(text)[:1]:
        if _LEAD.fullmatch(text[: found.start]):
            return found.start, found.end, found.value
    return None


def in_the_red(stretch: Stretch) -> Quantity | None:
    """A figure in brackets as accounts write negative ones: "(5.7)", "$(89.7)", "(13%)"."""
    found = _RED.fullmatch(stretch.text)
    read = leading_quantity(f"{found[1] or found[2] or ''}{found[3]}{found[4] or ''}") if found else None
    if read is None or read[2].value == 0 or read[2].lower != read[2].upper:
        return None
    value = -read[2].value
    return replace(read[2], stated=stretch.text, lower=value, upper=value)


_FIGURE = re.compile(r"\d[\d.,]*")


def sharing_unit(pieces: list[tuple[Stretch, Quantity]]) -> list[tuple[Stretch, Quantity]]:
    """Bare numbers with the unit of the last ("16 or 32 kg")."""
    *bare, (last, value) = pieces
    unit = _FIGURE.sub("", last.text, count=1).strip()
    if not value.unit or not all(_FIGURE.fullmatch(p.text) and not q.unit for p, q in bare):
        return pieces
    shared = [leading_quantity(f"{p.text} {unit}") for p, _ in bare]
    if any(r is None or r[2].unit != value.unit for r in shared):
        return pieces
    read_bare = [(p, replace(r[2], stated=p.text)) for (p, _), r in zip(bare, shared, strict=True) if r is not None]
    return [*read_bare, (last, value)]

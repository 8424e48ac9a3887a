"""Units and scales that a caption declares for figures below it: "(in millions)", "£m", "in thousands of tonnes"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from kg.model import DateValue, Quantity
from kg.text import dates, quantities
from kg.text.stretch import Stretch
from kg.text.words import WORD, word_set

_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SHORT = {"k": 10**3, "m": 10**6, "mn": 10**6, "mm": 10**6, "bn": 10**9, "tn": 10**12, "b": 10**9}
_SIGN = r"US\s?\$|[A-Z]{1,2}\$|[$€£¥₹₩₪]|[A-Z]{3}"
_WORDED = re.compile(
    r"(?:(?:all\s+)?(?:amounts?|figures?|values?|numbers?|data)\s+(?:are\s+|is\s+)?)?"
    r"(?:expressed\s+|shown\s+|stated\s+)?"
    rf"(?:(?P<sign>{_SIGN})\s*|(?P<money>[A-Za-z. ]{{3,20}}?)\s*,?\s+)?(?:in\s*)?"
    r"(?P<scale>hundred|thousand|million|billion|trillion)s?"
    rf"(?:\s+(?:of\s+)?(?P<unit>{_SIGN}|[a-zA-Z².³/ -]{{1,24}}?))?"
    r"(?:\s*[,;]\s*(?:except|excluding|unless|other than)\b.*)?",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    rf"(?:in\s+)?(?P<sign>{_SIGN})\s*(?:(?P<short>k|mn?|mm|bn?|tn)|(?P<zeros>['’]?(?:,?000)+s?))", re.IGNORECASE
)
_ZEROS = re.compile(
    r"(?:in\s+)?(?:(?P<sign>[$€£¥])\s*)?['’]?(?P<zeros>(?:,?000)+)(?:['’]?s)?(?:\s+(?P<unit>[a-zA-Z² ]{1,24}))?"
)
_LETTER = re.compile(r"(?P<sign>[$€£¥])?\s*(?P<short>[KMB])(?:illions?)?")
_PLAIN = re.compile(
    r"(?:(?:all\s+)?(?:amounts?|figures?|values?|data)\s+)?(?:are\s+)?in\s+(?P<unit>[^()]{1,24})", re.IGNORECASE
)
_COUNTED = re.compile(r"[a-z -]+s")  # "thousand visitors": a count without a unit
_OWN = re.compile(r"\d\s*(?:k|m|mn|mm|bn?|tn|thousand|million|billion|trillion)\b", re.IGNORECASE)
_EACH = re.compile(
    r"\bper\b|\beach\b|/\s?[a-z]+|%|\b(?:ratio|rate|percentage|margin|multiple|count|headcount)s?$"
    r"|^(?:ratio|rate|percentage|number|share)s?\s+of\b|\bweighted[ -]average\b"
    r"|\b(?:shares?|employees|staff|customers|visitors|units)(?:\s+(?:outstanding|issued|sold|employed))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measure:
    """What figures are multiplied by and measured in; ``unit`` is a name of :mod:`kg.text.units`."""

    scale: Decimal = Decimal(1)
    unit: str | None = None


def measure(text: str) -> Measure | None:
    """The measure that a caption, its brackets apart, declares; None for any other text.

    >>> measure("(in millions)")
    Measure(scale=Decimal('1000000'), unit=None)
    """
    plain = " ".join(text.strip().strip("()[]*_").split())
    if found := _SIGNED.fullmatch(plain) or _ZEROS.fullmatch(plain):
        got = found.groupdict()
        zeros = (got.get("zeros") or "").count("0")
        scale = 10**zeros if zeros else _SHORT[got["short"].casefold()]
        unit = _unit(got.get("unit"), got.get("sign"))
        return Measure(Decimal(scale), unit) if unit or not (got.get("unit") or got.get("sign")) else None
    if found := _LETTER.fullmatch(plain):
        sign = found["sign"]
        return Measure(Decimal(_SHORT[found["short"].casefold()]), _unit(None, sign) if sign else None)
    if found := _WORDED.fullmatch(plain):
        named = [found[name] for name in ("sign", "money", "unit") if found[name] and found[name].strip()]
        unit = _unit(found["unit"], found["sign"] or found["money"])
        if named and unit is None and not (found["unit"] and _COUNTED.fullmatch(found["unit"]) and len(named) == 1):
            return None
        return Measure(Decimal(_SCALES[found["scale"].casefold()]), unit)
    found = _PLAIN.fullmatch(plain)
    unit = _unit(found["unit"], None) if found else None
    return Measure(unit=unit) if unit else None


def symbol(text: str) -> Measure | None:
    """The measure of a unit alone, as rows of units write it ("m", "(kg)", "km/h"); None for any other text."""
    plain = text.strip().strip("()[]")
    unit = _unit(plain, None) if 0 < len(plain) <= 10 and not any(c.isdigit() or c.isspace() for c in plain) else None
    return Measure(unit=unit) if unit else None


def _unit(after: str | None, before: str | None) -> str | None:
    """The unit of a word behind a figure or of a sign before it."""
    after, before = after and after.replace(".", ""), before and before.replace(".", "")
    for text in (f"5 {after.strip()}" if after else "", f"{before.strip()}5" if before else "", f"5 {before}"):
        found = quantities.find(text.strip()) if text.strip() not in ("", "5 None") else ()
        if found and found[0].start == 0 and found[0].value.unit and found[0].end == len(text.strip()):
            return found[0].value.unit
    return None


def counts_each(label: str) -> bool:
    """Whether a caption over a whole table leaves the figures under a label alone: shares, rates, counts, "per …"."""
    return bool(_EACH.search(_BRACKET.sub("", label)))


def scaled_by(value: Quantity, caption: Measure) -> Quantity:
    """The quantity as the caption means it.

    Figures with a scale or another unit of their own and counts of named things are left as they are.
    """
    foreign = value.unit is not None and caption.unit is not None and value.unit != caption.unit
    money = value.unit is None or value.unit.startswith("CCY_")
    if foreign or not (money or value.unit == caption.unit) or value.per:
        return value
    if value.noun or _OWN.search(value.stated):
        return replace(value, unit=caption.unit) if caption.unit and not value.noun else value
    return replace(
        value,
        lower=_times(value.lower, caption.scale),
        upper=_times(value.upper, caption.scale),
        central=_times(value.central, caption.scale),
        unit=value.unit or caption.unit,
    )


def _times(number: Decimal | None, scale: Decimal) -> Decimal | None:
    if number is None:
        return None
    product = number * scale
    return product.to_integral_value() if product == product.to_integral_value() else product


# --- What a cell, bracket or bullet tells as a whole: a date, the quantity that it begins with …

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

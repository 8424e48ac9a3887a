"""Units and scales that a caption declares for figures below it: "(in millions)", "£m", "in thousands of tonnes"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from kg.model import Quantity
from kg.text import quantities

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
    return bool(_EACH.search(label))


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

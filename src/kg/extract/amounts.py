"""The quantity with which a cell or bullet begins, and negative ones as accounts write them."""

from __future__ import annotations

import re
from dataclasses import replace

from kg.extract.stretch import Stretch
from kg.mentions import quantities
from kg.model import Quantity

_LEAD = re.compile(r"(?:[^\w$€£¥~<>≤≥±+\-−–#]|\b(?:a|an|the|of|about|total|in|at|up|to)\b)*", re.IGNORECASE)


_RED = re.compile(r"(US\$|[$€£¥₹])?\s*\(\s*(US\$|[$€£¥₹])?\s*(\d[\d,]*(?:\.\d+)?)\s*([%kKmMB]|bn)?\s*\)\s*%?")


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

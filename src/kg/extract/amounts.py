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

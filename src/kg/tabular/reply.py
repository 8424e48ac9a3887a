"""What is replied to a question on a table and its paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from kg.tabular.table import Cell


@dataclass(frozen=True, slots=True)
class Reply:
    """``values`` as text, without their ``scale`` ("thousand", "million", "billion", "percent" or "").

    ``by``: the operation, or "text"; ``shown``: the sum or the sentence that gives the values; ``cells``: those used;
    ``fit``: how well their rows fit the question's words, about 0 to 1.
    """

    values: tuple[str, ...]
    scale: str
    by: str
    shown: str = ""
    cells: tuple[Cell, ...] = ()
    fit: float = 0.0


def number(value: Decimal, places: int = 4) -> str:
    """A number in plain digits, rounded, without zeros at its end.

    >>> number(Decimal("12.60"))
    '12.6'
    """
    rounded = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def values(cells: Sequence[Cell]) -> tuple[str, ...]:
    """The texts of cells as they stand in the table."""
    return tuple(c.text for c in cells)


def common_scale(cells: Sequence[Cell]) -> str:
    """The scale that cells share; "" if they differ."""
    scales = {c.scale for c in cells if c.figure is not None and not c.figure.nil} or {c.scale for c in cells}
    return scales.pop() if len(scales) == 1 else ""

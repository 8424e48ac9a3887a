"""Figures as the cells of tables write them: "$ (2,306)", "15.5%", "—", "2.5x"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

# What may stand around a figure in its cell: signs of currencies, brackets, a footnote's mark, a short unit.
_CURRENCY = (
    r"(?:[A-Z]{1,3}\s?)?[$€£¥₹`]|(?:US|CA|AU|NZ|SG|HK)D|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|[A-Z]{1,2}\$|Rs\.?|kr"
)
_CELL = re.compile(
    rf"(?P<before>(?:{_CURRENCY})?\s*(?P<open>\()?\s*(?:{_CURRENCY})?\s*(?P<minus>[-–−+])?\s*(?:{_CURRENCY})?\s*)"
    r"(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"\s*(?P<percent>%)?\s*(?P<close>\))?\s*(?P<after>%|[A-Za-z]{1,7}|¢|pence|cents|years)?"
    r"(?P<note>\s*(?:\(\w{1,2}\)|\*+|[†‡§]|\[\w\]))*"
)
_NIL = re.compile(r"(?:[$€£¥]|%|\s)*(?:[-–—―−]\s*)+(?:[$€£¥]|%|\s|pts?)*|nil|none", re.IGNORECASE)
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "bn": 10**9, "b": 10**9,
           "billion": 10**9}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figure:
    """A cell's number as it stands there, without its table's scale. ``nil``: a dash, which accounts write for 0.

    ``factor``: the scale that the cell itself writes ("1.2 million"); ``sign``: of its currency.
    """

    value: Decimal
    percent: bool = False
    sign: str = ""
    nil: bool = False
    factor: int = 1

    @property
    def money(self) -> bool:
        """Whether a sign of a currency stands with it."""
        return bool(self.sign)


def figure(text: str) -> Figure | None:
    """The figure that a cell holds and nothing else; None for words, names, dates and empty cells.

    >>> figure("$ (2,306)").value
    Decimal('-2306')
    """
    plain = " ".join(text.replace("\u00a0", " ").split())
    if not plain:
        return None
    if _NIL.fullmatch(plain):
        return Figure(Decimal(0), "%" in plain, nil=True)
    found = _CELL.fullmatch(plain)
    if found is None or re.fullmatch(r"0{2,}", found["digits"]):
        return None  # "£000" is a scale
    try:
        value = Decimal(found["digits"].replace(",", ""))
    except InvalidOperation:
        return None
    negative = found["minus"] in ("-", "–", "−") if found["minus"] else bool(found["open"])
    after = (found["after"] or "").casefold()
    percent = "%" in (found["percent"] or "") or after == "%"
    sign = re.search(r"[$€£¥₹]", found["before"])
    return Figure(-value if negative else value, percent, sign[0] if sign else "", factor=_SCALES.get(after, 1))

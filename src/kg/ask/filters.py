"""Bounds in a question: "more than $30", "under 100 days", "before 1930", "in 2019"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from kg.ask.adjectives import degree
from kg.ask.facts import Fact
from kg.ask.question import Question
from kg.ask.schema import is_date
from kg.ask.spans import dates

_WHEN = re.compile(
    r"\b(?P<how>before|after|since|until|by|in|during|prior to|later than|earlier than)\s+(?:the\s+)?$", re.I
)
_OPEN = {"before": "<", "prior to": "<", "earlier than": "<", "until": "<=", "by": "<=", "after": ">",
         "later than": ">", "since": ">="}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """``low``/``high``: bounds of a number in ``unit`` (a QUDT local name) or of a date (ISO days); None where open."""

    start: int
    end: int
    low: Decimal | str | None
    high: Decimal | str | None
    unit: str | None = None
    strict: bool = True

    @property
    def dated(self) -> bool:
        """Whether it bounds dates."""
        return isinstance(self.low or self.high, str)

    def fits(self, fact: Fact) -> bool:
        """Whether a fact's value can be held against it: a date, or a number of the same dimension."""
        if self.dated or is_date(fact):
            return self.dated and is_date(fact)
        return self.in_unit_of(fact) is not None

    def in_unit_of(self, fact: Fact) -> tuple[Decimal | None, Decimal | None] | None:
        """The bounds of a number in a fact's unit, None if that measures something else."""
        from kg.graph import literals
        from kg.text import units

        own = units.unit_of(fact.unit) if fact.unit else None
        if not literals.convertible(self.unit, own):
            return None
        ends = [x for x in (self.low, self.high)]
        if self.unit and own:
            ends = [units.convert(x, self.unit, own) if isinstance(x, Decimal) else None for x in ends]
        return tuple(x if isinstance(x, Decimal) else None for x in ends)  # type: ignore[return-value]

    def filter(self, fact: Fact) -> str:
        """The FILTER over ``?value``, in the unit of a fact."""
        if self.dated:
            ends: tuple[object, object] = (
                f'"{self.low}"' if self.low else None,
                f'"{self.high}"' if self.high else None,
            )
            value = "STR(?value)"
        else:
            low, high = self.in_unit_of(fact) or (None, None)
            ends, value = (_plain(low), _plain(high)), "?value"
        both = ends[0] is not None and ends[1] is not None
        more, less = (">=", "<=") if both or not self.strict else (">", "<")
        parts = [f"{value} {more} {ends[0]}"] if ends[0] is not None else []
        parts += [f"{value} {less} {ends[1]}"] if ends[1] is not None else []
        return f"FILTER({' && '.join(parts)})"


def _plain(value: Decimal | None) -> str | None:
    return None if value is None else f"{value.normalize():f}"


def holds(bound_: Bound, fact: Fact) -> bool:
    """Whether a fact's value is within a bound."""
    if not bound_.fits(fact):
        return False
    if bound_.dated:
        value: object = str(getattr(fact.object, "value", ""))
        low, high = bound_.low, bound_.high
    else:
        value = Decimal(str(fact.number))
        low, high = bound_.in_unit_of(fact) or (None, None)
    closed = (low is not None and high is not None) or not bound_.strict
    after = low is None or value > low or (closed and value == low)  # type: ignore[operator]
    return after and (high is None or value < high or (closed and value == high))  # type: ignore[operator]


def bound(question: Question) -> Bound | None:
    """The bound that a question states, of a number or a date."""
    return _of_date(question.text) or _of_number(question.text)


def _of_date(text: str) -> Bound | None:
    for date in dates(text):
        match = _WHEN.search(text[: date.start])
        between = re.search(r"\b(?:between|from)\s+$", text[: date.start], re.I)
        if between and len(dates(text)) == 2:
            last = dates(text)[1]
            return Bound(between.start(), last.end, date.earliest[:4], last.latest, strict=False)
        if match is None:
            continue
        sign = _OPEN.get(match["how"].casefold(), "=")
        first, last_day = date.earliest[: {1: 4, 2: 7, 3: 10}[date.precision]], date.latest
        low = {">": last_day, ">=": first, "=": first}.get(sign)
        high = {"<": first, "<=": last_day, "=": last_day}.get(sign)
        return Bound(match.start(), date.end, low, high, strict=sign in "<>")
    return None


def _of_number(text: str) -> Bound | None:
    from kg.model import Quantity
    from kg.text import quantities

    for found in quantities.find(text):
        value = found.value
        if not isinstance(value, Quantity) or re.match(r"\d{4}$", value.stated):
            continue
        low, high = value.lower, value.upper
        before = re.search(r"(\w+)\s+than\s+$", text[: found.start], re.I)
        start = before.start() if before else found.start
        if low is not None and low == high:
            sign = degree(before[1].casefold()) if before else None
            if sign is None:
                continue
            low, high = (low, None) if sign[0] > 0 else (None, high)
        strict = not re.match(r"(?:at least|at most|up to|no (?:more|less|fewer) than)\b", value.stated, re.I)
        return Bound(start, found.end, low, high, value.unit, strict)
    return None

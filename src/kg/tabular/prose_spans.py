"""The span of a sentence that answers a question: an amount, a time, a cause, or what the question leaves out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.ask.spans import dates
from kg.ask.terms import term, tokens
from kg.ask.words import words
from kg.tabular.times import years
from kg.tabular.words import STOP, terms


class Wanted(StrEnum):
    """The kind of span that a question asks for."""

    MONEY = "money"
    PERCENT = "percent"
    COUNT = "count"
    DURATION = "duration"
    AMOUNT = "amount"
    TIME = "time"
    CAUSE = "cause"
    WHOLE = "whole"
    REST = "rest"


_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|bn|m)\b)"
_UNITS = r"(?:years?|months?|days?|weeks?|hours?|basis\s+points|cents|pence)"
_AMOUNT = re.compile(
    rf"(?P<money>(?:\b[A-Z]{{1,3}})?[$€£¥₹`]\s?\(?\d(?:[\d,]*\d)?(?:\.\d+)?{_SCALE}?\)?)"
    r"|(?P<percent>\(?\d(?:[\d,]*\d)?(?:\.\d+)?\)?\s?(?:%|per\s?cent\b))"
    rf"|(?P<duration>(?<![\w.,])\d(?:[\d,]*\d)?(?:\.\d+)?[\s-]{_UNITS}\b)"
    rf"|(?P<count>(?<![\w.,$-])\d(?:[\d,]*\d)?(?:\.\d+)?{_SCALE}?(?![\w%]))",
    re.IGNORECASE,
)
_KINDS = (
    (Wanted.WHOLE, r"^(?:did|does|do|is|are|was|were|has|have|had|can|could|will)\b"),
    (Wanted.CAUSE, r"^why\b|\b(?:reasons?|causes?|caused|factors?|drove|driven|resulted?\s+in|led\s+to|attribut\w+"
                   r"|due\s+to)\b"),
    (Wanted.PERCENT, r"\bwhat\s+(?:is|was|were|are)?\s*(?:the\s+)?(?:\w+\s+){0,3}?"
                     r"(?:percentages?|per\s?cent|%|rates?|proportion|portion|margin)\b|\bhow\s+many\s+per\s?cent|\bwhat\s+per\s?cent"),
    (Wanted.DURATION, r"\bhow\s+long\b|\bhow\s+many\s+(?:years|months|days|weeks|hours)\b"
                      r"|\b(?:period|duration|term|life)\b.*\b(?:recogni[sz]ed|amorti[sz]ed)\b|\baverage\s+duration\b"),
    (Wanted.COUNT, r"\bhow\s+many\b|\bnumber\s+of\b"),
    (Wanted.TIME, r"^when\b|\b(?:in|on|at)\s+(?:which|what)\s+(?:year|month|date|period|quarter)\b"
                  r"|^(?:which|what)\s+(?:year|date|month)\b"),
    (Wanted.MONEY, r"\bhow\s+much\b"),
    (Wanted.AMOUNT, r"\bhow\s+(?:large|big|high)\b"),
)  # fmt: skip
_WANTED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
_OPEN = re.compile(
    r"^(?:how\s+(?!much|many|long|large|big|high)|who|where|whose|what\s+(?:does|do|did)\b|which\s+(?!year|date|month))",
    re.IGNORECASE,
)
_FIGURES = frozenset((Wanted.MONEY, Wanted.PERCENT, Wanted.COUNT, Wanted.DURATION, Wanted.AMOUNT))


def wanted(question: str) -> Wanted:
    """The kind of span that a question asks for."""
    plain = question.strip()
    if _PAID.match(plain):
        return Wanted.MONEY
    if _OPEN.match(plain) and not _CAUSAL.search(plain):
        return Wanted.REST
    found = next((kind for kind, pattern in _WANTED if pattern.search(plain)), Wanted.REST)
    if found is Wanted.REST and (head := _HEAD.match(plain)):
        noun = head[1].split()[-1].casefold().rstrip("?,")
        return Wanted.TIME if noun in _TIMES else Wanted.MONEY if noun in _MONEY else found
    return found


_PAID = re.compile(r"what\s+(?:does|do|did)\b.*\b(?:cost|earn|pay|spend|amount\s+to)\b", re.IGNORECASE)
_CAUSAL = _WANTED[1][1]
_HEAD = re.compile(
    r"(?:as\s+[^,]+,\s*)?(?:what|which)\s+(?:is|was|are|were)\s+(.+?)(?=\s+(?:of|in|for|at|as|from|related|relating|associated"
    r"|recogni[sz]ed|recorded|to|on|during|that|which|by|with|between|not|against|due|incurred|paid|under|held)\b|\?|$)",
    re.IGNORECASE,
)
_TIMES = words("date dates year month day deadline")
_MONEY = words("""
    amount amounts expense expenses cost costs revenue revenues income sales payment payments value values price losses
    loss benefit benefits charge charges debt liability liabilities asset assets proceeds cash profit compensation fee
    fees credit credits increase decrease change reduction allowance interest penalties tax taxes dividend dividends
    earnings balance total carryforwards write-down impairment capitalized
    """)


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure of a sentence at ``[start, end)``."""

    text: str
    start: int
    end: int
    kind: Wanted


def amounts(text: str) -> list[Amount]:
    """The figures of a sentence that are no dates, in order."""
    taken = [(d.start, d.end) for d in dates(text)]
    found = []
    for m in _AMOUNT.finditer(text):
        if any(start < m.end() and m.start() < end for start, end in taken):
            continue
        kind = Wanted(m.lastgroup or "count")
        span = m.group().strip()
        if span.startswith("(") and not span.rstrip("%").endswith(")"):
            span = span[1:]
        found.append(Amount(span, m.start(), m.end(), kind))
    return found


def has(text: str, question: str, kind: Wanted) -> bool:
    """Whether a sentence holds a span of the kind asked for."""
    if kind in _FIGURES:
        return bool(_fitting(text, question, kind))
    if kind is Wanted.TIME:
        return bool(dates(text))
    return kind is Wanted.CAUSE and _CAUSE.search(text) is not None


def spans(text: str, question: str, kind: Wanted) -> tuple[str, ...]:
    """The spans of a sentence that answer a question: several where it asks for several, "respectively"."""
    if kind is Wanted.WHOLE:
        return (text,)
    if kind is Wanted.CAUSE and (cause := _cause(text)):
        return (cause,)
    if kind is Wanted.TIME and (time := _time(text, question)):
        return (time,)
    if kind in _FIGURES and (found := _figures(text, question, kind)):
        return found
    rest = _rest(text, question)
    return (rest,) if rest else ()


# --- figures -----------------------------------------------------------------------------------------


def _fitting(text: str, question: str, kind: Wanted) -> list[Amount]:
    """The figures of the kind asked for that the question doesn't name itself."""
    asked = question.replace(",", "")
    found = [a for a in amounts(text) if a.text.replace(",", "") not in asked]
    if kind is Wanted.AMOUNT:
        return found
    if kind is Wanted.MONEY:
        return [a for a in found if a.kind is Wanted.MONEY] or [a for a in found if a.kind is not Wanted.DURATION]
    return [a for a in found if a.kind is kind]


def _figures(text: str, question: str, kind: Wanted) -> tuple[str, ...]:
    found = _fitting(text, question, kind)
    if not found:
        return ()
    told = years(question)
    if len(told) > 1 or re.search(r"\brespectively\b", question, re.IGNORECASE):
        return tuple(a.text for year in told if (a := _of_year(text, found, year)) is not None)
    if told and (one := _of_year(text, found, told[0])) is not None:
        return (one.text,)
    return (max(found, key=lambda a: (_nearness(text, a, question), -a.start)).text,)


def _of_year(text: str, found: Sequence[Amount], year: int) -> Amount | None:
    """The figure that a sentence gives for a year: in the same place of a list, or before its mention."""
    named = list(dict.fromkeys((d.start, y) for d in dates(text) for y in years(d.text)))
    order = [y for _, y in named]
    if year not in order:
        return None
    runs = [run for run in _runs(text, found) if len(run) == len(order)]
    if runs and len(order) > 1:
        return runs[-1][order.index(year)]
    at = next(start for start, y in named if y == year)
    before = [a for a in found if a.end <= at]
    after = [a for a in found if a.start >= at]
    rivals = [start for start, y in named if y != year]
    if before and not any(before[-1].end <= start < at for start in rivals):
        return before[-1]
    return after[0] if after else (before[-1] if before else None)


def _runs(text: str, found: Sequence[Amount]) -> list[list[Amount]]:
    """Figures named one after the other ("$3, $4 and $5")."""
    runs: list[list[Amount]] = []
    for amount in found:
        if runs and re.fullmatch(
            r"(?:\s*,\s*|\s*,?\s*and\s+|\s+or\s+)(?:\w+\s+)?", text[runs[-1][-1].end : amount.start]
        ):
            runs[-1].append(amount)
        else:
            runs.append([amount])
    return runs


def _nearness(text: str, amount: Amount, question: str) -> float:
    """How close the question's words stand to a figure."""
    asked = set(terms(question))
    total = 0.0
    for token in tokens(text):
        if token.term in asked and token.lower not in STOP:
            gap = amount.start - token.end if token.end <= amount.start else 1.5 * (token.start - amount.end)
            total += 1 / (8 + max(gap, 0))
    return total


# --- times and causes --------------------------------------------------------------------------------


def _time(text: str, question: str) -> str:
    asked = set(years(question))
    found = [d for d in dates(text) if not set(years(d.text)) <= asked or not years(d.text)]
    return max(found, key=lambda d: d.precision).text.rstrip(" ,.") if found else ""


_CAUSE = re.compile(
    r"\b(?:(?:primarily|mainly|largely|principally|partly|mostly|due|driven|attributable|attributed|caused|because|result|resulted|resulting|reflecting|owing|offset)\s+)*"
    r"(?:due\s+to|because(?:\s+of)?|as\s+a\s+result\s+of|driven\s+by|attribut\w+\s+(?:primarily\s+|mainly\s+)?to|caused\s+by|resulted\s+(?:primarily\s+|mainly\s+)?from|resulting\s+from|owing\s+to|as\s+the\b|reflect(?:s|ing|ed)|in\s+order\s+to|so\s+that|since\s+the|result\s+of)\s+",
    re.IGNORECASE,
)


def _cause(text: str) -> str:
    """The words of cause and what follows them."""
    found = _CAUSE.search(text)
    return _trimmed(text[found.start() :]) if found else ""


# --- what the question leaves out --------------------------------------------------------------------

_LEADING = re.compile(
    r"^(?:[,;:–—-]|\b(?:is|are|was|were|be|been|of|that|to|as|in|on|at|from|with|the\s+following|and|which|also|mainly|consist(?:s|ed)?|includes?|included|represents?|means?|refers?\s+to|comprises?|relates?\s+to)\b\s*)+",
    re.IGNORECASE,
)


def _rest(text: str, question: str) -> str:
    """The part of a sentence that the question doesn't say: after the words they share, or before them."""
    found = [t for t in tokens(text) if t.lower not in STOP]
    if not found:
        return ""
    asked = {term(t.text) for t in tokens(question) if t.lower not in STOP} | set(terms(question))
    shared = [t.term in asked or bool(set(terms(t.text)) & asked) for t in found]
    if not any(shared) or all(shared):
        return _trimmed(text)
    total = sum(shared)
    best, cut, after = -1.0, 0, True
    seen = 0
    for place, is_shared in enumerate(shared):
        seen += is_shared
        count = place + 1
        rest = len(found) - count
        behind = seen / count * (seen / total) + (1 - (total - seen) / rest if rest else 0.0)
        before = (total - seen) / rest * ((total - seen) / total) + (1 - seen / count) if rest else 0.0
        if rest and is_shared and behind >= best:
            best, cut, after = behind, place, True
        if rest and shared[place + 1] and before > best + 0.1:
            best, cut, after = before, place, False
    if after:
        return _trimmed(_LEADING.sub("", text[found[cut].end :].lstrip()))
    return _trimmed(text[: found[cut + 1].start])


def _trimmed(text: str) -> str:
    return text.split("; ", 1)[0].strip(' ,;:.–—“”‘’"')

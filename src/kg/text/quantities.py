"""Figures in running text and in cells: bounds, units, what is counted, what it is per.

``Quantity.stated`` is the figure with what qualifies it ("over 100,000", "~40GB", "$700K/day"), without the noun.
Digits that belong to names, versions, addresses and dates are never read as figures.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from kg.model import Quantity
from kg.text import dates, masks
from kg.text.nouns import Phrase, measured_after, noun_after, per_after
from kg.text.numbers import CURRENCY_BEFORE, FRACTION_SIGNS, Amount, Tail, amount, digits, lead, tail, unit_at, written
from kg.text.stretch import Found, apart
from kg.text.units import convert, dimension
from kg.text.words import FUNCTION_WORDS

# --- Figures of special shapes: ranks, fractions, alternatives joined by a slash


@dataclass(frozen=True, slots=True)
class Reading:
    """A quantity over ``[start, end)``; ``noun_end`` is where its noun and "per" end."""

    start: int
    end: int
    noun_end: int
    value: Quantity


_TOP = re.compile(r"(?<![\w-])[Tt]op[\s-](?=\d|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty)")
_RANK = re.compile(r"(?<![\w#/&])#(?=\d{1,5}(?![\w.]))|\branked\s+(?=\d{1,4}\b)|\branks?\s+(?=\d{1,4}\b)")
_FRACTION = re.compile(
    r"(?<![\w/.,$])(\d{1,3})/(\d{1,3}(?:,\d{3})+|\d+)(ths?|rds?|nds?)?(?![\w/]|[.,-]\d)(?:(?=\s+of\b)|(?<=[a-z]))?"
)
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
    "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_WORD_FRACTION = re.compile(
    r"\b(?P<n>an?|one|two|three|four|five|seven|nine)[\s-](?P<d>half|third|quarter|fourth|fifth|sixth|eighth|tenth|"
    r"hundredth|thousandth|halves)(?P<s>s)?\b(?=\s+(?:of|the|as)\b|\s*$|\s*[,.;)])",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<![\w/.,])(?=\d[\d,.]*\s?[A-Za-z%µ]{0,4}/\d[\d,.]*\s?[A-Za-z%µ])")
_PLACES = 12


def special(text: str) -> Iterator[Reading]:
    """Ranks (``#10``, ``top-5``), fractions (``1/10,000th``, ``two-thirds``) and pairs (``16/32GB``), in any order."""
    yield from _ranks(text)
    yield from _fractions(text)
    for place in _SLASHED.finditer(text):
        yield from _pair(text, place.start())


def _ranks(text: str) -> Iterator[Reading]:
    for found in _TOP.finditer(text):
        number = digits(text, found.end()) or written(text, found.end())
        if number and number.value == int(number.value):
            value = Quantity(text[found.start() : number.end], None, number.value, noun="rank")
            yield Reading(found.start(), number.end, number.end, value)
    for found in _RANK.finditer(text):
        number = digits(text, found.end())
        if number and text[number.end : number.end + 1] != "x":
            value = Quantity(text[found.start() : number.end], number.value, number.value, noun="rank")
            yield Reading(found.start(), number.end, number.end, value)


def _fractions(text: str) -> Iterator[Reading]:
    for found in _FRACTION.finditer(text):
        above, below = int(found[1]), int(found[2].replace(",", ""))
        spelt = found[3] is not None or text[found.end() :].startswith(" of ")
        if spelt and 0 < above < below:
            yield _fraction(text, found.start(), found.end(), above, below)
    for word in _WORD_FRACTION.finditer(text):
        number = written(word["n"], 0)
        above = int(number.value) if number else 1
        below = _PARTS["half" if word["d"].casefold() == "halves" else word["d"].casefold()]
        if above < below and not (
            word["d"].casefold() in ("quarter", "third")
            and above == 1
            and not word["s"]
            and word["n"].casefold() == "one"
            and "-" not in word[0]
        ):
            yield _fraction(text, word.start(), word.end(), above, below)


def _fraction(text: str, start: int, end: int, above: int, below: int) -> Reading:
    """A part of one; thirds and the like are rounded to 12 places and approximate."""
    exact = Decimal(above) / below
    rounded = round(exact, _PLACES)
    before = lead(text, start, False)
    noun = measured_after(text, end)
    value = Quantity(
        text[before.start : end],
        None if before.upper else rounded,
        None if before.lower else rounded,
        rounded * below != above or before.approximate,
        "UNITLESS",
        noun.words if noun else "",
    )
    return Reading(before.start, end, noun.end if noun else end, value)


def _pair(text: str, at: int) -> Iterator[Reading]:
    """``16/32GB``, ``800G/1.6T``: two alternatives; the unit may be given once."""
    one = amount(text, at)
    unit_one = unit_at(text, one.end, one) if one else None
    slash = (unit_one[1] if unit_one else one.end) if one else at
    two = amount(text, slash + 1) if text[slash : slash + 1] == "/" else None
    if not one or not two:
        return
    unit_two = _second_unit(text, two, unit_one)
    if not unit_two or text[unit_two[1] : unit_two[1] + 1].isalnum():
        return
    if unit_one and dimension(unit_one[0]) != dimension(unit_two[0]):
        return
    noun = measured_after(text, unit_two[1]) or noun_after(text, unit_two[1])
    words, noun_end = (noun.words, noun.end) if noun else ("", unit_two[1])
    scale = two.factor if one.factor == 1 and unit_two[0] != "TeraBIT-PER-SEC" else Decimal(1)
    value = two.mantissa if unit_two[0] == "TeraBIT-PER-SEC" and two.factor != 1 else two.value
    first = Quantity(text[at:slash], one.value * scale, one.value * scale, unit=(unit_one or unit_two)[0], noun=words)
    yield Reading(at, slash, slash, first)
    second = Quantity(text[two.start : unit_two[1]], value, value, unit=unit_two[0], noun=words)
    yield Reading(two.start, unit_two[1], noun_end, second)


def _second_unit(text: str, two: Amount, one: tuple[str, int] | None) -> tuple[str, int] | None:
    if one and one[0] == "GigaBIT-PER-SEC" and two.factor != 1 and text[two.end - 1] == "T":
        return "TeraBIT-PER-SEC", two.end
    return unit_at(text, two.end, two)


Spans = tuple[tuple[int, int], ...]

_NUMBER_WORDS = (
    "an?|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zero|dozens|tens|scores|"
    "hundreds|thousands|millions|billions|trillions"
)
_START = re.compile(
    rf"(?<!\w)(?:(?<![A-Za-z][-/.'’])|(?<=\b[Ss]ub-))(?<!\d[.,:/])(?:(?=[\d{FRACTION_SIGNS}])|(?=\.\d)|(?=(?:{_NUMBER_WORDS})\b))|"
    r"(?<=[A-Z]\$)(?=\d)|(?<=\b(?:USD|EUR|GBP))(?=\d)",
    re.IGNORECASE,
)
_TO = re.compile(r"\s?[–—]\s?|-|\s-\s|\s+(?:to|through)\s+|\.\.\.?(?=\d)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_TOLERANCE = re.compile(r"\s?(?:\+/-|±|\+-|plus\s+or\s+minus)\s?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+(?:about\s+|~\s?)?$", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:from|grew|grow(?:s|n|ing)?|scal(?:e|es|ed|ing)|increas\w+|rise|rises|rose|rising|fell|fall(?:s|ing)?|drop\w*|"
    r"cut|reduc\w+|expand\w*|went|go(?:es|ing)?|jump\w*|climb\w*|shr[aiu]nk\w*|upgrad\w+|declin\w+|improv\w+|"
    r"rais\w+|lower\w*|chang\w+|mov\w+|widen\w*|extend\w*|doubl\w+)\b(?:\s+[\w-]+){0,4}\s*$",
    re.IGNORECASE,
)
_RANGING = re.compile(r"\b(?:rang\w+|var(?:y|ies|ied|ying)|anywhere|between|differ\w*)\b[^.;]{0,24}$", re.IGNORECASE)
_RATE = re.compile(r"\s?([QRTF]PS|fps)(?![\w/])")
_RATE_NOUNS = {"QPS": "queries", "RPS": "requests", "TPS": "transactions", "FPS": "frames"}
_TIMES_COUNT = re.compile(r"\s?[x×](?:(?=[A-Z])|\s(?=[A-Z~]|\d))")
_HYPHENED = re.compile(r"-([a-z]{2,}|[A-Z][A-Za-z]+)(?![\w]|-\d)")
_COMPARATIVE = re.compile(r"\s((?:less|more|fewer|better|worse|[a-z]+er)(?:\s(?!than\b)[a-z]{3,})?)\b")
_ENUMERATOR = re.compile(r"(?:^|\n)\s*\d+[.)]\s|\(\d+\)|\s\d{1,3}\.\s(?=https?:)")
_LOSS = re.compile(
    r"[^\d()]{0,4}\((?!\d{4}\))[^\d()]{0,4}\d[\d,.]*\s?(?:%|[KMB]|[a-z]+)?\)%?"
)  # accounts write losses "(2,376)"
_IN_SCALE = re.compile(r"\b(?:in|US\$|\$|£|€)\s?$", re.IGNORECASE)
_JOINT = re.compile(r"\s(?:to|or|and)\s|\s?→\s?")


@lru_cache(maxsize=8192)  # several readings of a text ask for its figures
def find(text: str) -> tuple[Found[Quantity], ...]:
    """Figures left to right, never overlapping; ``text[start:end] == value.stated``."""
    hidden = masks.opaque(text) + tuple((d.start, d.end) for d in dates.find(text))
    hidden += tuple((m.start(), m.end()) for m in _ENUMERATOR.finditer(text))
    return _sharing(text, apart(Found(r.start, r.end, r.value) for r in _readings(text, hidden, False)))


def _sharing(text: str, found: tuple[Found[Quantity], ...]) -> tuple[Found[Quantity], ...]:
    """Bare figures with the unit and noun of the one they are joined to: ``from 2,500 to 7,500 nodes``."""
    shared = list(found)
    for place in reversed(range(len(shared) - 1)):
        one, two = shared[place], shared[place + 1]
        bare = not (one.value.unit or one.value.noun or one.value.per)
        same = one.value.unit == two.value.unit and not one.value.noun
        if (bare or same) and two.value.noun != "rank" and _JOINT.fullmatch(text[one.end : two.start]):
            value = replace(one.value, unit=two.value.unit, noun=two.value.noun, per=one.value.per or two.value.per)
            shared[place] = replace(one, value=value)
    return tuple(shared)


def parse(text: str) -> Quantity | None:
    """The figure that a whole cell states, with or without its noun; a bracketed remark after it is left aside."""
    plain = text.strip()
    if _LOSS.fullmatch(plain):
        loss = parse(re.sub(r"[()]", "", plain))
        known = loss is not None and loss.lower is not None and loss.lower == loss.upper
        return (
            replace(loss, stated=plain, lower=-loss.lower, upper=-loss.lower) if loss and known and loss.lower else None
        )
    cell = re.sub(r"\s*\([^()]*\)$", "", plain) or plain
    for reading in sorted(_readings(cell, masks.opaque(cell), True), key=lambda r: (r.start, -r.end)):
        whole = reading.start == 0 and not cell[reading.noun_end :].strip(" .*†‡")
        return reading.value if whole else None
    return None


def _readings(text: str, hidden: Spans, cell: bool) -> Iterator[Reading]:
    taken = masks.joined(hidden)
    for reading in special(text):
        if not masks.covered(taken, reading.start, reading.end):
            insort(taken, (reading.start, reading.end))
            yield reading
    at = 0
    while (place := _START.search(text, at)) is not None:
        at = place.start()
        found = None if masks.covered(taken, at, at + 1) else _read(text, at, cell)
        if found is None or masks.covered(taken, found.start, found.end):
            skipped = re.compile(r"[\w.,]*\w").match(text, at)
            at = max(at + 1, skipped.end() if skipped else 0)
            continue
        yield found
        at = max(found.end, at + 1)


# --- one figure --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Body:
    """Numbers, unit and open end of a figure. ``times``: "8x V100"; ``ranged``: two numbers."""

    start: int
    end: int
    lower: Decimal
    upper: Decimal
    one: Amount
    unit: str | None
    tail: Tail
    ranged: bool = False
    times: bool = False
    central: Decimal | None = None


def _read(text: str, at: int, cell: bool) -> Reading | None:
    money = CURRENCY_BEFORE.search(text, max(0, at - 44), at)
    start = money.start() if money else at
    if not money and text[at - 1 : at] in ("-", "−") and (at == 1 or text[at - 2] in " (~|"):
        start = at - 1
    one = amount(text, start)
    body = _body(text, one) if one else None
    if body is None or (text[body.end : body.end + 1].isalnum() and not body.times):
        return None
    return _finished(text, body) if _stands(text, body, cell) else None


def _body(text: str, one: Amount) -> _Body | None:
    """The figure from its first number on: a tolerance, a range or a single amount."""
    between = _BETWEEN.search(text, max(0, one.start - 16), one.start)
    tolerance = _TOLERANCE.match(text, one.end)
    off = amount(text, tolerance.end()) if tolerance else None
    if off and off.value > 0:
        unit = _unit(text, off.end, one)
        factor = off.factor if one.factor == 1 else Decimal(1)
        low, high = one.value * factor - off.value, one.value * factor + off.value
        name, end = unit or (None, off.end)
        return _Body(one.start, end, low, high, one, name, Tail(end), True, central=one.value * factor)
    ranged = _range(text, one, between.start() if between else one.start, bool(between))
    if ranged:
        return ranged
    times = _TIMES_COUNT.match(text, one.end)
    if times and one.plain:
        return _Body(one.start, times.end(), one.value, one.value, one, None, Tail(times.end()), times=True)
    opened = tail(text, one.end)
    unit = _unit(text, opened.end, one)
    end = unit[1] if unit else opened.end
    opened = tail(text, end) if opened.end == one.end else opened
    return _Body(one.start, max(end, opened.end), one.value, one.value, one, unit[0] if unit else None, opened)


def _unit(text: str, at: int, one: Amount) -> tuple[str, int] | None:
    """The unit after a number; of money its currency, which may also be spelt out after it."""
    if one.vague and text[at : at + 4] == " of ":
        at += 3
    unit = unit_at(text, at, one)
    if one.currency:
        return (one.currency, unit[1] if unit and unit[0] == one.currency else at)
    return unit


_MILLIONS = re.compile(r"m(?!\w|[²³^])")


def _range(text: str, one: Amount, start: int, between: bool) -> _Body | None:
    first = _unit(text, one.end, one)
    joint = (_AND if between else _TO).match(text, first[1] if first else one.end)
    if not joint:
        return None
    spelt = joint[0].strip().isalpha() and not between
    if (
        spelt
        and _CHANGE.search(text, max(0, start - 60), start)
        and not _RANGING.search(text[max(0, start - 60) : start])
    ):
        return None
    about = re.compile(r"(?:~\s?|about\s+|nearly\s+|over\s+)?").match(text, joint.end())
    two = amount(text, about.end() if about else joint.end())
    if two is None or two.vague or (two.words and joint[0] == "-") or re.match(r"-\d", text[two.end : two.end + 2]):
        return None
    if one.currency and two.factor == 1 and _MILLIONS.match(text, two.end):  # "£2-3m": of money, no metres
        million = Decimal(10) ** 6
        two = replace(two, end=two.end + 1, value=two.value * million, factor=million)
    opened = tail(text, two.end)
    second = _unit(text, opened.end, two)
    if one.currency and not two.currency:
        second = (one.currency, second[1] if second else opened.end)
    ends = _shared(one, two)
    if ends is None or (first and not second) or (one.currency is None and two.currency is not None):
        return None
    low, high = ends
    if first and second and first[0] != second[0]:
        if dimension(first[0]) != dimension(second[0]):
            return None
        low = convert(low, first[0], second[0])
    if low >= high:
        return None
    end = second[1] if second else opened.end
    opened = tail(text, end) if opened.end == two.end else opened
    return _Body(start, max(end, opened.end), low, high, one, second[0] if second else None, opened, True)


def _shared(one: Amount, two: Amount) -> tuple[Decimal, Decimal] | None:
    """Both ends, a scale that is given once applied to both: ``$2-3 billion``, ``50K-200``."""
    if one.currency and two.currency and one.currency != two.currency:
        return None
    if one.factor == 1 and two.factor != 1 and one.mantissa < two.mantissa and not one.separated:
        return one.value * two.factor, two.value
    if two.factor == 1 and one.factor != 1 and one.mantissa < two.value < one.value:
        return one.value, two.value * one.factor
    return one.value, two.value


def _stands(text: str, body: _Body, cell: bool) -> bool:
    """Whether this is a figure at all, and not part of a name or a pronoun-like number word."""
    one = body.one
    after = text[body.end : body.end + 1]
    if one.vague and not body.unit and _IN_SCALE.search(text, max(0, body.start - 6), body.start):
        return text[body.end : body.end + 4] == " of "  # a column "in millions"
    if one.words and not cell and not _written_stands(text, body):
        return False
    if after == "/" and text[body.end + 1 : body.end + 2].isdigit() and not (body.unit or one.factor != 1):
        return False
    if after in ("'", "’") or (after == "." and text[body.end + 1 : body.end + 2].isalnum()):
        return False
    if after == "-" and text[body.end + 1 : body.end + 2].isalnum():
        hyphened = _HYPHENED.match(text, body.end)
        if not hyphened or hyphened[1].casefold() in FUNCTION_WORDS:
            return False
    if body.unit == "SEC" and text[: body.start].casefold().endswith("the ") and text[body.end - 2 : body.end] == "0s":
        return False
    if not one.plain or body.tail.lower or body.times:
        return True
    if body.unit and (body.end - one.end > 2 or body.unit == "PERCENT" or text[one.end] != " "):
        return True
    noun = noun_after(text, body.end)
    return not masks.follows_name(text, body.start, bool(noun and noun.plural))


def _written_stands(text: str, body: _Body) -> bool:
    word = text[body.one.start : body.one.end]
    if word[0].isupper() and not masks.starts_sentence(text, body.start):
        return False
    if body.unit or body.one.vague or body.one.value >= 100 or body.tail.lower:
        return word.casefold() != "one" or body.unit is not None
    if text[body.end : body.end + 1] == "-":
        return _HYPHENED.match(text, body.end) is not None and body.one.value >= 2
    noun = noun_after(text, body.end)
    return body.one.value != 1 and noun is not None and noun.plural


def _finished(text: str, body: _Body) -> Reading:
    timed = body.unit is not None and dimension(body.unit) == "time"
    before = lead(text, body.start, timed)
    one = body.one
    lower: Decimal | None = body.lower
    upper: Decimal | None = body.upper
    if not body.ranged:
        if before.upper or body.tail.upper:
            lower = None
        if before.lower or body.tail.lower or one.vague:
            lower, upper = body.lower, None
    elif body.tail.lower:
        upper = None
    unit, noun, per, end, noun_end = _around(text, body)
    approximate = before.approximate or body.tail.approximate or one.vague or one.rounded
    stated = text[before.start : end]
    value = Quantity(stated, lower, upper, approximate, unit, noun, per, central=body.central)
    return Reading(before.start, end, noun_end, value)


def _around(text: str, body: _Body) -> tuple[str | None, str, str, int, int]:
    """Unit, noun, per, the end of the figure and the end of its noun."""
    end = body.end
    rate = None if body.unit else _RATE.match(text, end)
    if rate:
        return None, _RATE_NOUNS[rate[1].upper()], "second", rate.end(), rate.end()
    if body.times:
        return None, _noun_of_times(text, end), "", len(text[:end].rstrip()), end
    per = per_after(text, end)
    if per:
        noun = noun_after(text, per.end)
        words, noun_end = (noun.words, noun.end) if noun else ("", per.end)
        return body.unit, words, per.words, per.end, noun_end
    noun = _noun(text, body)
    if noun is None:
        return body.unit, "", "", end, end
    after = per_after(text, noun.end, after_noun=True)
    return body.unit, noun.words, after.words if after else "", end, after.end if after else noun.end


def _noun(text: str, body: _Body) -> Phrase | None:
    end = body.end
    hyphened = _HYPHENED.match(text, end)
    if hyphened and not body.unit:
        if hyphened[1] in ("way", "fold", "strong"):
            return noun_after(text, hyphened.end()) or Phrase(hyphened[1], hyphened.end())
        return Phrase(hyphened[1], hyphened.end())
    if body.unit == "UNITLESS":
        compared = _COMPARATIVE.match(text, end)
        return Phrase(compared[1], compared.end(1)) if compared else measured_after(text, end)
    if body.unit:
        return measured_after(text, end)
    of = text[end : end + 4] == " of " and body.one.vague
    return noun_after(text, end + 3 if of else end)


def _noun_of_times(text: str, end: int) -> str:
    inner = amount(text, end + 1 if text[end : end + 1] == "~" else end)
    noun = noun_after(" " + text[end:], 0) if inner is None else noun_after(text, inner.end)
    return noun.words if noun else ""

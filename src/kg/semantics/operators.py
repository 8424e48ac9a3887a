"""The words' own readings that name nothing of a graph: counting, totals, grades, comparisons, numbers, negation.

Numbers and dates as a question says them: "1,000", "$2 million", "2019", "March 2020".
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kg.semantics.items import Item
from kg.semantics.logic import Bound
from kg.text import dates
from kg.text.question_words import (
    AGGREGATES,
    AUXILIARIES,
    COMPARATORS,
    COUNTING,
    EACH,
    GENERIC,
    NEGATIONS,
    NUMBERS,
    SCALES,
    SECOND,
    TIME_UNITS,
    degrees,
    graded,
)

_COMPARATORS = tuple((tuple(words.split()), op) for words, op in COMPARATORS)
_RATIOS = (
    "how many times", "by what factor", "by which factor", "what factor", "ratio", "by how many times", "what multiple",
)  # fmt: skip
_SIGNS = ((NEGATIONS, "N"), (EACH, "E"), (frozenset(("both",)), "B"))
_AROUND = {"after": ("late", ">"), "before": ("early", "<"), "since": ("late", ">=")}
_BETWEEN = frozenset(("apart", "between", "after", "before", "passed", "elapsed", "lie", "separate", "from"))
_SHARES = (
    "what percentage of", "percentage of", "what percent of", "percent of", "what per cent of", "per cent of",
    "what share of", "share of", "proportion of",
)  # fmt: skip
_COMMON = ("most common", "most frequent", "most frequently", "most often", "most widespread", "commonest")
_RARE = ("least common", "least frequent", "least often", "rarest")
# Phrases that are an operator by themselves: its category and what more it says.
_PHRASES: tuple[tuple[tuple[str, ...], str, Mapping[str, Any]], ...] = (
    *((phrase, "C", {}) for phrase in COUNTING),
    *((tuple(said.split()), "Q", {}) for said in _SHARES),
    *((tuple(said.split()), "F", {"top": True}) for said in _COMMON),
    *((tuple(said.split()), "F", {"top": False}) for said in _RARE),
    *((tuple(said.split()), "D", {"op": "ratio"}) for said in _RATIOS),
)
_MORE = {"more": ">", "fewer": "<", "less": "<"}
_ABOVE = {"above": ">", "over": ">", "exceeding": ">", "exceeds": ">", "exceed": ">", "below": "<", "under": "<"}
EXCEEDING = frozenset(("exceed", "exceeds", "exceeded", "exceeding", "surpass", "surpasses", "surpassed"))
_MOST = 1000  # things that are asked for by number
_FAR = 16  # words between a comparison and its "than"


def leaf(weights: Mapping[str, float], cat: str, start: int, end: int, match: float, **fields: object) -> Item:
    """A word's own reading, scored by how well it fits."""
    local = (("match", match * (end - start)), ("long", float(end - start - 1)))
    score = sum(weights[name] * value for name, value in local)
    return Item(cat, start, end, score, local=local, **fields)  # type: ignore[arg-type]


class Operators:
    """Makes the leaves of operators."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._leaf = partial(leaf, weights)

    def items(self, words: Sequence[str]) -> Iterator[Item]:
        """All operators of a question."""
        yield from self._operators(words)
        yield from self._bounds(words)

    def _operators(self, words: Sequence[str]) -> Iterator[Item]:
        for at, word in enumerate(words):
            for phrase, cat, more in _PHRASES:
                if tuple(words[at : at + len(phrase)]) == phrase:
                    yield self._leaf(cat, at, at + len(phrase), 1.0, **more)
                    if cat == "F" and at and (k := _several(words[at - 1])):
                        yield self._leaf(cat, at - 1, at + len(phrase), 1.0, k=k, **more)
            if word in AGGREGATES:
                yield self._leaf("G", at, at + 1, 1.0, fn=AGGREGATES[word])
            if word in SECOND and words[at + 1 : at + 2] and graded(words[at + 1]) is None:
                number = Bound(float(SECOND[word]), word)
                yield self._leaf("O", at, at + 1, 1.0, bound=number, op="=")
            yield from self._tallied(words, at)
            for said, cat in _SIGNS:
                if word in said and words[at + 1 : at + 2] != ("cent",):
                    yield self._leaf(cat, at, at + 1, 1.0, op=word if word == "per" else "")
            yield from self._superlative(words, at)
            yield from self._comparative(words, at)
            yield from self._apart(words, at)

    def _tallied(self, words: Sequence[str], at: int) -> Iterator[Item]:
        """ "More … than" in a question of yes or no, "a" where it means each, "above average"."""
        word = words[at]
        if word in _MORE and words[0] in AUXILIARIES and "than" in words[at:]:
            yield self._leaf("V", at, at + 1, 1.0, op=_MORE[word])
        if word in ("a", "an") and words[at + 1 : at + 2] and {"average", "mean"} & {*words}:
            yield self._leaf("E", at, at + 1, 1.0)
        if word in _ABOVE and {"average", "mean"} & {*words[at : at + 4]}:
            yield self._leaf("T", at, at + 1, 1.0, op=_ABOVE[word], name=word, generic=True)

    def _superlative(self, words: Sequence[str], at: int) -> Iterator[Item]:
        word, start, nth = words[at], at, 1
        grade = graded(word)
        if at and words[at - 1] == "at" and word in ("least", "most"):
            return
        if (grade is None or grade[1] != "est") and (grade is None or grade[1] != "er" or "than" in words[at:]):
            return
        if at and words[at - 1] in SECOND:
            start, nth = at - 1, SECOND[words[at - 1]]
        base = grade[0]
        sign, hints = degrees().get(base, (-1 if base in ("less", "few") else 1, (base,)))
        fields = {"hints": hints, "top": sign > 0, "nth": nth, "name": base, "generic": word in GENERIC}
        said = number_of(words[at - 1]) if at and nth == 1 else None
        k = _several(words[at - 1]) if said is not None else 0
        if said is None and word in ("top", "first", "last", "bottom", "best") and at + 1 < len(words):
            said = number_of(words[at + 1])
            if said is not None:
                yield self._leaf("M", at, at + 2, 1.0, **{**fields, "k": int(said)})
        elif k:
            yield self._leaf("M", at - 1, at + 1, 1.0, **{**fields, "k": k})
        yield self._leaf("M", start, at + 1, 1.0, **fields)
        if word in ("most", "least", "more", "less") and at + 1 < len(words) and words[at + 1] in degrees():
            end, hints = degrees()[words[at + 1]]
            top = (end > 0) == (sign > 0)
            name = words[at + 1]
            more = {"hints": hints, "top": top, "generic": False, "name": name}
            yield self._leaf("M", start, at + 2, 1.0, **{**fields, **more})
            if k:
                yield self._leaf("M", at - 1, at + 2, 1.0, **{**fields, **more, "k": k})

    def _comparative(self, words: Sequence[str], at: int) -> Iterator[Item]:
        """ "Longer", "more expensive", "as many … as", "after": what wants something to compare with."""
        word, grade, rest = words[at], graded(words[at]), words[at + 1 :]
        if word in _AROUND:
            name, op = _AROUND[word]
            yield self._leaf("T", at, at + 1, 1.0, hints=("date", "time"), op=op, name=name, fn="date")
        if word in EXCEEDING:
            yield self._leaf("T", at, at + 1, 1.0, op=">", name=word, generic=True)
        if word == "as" and rest[:1] and "as" in rest[1:] and (rest[0] in degrees() or graded(rest[0]) is not None):
            hints = degrees().get(rest[0], (1, (rest[0],)))[1]
            generic = rest[0] in ("many", "much")
            yield self._leaf("T", at, at + 2, 1.0, hints=hints, op="!=", name=rest[0], generic=generic)
        if grade is None or grade[1] != "er" or "than" not in rest[:_FAR]:
            return
        sign, hints = degrees().get(grade[0], (1, (grade[0],)))
        end = at + 2 if rest[:1] == ("than",) else at + 1
        fields = {"hints": hints, "op": ">" if sign > 0 else "<", "name": grade[0], "generic": word in GENERIC}
        yield self._leaf("T", at, end, 1.0, **fields)
        if word in ("more", "less") and rest[:1] and rest[0] in degrees():
            much, hints = degrees()[rest[0]]
            op = ">" if (much > 0) == (sign > 0) else "<"
            end = at + 3 if rest[1:2] == ("than",) else at + 2
            yield self._leaf("T", at, end, 1.0, hints=hints, op=op, name=rest[0], generic=False)

    def _apart(self, words: Sequence[str], at: int) -> Iterator[Item]:
        """ "By how much", "how many years … apart": how far two values are from one another."""
        if words[at] in ("difference", "gap"):
            yield self._leaf("D", at, at + 1, 1.0, op="difference")
        start = at + 1 if words[at] == "by" else at
        if tuple(words[start : start + 2]) not in (("how", "much"), ("how", "many")):
            return
        end, rest = start + 2, words[start + 2 :]
        units = [at for at in range(end, min(end + 1, len(words))) if words[at] in TIME_UNITS]
        grade = graded(words[end + len(units)]) if end + len(units) < len(words) else None
        compared = grade is not None and grade[1] == "er" and "than" in rest
        if units and (compared or (rest[1:2] and rest[1] in _BETWEEN)):
            stop = end + (2 if rest[1] == "apart" else 1)
            yield self._leaf("D", at, stop, 1.0, op="difference", unit=TIME_UNITS[words[end]])
        elif start > at or compared:
            yield self._leaf("D", at, end, 1.0, op="difference")

    def _bounds(self, words: Sequence[str]) -> Iterator[Item]:
        """Numbers and dates, with the words before (or after) that say how they compare."""
        for at in range(len(words)):
            for end, bound in bounds_at(words, at):
                if bound.text != "one":
                    yield self._leaf("K", at, end, 1.0, bound=bound)
                for phrase, op in _COMPARATORS:
                    start = at - len(phrase)
                    if start >= 0 and tuple(words[start:at]) == phrase:
                        if op == "=" and phrase in (("in",), ("of",), ("on",), ("during",)) and not bound.date:
                            continue
                        yield self._leaf("CK", start, end, 1.0, bound=bound, op=op)
                    if tuple(words[end : end + len(phrase)]) == phrase and phrase[0] == "or":
                        yield self._leaf("CK", at, end + len(phrase), 1.0, bound=bound, op=op)
                if at >= 1 and words[at - 1] in ("between", "from"):
                    yield from self._between(words, at, end, bound)

    def _between(self, words: Sequence[str], at: int, end: int, bound: Bound) -> Iterator[Item]:
        if words[end : end + 1] not in (("and",), ("to",), ("until",), ("till",)):
            return
        for last, other in bounds_at(words, end + 1):
            if other.date == bound.date:
                until = (other.until or other.value) if bound.date else other.value
                yield self._leaf("CK", at - 1, last, 1.0, op="between", bound=replace(bound, until=until))


# --- numbers and dates --------------------------------------------------------------------

_BOUND = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LONGEST = 5  # words of a date
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")


def number_of(word: str) -> float | None:
    """The number that a word says."""
    if word in NUMBERS:
        return float(NUMBERS[word])
    return float(word.replace(",", "")) if _BOUND.fullmatch(word) else None


def _several(word: str) -> int:
    """How many things a word says, if more than one; else 0."""
    number = number_of(word)
    return int(number) if number is not None and 1 < number < _MOST else 0


def bounds_at(words: Sequence[str], at: int) -> Iterator[tuple[int, Bound]]:
    """Numbers and dates that begin at a word."""
    currency = words[at] in ("$", "€", "£")
    first = at + currency
    if first >= len(words):
        return
    word = words[first]
    for end in range(min(len(words), at + _LONGEST), at, -1):
        if (date := _date(words[at:end])) is not None:
            yield end, date
    number = number_of(word)
    if number is None and (match := re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|bn|million|billion)", word)):
        number = float(match[1]) * SCALES[match[2]]
    if number is None:
        return
    end, text = first + 1, word
    if end < len(words) and words[end] in SCALES:
        number, end, text = number * SCALES[words[end]], end + 1, f"{word} {words[end]}"
    yield end, Bound(number, text)


def _date(words: Sequence[str]) -> Bound | None:
    """The days that words say: "1 April 2023", "the 2nd of May 1990", "2023 04 01", "March 2020", "2019", "1990s"."""
    if not any(word[-1:].isdigit() or word[:1].isdigit() for word in words) or words[-1] == ",":
        return None
    said = [_ORDINAL.sub("", word).capitalize() for word in words if word not in ("of", "the", ",")]
    text = ("-" if all(map(str.isdigit, said)) else " ").join(said)
    found = dates.parse(text)
    if found is None or not found.earliest or not found.latest:
        return None
    first, last = (datetime.date.fromisoformat(day).toordinal() for day in (found.earliest, found.latest))
    shown = f"the {text}" if text.endswith("s") else found.value
    return Bound(float(first), shown, True, float(last + 1))

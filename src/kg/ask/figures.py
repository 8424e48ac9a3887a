"""Figures of answers: held against those of the question and its years, and told in the unit that is asked for.

A yes for "after three years?" where that takes six, or another year's row, answers nothing. A unit often stands in a
column's head only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from kg.ask.candidates import Candidate
from kg.ask.drafts import Draft
from kg.ask.facts import Fact
from kg.ask.graph import amount
from kg.ask.linking import compared
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.model import UnitKind
from kg.namespaces import UNIT
from kg.text import quantities, units
from kg.text.question_words import SECOND
from kg.text.spans import cells
from kg.text.tokens import stem, words

_ORDINALS = {"first": 1} | {word: place for word, place in SECOND.items() if word.isalpha()}
_ORDINAL = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,2}})(?:st|nd|rd|th))\s+(?P<noun>[a-z]+)(?P<on>\s+on\b)?",
    re.IGNORECASE,
)
_KEY = re.compile(r"(?:^|[;,.])\s*([^;:,.]{1,40}):\s*$")  # "Seats: 16"
_THAN = re.compile(r"(\w+)\s+than\s+$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NTH = "nth"
# "5 million pounds" are of money where money is spoken of.
_EITHER = frozenset(("LB", "CCY_GBP"))


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's bounds (None where open) in a unit, with the stems of what it counts."""

    low: Decimal | None
    high: Decimal | None
    unit: str | None
    of: frozenset[str]

    def measures_as(self, other: Figure) -> bool:
        """Whether both measure or count the same: by unit, or of bare counts by a word."""
        if {self.unit, other.unit} <= _EITHER:
            return True
        if self.unit in (None, _NTH):
            return self.unit == other.unit and bool(self.of & other.of)
        return other.unit != _NTH and units.convertible(self.unit, other.unit)

    def meets(self, other: Figure) -> bool:
        """Whether a value may be within the bounds of both."""
        low, high = (_in(end, other.unit, self.unit) for end in (other.low, other.high))
        return (self.low is None or high is None or high >= self.low) and (
            self.high is None or low is None or low <= self.high
        )


def _in(value: Decimal | None, unit: str | None, to: str | None) -> Decimal | None:
    if value is None or unit is None or to is None or unit == to or {unit, to} <= _EITHER or _NTH in (unit, to):
        return value
    return units.convert(value, unit, to)


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text, years and dates left out; "the fourth day on" is four or more."""
    found = []
    for one in quantities.find(text):
        value, before = one.value, _KEY.search(text[: one.start])
        if not _YEAR.fullmatch(value.stated):
            of = _stems(f"{value.noun} {before[1] if before else ''}")
            found.append(_opened(text[: one.start], Figure(value.lower, value.upper, value.unit, of)))
    for match in _ORDINAL.finditer(text):
        place = Decimal(_ORDINALS.get((match["word"] or "").casefold(), 0) or int(match["digits"] or 0))
        found.append(Figure(place, None if match["on"] else place, _NTH, _stems(match["noun"])))
    return tuple(found)


def _opened(before: str, figure: Figure) -> Figure:
    """A figure that a comparison stands before, "longer than", open towards the end that it speaks of."""
    than = _THAN.search(before)
    way = compared([than[1].casefold()]) if than else None
    if way is None:
        return figure
    return replace(figure, high=None) if way[0] > 0 else replace(figure, low=None)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))


def ruled_out(question: str, quoted: str) -> bool:
    """Whether a figure that a question supposes is none of those that are quoted of the same.

    >>> ruled_out("Can I go after three years?", "After six years you may go.")
    True
    >>> ruled_out("Is it 5 km?", "It is 5000 m.")
    False
    """
    told = figures(quoted)
    for asked in figures(question):
        same = [one for one in told if asked.measures_as(one)]
        near = [one for one in same if asked.of & one.of] or same
        if near and not any(asked.meets(one) for one in near):
            return True
    return False


def with_figures_held(question: str, candidates: Sequence[Candidate], chances: Sequence[float]) -> list[float]:
    """The candidates' probabilities, that of a yes which its own quotation's figures rule out given to its no."""
    found = list(chances)
    for n, yes in enumerate(candidates):
        if not _says(yes, "Yes") or not ruled_out(question, yes.draft.evidence[0].plain):
            continue
        for m, no in enumerate(candidates):
            if _says(no, "No") and no.draft.evidence[0].key == yes.draft.evidence[0].key:
                found[m] = max(found[m], chances[n])
        found[n] = 0.0
    return found


def _says(candidate: Candidate, word: str) -> bool:
    return candidate.draft.kind == "boolean" and candidate.draft.values[0].label == word


_WHOLE_YEAR = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d(?![\d,-]|\.\d)")


def of_other_year(question: str, quoted: Scored) -> bool:
    """Whether what is quoted is a row of other years than those asked for, by its cells, heads and headings."""
    asked, own = set(_WHOLE_YEAR.findall(question)), set(_WHOLE_YEAR.findall(quoted.plain))
    if not asked or not own or quoted.unit.kind != UnitKind.ROW:
        return False
    above = _WHOLE_YEAR.findall(" ".join((*quoted.passage.headings, quoted.unit.context)))
    return not asked & {*own, *above}


# --- The unit that a figure is told in

_BARE = re.compile(r"[-−]?\d[\d.,]*")
_ASKED = re.compile(
    r"\bhow many\s+(?P<many>[\w/]+)|\bin\s+(?P<within>[\w/²³°]+(?:\s(?:per|an?)\s\w+)?)\s*\?*$", re.IGNORECASE
)


def with_unit(question: Question, draft: Draft) -> Draft:
    """A draft whose one value is the figure of one claim, that figure with its unit, or in the unit asked for."""
    facts = draft.backing.facts if draft.backing is not None else ()
    if len(facts) != 1 or len(draft.values) != 1 or facts[0].number is None or facts[0].lower != facts[0].upper:
        return draft
    old = draft.values[0].label
    new = _told(question, facts[0], old)
    if new == old:
        return draft
    text = new + draft.text.removeprefix(old) if draft.text.startswith(old) else new
    return replace(draft, text=text, values=(replace(draft.values[0], label=new),))


def _told(question: Question, fact: Fact, label: str) -> str:
    """How a figure is told: ``label`` as it was, with the claim's unit, or converted with what is stated beside it."""
    own = fact.unit_name
    if own is None or fact.number is None:
        return label
    wanted = asked_unit(question)
    if wanted is not None and wanted != own and units.convertible(own, wanted):
        value = units.convert(Decimal(str(fact.number)), own, wanted)
        return f"{amount(float(round(value, 2)), UNIT + wanted)} ({_beside_unit(fact.stated, own)})"
    return _beside_unit(label, own)


def asked_unit(question: Question) -> str | None:
    """The unit in which an answer is asked for: "how many grams", "in km/h"."""
    match = _ASKED.search(question.text)
    return units.find_unit(match["many"] or match["within"]) if match else None


def in_any_unit(question: Question) -> str:
    """A question without the unit that its answer is to be told in: who reads what is said needn't convert it."""
    match = _ASKED.search(question.text)
    if match is None or match["within"] is None or asked_unit(question) is None:
        return question.text
    return question.text[: match.start()].rstrip() + "?"


def in_other_unit(question: Question, draft: Draft) -> bool:
    """Whether its one value is in a unit, its own or its column's, that doesn't convert into the one asked for."""
    wanted = asked_unit(question)
    told = quantities.parse(draft.values[0].label) if wanted is not None and len(draft.values) == 1 else None
    if told is None:
        return False
    heads = (head for head, cell in cells(draft.evidence[0].plain) if cell.text == draft.values[0].label)
    own = told.unit or next((unit for head in heads if (unit := units.unit_in_head(head)[0])), None)
    return own is not None and not units.convertible(own, wanted)


def _beside_unit(figure: str, unit: str) -> str:
    """A bare figure with its unit; what says more stays as it is."""
    if not _BARE.fullmatch(figure):
        return figure
    sign = next((s for s, name in units.CURRENCY_SIGNS.items() if name == unit and len(s) == 1), "")
    return f"{sign}{figure}" if sign else f"{figure} {units.label(unit)}"

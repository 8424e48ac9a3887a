"""Figures of answers: held against those of the question and its years, and told in the unit that is asked for.

A unit often stands in a column's head only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from kg.ask.candidates import Candidate
from kg.ask.drafts import Draft
from kg.ask.facts import Fact
from kg.ask.graph import amount
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.model import UnitKind
from kg.namespaces import UNIT
from kg.text import quantities, units
from kg.text.figures import ruled_out
from kg.text.spans import cells


def with_figures_held(question: str, candidates: Sequence[Candidate], chances: Sequence[float]) -> list[float]:
    """The candidates' probabilities, that of a yes which its own quotation's figures rule out given to its no."""
    found = list(chances)
    told = ((n, c.draft) for n, c in enumerate(candidates) if c.draft.kind == "boolean")
    said = {n: (draft.values[0].label, draft.evidence[0].key) for n, draft in told}
    for yes, (label, key) in said.items():
        if label == "Yes" and ruled_out(question, candidates[yes].draft.evidence[0].plain):
            for no in (n for n, other in said.items() if other == ("No", key)):
                found[no] = max(found[no], chances[yes])
            found[yes] = 0.0
    return found


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

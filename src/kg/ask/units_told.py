"""A figure is told with its unit, which often stands in a column's head only, or in the unit that is asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from kg.ask.drafts import Draft
from kg.ask.facts import Fact
from kg.ask.graph import amount
from kg.ask.question import Question
from kg.namespaces import UNIT
from kg.text import quantities, units
from kg.text.spans import cells

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
    own = units.unit_of(fact.unit) if fact.unit else None
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

"""How many: a number that a unit states of the noun, else the things that it names, counted."""

from __future__ import annotations

import re

from kg.ask.drafts import ROOM, Asking, Draft, Value, covered, sentence
from kg.ask.groups import Group, groups
from kg.ask.lists import Listing, listings
from kg.ask.numbers import NumberQuestion, best_number, expected
from kg.ask.question import Question
from kg.model import UnitKind


class CountQuestion:
    """A number of things, stated or counted."""

    name = "count"

    def asks(self, question: Question) -> bool:
        """``how many …``, ``number of …``, ``head count …`` that asks for no measure."""
        counting = question.opening in ("how many", "number of") or bool(
            re.search(r"\b(?:head ?count|how numerous|count the|the count)\b", question.lower)
        )
        return counting and not expected(question)

    def read(self, asking: Asking) -> Draft | None:
        """A stated number if its noun fits; otherwise the best listing's length."""
        stated = best_number(asking)
        counted = _counted(asking)
        if stated is not None and (counted is None or stated.fit >= 0.55 or stated.total >= counted.total + 0.15):
            return NumberQuestion().read(asking)
        if counted is None:
            return None
        label = str(len(counted.items))
        text = sentence(f"{label}: {', '.join(counted.items)}", counted.quote, ROOM)
        return Draft(self.name, text, (Value(label),), counted.evidence, counted.fit)


def _counted(asking: Asking) -> Listing | None:
    found = [x for x in listings(asking) if x.fit >= 0.35]
    found += [x for g in groups(asking.found.units) if (x := _lines(asking, g)) is not None]
    return max(found, key=lambda x: x.total) if found else None


def _lines(asking: Asking, group: Group) -> Listing | None:
    """Lines of a listing that look alike, such as a command's output, under what introduces them."""
    if group.units[0].kind != UnitKind.LINE:
        return None
    about = covered(asking.found.terms, group.title + " " + " ".join(u.plain for u in group.units))
    numbers = [
        n for n, u in zip(group.numbers, group.units, strict=True) if re.match(r"[\w.-]+\.?$|\d+\s+[\w.-]+$", u.plain)
    ]
    if len(numbers) < 2:
        return None
    evidence = tuple(group.scored(n) for n in numbers)
    items = tuple(group.passage.units[n].plain for n in numbers)
    return Listing(items, evidence, items[0], group.lead.score, about)

"""Whether a fact's value is of the type that a question asks for: by its datatype and its unit."""

from __future__ import annotations

import pyoxigraph as ox

from kg.ask.facts import Fact, is_date
from kg.ask.graph import Graph
from kg.ask.question import Question
from kg.ask.question_kinds import asks_count, asks_date, asks_number, measures
from kg.namespaces import UNIT
from kg.text import units
from kg.text.spans import MEASURE_OF

_DIMENSIONS = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "data": "data"}


def right_kind(graph: Graph, question: Question, fact: Fact) -> bool:
    """A date for "when", money for "how much did … cost", a duration for "how long", a thing for "who"."""
    dated = is_date(fact)
    if asks_date(question):
        return dated
    asked = measures(question)
    if "money" in asked:
        return (fact.unit or "").startswith(UNIT + "CCY")
    if asked & _DIMENSIONS.keys() and fact.unit is not None:
        return _dimension(fact.unit) in {_DIMENSIONS.get(x) for x in asked} or _stated_measure(fact) in asked
    if asks_count(question):
        return not dated
    if asks_number(question):
        return fact.number is not None or fact.object is None
    if question.opening in ("who", "whom", "whose"):
        # Somebody has a name; "hand puppet" is nobody.
        return isinstance(fact.object, ox.NamedNode) and not graph.facts.label(fact.object)[:1].islower()
    return not dated and fact.number is None


def _dimension(unit: str) -> str:
    """What a unit of QUDT measures: "time", "length" …; "" if unknown."""
    name = units.unit_of(unit)
    return units.dimension(name) if name else ""


def _stated_measure(fact: Fact) -> str:
    """The measure that the last word of a value names, "" if none."""
    return MEASURE_OF.get(fact.stated.split()[-1].casefold(), "") if fact.stated else ""

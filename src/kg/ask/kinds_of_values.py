"""Whether a fact's value is of the kind that a question asks for."""

from __future__ import annotations

import pyoxigraph as ox

from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.kinds_asked import counting
from kg.ask.numbers import NumberQuestion, expected
from kg.ask.question import Question
from kg.ask.schema import is_date
from kg.ask.spans import MEASURE_OF
from kg.ask.times import DateQuestion
from kg.namespaces import UNIT

_DIMENSIONS = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "data": "data"}


def right_kind(graph: Graph, question: Question, fact: Fact) -> bool:
    """A date for "when", money for "how much did … cost", a duration for "how long", a thing for "who"."""
    dated = is_date(fact)
    if DateQuestion().asks(question):
        return dated
    measure = expected(question)
    if measure == "money":
        return (fact.unit or "").startswith(UNIT + "CCY")
    if measure in _DIMENSIONS and fact.unit is not None:
        return dimension(fact.unit) == _DIMENSIONS[measure] or stated_measure(fact) == measure
    if counting(question):
        return not dated
    if NumberQuestion().asks(question):
        return fact.number is not None or fact.object is None
    if question.opening in ("who", "whom", "whose"):
        # Somebody has a name; "hand puppet" is nobody.
        return isinstance(fact.object, ox.NamedNode) and not graph.facts.label(fact.object)[:1].islower()
    return not dated and fact.number is None


def dimension(unit: str) -> str:
    """What a unit of QUDT measures: "time", "length" …; "" if unknown."""
    from kg import units

    name = units.unit_of(unit)
    return units.dimension(name) if name else ""


def stated_measure(fact: Fact) -> str:
    """The measure that the last word of a value names, "" if none."""
    return MEASURE_OF.get(fact.stated.split()[-1].casefold(), "") if fact.stated else ""

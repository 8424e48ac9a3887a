"""How fit a fact's value is to answer a question, by what it asks for and the value's type and unit."""

from __future__ import annotations

import re

import pyoxigraph as ox

from kg.ask import words as w
from kg.ask.asked_for import counting
from kg.ask.facts import Fact, is_date
from kg.ask.figures import asks_date, asks_number, expected, least_precision
from kg.ask.graph import Graph
from kg.ask.question import Question
from kg.ask.spans import MEASURE_OF, dates
from kg.namespaces import UNIT

# Ends of the IRIs of classes whose members are people or bodies, and places.
_ACTORS = ("Person", "Agent", "Organization", "Organisation", "Team", "Company", "Group")
_PLACES = ("Place", "Location", "City", "Country", "Region")
_DIMENSIONS = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "data": "data"}
_BARE = ("UNITLESS", "PERCENT", "NUM")
_LASTING = re.compile(
    r"\bfor how long\b|\bhow long (?:did|does|do|has|have|had|will)\b|\bhow long (?:was|were|is|are)\b.+\w(?:ed|ing)\b"
)
_GRADED = frozenset(("how large", "how big", "how small", "how powerful", "how deep", "how wide"))


def aptness(graph: Graph, question: Question, fact: Fact) -> float:
    """From -1 (it can't be the answer) over 0 (nothing says so) to 1 (just what is asked for)."""
    dated, number = dated_like(fact), fact.number is not None
    opening = question.opening
    noun = question.focus[-1].lower if question.focus and opening in ("what", "which") else ""
    if opening in ("who", "whom", "whose") or noun in w.PERSON_NOUNS:
        return _of_class(graph, fact, _ACTORS, _PLACES)
    if opening == "where" or noun in w.PLACE_NOUNS:
        return _of_class(graph, fact, _PLACES, _ACTORS)
    if opening == "how old":
        return 1.0 if dated or _measures(fact, "duration") else -1.0
    if asks_date(question):
        return 1.0 if dated and _as_exact(question, fact) else -1.0
    if measure := expected(question):
        return _measured(question, fact, measure)
    if opening in ("how many", "how much", "number of") or opening in _GRADED or asks_number(question):
        if dated and not (fact.unit or _names_count(fact)):
            return -1.0
        if opening in ("how many", "number of") and not _counts(question, fact):
            return -1.0
        return 1.0 if number or fact.object is None else -1.0
    if dated:
        return -0.5
    return 0.0 if number else 0.5


def dated_like(fact: Fact) -> bool:
    """Whether a value is a date, or a number that is written as a year."""
    if is_date(fact):
        return True
    if fact.number is None or fact.unit or len(fact.stated) != 4:
        return False
    return bool(dates(fact.stated)) and 1000 <= fact.number <= 2100


def _counts(question: Question, fact: Fact) -> bool:
    """Whether a value is a number of things, or in the unit that the question names."""
    return fact.unit is None or fact.unit.endswith(_BARE) or names_unit(question, fact)


def _names_count(fact: Fact) -> bool:
    return "," in fact.stated or "." in fact.stated


def _as_exact(question: Question, fact: Fact) -> bool:
    """Whether a date is given to the day or month where that is asked for."""
    least = least_precision(question)
    return least == 1 or any(d.precision >= least for d in dates(fact.stated))


def _of_class(graph: Graph, fact: Fact, ends: tuple[str, ...], others: tuple[str, ...]) -> float:
    """For who and where: a member of the classes and of none of the others, else a thing or a name in text."""
    if isinstance(fact.object, ox.NamedNode):
        classes = graph.facts.types.get(fact.object.value, frozenset())
        if any(c.endswith(ends) for c in classes):
            return 1.0
        if any(c.endswith(others) for c in classes):
            return -1.0
        return 0.5 if graph.facts.label(fact.object)[:1].isupper() else -0.5
    if fact.number is not None or is_date(fact):
        return -1.0
    return 0.5 if fact.stated[:1].isupper() or fact.stated[:1].isdigit() else -0.5


def _measured(question: Question, fact: Fact, measure: str) -> float:
    """For money, durations, lengths …: whether the unit measures that."""
    if _measures(fact, measure) or (
        question.opening == "how long" and not lasting(question) and _measures(fact, "length")
    ):
        return 1.0
    if fact.number is None:
        return 0.0 if fact.object is None else -1.0
    loose = question.opening in ("what", "which") or fact.unit is None
    return -0.3 if loose else -1.0


def lasting(question: Question) -> bool:
    """Whether "how long" asks for a time: "for how long …", "how long did it …", "how long was it closed"."""
    return bool(_LASTING.search(question.lower))


def _measures(fact: Fact, measure: str) -> bool:
    if measure == "money":
        return (fact.unit or "").startswith(UNIT + "CCY")
    if measure == "percent":
        return (fact.unit or "").endswith("PERCENT")
    if fact.unit is not None and measure in _DIMENSIONS and dimension(fact.unit) == _DIMENSIONS[measure]:
        return True
    return stated_measure(fact) == measure


def names_unit(question: Question, fact: Fact) -> bool:
    """Whether the question names the unit of a fact ("how many kilometres")."""
    from kg.text import units

    name = units.unit_of(fact.unit) if fact.unit else None
    if name is None:
        return False
    label = units.label(name).casefold().rstrip("s")
    return any(t.lower.rstrip("s") == label for t in question.tokens if len(t.lower) > 2)


def right_kind(graph: Graph, question: Question, fact: Fact) -> bool:
    """A date for "when", money for "how much did … cost", a duration for "how long", a thing for "who"."""
    dated = is_date(fact)
    if asks_date(question):
        return dated
    measure = expected(question)
    if measure == "money":
        return (fact.unit or "").startswith(UNIT + "CCY")
    if measure in _DIMENSIONS and fact.unit is not None:
        return dimension(fact.unit) == _DIMENSIONS[measure] or stated_measure(fact) == measure
    if counting(question):
        return not dated
    if asks_number(question):
        return fact.number is not None or fact.object is None
    if question.opening in ("who", "whom", "whose"):
        # Somebody has a name; "hand puppet" is nobody.
        return isinstance(fact.object, ox.NamedNode) and not graph.facts.label(fact.object)[:1].islower()
    return not dated and fact.number is None


def dimension(unit: str) -> str:
    """What a unit of QUDT measures: "time", "length" …; "" if unknown."""
    from kg.text import units

    name = units.unit_of(unit)
    return units.dimension(name) if name else ""


def stated_measure(fact: Fact) -> str:
    """The measure that the last word of a value names, "" if none."""
    return MEASURE_OF.get(fact.stated.split()[-1].casefold(), "") if fact.stated else ""

"""Where sources disagree: one subject and property, differing values. A report: nothing is rejected for it.

Compared are asserted claims, and two kinds that are not: "not disclosed" differs from every value that another document
gives, a denial from the very value that it denies. Figures and dates are compared by their bounds (in the property's
canonical unit): a figure with an open end ("more than 10,000") agrees with what lies beyond it, a range only with the
same range (a source that says 20–25 says less than one that says 25), "about" widens nothing. Figures per different
things, in units that don't convert, or valid at different times say nothing about each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.namespaces import KG, XSD, Namespaces

if TYPE_CHECKING:
    from kg.protocols import GraphStore

_DATES = frozenset(XSD + name for name in ("date", "gYear", "gYearMonth"))

_PREFIXES = Namespaces().prefixes()
_CLAIMS = """SELECT ?claim ?s ?p ?o ?stated ?status ?polarity ?passage ?document ?lower ?upper ?unit ?per
    ?earliest ?latest ?from ?until ?clause WHERE {
  ?claim a kg:Claim ; kg:asserted ?asserted ; rdf:subject ?s ; rdf:predicate ?p ; kg:statedValue ?stated ;
    kg:status ?status ; kg:polarity ?polarity ; prov:wasDerivedFrom ?passage . ?passage dcterms:isPartOf ?document
  OPTIONAL { ?claim rdf:object ?o }
  FILTER(?asserted || ?status = kg:undisclosed || ?polarity = kg:negated)
  FILTER NOT EXISTS { ?claim kg:rejectionReason ?reason }
  OPTIONAL { ?claim kg:lowerValue ?lower } OPTIONAL { ?claim kg:upperValue ?upper }
  OPTIONAL { ?claim qudt:unit ?unit } OPTIONAL { ?claim kg:per ?per }
  OPTIONAL { ?claim kg:earliest ?earliest } OPTIONAL { ?claim kg:latest ?latest }
  OPTIONAL { ?claim kg:validFrom ?from } OPTIONAL { ?claim kg:validUntil ?until }
  OPTIONAL { ?claim kg:extractor ?clause . ?clause rdfs:label "propositions" } }"""
_FUNCTIONAL = "SELECT DISTINCT ?p WHERE { GRAPH ?g { ?p a owl:FunctionalProperty } }"
_USUALLY_ONE = "SELECT DISTINCT ?p WHERE { GRAPH ?g { ?p kg:usuallyOne true } }"
_LABEL = "SELECT ?label WHERE { ?x rdfs:label ?label } ORDER BY ?label"


@dataclass(frozen=True, slots=True)
class Value:
    """What one claim says. Bounds are absent where open; ``literal`` tells whether it is one.

    ``of_clause``: a clause of prose says it by its verb, which nothing makes single-valued ("opened in", "won").
    """

    claim: str
    stated: str
    status: str
    passage: str
    document: str
    object: str
    literal: bool
    lower: Decimal | None = None
    upper: Decimal | None = None
    unit: str = ""
    per: str = ""
    earliest: str = ""
    latest: str = ""
    since: str = ""
    until: str = ""
    denied: bool = False
    of_clause: bool = False

    @property
    def kind(self) -> str:
        """number, date, text, thing, or none of an undisclosed value."""
        if not self.object:
            return "none"
        if not self.literal:
            return "thing"
        return "date" if self.earliest else "number" if self.lower is not None or self.upper is not None else "text"

    @property
    def open(self) -> bool:
        """Whether it is a bound only ("more than 10,000")."""
        return self.kind == "number" and (self.lower is None or self.upper is None)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One property of one subject on which sources differ: groups of values, those of a group agreeing."""

    subject: str
    property: str
    subject_label: str
    property_label: str
    sides: tuple[tuple[Value, ...], ...]

    def __str__(self) -> str:
        sides = " / ".join(
            f"{'not ' * side[0].denied}{side[0].stated} "
            f"({', '.join(sorted({v.document.rpartition('/')[2] for v in side}))})"
            for side in self.sides
        )
        return f"{self.subject_label} – {self.property_label}: {sides}"


def conflicts(store: GraphStore, subject: str = "") -> list[Disagreement]:
    """Disagreements in the graph, by subject and property; of one subject, if it is given (an IRI)."""
    bound = {"s": ox.NamedNode(subject)} if subject else None
    found: dict[tuple[str, str], list[Value]] = defaultdict(list)
    for row in store.query(_CLAIMS, bound, _PREFIXES):  # type: ignore[union-attr]
        found[row["s"].value, row["p"].value].append(_value(row))
    functional, usual = (
        {row[0].value for row in store.query(query, None, _PREFIXES)}  # type: ignore[union-attr]
        for query in (_FUNCTIONAL, _USUALLY_ONE)
    )
    report = []
    for (about, predicate), values in sorted(found.items()):
        sides = disagreeing(values, predicate in functional, predicate in usual)
        if sides:
            report.append(Disagreement(about, predicate, _label(store, about), _label(store, predicate), sides))
    return report


def disagreeing(values: Iterable[Value], functional: bool, usually_one: bool = False) -> tuple[tuple[Value, ...], ...]:
    """Groups of values that agree among themselves, if there are several; else nothing.

    A property that isn't functional is taken for single-valued where every document gives one value, and these are
    numbers or dates, or the ontology says that there usually is one; documents that give several list something.
    What is denied or undisclosed is compared with all values.
    """
    given = list(values)
    told = [v for v in given if not v.denied and v.kind != "none"]
    sides = _groups(told if functional else _single(told, usually_one))
    sides = sides if len(sides) > 1 else []
    for denied in (True, False):
        untold = [v for v in given if v.denied is denied and v not in told]
        against = [v for v in untold if any(not may_both_hold(v, t) for t in told)]
        held = [t for t in told if any(not may_both_hold(v, t) for v in against)]
        if held and not any(t in side for t in held for side in sides):
            sides.append(sorted(held, key=_place))
        if against:
            sides.append(sorted(against, key=_place))
    return tuple(tuple(group) for group in sorted(sides, key=lambda group: _place(group[0])))


def _single(values: Sequence[Value], usually_one: bool) -> list[Value]:
    """The values of documents that give one only."""
    by_document: dict[str, list[Value]] = defaultdict(list)
    for value in values:
        if usually_one or (value.kind in ("number", "date") and not value.of_clause):
            by_document[value.document].append(value)
    return [v for found in by_document.values() if len(_groups(found)) == 1 for v in found]


def _place(value: Value) -> tuple[str, str, str, str]:
    return value.document, value.passage, value.stated, value.claim


def _groups(values: Sequence[Value]) -> list[list[Value]]:
    """As few groups as need be, each value with all of its group in agreement; open ends join last, where they fit."""
    groups: list[list[Value]] = []
    for value in sorted(values, key=lambda v: (v.open, _place(v))):
        group = next((g for g in groups if all(may_both_hold(value, other) for other in g)), None)
        if group is None:
            groups.append([value])
        else:
            group.append(value)
    return sorted((sorted(group, key=_place) for group in groups), key=lambda group: _place(group[0]))


def may_both_hold(one: Value, other: Value) -> bool:
    """Whether two statements about a single-valued property can both be right."""
    if one.denied or other.denied:
        return one.denied == other.denied or not _same(one, other)
    if "none" in (one.kind, other.kind):
        return one.kind == other.kind or one.document == other.document or _at_different_times(one, other)
    if one.object == other.object and one.kind == other.kind == "thing":
        return True
    return _at_different_times(one, other) or _agree(one, other)


def _same(one: Value, other: Value) -> bool:
    """Whether a denial is of the very value that is stated, for the same time."""
    if one.kind == "number":
        same = other.kind == "number" and (one.lower, one.upper) == (other.lower, other.upper)
    else:
        same = one.object.casefold() == other.object.casefold()
    return same and (one.unit, one.per) == (other.unit, other.per) and not _at_different_times(one, other)


def _agree(one: Value, other: Value) -> bool:
    if one.kind != other.kind:
        return not (one.literal and other.literal)
    if one.kind == "number":
        return (one.unit, one.per) != (other.unit, other.per) or _bounds_agree(one, other)
    if one.kind == "date":
        return one.earliest <= (other.latest or "9999") and other.earliest <= (one.latest or "9999")
    return one.literal and one.object.casefold() == other.object.casefold()


def _bounds_agree(one: Value, other: Value) -> bool:
    if not (one.open or other.open):
        return (one.lower, one.upper) == (other.lower, other.upper)

    def below(low: Decimal | None, high: Decimal | None) -> bool:
        return low is None or high is None or low <= high

    return below(one.lower, other.upper) and below(other.lower, one.upper)


def _at_different_times(one: Value, other: Value) -> bool:
    return bool(
        (one.until and other.since and _before(one.until, other.since))
        or (other.until and one.since and _before(other.until, one.since))
    )


def _before(end: str, start: str) -> bool:
    """Whether a period that ends with the one date is over when the other begins, as far as both are precise."""
    shared = min(len(end), len(start))
    return end[:shared] < start[:shared] or (end == start and shared == 10)


def _value(row: ox.QuerySolution) -> Value:
    def text(name: str) -> str:
        found = row[name]
        return found.value if found is not None else ""

    def number(name: str) -> Decimal | None:
        return Decimal(text(name)) if text(name) else None

    literal = isinstance(row["o"], ox.Literal)
    dated = isinstance(row["o"], ox.Literal) and row["o"].datatype.value in _DATES
    return Value(
        text("claim"),
        text("stated"),
        text("status").removeprefix(KG),
        text("passage"),
        text("document"),
        text("o"),
        literal,
        number("lower"),
        number("upper"),
        text("unit"),
        text("per"),
        text("earliest") or (text("o") if dated else ""),
        text("latest"),
        text("from"),
        text("until"),
        text("polarity") == KG + "negated",
        bool(text("clause")),
    )


def _label(store: GraphStore, iri: str) -> str:
    rows = store.query(_LABEL, {"x": ox.NamedNode(iri)}, _PREFIXES)
    return next((row[0].value for row in rows), iri)  # type: ignore[union-attr]

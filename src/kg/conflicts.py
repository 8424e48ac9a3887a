"""Where sources disagree: one subject and property, values that can't both hold. A report: nothing is rejected for it.

Compared are asserted claims: numbers and dates by their bounds (in the property's canonical unit), which agree where
they overlap ("about" widens no bound: who reads a report can judge). Figures per different things, in units that don't
convert, or valid at different times say nothing about each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.namespaces import DCTERMS, KG, OWL, PROV, QUDT, RDF, RDFS, XSD

if TYPE_CHECKING:
    from kg.protocols import GraphStore

_DATES = frozenset(XSD + name for name in ("date", "gYear", "gYearMonth"))

_PREFIXES = f"""PREFIX kg: <{KG}> PREFIX rdf: <{RDF}> PREFIX rdfs: <{RDFS}> PREFIX owl: <{OWL}>
PREFIX prov: <{PROV}> PREFIX dcterms: <{DCTERMS}> PREFIX qudt: <{QUDT}>
"""
_CLAIMS = (
    _PREFIXES
    + """SELECT ?claim ?s ?p ?o ?stated ?status ?passage ?document ?lower ?upper ?unit ?per
    ?earliest ?latest ?from ?until WHERE {
  ?claim a kg:Claim ; kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; kg:statedValue ?stated ;
    kg:status ?status ; prov:wasDerivedFrom ?passage . ?passage dcterms:isPartOf ?document
  OPTIONAL { ?claim kg:lowerValue ?lower } OPTIONAL { ?claim kg:upperValue ?upper }
  OPTIONAL { ?claim qudt:unit ?unit } OPTIONAL { ?claim kg:per ?per }
  OPTIONAL { ?claim kg:earliest ?earliest } OPTIONAL { ?claim kg:latest ?latest }
  OPTIONAL { ?claim kg:validFrom ?from } OPTIONAL { ?claim kg:validUntil ?until } }"""
)
_FUNCTIONAL = _PREFIXES + "SELECT DISTINCT ?p WHERE { GRAPH ?g { ?p a owl:FunctionalProperty } }"
_LABEL = _PREFIXES + "SELECT ?label WHERE { ?x rdfs:label ?label } ORDER BY ?label"


@dataclass(frozen=True, slots=True)
class Value:
    """What one claim says. Bounds are absent where open; ``literal`` tells whether it is one."""

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

    @property
    def kind(self) -> str:
        """number, date, text or thing."""
        if not self.literal:
            return "thing"
        return "date" if self.earliest else "number" if self.lower is not None or self.upper is not None else "text"


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
            f"{side[0].stated} ({', '.join(sorted({_local(v.document) for v in side}))})" for side in self.sides
        )
        return f"{self.subject_label} – {self.property_label}: {sides}"


def conflicts(store: GraphStore, subject: str = "", property: str = "") -> list[Disagreement]:
    """Disagreements in the graph, by subject and property; of one subject or property, if they are given (IRIs)."""
    bound = {name: ox.NamedNode(iri) for name, iri in (("s", subject), ("p", property)) if iri}
    found: dict[tuple[str, str], list[Value]] = defaultdict(list)
    for row in store.query(_CLAIMS, bound):  # type: ignore[union-attr]
        found[row["s"].value, row["p"].value].append(_value(row))
    functional = {row[0].value for row in store.query(_FUNCTIONAL)}  # type: ignore[union-attr]
    report = []
    for (about, predicate), values in sorted(found.items()):
        sides = disagreeing(values, predicate in functional)
        if sides:
            report.append(Disagreement(about, predicate, _label(store, about), _label(store, predicate), sides))
    return report


def disagreeing(values: Iterable[Value], functional: bool) -> tuple[tuple[Value, ...], ...]:
    """Groups of values that agree among themselves, if there are several; else nothing.

    A property that isn't functional is taken for single-valued where it has numbers or dates and every document gives
    one value; documents that give several list something.
    """
    ordered = sorted(values, key=lambda v: (v.document, v.passage, v.stated, v.claim))
    if not functional:
        ordered = [v for v in ordered if v.kind in ("number", "date")]
        by_document: dict[str, list[Value]] = defaultdict(list)
        for value in ordered:
            by_document[value.document].append(value)
        ordered = [v for found in by_document.values() if len(_groups(found)) == 1 for v in found]
    groups = _groups(ordered)
    return tuple(tuple(group) for group in groups) if len(groups) > 1 else ()


def _groups(values: Sequence[Value]) -> list[list[Value]]:
    def place(value: Value) -> tuple[str, str, str, str]:
        return value.document, value.passage, value.stated, value.claim

    groups: list[list[Value]] = []
    for value in values:
        agreeing = [group for group in groups if any(may_both_hold(value, other) for other in group)]
        merged = [v for group in agreeing for v in group] + [value]
        groups = [group for group in groups if group not in agreeing] + [merged]
    return sorted((sorted(group, key=place) for group in groups), key=lambda group: place(group[0]))


def may_both_hold(one: Value, other: Value) -> bool:
    """Whether two values of a single-valued property can both be right."""
    if one.object == other.object or _at_different_times(one, other):
        return True
    if one.kind != other.kind:
        return not (one.literal and other.literal)
    if one.kind == "number":
        return (one.unit, one.per) != (other.unit, other.per) or _overlap(one, other)
    if one.kind == "date":
        return one.earliest <= (other.latest or "9999") and other.earliest <= (one.latest or "9999")
    return one.literal and one.object.casefold() == other.object.casefold()


def _overlap(one: Value, other: Value) -> bool:
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
    dated = literal and row["o"].datatype.value in _DATES
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
    )


def _label(store: GraphStore, iri: str) -> str:
    rows = store.query(_LABEL, {"x": ox.NamedNode(iri)})
    return next((row[0].value for row in rows), iri)  # type: ignore[union-attr]


def _local(iri: str) -> str:
    return iri.rsplit("/", 1)[-1]

"""Values as stated → RDF literals: the direct triple's object and its bounds, in the property's canonical unit.

Lexical forms are those that Oxigraph gives back, so that what is computed and what is stored compare equal.

Does a statement fit the ontology? Pure checks on one claim after its names have been resolved.

Read as OWL does: a subject or value of unknown class fits everywhere, one of a known class unless that class is
disjoint with every class that the property allows. Numbers, dates, units and the number of values are read strictly.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import pyoxigraph as ox

from kg.errors import BadInput
from kg.model import DateValue, Flag, Precision, Quantity, Text
from kg.namespaces import RDFS, UNIT, XSD
from kg.ontology import Ontology, OntologyProperty
from kg.text import units

LiteralValue = Quantity | DateValue | Text | Flag

MAX_DIGITS = 15
"""Digits that every implementation keeps: a double holds 15, Oxigraph's decimal 18 after the point."""

INTEGER = ox.NamedNode(XSD + "integer")
DECIMAL = ox.NamedNode(XSD + "decimal")
DOUBLE = ox.NamedNode(XSD + "double")
DATE = ox.NamedNode(XSD + "date")
BOOLEAN = ox.NamedNode(XSD + "boolean")
_DATE_TYPES = {
    Precision.YEAR: ox.NamedNode(XSD + "gYear"),
    Precision.MONTH: ox.NamedNode(XSD + "gYearMonth"),
    Precision.DAY: DATE,
}


@dataclass(frozen=True, slots=True)
class Stated:
    """A literal value ready for the graph: bounds are absent where open, ``unit`` (a QUDT local name) is theirs."""

    literal: ox.Literal
    lower: ox.Literal | None = None
    upper: ox.Literal | None = None
    unit: str | None = None
    per: str = ""
    approximate: bool | None = None
    earliest: ox.Literal | None = None
    latest: ox.Literal | None = None


def number(value: Decimal) -> ox.Literal:
    """``xsd:integer`` to 15 digits, ``xsd:decimal`` for other numbers to 15 digits, ``xsd:double`` beyond.

    What no double holds is written out.

    >>> number(Decimal("175e9")).value, number(Decimal("0.50")).value, number(Decimal("2.15E25")).datatype.value[-6:]
    ('175000000000', '0.5', 'double')
    """
    if not value.is_finite():
        raise ValueError(f"not a number: {value}")
    plain = f"{value.normalize():f}" if value else "0"
    whole, _, fraction = plain.lstrip("-").partition(".")
    if not fraction and len(whole) <= MAX_DIGITS:
        return ox.Literal(plain, datatype=INTEGER)
    significant = (whole + fraction).lstrip("0")
    if fraction and len(significant) <= MAX_DIGITS and len(fraction) <= MAX_DIGITS:
        return ox.Literal(plain, datatype=DECIMAL)
    double = float(value)
    if math.isinf(double):  # a table of what arithmetic can't hold ("2.33e323"): no double, but a number all the same
        return ox.Literal(plain, datatype=DECIMAL if fraction else INTEGER)
    # Oxigraph writes the digits: where two shortest forms give the same double, it must be the one it gives back.
    return ox.Literal(ox.Literal(double or 0.0).value, datatype=DOUBLE)


def date(value: str, precision: Precision) -> ox.Literal:
    """A date to the precision stated: ``xsd:gYear``, ``xsd:gYearMonth`` or ``xsd:date``."""
    return ox.Literal(value, datatype=_DATE_TYPES[precision])


def precision_of(value: str) -> Precision:
    """Precision of an ISO date: 2019, 2019-02 or 2019-02-14 (the year may be negative)."""
    return (Precision.YEAR, Precision.MONTH, Precision.DAY)[value.lstrip("-").count("-")]


def day(value: str) -> ox.Literal | None:
    """A bound of a date, None when it is open."""
    return ox.Literal(value, datatype=DATE) if value else None


def moment(value: DateValue) -> ox.Literal:
    """The direct triple's literal of a date: of a period its beginning."""
    return date(value.value, precision_of(value.value))


def end_of(value: DateValue) -> ox.Literal:
    """The literal of the end of a period; of a plain date the date itself."""
    return date(value.end, precision_of(value.end)) if value.end else moment(value)


def stated(value: LiteralValue, canonical_unit: str | None = None) -> Stated:
    """Literals of a value, its numbers in ``canonical_unit`` where that measures the same, else as written."""
    if isinstance(value, Quantity):
        return _quantity(value, canonical_unit)
    if isinstance(value, DateValue):
        bounds = day(value.earliest), day(value.latest)
        return Stated(moment(value), approximate=value.approximate, earliest=bounds[0], latest=bounds[1])
    if isinstance(value, Flag):
        return Stated(ox.Literal("true" if value.value else "false", datatype=BOOLEAN))
    return Stated(ox.Literal(value.value))


def _quantity(value: Quantity, canonical_unit: str | None) -> Stated:
    unit = canonical_unit if canonical_unit and units.convertible(value.unit, canonical_unit) else value.unit
    if value.lower is None and value.upper is None:
        raise BadInput(f"a quantity without bounds: {value.stated!r}", "an extractor has to give at least one")

    def converted(given: Decimal | None) -> Decimal | None:
        if given is None or value.unit is None or unit is None or value.unit == unit:
            return given
        return units.convert(given, value.unit, unit)

    bounds = [converted(bound) for bound in (value.lower, value.upper)]
    ordered = sorted(b for b in bounds if b is not None)  # a unit that runs backwards would swap the bounds
    lower, upper = (number(b) if b is not None else None for b in (ordered if len(ordered) == 2 else bounds))
    point = converted(value.central)
    literal = number(point) if point is not None else lower or upper
    assert literal is not None
    return Stated(literal, lower, upper, unit, value.per, value.approximate)


def unit_node(unit: str) -> ox.NamedNode:
    """The unit's node; one that is not known is taken for QUDT's."""
    return ox.NamedNode(units.iri(unit) if units.known(unit) else UNIT + unit)


_TEXTS = frozenset(XSD + n for n in ("string", "normalizedString", "token", "anyURI", "language")) | {RDFS + "Literal"}
_DATES = frozenset(XSD + n for n in ("date", "gYear", "gYearMonth", "dateTime", "dateTimeStamp")) | {RDFS + "Literal"}
_UNSIGNED = frozenset(XSD + n for n in ("nonNegativeInteger", "positiveInteger", "unsignedInt", "unsignedLong"))
_INTEGERS = _UNSIGNED | {XSD + n for n in ("integer", "int", "long", "short")}
_NUMBERS = _INTEGERS | {XSD + n for n in ("decimal", "double", "float")} | {RDFS + "Literal"}


class Reason(StrEnum):
    """Why a claim is not asserted although a document states it."""

    DOMAIN = "the subject is of a class that the property doesn't describe"
    RANGE = "the value is of a class that the property doesn't lead to"
    DATATYPE = "the value has not the form that the property takes"
    UNIT = "the value's unit doesn't measure what the property does"
    CARDINALITY = "the passage gives more values than the property can have"


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim's parts: classes of the subject, IRI of the property, and the value.

    The value is an entity (``object`` is its IRI) or a literal; neither, when it is undisclosed.
    """

    predicate: str
    subject_types: Collection[str] = ()
    object: str | None = None
    object_types: Collection[str] = ()
    literal: LiteralValue | None = None


def check(statement: Statement, ontology: Ontology, earlier: Sequence[Statement] = ()) -> Reason | None:
    """Why the statement doesn't fit, or None. ``earlier``: accepted ones of its passage, subject and property.

    Properties that the ontology doesn't declare are not checked.
    """
    property_ = ontology.properties.get(statement.predicate)
    if property_ is None:
        return None
    if not _allowed(statement.subject_types, property_.domains, ontology):
        return Reason.DOMAIN
    if statement.object is not None:
        reason = _check_entity(statement, property_, ontology)
    elif statement.literal is not None:
        reason = _check_literal(statement.literal, property_)
    else:
        return None
    return reason or _check_cardinality(statement, property_, earlier)


def _allowed(types: Collection[str], classes: Sequence[str], ontology: Ontology) -> bool:
    """Whether something of all these types can be of one of the classes."""
    return not classes or any(all(ontology.compatible(type_, cls) for type_ in types) for cls in classes)


def _check_entity(statement: Statement, property_: OntologyProperty, ontology: Ontology) -> Reason | None:
    if property_.values == "literal":
        return None if property_.datatype in _TEXTS else Reason.DATATYPE
    return None if _allowed(statement.object_types, property_.ranges, ontology) else Reason.RANGE


def _check_literal(value: LiteralValue, property_: OntologyProperty) -> Reason | None:
    if property_.values == "entity":
        return Reason.DATATYPE
    datatype = property_.datatype
    if datatype is not None and not _has_form(value, datatype):
        return Reason.DATATYPE
    if isinstance(value, Quantity) and property_.canonical_unit is not None:
        return None if _bounds(value, property_.canonical_unit) else Reason.UNIT
    return None


def _has_form(value: LiteralValue, datatype: str) -> bool:
    if isinstance(value, Flag):
        return datatype in (XSD + "boolean", RDFS + "Literal")
    if isinstance(value, Text):
        return datatype in _TEXTS
    if isinstance(value, DateValue):
        # An ontology may keep years as whole numbers.
        return datatype in _DATES or (value.precision is Precision.YEAR and datatype in _INTEGERS)
    bounds = [bound for bound in (value.lower, value.upper) if bound is not None]
    if datatype in _INTEGERS and any(bound != bound.to_integral_value() for bound in bounds):
        return False
    return datatype in _NUMBERS and not (datatype in _UNSIGNED and any(bound < 0 for bound in bounds))


def _bounds(value: Quantity, unit: str | None) -> tuple[Decimal, Decimal] | None:
    """Lower and upper bound in a unit, infinite where open; None if the value can't be given in it."""
    if (value.unit is None) != (unit is None):
        return None
    try:
        lower, upper = (
            bound if bound is None or unit is None or value.unit is None else units.convert(bound, value.unit, unit)
            for bound in (value.lower, value.upper)
        )
    except BadInput:
        return None
    return (Decimal("-Infinity") if lower is None else lower, Decimal("Infinity") if upper is None else upper)


# --- number of values ----------------------------------------------------------------------------


def _check_cardinality(
    statement: Statement, property_: OntologyProperty, earlier: Sequence[Statement]
) -> Reason | None:
    if property_.max_cardinality is None or any(may_agree(statement, other) for other in earlier):
        return None
    different: list[Statement] = []
    for other in earlier:
        if not any(may_agree(other, counted) for counted in different):
            different.append(other)
    return Reason.CARDINALITY if len(different) >= property_.max_cardinality else None


def may_agree(one: Statement, other: Statement) -> bool:
    """Whether two statements of a property can mean one value: the same entity or text, overlapping numbers or dates.

    Figures that are per different things, or in units that don't convert, are about different matters: they agree.
    """
    if one.object is not None or other.object is not None:
        return one.object == other.object
    a, b = one.literal, other.literal
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        ours, theirs = _bounds(a, b.unit), _bounds(b, b.unit)
        if a.per != b.per or ours is None or theirs is None:
            return True
        return ours[0] <= theirs[1] and theirs[0] <= ours[1]
    if isinstance(a, DateValue) and isinstance(b, DateValue):
        return a.earliest <= (b.latest or "9999") and b.earliest <= (a.latest or "9999")
    if isinstance(a, Text) and isinstance(b, Text):
        return a.value.casefold() == b.value.casefold()
    return a == b

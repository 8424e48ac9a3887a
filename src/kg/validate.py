"""Does a statement fit the ontology? Pure checks on one claim after its names have been resolved.

Read as OWL does: a subject or value of unknown class fits everywhere, one of a known class unless that class is
disjoint with every class that the property allows. Numbers, dates, units and the number of values are read strictly.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kg.errors import BadInput
from kg.model import DateValue, Flag, Precision, Quantity, Text
from kg.namespaces import RDFS, XSD
from kg.ontology import Ontology, OntologyProperty
from kg.units import convert

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


Literal = Quantity | DateValue | Text | Flag


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim's parts: classes of the subject, IRI of the property, and the value.

    The value is an entity (``object`` is its IRI) or a literal; neither, when it is undisclosed.
    """

    predicate: str
    subject_types: Collection[str] = ()
    object: str | None = None
    object_types: Collection[str] = ()
    literal: Literal | None = None


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


def _check_literal(value: Literal, property_: OntologyProperty) -> Reason | None:
    if property_.values == "entity":
        return Reason.DATATYPE
    datatype = property_.datatype
    if datatype is not None and not _has_form(value, datatype):
        return Reason.DATATYPE
    if isinstance(value, Quantity) and property_.canonical_unit is not None:
        return None if _bounds(value, property_.canonical_unit) else Reason.UNIT
    return None


def _has_form(value: Literal, datatype: str) -> bool:
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
            bound if bound is None or unit is None or value.unit is None else convert(bound, value.unit, unit)
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

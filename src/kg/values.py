"""Values as stated → RDF literals: the direct triple's object and its bounds, in the property's canonical unit.

Lexical forms are those that Oxigraph gives back, so that what is computed and what is stored compare equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import pyoxigraph as ox

from kg import units
from kg.errors import BadInput
from kg.model import DateValue, Flag, Precision, Quantity, Text
from kg.namespaces import UNIT, XSD

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


def convertible(unit: str | None, to: str | None) -> bool:
    """Whether a value can be given in another unit; a bare count only as a bare count."""
    if unit == to:
        return True
    if unit is None or to is None or not (units.known(unit) and units.known(to)):
        return False
    return units.dimension(unit) == units.dimension(to)


def stated(value: LiteralValue, canonical_unit: str | None = None) -> Stated:
    """Literals of a value, its numbers in ``canonical_unit`` where that measures the same, else as written."""
    if isinstance(value, Quantity):
        return _quantity(value, canonical_unit)
    if isinstance(value, DateValue):
        return Stated(
            moment(value),
            approximate=value.approximate,
            earliest=day(value.earliest),
            latest=day(value.latest),
        )
    if isinstance(value, Flag):
        return Stated(ox.Literal("true" if value.value else "false", datatype=BOOLEAN))
    return Stated(ox.Literal(value.value))


def _quantity(value: Quantity, canonical_unit: str | None) -> Stated:
    unit = canonical_unit if canonical_unit and convertible(value.unit, canonical_unit) else value.unit
    if value.lower is None and value.upper is None:
        raise BadInput(f"a quantity without bounds: {value.stated!r}", "an extractor has to give at least one")
    bounds = [_converted(bound, value.unit, unit) for bound in (value.lower, value.upper)]
    ordered = sorted(b for b in bounds if b is not None)  # a unit that runs backwards would swap the bounds
    lower, upper = ordered if len(ordered) == 2 else bounds
    point = lower if lower is not None else upper
    if value.central is not None:
        point = _converted(value.central, value.unit, unit)
    assert point is not None
    return Stated(
        number(point),
        None if lower is None else number(lower),
        None if upper is None else number(upper),
        unit,
        value.per,
        value.approximate,
    )


def _converted(value: Decimal | None, unit: str | None, to: str | None) -> Decimal | None:
    if value is None or unit is None or to is None or unit == to:
        return value
    return units.convert(value, unit, to)


def unit_node(unit: str) -> ox.NamedNode:
    """The unit's node; one that is not known is taken for QUDT's."""
    return ox.NamedNode(units.iri(unit) if units.known(unit) else UNIT + unit)

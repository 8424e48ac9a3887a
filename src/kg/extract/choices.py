"""Which of the ontology's properties a label may mean, and which values each takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kg.errors import BadInput
from kg.extract.build import Property
from kg.extract.labels import Label, label_of
from kg.extract.source import Source
from kg.extract.values import Kind, Part
from kg.model import EntityName, Predicate, Quantity
from kg.namespaces import KG, XSD
from kg.ontology import Ontology, OntologyProperty
from kg.text.units import dimension

_DATES = frozenset(XSD + name for name in ("date", "gYear", "gYearMonth", "dateTime"))
_REALS = frozenset(XSD + name for name in ("decimal", "double", "float"))
_TEXTS = frozenset(XSD + name for name in ("string", "anyURI", "token", "normalizedString"))


def kind_wanted(property_: OntologyProperty) -> Kind | None:
    """The form of values that a property takes; None if any."""
    if property_.values == "entity":
        return Kind.NAME
    if property_.datatype in _DATES:
        return Kind.DATE
    if property_.datatype in _TEXTS:
        return Kind.TEXT
    if property_.datatype == XSD + "boolean":
        return Kind.FLAG
    if property_.canonical_unit or (property_.datatype and property_.datatype.startswith(XSD)):
        return Kind.QUANTITY
    return None


def candidates(source: Source, label: Label, classes: Sequence[str]) -> tuple[OntologyProperty, ...]:
    """Properties that the label names and whose domain allows the subject, the likeliest first."""
    ontology = source.ontology
    for text in dict.fromkeys((label.text, label.plain)):
        found = [ontology.properties[c.iri] for c in ontology.by_label(text, "property") if not c.iri.startswith(KG)]
        allowed = [p for p in found if allows(ontology, p.domains, classes)]
        if allowed:
            return tuple(allowed)
    return ()


def allows(ontology: Ontology, wanted: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether something of the classes may be of one of those wanted; anything may where either is unknown."""
    if not wanted or not classes:
        return True
    return any(c in ontology.superclasses(w) or w in ontology.superclasses(c) for w in wanted for c in classes) or any(
        all(ontology.compatible(c, w) for c in classes) and not _declared(ontology, classes) for w in wanted
    )


def _declared(ontology: Ontology, classes: Sequence[str]) -> bool:
    return all(c in ontology.classes for c in classes)


def fits(ontology: Ontology, property_: OntologyProperty, part: Part) -> bool:
    """Whether a value has the form, unit and class that the property takes."""
    wanted = kind_wanted(property_)
    if part.value is None or wanted is None:
        return True
    if wanted is not part.kind:
        return False
    if isinstance(part.value, Quantity):
        return _unit_fits(property_, part.value)
    if isinstance(part.value, EntityName):
        return allows(ontology, property_.ranges, part.value.classes)
    return True


def _unit_fits(property_: OntologyProperty, value: Quantity) -> bool:
    unit = None if value.unit == "UNITLESS" and property_.datatype in _REALS else value.unit  # "300x" is a plain factor
    if property_.canonical_unit is None or unit is None:
        return (property_.canonical_unit is None) == (unit is None)
    try:
        return dimension(property_.canonical_unit) == dimension(unit)
    except BadInput:
        return False


def predicate_of(property_: OntologyProperty) -> Predicate:
    """The property as a claim's predicate."""
    return Predicate(property_.label, property_.iri)


def between(source: Source, classes: Sequence[str], value_classes: Sequence[str]) -> Property | None:
    """The one property that leads from things of these classes to values of those, or the most general of several."""
    ontology = source.ontology
    above = {s for c in classes for s in ontology.superclasses(c)}
    value_above = {s for c in value_classes for s in ontology.superclasses(c)}
    found = {
        p.iri
        for p in ontology.properties.values()
        if above.intersection(p.domains) and value_above.intersection(p.ranges)
    }
    general = most_general(ontology, found)
    return Property(predicate_of(ontology.properties[general])) if general else None


def called(source: Source, names: Iterable[str], classes: Sequence[str], value: Part) -> Property | None:
    """The ontology's property of one of these names that such things have and that takes the value's form and class.

    Names are labels of any kind, so that an ontology may call the property something else; None where it has none.
    """
    for name in names:
        for found in candidates(source, label_of(name), classes):
            if kind_wanted(found) is value.kind and fits(source.ontology, found, value):
                return Property(predicate_of(found))
    return None


def narrowest(ontology: Ontology, classes: Sequence[str], value_classes: Sequence[str]) -> Property | None:
    """The one property from things of these classes to values of those whose range says most of the values."""
    above = {s for c in classes for s in ontology.superclasses(c)}
    value_above = {s for c in value_classes for s in ontology.superclasses(c)}
    found = [
        p
        for p in ontology.properties.values()
        if above.intersection(p.domains) and value_above.intersection(p.ranges) and len(p.ranges) < _GENERAL
    ]
    least = [p for p in found if all(q is p or _says_more(ontology, p, q, value_above) for q in found)]
    return Property(predicate_of(least[0])) if len(least) == 1 else None


_GENERAL = 6  # a property whose values are of so many classes says little


def _says_more(ontology: Ontology, one: OntologyProperty, other: OntologyProperty, known: set[str]) -> bool:
    wide = known.intersection(other.ranges)
    narrow = known.intersection(one.ranges)
    return any(n != w and w in ontology.superclasses(n) for n in narrow for w in wide)


def most_general(ontology: Ontology, properties: Collection[str]) -> str | None:
    """The one property of several that stands above another of them, or the only one."""
    if len(properties) == 1:
        return next(iter(properties))
    above = {p for p in properties if any(p in ontology.superproperties(q) for q in properties if q != p)}
    return next(iter(above)) if len(above) == 1 else None

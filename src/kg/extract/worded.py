"""Extractors' own words ("description", "detail", "event"): the ontology's property so called, if one fits."""

from __future__ import annotations

from kg.graph.literals import Statement, check
from kg.model import EntityName, EventName, Predicate, Subject, Value
from kg.namespaces import KG
from kg.ontology import Ontology, normalise_label

OWN_WORDS = frozenset({"description", "detail", "event"})


def declared(ontology: Ontology, predicate: Predicate, subject: Subject, value: Value | None) -> Predicate:
    """The predicate, or the declared property of its label that takes such a subject and such a value."""
    if predicate.iri or normalise_label(predicate.label) not in OWN_WORDS:
        return predicate
    for found in ontology.by_label(predicate.label, "property"):
        if found.iri.startswith(KG):
            continue
        named = isinstance(value, EntityName | EventName)
        statement = Statement(
            found.iri,
            _classes(subject),
            value.surface if isinstance(value, EntityName) else value.label if isinstance(value, EventName) else None,
            _classes(value) if isinstance(value, EntityName | EventName) else (),
            None if named else value,  # type: ignore[arg-type]
        )
        if check(statement, ontology) is None:
            return Predicate(ontology.properties[found.iri].label, found.iri)
    return predicate


def _classes(name: Subject) -> tuple[str, ...]:
    return name.classes if isinstance(name, EntityName) else (name.cls,)

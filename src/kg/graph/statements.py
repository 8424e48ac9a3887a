"""Claims with their names resolved and their values in the canonical unit, checked: asserted or not, and why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.graph.literals import LiteralValue, Stated, Statement, check, end_of, moment, number, stated, unit_node
from kg.graph.provenance import ResolvedClaim, Term, node
from kg.model import LANGUAGE_MODEL, Claim, DateValue, EntityName, EventName, Mood, Polarity, Status, Subject
from kg.namespaces import XSD
from kg.resolution.openproperties import OpenProperty, label_key

if TYPE_CHECKING:
    from kg.ontology import OntologyProperty
    from kg.records import Record
    from kg.resolution.resolve import Resolution

ASSERTED = frozenset({Status.CONFIRMED, Status.STATED, Status.ESTIMATED, Status.LEAKED})
"""Standings under which an affirmed statement of fact is asserted; a plan only of a property that is about plans."""
REJECTED_BY_REVIEWER = "a reviewer rejected it"
_DIGITS = Decimal("0.001")
_INTEGERS = frozenset(XSD + n for n in ("integer", "int", "long", "short", "nonNegativeInteger", "positiveInteger"))


class Statements:
    """Resolves and checks claims. ``accepted`` and ``rejected``: identifiers of claims that reviewers judged."""

    def __init__(
        self,
        resolution: Resolution,
        properties: Mapping[str, OpenProperty],
        accepted: Collection[str] = (),
        rejected: Collection[str] = (),
    ) -> None:
        """``properties``: open properties by the key of their label."""
        self._resolution = resolution
        self._ontology = resolution.ontology
        self._names = resolution.namespaces
        self._open = properties
        self._accepted = accepted
        self._rejected = rejected

    def of(self, record: Record) -> Iterator[ResolvedClaim]:
        """A document's claims in the record's order, each identifier once; those of a language model alone come last.

        So where a property has one value in a passage, what a model found never keeps another's value out.
        """

        def by_model_alone(claim: Claim) -> bool:
            return all(name.startswith(LANGUAGE_MODEL) for name in claim.extractors)

        earlier: dict[tuple[str, str, str], list[Statement]] = defaultdict(list)
        seen: set[str] = set()
        for claim in sorted(record.extraction.claims, key=by_model_alone):
            if claim.id not in seen:
                seen.add(claim.id)
                yield self._resolved(claim, record, earlier)

    def _resolved(
        self, claim: Claim, record: Record, earlier: dict[tuple[str, str, str], list[Statement]]
    ) -> ResolvedClaim:
        document = record.document
        property_ = self._ontology.properties.get(claim.predicate.iri)
        subject = self._iri(document.id, claim.subject, property_.domains if property_ else ())
        predicate = claim.predicate.iri or self._names.relation(self._open[label_key(claim.predicate.label)].slug)
        object_, value = self._object(document.id, claim, property_)
        statement = self._statement(claim, subject, predicate, object_, property_)
        before = earlier[claim.passage, subject, predicate]
        asserted, reasons = self._standing(claim, statement, before, property_)
        if asserted:
            before.append(statement)
        return ResolvedClaim(
            id=claim.id,
            passage=claim.passage,
            subject=subject,
            predicate=predicate,
            object=object_,
            evidence=tuple(sorted(set(claim.evidence))),
            quote=document.text[claim.quote_start : claim.quote_end],
            quote_start=claim.quote_start,
            quote_end=claim.quote_end,
            stated_value=claim.stated_value,
            extractors=tuple(sorted(set(claim.extractors))),
            confidence=Decimal(repr(claim.confidence)).quantize(_DIGITS, ROUND_HALF_EVEN),
            asserted=asserted,
            hedge=claim.hedge,
            rejections=reasons,
            lower=value.lower if value else None,
            upper=value.upper if value else None,
            unit=unit_node(value.unit).value if value and value.unit else None,
            per=value.per if value else "",
            approximate=value.approximate if value else None,
            earliest=value.earliest if value else None,
            latest=value.latest if value else None,
            valid_from=moment(claim.valid_from) if claim.valid_from else None,
            valid_until=end_of(claim.valid_until) if claim.valid_until else None,
            speaker=self._iri(document.id, claim.speaker, ()) if claim.speaker else None,
            context=claim.context,
        )

    def _iri(self, document: str, name: Subject, expected: tuple[str, ...]) -> str:
        if isinstance(name, EventName):
            return self._resolution.event(document, name)
        return self._resolution.iri(document, name, expected)

    def _object(
        self, document: str, claim: Claim, property_: OntologyProperty | None
    ) -> tuple[Term | None, Stated | None]:
        value = claim.object
        if value is None:
            return None, None
        if isinstance(value, EntityName) and property_ is not None and property_.values == "literal":
            return ox.Literal(value.surface), None
        if isinstance(value, EntityName | EventName):
            return node(self._iri(document, value, property_.ranges if property_ else ())), None
        if property_ is not None:
            unit = property_.canonical_unit
        else:
            known = self._open.get(label_key(claim.predicate.label)) if not claim.predicate.iri else None
            unit = known.unit if known else None
        found = stated(value, unit)
        return _in_datatype(found.literal, value, property_), found

    def _statement(
        self, claim: Claim, subject: str, predicate: str, object_: Term | None, property_: OntologyProperty | None
    ) -> Statement:
        value = claim.object
        iri = object_.value if isinstance(object_, ox.NamedNode) else None
        literal: LiteralValue | None = None
        if value is not None and not isinstance(value, EntityName | EventName):
            literal = value
        elif iri is None and isinstance(object_, ox.Literal):
            iri = object_.value  # a name where the property takes a string: judged by the property's datatype
        return Statement(
            predicate,
            self._types(claim.subject, subject),
            iri,
            self._types(value, iri) if isinstance(value, EntityName | EventName) and iri else (),
            literal,
        )

    def _types(self, name: Subject, iri: str) -> tuple[str, ...]:
        if isinstance(name, EventName):
            return (name.cls,)
        entity = self._resolution.entities.get(iri)
        return entity.types if entity else ()

    def _standing(
        self, claim: Claim, statement: Statement, earlier: list[Statement], property_: OntologyProperty | None
    ) -> tuple[bool, tuple[str, ...]]:
        """Whether the claim is asserted, and why it isn't although the document states it as fact."""
        hedge = claim.hedge
        if claim.id in self._rejected:
            return False, (REJECTED_BY_REVIEWER,)
        if claim.object is None or hedge.polarity is Polarity.NEGATED:
            return False, ()
        if claim.id in self._accepted:
            return True, ()
        planned = hedge.status is Status.PLANNED and property_ is not None and property_.about_plans
        fact = hedge.mood is Mood.FACTUAL and (hedge.status in ASSERTED or planned)
        reason = check(statement, self._ontology, earlier if fact else ())
        return (fact and reason is None), ((reason.value,) if reason else ())


def _in_datatype(literal: ox.Literal, value: LiteralValue, property_: OntologyProperty | None) -> ox.Literal:
    """The literal in the property's datatype where that says more: an address as a URI, a year as a whole number."""
    datatype = property_.datatype if property_ else None
    if datatype == XSD + "anyURI" and literal.datatype.value == XSD + "string":
        return ox.Literal(literal.value, datatype=node(datatype))
    if datatype in _INTEGERS and isinstance(value, DateValue) and value.value.lstrip("-").isdigit():
        return number(Decimal(value.value))
    return literal

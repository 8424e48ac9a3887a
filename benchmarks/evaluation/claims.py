"""Claims read back from a graph's quads: what :func:`kg.graph.provenance.claim_quads` loses nothing of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

import pyoxigraph as ox

from kg.graph.provenance import (
    ATTRIBUTED,
    DERIVED,
    HAS_UNIT,
    LABEL,
    OBJECT,
    PREDICATE,
    SUBJECT,
    TYPE,
    ResolvedClaim,
    Term,
    term,
)
from kg.model import Context, Evidence, Hedge, Mood, Polarity, Role, Status
from kg.namespaces import KG, Namespaces


class _Facts:
    """Objects by subject and predicate."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self.by: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for quad in quads:
            if isinstance(quad.graph_name, ox.DefaultGraph) and isinstance(quad.subject, ox.NamedNode):
                self.by[quad.subject.value][quad.predicate.value].append(quad.object)  # type: ignore[arg-type]

    def all(self, subject: str, predicate: ox.NamedNode) -> list[Term]:
        return self.by[subject][predicate.value] if subject in self.by else []

    def text(self, subject: str, name: str) -> str:
        return next((t.value for t in self.all(subject, term(name))), "")

    def one(self, subject: str, predicate: ox.NamedNode) -> Term | None:
        return next(iter(self.all(subject, predicate)), None)

    def literal(self, subject: str, name: str) -> ox.Literal | None:
        found = self.one(subject, term(name))
        return found if isinstance(found, ox.Literal) else None


def read_claims(quads: Iterable[ox.Quad], namespaces: Namespaces) -> tuple[ResolvedClaim, ...]:
    """The claims whose quads :func:`claim_quads` gave, by identifier."""
    facts = _Facts(quads)
    claim_type = term("Claim")
    subjects = sorted(s for s in list(facts.by) if claim_type in facts.all(s, TYPE))
    return tuple(_read_claim(facts, subject, namespaces) for subject in subjects)


def _read_claim(facts: _Facts, subject: str, namespaces: Namespaces) -> ResolvedClaim:
    approximate = facts.text(subject, "approximate")
    unit = facts.one(subject, HAS_UNIT)
    extractors = [facts.one(e.value, LABEL) for e in facts.all(subject, term("extractor"))]
    return ResolvedClaim(
        id=subject.removeprefix(namespaces.claim("")),
        passage=_value(facts.one(subject, DERIVED)).removeprefix(namespaces.passage("")),
        subject=_value(facts.one(subject, SUBJECT)),
        predicate=_value(facts.one(subject, PREDICATE)),
        object=facts.one(subject, OBJECT),
        evidence=tuple(sorted(_read_evidence(facts, e.value) for e in facts.all(subject, term("evidence")))),
        quote=facts.text(subject, "quote"),
        quote_start=int(facts.text(subject, "quoteStart")),
        quote_end=int(facts.text(subject, "quoteEnd")),
        stated_value=facts.text(subject, "statedValue"),
        extractors=tuple(sorted(_value(name) for name in extractors)),
        confidence=Decimal(facts.text(subject, "confidence")),
        asserted=facts.text(subject, "asserted") == "true",
        hedge=Hedge(
            Status(facts.text(subject, "status").removeprefix(KG)),
            Polarity(facts.text(subject, "polarity").removeprefix(KG)),
            Mood(facts.text(subject, "mood").removeprefix(KG)),
        ),
        rejections=tuple(sorted(r.value for r in facts.all(subject, term("rejectionReason")))),
        lower=facts.literal(subject, "lowerValue"),
        upper=facts.literal(subject, "upperValue"),
        unit=unit.value if unit is not None else None,
        per=facts.text(subject, "per"),
        approximate=approximate == "true" if approximate else None,
        earliest=facts.literal(subject, "earliest"),
        latest=facts.literal(subject, "latest"),
        valid_from=facts.literal(subject, "validFrom"),
        valid_until=facts.literal(subject, "validUntil"),
        speaker=_value(facts.one(subject, ATTRIBUTED)) or None,
        context=_read_context(facts, subject),
    )


def _read_context(facts: _Facts, subject: str) -> Context | None:
    around = Context(*(facts.text(subject, name) for name in ("caption", "rowHeading", "columnHeading", "stubHeading")))
    return around if around != Context() else None


def _read_evidence(facts: _Facts, subject: str) -> Evidence:
    role = facts.text(subject, "role").removeprefix(KG).removesuffix("Role")
    start, end = int(facts.text(subject, "start")), int(facts.text(subject, "end"))
    return Evidence(Role(role), start, end, facts.text(subject, "exact"))


def _value(found: Term | None) -> str:
    return found.value if found is not None else ""

"""What there is to review, and what reviewers decided, of one generation of a knowledge base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import TypeVar

import pyoxigraph as ox

from kg.app.explain import find
from kg.base.snapshot import Snapshot
from kg.decisions import Accept, Decision, Merge, Reject, Split
from kg.errors import NotFound
from kg.graph.conflicts import Disagreement, Value, conflicts
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import KG, digest

from .reports import Decided, Dispute, Merged, NewDecision, Refused, Side

_KINDS: dict[type[Decision], str] = {Accept: "accept", Reject: "reject", Merge: "merge", Split: "split"}


def identifier(decision: Decision) -> str:
    """Names a decision by its content."""
    values = [str(getattr(decision, field.name)) for field in fields(decision)]
    return digest("decision", _KINDS[type(decision)], *values)


def decided(decision: Decision) -> Decided:
    """A decision as it is told."""
    return Decided(id=identifier(decision), type=_KINDS[type(decision)], **asdict(decision))


def decision(asked: NewDecision, knowledge_base: KnowledgeBase) -> Decision:
    """A decision on what is there. Raises NotFound for a claim, name or document that isn't."""
    snapshot = knowledge_base.snapshot
    if asked.type == "accept" or asked.type == "reject":
        claim = _known_claim(snapshot, asked.claim)
        return Accept(claim) if asked.type == "accept" else Reject(claim)
    for name in (asked.name, asked.other_name):
        find(snapshot, name)
    if asked.type == "merge":
        return Merge(asked.name, asked.other_name)
    for document in (asked.document, asked.other_document):
        if document and document not in snapshot.manifest.documents:
            raise NotFound(f"there is no document {document}", "GET /documents lists them")
    return Split(asked.name, asked.other_name, asked.document, asked.other_document)


def _known_claim(snapshot: Snapshot, claim: str) -> str:
    prefix = snapshot.namespaces.claim("")
    iri = claim if claim.startswith(prefix) else prefix + claim
    known = {c.id for record in snapshot.records() for c in record.extraction.claims}
    if iri.removeprefix(prefix) not in known:
        raise NotFound(f"there is no claim {claim}", "GET /review/rejected and /entities/ID list claims")
    return iri.removeprefix(prefix)


def in_force(knowledge_base: KnowledgeBase, id_: str) -> Decision:
    """The decision of that identifier. Raises NotFound."""
    for known in knowledge_base.snapshot.decisions:
        if identifier(known) == id_:
            return known
    raise NotFound(f"no decision {id_} is in force", "GET /decisions lists them")


def rejected(snapshot: Snapshot) -> list[Refused]:
    """What extractors found and did not keep, and claims that are refused, in the order of the documents."""
    reasons = _reasons(snapshot)
    found = []
    for record in snapshot.records():
        document, text = record.document.id, record.document.text
        for item in record.extraction.rejected:
            found.append(
                Refused(
                    document=document,
                    text=item.text,
                    reason=item.reason,
                    extractors=(item.extractor,),
                    start=item.start,
                    end=item.end,
                )
            )
        for claim in record.extraction.claims:
            if reason := reasons.get(snapshot.namespaces.claim(claim.id)):
                found.append(
                    Refused(
                        document=document,
                        text=text[claim.quote_start : claim.quote_end],
                        reason=reason,
                        extractors=claim.extractors,
                        start=claim.quote_start,
                        end=claim.quote_end,
                        claim=claim.id,
                    )
                )
    return found


def _reasons(snapshot: Snapshot) -> dict[str, str]:
    rows = snapshot.store.query(f"PREFIX kg: <{KG}> SELECT ?c ?r WHERE {{ ?c kg:rejectionReason ?r }} ORDER BY ?c ?r")
    assert isinstance(rows, ox.QuerySolutions)
    return {row["c"].value: row["r"].value for row in rows}


def disputes(snapshot: Snapshot) -> list[Dispute]:
    """What documents disagree on and no reviewer has accepted all of, by subject and property."""
    accepted = {snapshot.namespaces.claim(each.claim) for each in snapshot.decisions if isinstance(each, Accept)}
    return [
        Dispute(
            subject=each.subject,
            label=each.subject_label,
            property=each.property,
            property_label=each.property_label,
            sides=[side for i, group in enumerate(each.sides) for side in _sides(group, i)],
        )
        for each in conflicts(snapshot.store)
        if not _settled(each, accepted)
    ]


def _settled(conflict: Disagreement, accepted: set[str]) -> bool:
    """Whether a reviewer has accepted something on every side that gives a value: then all of them are true."""
    given = [group for group in conflict.sides if any(value.kind != "none" for value in group)]
    return all(any(value.claim in accepted for value in group) for group in given)


def _sides(group: Sequence[Value], number: int) -> list[Side]:
    """The different values of a group, in its order."""
    found: dict[tuple[object, ...], list[Value]] = {}
    for value in group:
        found.setdefault(_meaning(value), []).append(value)
    return [
        Side(
            value=values[0].stated,
            claims=tuple(sorted(value.claim for value in values)),
            documents=tuple(sorted({value.document for value in values})),
            group=number,
            disclosed=values[0].kind != "none",
        )
        for values in found.values()
    ]


def _meaning(value: Value) -> tuple[object, ...]:
    """What makes values the same: the bounds of numbers, the days of dates, the thing, the words."""
    if value.kind == "number":
        return value.denied, value.lower, value.upper, value.unit, value.per
    if value.kind == "date":
        return value.denied, value.earliest, value.latest
    return value.denied, value.kind, value.object.casefold()


def merged(snapshot: Snapshot) -> list[Merged]:
    """Things of which several names were taken for one, by IRI."""
    from kg.resolution.resolve import resolve

    resolution = resolve(snapshot.records(), snapshot.ontology, snapshot.decisions, snapshot.namespaces)
    return [
        Merged(iri=iri, label=entity.label, names=(entity.label, *entity.alt_labels), reasons=resolution.why(iri))
        for iri, entity in sorted(resolution.entities.items())
        if entity.alt_labels
    ]


T = TypeVar("T")


class Reviews:
    """Lists of one generation, each made once: making them reads all that the knowledge base holds."""

    def __init__(self) -> None:
        self._generation, self._known = "", dict[str, Sequence[object]]()

    def get(self, knowledge_base: KnowledgeBase, make: Callable[[Snapshot], Sequence[T]]) -> Sequence[T]:
        """The list that ``make`` gives of this generation."""
        if self._generation != knowledge_base.generation:
            self._generation, self._known = knowledge_base.generation, {}
        known = self._known
        if make.__name__ not in known:
            known[make.__name__] = make(knowledge_base.snapshot)
        return known[make.__name__]  # type: ignore[return-value]

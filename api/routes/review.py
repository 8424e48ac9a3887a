"""Reviewers' decisions over HTTP, and what there is to decide on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Annotated, Any

import pyoxigraph as ox
from fastapi import APIRouter, Body, Query
from fastapi.responses import JSONResponse
from pydantic import Field

from kg.app.overview import find
from kg.base.snapshot import Snapshot
from kg.decisions import Accept, Decision, Merge, Reject, Split
from kg.errors import NotFound
from kg.graph.conflicts import Disagreement, Value
from kg.graph.conflicts import conflicts as disagreements
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import KG, digest

from ..access import Writer
from ..live import Knowledge, of_newest
from ..schemas import (
    MOST_AT_ONCE,
    Decided,
    Decisions,
    Dispute,
    Disputes,
    Merged,
    Merges,
    NewDecision,
    Refused,
    Rejections,
    Side,
    as_json,
)

router = APIRouter(tags=["review"])
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="Leave out so many at the beginning.")]
_MADE: dict[int | str, dict[str, Any]] = {
    201: {"model": Decided | Decisions, "description": "The decision is in force; of a list, all are."}
}
Several = Annotated[list[NewDecision], Field(min_length=1, max_length=MOST_AT_ONCE)]
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


@of_newest
def _refused(knowledge_base: KnowledgeBase) -> list[Refused]:
    """What extractors found and did not keep, and claims that are refused, in the order of the documents."""
    snapshot = knowledge_base.snapshot
    reasons = _reasons(snapshot)
    found = []
    for record in snapshot.records():
        document, text = record.document.id, record.document.text
        for item in record.extraction.rejected:
            own = {name: getattr(item, name) for name in ("text", "reason", "start", "end")}
            found.append(Refused(document=document, extractors=(item.extractor,), **own))
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


@of_newest
def _disputes(knowledge_base: KnowledgeBase) -> list[Dispute]:
    """What documents disagree on and no reviewer has accepted all of, by subject and property."""
    snapshot = knowledge_base.snapshot
    accepted = {snapshot.namespaces.claim(each.claim) for each in snapshot.decisions if isinstance(each, Accept)}
    return [
        Dispute(
            subject=each.subject,
            label=each.subject_label,
            property=each.property,
            property_label=each.property_label,
            sides=[side for i, group in enumerate(each.sides) for side in _sides(group, i)],
        )
        for each in disagreements(snapshot.store)
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


@of_newest
def _merged(knowledge_base: KnowledgeBase) -> list[Merged]:
    """Things of which several names were taken for one, by IRI."""
    from kg.resolution.resolve import resolve

    snapshot = knowledge_base.snapshot
    resolution = resolve(snapshot.records(), snapshot.ontology, snapshot.decisions, snapshot.namespaces)
    return [
        Merged(iri=iri, label=entity.label, names=(entity.label, *entity.alt_labels), reasons=resolution.why(iri))
        for iri, entity in sorted(resolution.entities.items())
        if entity.alt_labels
    ]


@router.get("/decisions", summary="Reviewers' decisions in force")
def decisions(knowledge_base: Knowledge) -> Decisions:
    """Names that are one or are not, claims accepted or rejected."""
    return Decisions(decisions=[decided(each) for each in knowledge_base.snapshot.decisions])


@router.post("/decisions", status_code=201, responses=_MADE, response_model=Decided | Decisions, summary="Decide")
def decide(at: Writer, asked: Annotated[NewDecision | Several, Body()]) -> JSONResponse:
    """Accepts or rejects a claim, merges or splits names; holds from then on, through rebuilds. Takes a write key.

    Of a list of decisions all are made together, or none where one can't be.
    """
    made = [decision(each, at.current()) for each in (asked if isinstance(asked, list) else [asked])]
    at.decide(made)
    told = [decided(each) for each in made]
    return as_json(Decisions(decisions=told) if isinstance(asked, list) else told[0], 201)


@router.delete("/decisions/{id}", summary="Take decisions back")
def undo(id: str, at: Writer) -> Decisions:
    """Makes it as if the decision had never been; gives what is in force then. Takes a write key.

    Several identifiers, with commas between them, are taken back together.
    """
    left = at.decide([in_force(at.current(), each) for each in id.split(",")], undo=True)
    return Decisions(decisions=[decided(each) for each in left])


@router.get("/review/rejected", summary="What was found and not kept")
def rejected(knowledge_base: Knowledge, limit: Limit = 100, offset: Offset = 0) -> Rejections:
    """Findings of the extractors and claims that validation or a reviewer refused, with the reason of each."""
    found = _refused(knowledge_base)
    return Rejections(total=len(found), rejected=found[offset : offset + limit])


@router.get("/review/conflicts", summary="What documents disagree on")
def conflicts(knowledge_base: Knowledge, limit: Limit = 100, offset: Offset = 0) -> Disputes:
    """Every disagreement, by subject and property."""
    found = _disputes(knowledge_base)
    return Disputes(total=len(found), conflicts=found[offset : offset + limit])


@router.get("/review/merges", summary="Names taken for one")
def merges(knowledge_base: Knowledge, limit: Limit = 100, offset: Offset = 0) -> Merges:
    """Things with several names, and why these were taken for one."""
    found = _merged(knowledge_base)
    return Merges(total=len(found), merges=found[offset : offset + limit])

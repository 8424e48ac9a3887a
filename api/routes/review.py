"""Reviewers' decisions over HTTP, and what there is to decide on."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from .. import review
from ..access import Writer
from ..dependencies import Knowledge
from ..reports import MOST_AT_ONCE, Decided, Decisions, Disputes, Merges, NewDecision, Rejections
from ..review import Reviews

router = APIRouter(tags=["review"])
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="Leave out so many at the beginning.")]
_MADE: dict[int | str, dict[str, Any]] = {
    201: {"model": Decided | Decisions, "description": "The decision is in force; of a list, all are."}
}
Several = Annotated[list[NewDecision], Field(min_length=1, max_length=MOST_AT_ONCE)]


def _reviews(request: Request) -> Reviews:
    found: Reviews = request.app.state.reviews
    return found


Lists = Annotated[Reviews, Depends(_reviews)]


@router.get("/decisions", summary="Reviewers' decisions in force")
def decisions(knowledge_base: Knowledge) -> Decisions:
    """Names that are one or are not, claims accepted or rejected."""
    return Decisions(decisions=[review.decided(each) for each in knowledge_base.snapshot.decisions])


@router.post("/decisions", status_code=201, responses=_MADE, response_model=Decided | Decisions, summary="Decide")
def decide(at: Writer, asked: Annotated[NewDecision | Several, Body()]) -> JSONResponse:
    """Accepts or rejects a claim, merges or splits names; holds from then on, through rebuilds. Takes a write key.

    Of a list of decisions all are made together, or none where one can't be.
    """
    made = [review.decision(each, at.current()) for each in (asked if isinstance(asked, list) else [asked])]
    at.decide(made)
    told = [review.decided(each) for each in made]
    return JSONResponse((Decisions(decisions=told) if isinstance(asked, list) else told[0]).model_dump(), 201)


@router.delete("/decisions/{id}", summary="Take decisions back")
def undo(id: str, at: Writer) -> Decisions:
    """Makes it as if the decision had never been; gives what is in force then. Takes a write key.

    Several identifiers, with commas between them, are taken back together.
    """
    left = at.decide([review.in_force(at.current(), each) for each in id.split(",")], undo=True)
    return Decisions(decisions=[review.decided(each) for each in left])


@router.get("/review/rejected", summary="What was found and not kept")
def rejected(knowledge_base: Knowledge, lists: Lists, limit: Limit = 100, offset: Offset = 0) -> Rejections:
    """Findings of the extractors and claims that validation or a reviewer refused, with the reason of each."""
    found = lists.get(knowledge_base, review.rejected)
    return Rejections(total=len(found), rejected=list(found[offset : offset + limit]))


@router.get("/review/conflicts", summary="What documents disagree on")
def conflicts(knowledge_base: Knowledge, lists: Lists, limit: Limit = 100, offset: Offset = 0) -> Disputes:
    """Every disagreement, by subject and property."""
    found = lists.get(knowledge_base, review.disputes)
    return Disputes(total=len(found), conflicts=list(found[offset : offset + limit]))


@router.get("/review/merges", summary="Names taken for one")
def merges(knowledge_base: Knowledge, lists: Lists, limit: Limit = 100, offset: Offset = 0) -> Merges:
    """Things with several names, and why these were taken for one."""
    found = lists.get(knowledge_base, review.merged)
    return Merges(total=len(found), merges=list(found[offset : offset + limit]))

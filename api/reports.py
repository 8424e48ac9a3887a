"""What changes and reviews tell, as pydantic models; they mirror :mod:`kg.reports` and :mod:`kg.decisions`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_Text = Annotated[str, Field(min_length=1, max_length=2_000)]


class _Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class FailedDocument(_Out):
    """A document that could not be read, and why."""

    name: str
    message: str
    hint: str


class Report(_Out):
    """What a change of documents did: their names, what was found in all, what was not kept and why."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    failed: tuple[FailedDocument, ...]
    claims: dict[str, int]
    rejected: dict[str, int]
    stats: dict[str, int]


class _Decision(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AcceptClaim(_Decision):
    """The claim (identifier or IRI) is a fact, whatever its standing or validation says."""

    type: Literal["accept"]
    claim: _Text


class RejectClaim(_Decision):
    """The claim (identifier or IRI) is no fact."""

    type: Literal["reject"]
    claim: _Text


class MergeNames(_Decision):
    """Two names are one thing."""

    type: Literal["merge"]
    name: _Text
    other_name: _Text


class SplitNames(_Decision):
    """Two names are two things; with documents (identifiers): as these use them."""

    type: Literal["split"]
    name: _Text
    other_name: _Text
    document: str = Field("", max_length=2_000)
    other_document: str = Field("", max_length=2_000)


# Decisions that are made together: one change of the knowledge base.
MOST_AT_ONCE = 200
NewDecision = Annotated[AcceptClaim | RejectClaim | MergeNames | SplitNames, Field(discriminator="type")]


class Decided(BaseModel):
    """A reviewer's decision in force; ``id`` is what takes it back (DELETE /decisions/{id})."""

    id: str
    type: Literal["accept", "reject", "merge", "split"]
    claim: str = ""
    name: str = ""
    other_name: str = ""
    document: str = ""
    other_document: str = ""


class Decisions(BaseModel):
    """All that are in force."""

    decisions: list[Decided]


class Refused(BaseModel):
    """Something found in a document that was not kept, and why; ``claim`` where it got as far as being one."""

    document: str
    text: str
    reason: str
    extractors: tuple[str, ...]
    start: int
    end: int
    claim: str = ""


class Rejections(BaseModel):
    """A page of them; ``total`` counts all."""

    total: int
    rejected: list[Refused]


class Side(BaseModel):
    """One value of a disagreement: the claims that give it and where.

    Values of one ``group`` may all hold. ``disclosed``: false where documents only say that it is not known.
    """

    value: str
    claims: tuple[str, ...]
    documents: tuple[str, ...]
    group: int
    disclosed: bool


class Dispute(BaseModel):
    """Values of one property of a thing that can't all hold."""

    subject: str
    label: str
    property: str
    property_label: str
    sides: list[Side]


class Disputes(BaseModel):
    """A page of them; ``total`` counts all."""

    total: int
    conflicts: list[Dispute]


class Merged(BaseModel):
    """A thing with several names, and why they were taken for one."""

    iri: str
    label: str
    names: tuple[str, ...]
    reasons: tuple[str, ...]


class Merges(BaseModel):
    """A page of them; ``total`` counts all."""

    total: int
    merges: list[Merged]

"""What the server takes and gives; values of :mod:`kg.model` and :mod:`kg.reports` it gives as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_jsonable_python
from starlette.responses import JSONResponse

from kg import model, reports

MAX_QUESTION = 2_000
_Text = Annotated[str, Field(min_length=1, max_length=2_000)]
_FROZEN = (
    model.Answer, model.AnswerItem, model.Citation, model.Conflict, model.ConflictValue, model.Block, model.Inline,
    model.Run, model.Mark, reports.DocumentSummary, reports.Explanation, reports.ExplainedClaim, reports.Source,
    reports.Failure,
)  # fmt: skip


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A response of a frozen value or one of the models below."""
    return JSONResponse(to_jsonable_python(value), status, headers)


def tell_all_fields(schemas: dict[str, Any]) -> None:
    """Has the description say that frozen values come with all of their fields, whatever their defaults."""
    for kind in _FROZEN:
        schemas[kind.__name__]["required"] = [field.name for field in fields(kind)]


class Turn(BaseModel):
    """An earlier question of the same conversation and what was answered."""

    question: str = Field(max_length=MAX_QUESTION)
    answer: str = Field("", max_length=20_000)


class AskRequest(BaseModel):
    """A question in plain English."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"question": "How tall is the lighthouse at Skerryvore?"}]}
    )

    question: str = Field(min_length=1, max_length=MAX_QUESTION, description="The question, in English.")
    history: list[Turn] = Field(default_factory=list, max_length=50, description="Earlier turns, the oldest first.")
    limit: int | None = Field(None, ge=1, le=100, description="At most so many citations.")


class Documents(BaseModel):
    """All documents, by identifier."""

    documents: list[reports.DocumentSummary]


@dataclass(frozen=True, slots=True)
class DocumentText(reports.DocumentSummary):
    """A document with its stored text, which offsets of citations count in (``document_start`` + ``start``)."""

    text: str


class DocumentStructure(BaseModel):
    """A document as a tree of blocks; none where its file can't be read the same way any more."""

    id: str
    blocks: list[model.Block]


class Prefixes(BaseModel):
    """Base IRI of what the knowledge base names, and prefixes by name."""

    base: str
    prefixes: dict[str, str]


class Hit(BaseModel):
    """A passage found; a higher score is nearer."""

    passage: str
    document: str
    title: str
    heading: tuple[str, ...]
    text: str
    start: int
    end: int
    score: float


class Hits(BaseModel):
    """Passages found for a query, best first."""

    query: str
    hits: list[Hit]


class Disagreement(BaseModel):
    """Claims about one property of an entity that can't all hold: groups of IRIs, those of a group agreeing."""

    property: str
    label: str
    sides: list[list[str]]


class Disagreements(BaseModel):
    """All of an entity."""

    conflicts: list[Disagreement]


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""


class Report(BaseModel):
    """What a change of documents did: their names, what was found in all, what was not kept and why."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    failed: tuple[reports.Failure, ...]
    claims: dict[str, int]
    rejected: dict[str, int]
    stats: dict[str, int]


class _Decision(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


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

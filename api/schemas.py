"""What the server takes and gives, as pydantic models; answers mirror :mod:`kg.model` field for field."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kg.model import BlockKind, MarkKind, Reason

MAX_QUESTION = 2_000


class _Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


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


class Citation(_Out):
    """A quotation: ``text[start:end] == quote``; ``text`` is the passage, at ``document_start`` in its document.

    ``page``: the one that the quote begins on, from 1; of documents that have pages. ``plain``: the quoted unit
    without markup, of a table's row ``Head: cell; Head: cell``.
    """

    id: int
    document: str
    title: str
    heading: tuple[str, ...]
    passage: str
    text: str
    quote: str
    start: int
    end: int
    document_start: int
    url: str | None
    claim: str | None
    page: int | None = None
    plain: str | None = None


class AnswerItem(_Out):
    """One value of an answer; ``citations`` are ids of the reply's citations."""

    label: str
    value: str
    iri: str | None
    datatype: str | None
    unit: str | None
    status: str | None
    confidence: float | None
    citations: tuple[int, ...]


class ConflictValue(_Out):
    """One side of a disagreement."""

    value: str
    status: str
    citations: tuple[int, ...]


class Conflict(_Out):
    """Values of one property on which documents disagree."""

    property: str
    values: tuple[ConflictValue, ...]


class Answer(_Out):
    """The reply to a question. An abstention says in ``reason`` what is missing and cites the nearest passages.

    ``explanation``: one sentence on how the answer was made.
    """

    question: str
    status: Literal["answered", "abstained"]
    answer: str
    answers: tuple[AnswerItem, ...]
    sparql: str | None
    bindings: dict[str, Any] | None
    citations: tuple[Citation, ...]
    conflicts: tuple[Conflict, ...]
    reason: Reason | None
    confidence: float
    explanation: str | None = None
    timings_ms: dict[str, float]


class Document(_Out):
    """A document of the knowledge base."""

    id: str
    iri: str
    name: str
    title: str
    media_type: str
    passages: int
    claims: int
    content_hash: str


class DocumentText(Document):
    """A document with its stored text, which offsets of citations count in (``document_start`` + ``start``)."""

    text: str


class Run(_Out):
    """A stretch of a block's plain text and the stretch of the stored text that it comes from."""

    plain: int
    source: int
    plain_length: int
    source_length: int


class Mark(_Out):
    """Inline markup over ``text[start:end]`` of a block's plain text."""

    kind: MarkKind
    start: int
    end: int
    target: str


class Inline(_Out):
    """A block's text without its markup."""

    text: str
    runs: tuple[Run, ...]
    marks: tuple[Mark, ...]


class Block(_Out):
    """A node of a document's tree; ``start`` and ``end`` count in the stored text."""

    kind: BlockKind
    start: int
    end: int
    inline: Inline | None
    children: tuple[Block, ...]
    level: int
    header: bool
    info: str
    number: int | None


class DocumentStructure(_Out):
    """A document as a tree of blocks; none where its file can't be read the same way any more."""

    id: str
    blocks: list[Block]


class Prefixes(_Out):
    """Base IRI of what the knowledge base names, and prefixes by name."""

    base: str
    prefixes: dict[str, str]


class Documents(_Out):
    """All documents, by identifier."""

    documents: list[Document]


class Hit(_Out):
    """A passage found; a higher score is nearer."""

    passage: str
    document: str
    title: str
    heading: tuple[str, ...]
    text: str
    start: int
    end: int
    score: float


class Hits(_Out):
    """Passages found for a query, best first."""

    query: str
    hits: list[Hit]


class Source(_Out):
    """Where a statement stands: document, heading path and the words."""

    document: str
    title: str
    heading: tuple[str, ...]
    quote: str


class Claim(_Out):
    """A claim told for people."""

    iri: str
    subject: str
    predicate: str
    value: str
    status: str
    confidence: float
    asserted: bool
    extractors: tuple[str, ...]
    source: Source
    rejection: str
    open: bool
    said_by: str


class Entity(_Out):
    """An entity: names and why they were taken for one, types, claims with their sources."""

    iri: str
    label: str
    types: tuple[str, ...]
    aliases: tuple[str, ...]
    merges: tuple[str, ...]
    claims: tuple[Claim, ...]
    triples: tuple[tuple[str, str, str], ...]


class Disagreement(_Out):
    """Claims about one property of an entity that can't all hold: groups of IRIs, those of a group agreeing."""

    property: str
    label: str
    sides: list[list[str]]


class Disagreements(_Out):
    """All of an entity."""

    conflicts: list[Disagreement]


class Problem(BaseModel):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    hint: str = ""

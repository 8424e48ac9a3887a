"""The reply to a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Reason(StrEnum):
    """Why a question is declined."""

    UNKNOWN_ENTITY = "unknown_entity"
    UNKNOWN_RELATION = "unknown_relation"
    NO_EVIDENCE = "no_evidence"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation: ``text[start:end] == quote``; ``text`` is the passage, at ``document_start`` in its document.

    ``page``: the one that the quote begins on, from 1; of documents that have pages. ``plain``: the quoted unit
    without markup, of a table's row ``Head: cell; Head: cell``; None where the quote is nothing to read.
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
    url: str | None = None
    claim: str | None = None
    page: int | None = None
    plain: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One value of an answer; ``citations`` are ids of ``Answer.citations``."""

    label: str
    value: str
    iri: str | None = None
    datatype: str | None = None
    unit: str | None = None
    status: str | None = None
    confidence: float | None = None
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ConflictValue:
    """One side of a disagreement."""

    value: str
    status: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Values of one property on which documents disagree."""

    property: str
    values: tuple[ConflictValue, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a question, field for field the JSON of ``POST /ask``.

    ``explanation``: one sentence on how the answer was made; None of an abstention.
    """

    question: str
    status: Literal["answered", "abstained"]
    answer: str
    answers: tuple[AnswerItem, ...] = ()
    sparql: str | None = None
    bindings: dict[str, object] | None = None
    citations: tuple[Citation, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    reason: Reason | None = None
    confidence: float = 0.0
    explanation: str | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        from kg.html import answer

        return answer(self)

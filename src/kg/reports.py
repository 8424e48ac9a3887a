"""What the knowledge base tells about its work: frozen values, printed by the command line and the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.model import Passage


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be read, and why."""

    name: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build or removal did: names of documents, and counts of the graph that came out.

    Of a language model, if there is one: ``warnings``, what it couldn't be asked; ``spent``, what asking it has cost.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    skipped: tuple[str, ...] = ()
    claims: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    stats: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    spent: str = ""


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document of the knowledge base."""

    id: str
    iri: str
    name: str
    title: str
    media_type: str
    passages: int
    claims: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage found by a search, with its document's title; a higher score is nearer."""

    passage: Passage
    title: str
    score: float


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Result of ``kg check``: ``problems`` break a promise, ``conflicts`` are disagreements between documents."""

    problems: tuple[str, ...]
    shacl: tuple[str, ...]
    conflicts: tuple[str, ...]
    checked: Mapping[str, int]

    @property
    def ok(self) -> bool:
        """Whether nothing is broken (disagreements between documents break nothing)."""
        return not self.problems and not self.shacl


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement stands: document, heading path and the words."""

    document: str
    title: str
    heading: tuple[str, ...]
    quote: str


@dataclass(frozen=True, slots=True)
class ExplainedClaim:
    """A claim told for people. ``open``: the property is none of the ontology's (never, where there is no ontology).

    ``said_by``: whom the document quotes or reports for it; "" for what it says itself. ``denied``: it says that it
    is not so.
    """

    iri: str
    subject: str
    predicate: str
    value: str
    status: str
    confidence: float
    asserted: bool
    extractors: tuple[str, ...]
    source: Source
    rejection: str = ""
    open: bool = False
    said_by: str = ""
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where an entity or claim comes from: names and why they were taken for one, types, claims with sources.

    ``triples`` are subject, property and value, by label, of what a graph says of something that no document does.
    """

    iri: str
    label: str
    types: tuple[str, ...]
    aliases: tuple[str, ...]
    merges: tuple[str, ...]
    claims: tuple[ExplainedClaim, ...]
    triples: tuple[tuple[str, str, str], ...] = ()

    def _repr_html_(self) -> str:
        from kg.notebook_html import explanation

        return explanation(self)

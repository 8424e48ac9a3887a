"""What extractors find: claims with their evidence and standing, mentions, aliases, and what was not kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kg.model.values import DateValue, EntityName, Subject, Value

LANGUAGE_MODEL = "llm "
"""What the names of extractors begin with that are language models."""


class Status(StrEnum):
    """What the document itself says of a statement's standing."""

    CONFIRMED = "confirmed"
    STATED = "stated"
    ESTIMATED = "estimated"
    LEAKED = "leaked"
    GUESSED = "guessed"
    PLANNED = "planned"
    UNDISCLOSED = "undisclosed"


class Polarity(StrEnum):
    """Whether the document affirms or denies the statement."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"


class Mood(StrEnum):
    """Whether a statement is put as fact, as a hypothesis, or as one of several alternatives."""

    FACTUAL = "factual"
    HYPOTHETICAL = "hypothetical"
    ALTERNATIVE = "alternative"


class Role(StrEnum):
    """What a span of evidence stands for in its claim."""

    SUBJECT = "subject"
    PREDICATE = "predicate"
    VALUE = "value"
    QUALIFIER = "qualifier"


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """A stretch of the document that carries one part of a claim; ``exact == Document.text[start:end]``."""

    role: Role
    start: int
    end: int
    exact: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """A property: of the ontology by ``iri``, or an open one by its ``label`` as the document words it."""

    label: str
    iri: str = ""


@dataclass(frozen=True, slots=True)
class Hedge:
    """Standing of a statement, found in its sentence, heading, column or caption."""

    status: Status = Status.STATED
    polarity: Polarity = Polarity.AFFIRMED
    mood: Mood = Mood.FACTUAL


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a fact of a table or list: its caption or introducing words, row label and column header."""

    caption: str = ""
    row: str = ""
    column: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement found in a passage, before names are resolved to entities.

    ``quote_start:quote_end`` is the whole row, bullet or sentence. ``object`` is None when the
    document says that the value is not disclosed. ``id`` comes from ``kg.namespaces.claim_id``. ``speaker`` is whom the
    document quotes or reports as saying so; None for what it says itself.
    """

    id: str
    passage: str
    subject: Subject
    predicate: Predicate
    object: Value | None
    evidence: tuple[Evidence, ...]
    quote_start: int
    quote_end: int
    stated_value: str
    extractors: tuple[str, ...]
    confidence: float
    hedge: Hedge = field(default_factory=Hedge)
    valid_from: DateValue | None = None
    valid_until: DateValue | None = None
    speaker: EntityName | None = None
    context: Context | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something that was found and not kept, with the reason, so that a reviewer can overrule it."""

    passage: str
    extractor: str
    reason: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity's name in the text, whether or not a claim uses it."""

    passage: str
    surface: str
    start: int
    end: int
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """Two names that the document itself equates ("Mixture of Experts (MoE)")."""

    name: str
    alias: str
    passage: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the extractors found in one document."""

    mentions: tuple[Mention, ...]
    aliases: tuple[Alias, ...]
    claims: tuple[Claim, ...]
    rejected: tuple[Rejected, ...]

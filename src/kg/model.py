"""Frozen values that the stages hand to each other.

Offsets everywhere count Unicode code points of ``Document.text`` (the stored text), end exclusive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Literal


class Precision(StrEnum):
    """How exactly a date is stated."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as stated: both bounds equal when exact, one absent when open; in ``unit`` as written.

    ``unit`` is a QUDT unit's local name (``GigaBYTE``) or None for a bare count; ``noun`` is what is
    counted or qualified ("GPUs", "parameters"); ``per`` what the figure is per ("GPU server", "day").
    ``central``: the value stated with a tolerance ("770 +/- 50"), whose ends are the bounds.
    """

    stated: str
    lower: Decimal | None
    upper: Decimal | None
    approximate: bool = False
    unit: str | None = None
    noun: str = ""
    per: str = ""
    kind: Literal["quantity"] = "quantity"
    central: Decimal | None = None

    @property
    def value(self) -> Decimal:
        """The point or centre stated, the lower end of a range, or the only bound stated."""
        if self.central is not None:
            return self.central
        if self.lower is not None:
            return self.lower
        if self.upper is not None:
            return self.upper
        raise ValueError(f"a quantity without bounds: {self.stated!r}")


@dataclass(frozen=True, slots=True)
class DateValue:
    """A date or period as stated. ``value`` is ``2019``, ``2019-02`` or ``2019-07-22``, never an invented day.

    ``earliest`` and ``latest`` are ISO days that bound it; ``latest`` is empty while it goes on.
    """

    stated: str
    value: str
    precision: Precision
    earliest: str
    latest: str
    end: str = ""
    approximate: bool = False
    kind: Literal["date"] = "date"


@dataclass(frozen=True, slots=True)
class Text:
    """A string value."""

    value: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean value."""

    value: bool
    kind: Literal["flag"] = "flag"


@dataclass(frozen=True, slots=True)
class EntityName:
    """An entity by the name that a passage gives it, with the classes that the context vouches for."""

    surface: str
    classes: tuple[str, ...] = ()
    kind: Literal["entity"] = "entity"


@dataclass(frozen=True, slots=True)
class Participant:
    """An entity's part in an event: ``role`` is a property IRI."""

    role: str
    entity: EntityName


@dataclass(frozen=True, slots=True)
class EventName:
    """A fact with several parts (a funding round, a role held), named by its class and its parts.

    With two or more participants two documents can name the same event. Otherwise ``local`` (of an
    observation: passage and row) tells it from others.
    """

    cls: str
    label: str
    participants: tuple[Participant, ...] = ()
    year: str = ""
    ordinal: str = ""
    local: str = ""
    kind: Literal["event"] = "event"


Subject = EntityName | EventName
Value = EntityName | EventName | Quantity | DateValue | Text | Flag


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    LIST_ITEM = "list_item"
    TABLE = "table"
    TABLE_ROW = "table_row"
    TABLE_CELL = "table_cell"
    QUOTE = "quote"
    CODE = "code"
    RULE = "rule"


class MarkKind(StrEnum):
    """Inline markup that carries meaning."""

    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    LINK = "link"
    WIKILINK = "wikilink"


@dataclass(frozen=True, slots=True)
class Mark:
    """Inline markup over ``Inline.text[start:end]`` (offsets of the plain text, not the document)."""

    kind: MarkKind
    start: int
    end: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of plain text and the stretch of the document that it comes from.

    Equal lengths map character by character; unequal ones (``&amp;`` for ``&``) only as a whole.
    """

    plain: int
    source: int
    plain_length: int
    source_length: int


@dataclass(frozen=True, slots=True)
class Inline:
    """Text of a block with its markup removed, and the way back to the document's offsets."""

    text: str
    runs: tuple[Run, ...]
    marks: tuple[Mark, ...] = ()

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Document offsets of ``text[start:end]``; ``0 <= start < end <= len(text)``."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no such stretch of the text: {start}:{end} of {len(self.text)}")
        return self._place(start, False), self._place(end - 1, True)

    def _place(self, at: int, after: bool) -> int:
        run = self.runs[bisect_right(self.runs, at, key=lambda r: r.plain) - 1]
        if run.plain_length == run.source_length:
            return run.source + (at - run.plain) + (1 if after else 0)
        return run.source + (run.source_length if after else 0)


@dataclass(frozen=True, slots=True)
class Block:
    """A node of a document's tree. ``[start, end)`` covers the block with its markup.

    Leaves (heading, paragraph, table cell, code) have ``inline``. A list item holds its own text as
    paragraphs, then nested lists. ``level``: of a heading 1-6, of a list its nesting from 1.
    ``header``: a row or cell of column heads. ``info``: the language of code, ``ordered`` of a list.
    ``number``: the number printed at an ordered item.
    """

    kind: BlockKind
    start: int
    end: int
    inline: Inline | None = None
    children: tuple[Block, ...] = ()
    level: int = 0
    header: bool = False
    info: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a reader gives it. ``name`` is its path relative to the PATH given, with ``/``."""

    name: str
    text: str
    blocks: tuple[Block, ...]
    title: str
    media_type: str
    content_hash: str
    metadata: tuple[tuple[str, str], ...] = ()


class UnitKind(StrEnum):
    """What a unit of quotation is."""

    HEADING = "heading"
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest stretch that is quoted to people: a sentence, bullet, table row, heading or line of code.

    ``plain`` has no markup; of a row it is ``Head: cell; Head: cell``. ``context`` is what a reader needs
    beside it: the heading path, the sentence or label that introduces a list.
    """

    kind: UnitKind
    start: int
    end: int
    plain: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that is retrieved, cited and named as a graph. Passages never overlap."""

    id: str
    document: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...]
    order: int
    units: tuple[Unit, ...] = ()


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
    """What stands around a fact of a table or list: its caption or introducing words, row label and column header.

    ``stub``: the header over the row labels, which says what kind of thing they are.
    """

    caption: str = ""
    row: str = ""
    column: str = ""
    stub: str = ""


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
        from kg.notebook_html import answer

        return answer(self)


PAGE_STARTS = "page_starts"
"""Metadata of a paged document: for every page, where its text begins, parted by blanks."""
_PAGE = "page "


def page_starts(blocks: Sequence[Block], pages: int) -> str:
    """The value of :data:`PAGE_STARTS`, from blocks whose ``info`` says ``page 3`` where they begin on that page."""
    first: dict[int, int] = {}
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        number = block.info.removeprefix(_PAGE)
        if block.info.startswith(_PAGE) and number.isdecimal():
            first.setdefault(int(number), block.start)
        waiting.extend(reversed(block.children))
    starts: list[int] = []
    following = max((block.end for block in blocks), default=0)
    for page in range(pages, 0, -1):
        following = min(following, first.get(page, following))
        starts.append(following)
    starts = [0, *reversed(starts[:-1])]
    return " ".join(map(str, starts))


def page_at(metadata: Iterable[tuple[str, str]], offset: int) -> int | None:
    """The page, from 1, that an offset of the stored text is on; None for documents without pages."""
    starts = [int(start) for start in dict(metadata).get(PAGE_STARTS, "").split()]
    return bisect_right(starts, offset) if starts else None

"""A draft of an answer, how it is told, and how well a query of the graph stands for the question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.ask.question import Name, Question, Role, analyse
from kg.ask.retrieve import Found, Retriever, Scored
from kg.model import Passage, Reason
from kg.text.terms import bag

if TYPE_CHECKING:
    from kg.ask.facts import Fact, Written


# Characters of an answer: one or two plain sentences; definitions and lists may be longer.
ROOM, LONG_ROOM = 190, 380
LIST_ROOM = 600  # of a list, of which nothing should be left out
# Heads of a table of properties and their values.
_LABELLED = re.compile(
    r"(?:property|attribute|field|key|metric|parameter|item|aspect|feature|characteristic|detail):\s(?P<name>[^;]+);\s"
    r"(?:value|values|details?|description|amount|figure|specification):\s",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that the answer names, with its IRI if known; ``evidence`` are positions in ``Draft.evidence``."""

    label: str
    evidence: tuple[int, ...] = (0,)
    iri: str | None = None


@dataclass(frozen=True, slots=True)
class Backing:
    """The graph's side of an answer: the query, what it gave, and the claims behind the draft's values in order."""

    written: Written
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """Another value that documents give to the property asked for. ``evidence``: position in ``Draft.evidence``."""

    property: str
    label: str
    status: str
    evidence: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is judged. ``fit``: 0 to 1, how well the value is of the kind asked for.

    ``explained``: of an answer of the graph, share of the question's words that its query stands for, 0 to 1.
    ``via``: of an answer of several steps what the steps before it found ("the boat that …: Elsa").
    ``exact``: computed by a query over all that the graph holds; ``members``: how many things were compared for it.
    ``reading``: how a composed question was understood, in words.
    """

    kind: str
    text: str
    values: tuple[Value, ...]
    evidence: tuple[Scored, ...]
    fit: float
    backing: Backing | None = None
    explained: float | None = None
    exact: bool = False
    members: int = 0
    rivals: tuple[Rival, ...] = ()
    via: tuple[str, ...] = ()
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with what was found for it."""

    question: Question
    found: Found
    retriever: Retriever

    def about(self, text: str) -> Asking:
        """Another question to the same documents."""
        question = analyse(text, self.retriever.view.lexicon.capitalised)
        return Asking(question, self.retriever.find(question), self.retriever)

    def units_at(self, places: Iterable[tuple[Passage, int]]) -> tuple[Scored, ...]:
        """Units at places, by passage and number, as they are scored for the question."""
        found = (self.retriever.scored_at(self.found, p.id, p.units[n].start) for p, n in places)
        return tuple(scored for scored in found if scored is not None)

    def mentions(self, text: str) -> bool:
        """Whether every word of a text already stands in the question."""
        words = bag(text)
        return bool(words) and words <= bag(self.question.text)


_CLAUSE = 40  # characters of a value from which it is a clause rather than a name
# What draws a diagram doesn't read as a sentence that begins with the value.
_DRAWN = re.compile(r"[\w.-]{1,60}(?:\s*[-=]{2,3}>\s|[\[({]{1,3}\"?[^<>\[\](){}]{2,80}<br)")


def sentence(label: str, quote: str, room: int = ROOM) -> str:
    """``value – “what the document says”``, the quotation cut to what fits around the value.

    A value that is a clause of what is quoted isn't said twice.
    """
    quote, label = spoken(quote), " ".join(label.split())
    if not label or (normal(quote).startswith(normal(label)) and not _DRAWN.match(quote)):
        return clip(quote, 0, room)
    left = room - len(label) - 6
    place = quote.find(label)
    if _CLAUSE <= len(label) <= room // 2 and place >= 0:
        return clip(quote, place, room)
    if left < 30 or not quote:
        return clip(label, 0, room)
    return f"{label} – “{clip(quote, max(place, 0), left)}”"


def listed(labels: Sequence[str], quote: str) -> str:
    """Several values as they are told, with what the first is quoted from where there is room; sentences stay such.

    A quotation that is one of the values isn't said twice.

    >>> listed(["Elsa", "Gull"], "Boats: Elsa and Gull"), listed(["in May, at sea", "ashore"], "ashore.")
    ('Elsa, Gull – “Boats: Elsa and Gull”', 'in May, at sea; ashore')
    >>> listed(["Row out.", "Haul the nets."], "")
    'Row out. Haul the nets.'
    """
    if all(label.endswith(_ENDS) for label in labels):
        told = " ".join(labels)
    else:
        told = ("; " if any("," in label for label in labels) else ", ").join(x.rstrip(" .;,") for x in labels)
    said = normal(quote).rstrip(" .;,") in {normal(label).rstrip(" .;,") for label in labels}
    return clip(told, 0, LIST_ROOM) if said or len(told) >= ROOM else sentence(told, quote, LONG_ROOM)


_ENDS = (".", "!", "?")


def spoken(row: str) -> str:
    """A row without heads that say nothing of its cells.

    >>> spoken("Property: Draught; Value: 2 m; Source: log"), spoken("Boat: Elsa; Berths: 40")
    ('Draught: 2 m; Source: log', 'Boat: Elsa; Berths: 40')
    """
    match = _LABELLED.match(row)
    return f"{match['name']}: {row[match.end() :]}" if match else row


def clip(text: str, around: int, room: int) -> str:
    """At most ``room`` characters of a text that show position ``around``, cut between words."""
    text = " ".join(text.split())
    if len(text) <= room:
        return text
    start = max(0, min(around - room // 3, len(text) - room))
    if start:
        start = text.find(" ", start) + 1 or start
    end = min(len(text), start + room - 2)
    if end < len(text):
        end = text.rfind(" ", start, end) if " " in text[start:end] else end
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def normal(text: str) -> str:
    """Text for comparison: lower case, single spaces."""
    return re.sub(r"\s+", " ", text).strip().casefold()


def is_within(name: str, text: str) -> bool:
    """Whether a text has a name or figure as whole words: 5 is neither in 1905 nor in 5.2."""
    return name in text and bool(name) and bool(re.search(rf"(?<![\w.,]){re.escape(name)}(?!\w|[.,]\d)", text))


# --- Whether a query stands for a question, and what is missing where nothing does

# A query is as likely right as not when it stands for this share of the question's words (benchmarks/judging.md).
_HALF, _STEEP = 0.78, 14.0
_BELIEVED = 0.47


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None when the draft may be given. ``what``: what is missing; ``hint``: near misses."""

    confidence: float
    reason: Reason | None = None
    what: str = ""
    hint: str = ""


def judge(asking: Asking, draft: Draft | None) -> Verdict:
    """The verdict on what a query gives: by how many of the question's words it stands for."""
    unknown = asking.found.unknown_names
    if unknown:
        return Verdict(0.9, Reason.UNKNOWN_ENTITY, unknown[0].text, _near(asking, unknown[0]))
    if draft is None or not draft.evidence:
        return Verdict(0.5, *_missing(asking))
    sure = explained_confidence(draft.explained or 0.0)
    return Verdict(round(sure, 3)) if sure >= _BELIEVED else Verdict(round(1 - sure, 3), *_missing(asking))


def explained_confidence(explained: float) -> float:
    """Confidence in a query of the graph, from the share of the question's words that it stands for."""
    return 1 / (1 + math.exp(-_STEEP * (explained - _HALF)))


def _missing(asking: Asking) -> tuple[Reason, str]:
    """Which part of the question the documents lack: what is asked at all, or the evidence for it."""
    lexicon = asking.retriever.view.lexicon
    focus = {t.start for t in asking.question.focus}
    names = " and ".join(n.text for n in asking.question.names if n.start not in focus)
    asked = [t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS) and not t.word.token.digits]
    missing = [t for t in asked if not any(f > 0.5 and lexicon.known(form) for form, f in t.forms)]
    if names and asked and sum(t.weight for t in missing) >= 0.5 * sum(t.weight for t in asked):
        return Reason.UNKNOWN_RELATION, names
    return Reason.NO_EVIDENCE, names


def _near(asking: Asking, name: Name) -> str:
    """Names of the documents that look like an unknown one."""
    near = asking.retriever.view.lexicon.near(name.text)
    return f" Did you mean {' or '.join(near)}?" if near else ""

"""A draft of an answer, how it is told, and how well a query of the graph stands for the question."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.ask.question import Name, Question, Role, analyse
from kg.ask.retrieve import COMMON, Found, Retriever, Scored
from kg.model import Passage, Reason, UnitKind
from kg.text import terms as w
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


# --- Whether a draft is good enough to be given, and if not, what is missing

# Weights of a logistic regression from the evidence's features to "the answer is right",
# fitted on questions of several domains with and without answers (benchmarks/judging.md).
WEIGHTS = {"strict": 2.03, "rest": 0.51, "focus": 0.62, "cosine": 2.09, "margin": 0.66, "fit": 1.62, "named": 0.64}
CONSTANT = -4.7
THRESHOLD = 0.3
# A name counts as standing with the evidence from here.
NAMED = 0.35
# A query is as likely right as not when it stands for this share of the question's words.
_HALF, _STEEP = 0.78, 14.0
# So sure a query must be, by its words or its evidence: unlike a quotation, it need not have the noun asked for.
_BELIEVED = 0.47
# Kinds whose answer rests on several units together.
_TOGETHER = frozenset(("comparison", "difference", "duration", "conflicting"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None when the draft may be given. ``what``: what is missing; ``hint``: near misses."""

    confidence: float
    reason: Reason | None = None
    what: str = ""
    hint: str = ""


def judge(asking: Asking, draft: Draft | None) -> Verdict:
    """The verdict on a draft."""
    unknown = asking.found.unknown_names
    if unknown:
        return Verdict(0.9, Reason.UNKNOWN_ENTITY, unknown[0].text, _near(asking, unknown[0]))
    if draft is None or not draft.evidence:
        return Verdict(0.5, *_missing(asking))
    if draft.explained is not None and is_explained(draft):
        return Verdict(round(explained_confidence(draft.explained), 3))
    sure = confidence(features(asking, draft)) if _within(asking, draft) else 0.0
    if sure >= (_BELIEVED if draft.explained is not None else THRESHOLD):
        return Verdict(round(sure, 3))
    return Verdict(round(1 - min(sure, THRESHOLD), 3), *_missing(asking))


def features(asking: Asking, draft: Draft) -> tuple[float, ...]:
    """What speaks for a draft (see WEIGHTS), mostly 0 to 1; the last is 1 or 0.

    ``strict``: share of the question's words in the evidence; ``rest``: of those that are no names; ``margin``: how far
    the evidence's score is above that of other passages; ``named``: every name stands with it.
    """
    evidence = _evidence(draft)
    retriever, terms = asking.retriever, asking.found.terms
    # Having ranked them says as much as the superlative that asks for it.
    ranked = frozenset(t.word.term for t in terms if draft.members > 1 and t.word.token.lower in w.SUPERLATIVES)
    _, strict, _, names, focus = retriever.joint(terms, evidence, ranked)
    others = tuple(t for t in terms if t.word.role != Role.NAME)
    rest = retriever.joint(others, evidence, ranked)[1] if others else 1.0
    best = max(s.score for s in evidence)
    rival = next((s.score for s in asking.found.units if s.passage.id != draft.evidence[0].passage.id), 0.0)
    cosine = max(s.cosine for s in evidence)
    return strict, rest, focus, cosine, best - rival, draft.fit, float(names >= NAMED)


def _within(asking: Asking, draft: Draft) -> bool:
    """Whether every name of the question stands in a passage quoted, or over or before what is quoted.

    What one row of a table tells is of what it and what stands over it name, not of what other rows do.
    """
    words = frozenset().union(*(_words(asking, draft, s) for s in _evidence(draft)))
    focus = asking.question.focus
    # Of "which GPU type" a row needs the type, not "GPU".
    sorts = {a.start for a, b in itertools.pairwise(focus) if b.lower in w.META}
    names = (t for t in asking.found.terms if t.word.role == Role.NAME and t.weight >= COMMON)
    return all(t.found(words) >= 0.5 for t in names if t.word.token.start not in sorts)


def _words(asking: Asking, draft: Draft, scored: Scored) -> frozenset[str]:
    row = scored.unit.kind == UnitKind.ROW and draft.kind == "number"
    return asking.retriever.context_words(scored) if row else asking.retriever.passage_words(scored)


def _evidence(draft: Draft) -> tuple[Scored, ...]:
    # "Yes" to "was it before …?" rests on the units of both dates.
    several = draft.kind == "boolean" and any(len(v.evidence) > 1 for v in draft.values)
    together = draft.kind in _TOGETHER or several or draft.members > 1
    return draft.evidence if together else draft.evidence[:1]


def confidence(values: tuple[float, ...]) -> float:
    """Probability that the answer is right, from its features."""
    return 1 / (1 + math.exp(-(CONSTANT + sum(w * v for w, v in zip(WEIGHTS.values(), values, strict=True)))))


def explained_confidence(explained: float) -> float:
    """Confidence in a query of the graph, from the share of the question's words that it stands for."""
    return 1 / (1 + math.exp(-_STEEP * (explained - _HALF)))


def is_explained(draft: Draft) -> bool:
    """Whether a query stands for enough of the question's words to be believed by them alone."""
    return draft.explained is not None and explained_confidence(draft.explained) >= _BELIEVED


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

"""Things that a question names by describing them: "the school where Ana learned", "the winner of the race".

The description is asked for by itself; if it has one sure answer, the question is asked again with that in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kg.ask import words as w
from kg.ask.adjectives import superlative
from kg.ask.chained import chained
from kg.ask.drafts import Asking, Draft
from kg.ask.judge import Verdict
from kg.ask.question import Question
from kg.ask.terms import Token

# A description is believed to be met by units that say this share of its words.
_MET = 0.8
# A direct answer whose unit says this share of the question needs no second step.
_DIRECT = 0.85
_DEPTH = 2
_CLAUSE = re.compile(
    r"\b(?:the|that|an?)\s+(?P<noun>(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?:that|which|who|where)\s+(?P<rest>.+?)[?.\s]*$",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\bthe\s+(?P<noun>(?:[\w-]+\s+){0,2}?[\w-]+)\s+of\s+(?P<rest>(?:the\s+)?[\w’'&.-]+(?:\s+[A-Z0-9][\w’'&.-]*)*)"
)
_MOST = re.compile(
    r"\bthe\s+(?P<most>[a-z]+)\s+(?P<noun>[a-z][\w-]*)"
    r"(?:\s+(?P<of>(?:of|in|on|at)\s+(?:the\s+)?[A-Z][\w’'&.-]*(?:\s+[A-Z0-9][\w’'&.-]*|\s+[a-z]+(?=\?|$))*))?"
)
_OPENS = re.compile(r"^(?:what|who|which|how\s+\w+)(?:'s|\s+(?:is|was|are|were))?\s*$", re.IGNORECASE)

Decided = tuple[Draft | None, Verdict, Sequence[Draft]]
Decide = Callable[[Asking], Decided]


@dataclass(frozen=True, slots=True)
class Description:
    """``[start, end)`` of a question describes what ``asks`` asks for."""

    start: int
    end: int
    asks: str


def descriptions(question: Question) -> Iterator[Description]:
    """What the question describes, the likeliest reading first."""
    text = question.text
    if (clause := _CLAUSE.search(text)) and not _OPENS.match(text[: clause.start()]):
        for end in _ends(question, clause.end("rest"), clause.start("rest")):
            yield Description(clause.start(), end, _asks(clause["noun"], text[clause.start("rest") : end]))
    yield from _owned(question)
    yield from _extreme(question)
    for match in _OF.finditer(text):
        if not _OPENS.match(text[: match.start()]):
            yield Description(match.start(), match.end(), f"{_is(match['noun'])} {match.group()}?")


def _ends(question: Question, last: int, first: int) -> Iterator[int]:
    """Where a clause may end: at the end, or before a verb that belongs to the question's own auxiliary."""
    yield last
    opening = [t for t in question.tokens if t.start < first]
    tail = [t for t in question.tokens if t.end <= last][-2:]
    if any(t.lower in w.AUXILIARIES for t in opening[:4]) and tail:
        at = tail[0] if tail[-1].lower in w.PREPOSITIONS else tail[-1]
        if at.start > first:
            yield at.start - 1


def _owned(question: Question) -> Iterator[Description]:
    """ "Aurelia's first captain": a name with one to three words that it owns, the longest first."""
    tokens = question.tokens
    for i, token in enumerate(tokens):
        if not re.search(r"['’]s?$", token.text) or not token.capital:
            continue
        start = next((n.start for n in question.names if n.start <= token.start < n.end), token.start)
        if _OPENS.match(question.text[:start]):
            continue
        for size in (3, 2, 1):
            owned = tokens[i + 1 : i + 1 + size]
            if len(owned) == size and not any(t.lower in w.FUNCTION | w.AUXILIARIES for t in owned):
                yield Description(start, owned[-1].end, f"{_is(_text(owned))} {question.text[start : owned[-1].end]}?")


def _extreme(question: Question) -> Iterator[Description]:
    """ "The newest hall of the museum", where more is asked of it than which it is."""
    for match in _MOST.finditer(question.text):
        graded = match["most"].casefold()
        if (graded in w.SUPERLATIVES or superlative(graded)) and not _OPENS.match(question.text[: match.start()]):
            of = f" {match['of']}" if match["of"] else ""
            yield Description(match.start(), match.end(), f"Which {match['noun']}{of} is the {match['most']}?")


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(t.text for t in tokens)


def _asks(noun: str, rest: str) -> str:
    return f"Who {rest}?" if noun.split()[-1].casefold() in w.PERSON_NOUNS else f"Which {noun} {rest}?"


def _is(noun: str) -> str:
    person = noun.split()[-1].casefold() in w.PERSON_NOUNS | {"winner", "successor", "owner", "treasurer"}
    return "Who is" if person else "What is"


def followed(asking: Asking, decided: Decided, decide: Decide, depth: int = 0) -> tuple[Asking, Decided]:
    """The question, and what was decided on it, with a description replaced by what it describes, if that helps."""
    if depth == 0 and (both := chained(asking, decide)) is not None:
        return asking, both
    draft, verdict, _ = decided
    if depth >= _DEPTH or (draft is not None and verdict.reason is None and _direct(asking, draft)):
        return asking, decided
    for described in descriptions(asking.question):
        inner = asking.about(described.asks)
        found, sure, _ = decide(inner)
        if found is None or sure.reason is not None or not _meets(inner, found):
            continue
        label = re.sub(r"\s*\([^)]*\)$", "", found.values[0].label)
        if asking.mentions(label):
            continue
        text = asking.question.text
        outer = asking.about(text[: described.start] + label + text[described.end :])
        outer, again = followed(outer, decide(outer), decide, depth + 1)
        last, judged, proposals = again
        if last is not None and judged.reason is None and last.values and last.values[0].label != label:
            return outer, (replace(last, evidence=(*last.evidence, found.evidence[0])), judged, proposals)
    return asking, decided


def _direct(asking: Asking, draft: Draft) -> bool:
    """Whether the answer accounts for the question as it stands."""
    if (
        draft.exact
        or draft.kind not in ("entity", "value", "date", "number", "list")
        or (draft.explained or 0.0) >= _DIRECT
    ):
        return True
    return asking.retriever.joint(asking.found.terms, draft.evidence[:1])[2] >= _DIRECT


def _meets(asking: Asking, draft: Draft) -> bool:
    """Whether one thing, by its name, is what was described."""
    if len(draft.values) != 1 or not re.search(r"[^\W\d]", draft.values[0].label) or len(draft.values[0].label) > 60:
        return False
    return draft.exact or asking.retriever.joint(asking.found.terms, draft.evidence[:1])[1] >= _MET

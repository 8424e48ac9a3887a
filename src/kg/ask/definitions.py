"""Define, what does … mean: the entry or sentence that says what a thing is."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, Asking, Choice, Draft, choices, draft_of
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.spans import Span, cells
from kg.ask.terms import bag
from kg.model import UnitKind

_ASKS = (
    re.compile(r"^(?:define|explain)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what\s+(?:do|does|did)\s+(?P<x>.+?)\s+(?:mean|stand for|refer to)\b", re.I),
    re.compile(r"^what(?:'s| is| are| was)\s+(?:meant by|the (?:definition|meaning) of)\s+(?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^(?P<x>.+?),?\s+(?:definition|meaning)[?.!]*$", re.I),
    re.compile(r"^(?:what is |what's )?(?:the )?(?:definition|meaning) of (?P<x>.+?)[?.!]*$", re.I),
    re.compile(r"^what(?:'s| is| are)\s+(?:an?\s+)?(?P<x>[\w/&.-]+(?:\s[\w/&.-]+){0,2})[?.!]*$", re.I),
)


def defined(question: Question) -> str:
    """The term whose meaning is asked for, or an empty string."""
    for pattern in _ASKS:
        if match := pattern.match(question.text.strip()):
            return match["x"].strip(" '\"‘’“”")
    return ""


class DefinitionQuestion:
    """The meaning of a term."""

    name = "definition"

    def asks(self, question: Question) -> bool:
        """``define X``, ``what does X mean``, ``X definition``, ``what is X``."""
        return bool(defined(question))

    def read(self, asking: Asking) -> Draft | None:
        """The unit that opens with the term and says what it is, with the text that follows in its entry."""
        term = defined(asking.question)
        found = choices(asking, lambda s: [Choice(s, Span(0, 0, ""), _fit(term, s), "")], depth=100)
        if not found:
            return None
        best = max(found, key=lambda c: c.total + c.fit)
        return draft_of(self.name, best, asking, LONG_ROOM)


def _fit(term: str, scored: Scored) -> float:
    """1 for ``term — …`` or ``term is a …``; less where the term merely is the subject."""
    wanted = bag(term)
    plain = scored.plain
    row = cells(plain) if scored.unit.kind == UnitKind.ROW else ()
    if len(row) > 1:  # what happened to it, or its figures, say less of what it is than any sentence
        return 0.2 if wanted and wanted <= bag(row[0][1].text) else -0.5
    entry = re.match(r"(.{2,80}?)\s*(?:—|–|\s-{1,3}\s|:)\s*\S", plain)
    if entry and wanted and wanted <= bag(entry[1]):
        head = bag(re.sub(r"\([^)]*\)?", " ", entry[1]))
        return 0.3 if not wanted <= head else 1.0 if len(head) <= len(wanted) + 2 else 0.7
    says = re.match(
        r"(?:an?\s+|the\s+)?(.{2,80}?)\s+(?:is|are|was|were|means?|refers? to|denotes?|describes?)\s+", plain, re.I
    )
    if says and wanted and wanted <= bag(says[1]):
        return 0.9 if len(bag(says[1])) <= len(wanted) + 1 else 0.6
    named = re.search(rf"(?<!\w){re.escape(term)}(?:\s*\([^)]*\))?,\s+(?:an?|the|one of)\s+\w", plain, re.IGNORECASE)
    if named:  # an apposition: "… X, a …"
        return 0.8
    opening = re.sub(r"^(?:an?|the)\s+", "", plain, flags=re.IGNORECASE).split()
    return 0.6 if wanted and wanted <= bag(" ".join(opening[: len(term.split())])) else 0.0

"""A question about a part of the documents: "… in the Harbour chapter", "… of the kiln diagram"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kg.ask.drafts import Asking, Draft
from kg.ask.judge import Verdict
from kg.ask.question import Role
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import dates
from kg.ask.terms import bag
from kg.model import Reason

# The last phrase of a question, of a few words, that says where something stands.
_SCOPE = re.compile(
    r"\s+(?:in|of|on|from|within)\s+(?:the|their|its)\s+(?P<scope>(?:[^\s,?]+\s+){0,4}[^\s,?]+?)\s*\?*$"
)
# Headings must have this share of the phrase's words.
_SAID = 0.6
_DECLINED = frozenset((Reason.NO_EVIDENCE, Reason.UNKNOWN_RELATION))

Decided = tuple[Draft | None, Verdict, Sequence[Draft]]


def scoped(
    asking: Asking, decided: Decided, decide: Callable[[Asking], tuple[Asking, Decided]]
) -> tuple[Asking, Decided]:
    """A declined question asked without its scope, if what answers it stands under headings that say the scope."""
    question, (_, verdict, _) = asking.question, decided
    match = _SCOPE.search(question.text)
    if match is None or verdict.reason not in _DECLINED or dates(match["scope"]):
        return asking, decided
    inside = [t for t in asking.found.terms if t.word.token.start >= match.start("scope")]
    if len(inside) == len(asking.found.terms) or not any(t.word.role == Role.NAME for t in inside):
        return asking, decided
    part, (draft, judged, proposals) = decide(asking.about(question.text[: match.start()] + "?"))
    if draft is None or judged.reason is not None or not all(_stands_in(inside, s) for s in draft.evidence):
        return asking, decided
    return part, (draft, judged, proposals)


def _stands_in(scope: Sequence[Term], scored: Scored) -> bool:
    """Whether the headings over a unit have every name of a scope, and most of its words."""
    said = bag(" ".join(scored.passage.headings))
    found = [t.found(said) >= 0.5 for t in scope]
    named = all(f for f, t in zip(found, scope, strict=True) if t.word.role == Role.NAME)
    return named and sum(found) >= _SAID * len(found)

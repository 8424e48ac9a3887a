"""Two questions in one, the second about the first's answer: "who built it, and where did that yard stand?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kg.ask.drafts import LONG_ROOM, Asking, Draft, clip
from kg.ask.judge import Verdict

# A second question that is read apart must be answered so surely.
_SURE = 0.6
Decided = tuple[Draft | None, Verdict, Sequence[Draft]]

_AND = re.compile(
    r"^(?P<first>(?:what|which|who|where|when|how)\b.+?),?\s+and\s+(?P<second>(?:what|which|who|where|when|how|whose|"
    r"by whom|in which|to whom|of what)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|he|she|him|her|his)\b", re.IGNORECASE)
_OWNING = frozenset(("its", "their", "his"))
_BACK = re.compile(r"\b(?:that|this|the latter|the same)\s+[a-z][\w-]*|\bthe latter\b", re.IGNORECASE)


def chained(asking: Asking, decide: Callable[[Asking], Decided]) -> Decided | None:
    """Both answers, the first put in where the second question points back to it; None if it isn't such a question.

    Where only one of two questions has an answer, that is given and the other said to have none.
    """
    match = _AND.match(asking.question.text.strip(" ?"))
    if match is None:
        return None
    if not (back := _BACK.search(match["second"])):
        return _side_by_side(asking, match["first"], match["second"], decide)
    first, sure, _ = decide(asking.about(match["first"] + "?"))
    if first is None or sure.reason is not None or len(first.values) != 1 or not first.values[0].label:
        return None
    second = match["second"]
    asked = f"{second[: back.start()]}{first.values[0].label}{second[back.end() :]}?"
    last, surer, proposals = decide(asking.about(asked[0].upper() + asked[1:]))
    if last is None or surer.reason is not None or not last.values:
        return None
    return _both(first, last), Verdict(min(sure.confidence, surer.confidence)), proposals


def _side_by_side(asking: Asking, one: str, two: str, decide: Callable[[Asking], Decided]) -> Decided | None:
    """Both answers of two questions on the same thing, or on two."""
    first = asking.about(f"{one}?")
    pronoun = _PRONOUN.search(two)
    asked = two
    if pronoun is not None and first.question.names:
        owning = "'s" if pronoun.group().casefold() in _OWNING else ""
        asked = f"{two[: pronoun.start()]}{first.question.names[0].text}{owning}{two[pronoun.end() :]}"
    second = asking.about(f"{asked[0].upper()}{asked[1:]}?")
    if pronoun is None and not second.question.names:
        return None
    told = decide(first)
    # What "they" are that no name says isn't known.
    other: Decided = decide(second) if second.question.names else (None, Verdict(0.5), ())
    if told[0] is None or told[1].reason is not None:
        told, other, two = other, told, one
    draft, verdict, proposals = told
    if draft is None or verdict.reason is not None:
        return None, verdict, ()
    last, surer, _ = other
    if last is None or surer.reason is not None or surer.confidence < _SURE or not last.values:
        missing = two[0].lower() + two[1:]
        return replace(draft, text=f"{draft.text} (The documents don't say {missing}.)"), verdict, proposals
    return _both(draft, last), Verdict(min(verdict.confidence, surer.confidence)), proposals


def _both(first: Draft, last: Draft) -> Draft:
    """One draft of two: the values one after the other, each with its units."""
    shift = len(first.evidence)
    moved = tuple(replace(v, evidence=tuple(i + shift for i in v.evidence)) for v in last.values)
    kept = tuple(replace(v, evidence=v.evidence or (0,)) for v in first.values)
    said = "; ".join(", ".join(v.label for v in part.values) for part in (first, last))
    text = clip(f"{said} – “{last.evidence[0].plain}”", 0, LONG_ROOM)
    evidence = (*first.evidence, *last.evidence)
    return replace(last, kind="chain", text=text, values=(*kept, *moved), evidence=evidence, exact=False)

"""Two questions in one, the second about the first's answer: "who built it, and where did that yard stand?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kg.ask.drafts import LONG_ROOM, Asking, Draft, clip
from kg.ask.judge import Verdict

Decided = tuple[Draft | None, Verdict, Sequence[Draft]]

_AND = re.compile(
    r"^(?P<first>(?:what|which|who|where|when|how)\b.+?),?\s+and\s+(?P<second>(?:what|which|who|where|when|how|whose|"
    r"by whom|in which|to whom|of what)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)
_BACK = re.compile(r"\b(?:that|this|the latter|the same)\s+[a-z][\w-]*|\bthe latter\b", re.IGNORECASE)


def chained(asking: Asking, decide: Callable[[Asking], Decided]) -> Decided | None:
    """Both answers, the first put in where the second question points back to it; None if it isn't such a question."""
    match = _AND.match(asking.question.text.strip(" ?"))
    if match is None or not (back := _BACK.search(match["second"])):
        return None
    first, sure, _ = decide(asking.about(match["first"] + "?"))
    if first is None or sure.reason is not None or len(first.values) != 1 or not first.values[0].label:
        return None
    second = match["second"]
    asked = f"{second[: back.start()]}{first.values[0].label}{second[back.end() :]}?"
    last, surer, proposals = decide(asking.about(asked[0].upper() + asked[1:]))
    if last is None or surer.reason is not None or not last.values:
        return None
    return _both(first, last), Verdict(min(sure.confidence, surer.confidence)), proposals


def _both(first: Draft, last: Draft) -> Draft:
    """One draft of two: the values one after the other, each with its units."""
    shift = len(first.evidence)
    moved = tuple(replace(v, evidence=tuple(i + shift for i in v.evidence)) for v in last.values)
    kept = tuple(replace(v, evidence=v.evidence or (0,)) for v in first.values)
    text = clip(
        f"{first.values[0].label}; {', '.join(v.label for v in last.values)} – “{last.evidence[0].plain}”", 0, LONG_ROOM
    )
    evidence = (*first.evidence, *last.evidence)
    return replace(last, kind="chain", text=text, values=(*kept, *moved), evidence=evidence, exact=False)

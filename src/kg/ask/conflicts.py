"""Questions that ask what the several documents say, or how sure it is: every distinct answer with its source."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, Asking, Draft, Value, clip
from kg.ask.entities import best_entity
from kg.ask.numbers import NumberQuestion, best_number
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.terms import bag

_ASKS = re.compile(
    r"\b(?:sources?|docs?|documents?|accounts?|texts?|papers?|files?|notes?)\s+(?:\w+\s+)?(?:seem|say|give|name|differ|disagree|"
    r"state|mention|report|claim|conflict|contradict)|\bdo the (?:sources|documents|docs|texts)\b|\b(?:disagree|conflict\w*|"
    r"contradict\w*|discrepan\w*|different (?:things|figures|numbers|values|answers))\b|\baccording to the (?:different|various)\b",
    re.IGNORECASE,
)
_SURE = re.compile(r"\bhow (?:sure|certain|confident|reliable|well established)\b|\b(?:proof|proven|evidence) (?:that|of)\b", re.I)
_HEDGE = re.compile(
    r"\b(?:nothing that proves|no proof|not (?:confirmed|proven|clear|officially)|unclear|likely|reportedly|suspected|assum\w+|"
    r"guess|could|might|may|estimated|leaked|rumou?red|allegedly|seems?|appears?|claims?|confirmed|undisclosed|unknown)\b",
    re.IGNORECASE,
)
_MOST = 4


class ConflictQuestion:
    """What each source says."""

    name = "conflicting"

    def asks(self, question: Question) -> bool:
        """Asks for what sources give, or how sure something is."""
        return bool(_ASKS.search(question.text)) or bool(_SURE.search(question.text)) and question.opening.startswith("how")

    def read(self, asking: Asking) -> Draft | None:
        """The best units that each add something, quoted one after the other."""
        units = _hedged(asking) if _SURE.search(asking.question.text) else _distinct(asking)
        if not units:
            return None
        room = LONG_ROOM // len(units)
        lead = _values(asking, units)
        text = "; ".join(f"“{clip(u.plain, 0, room)}”" for u in units)
        labels = tuple(Value(label, (i,)) for i, label in enumerate(lead) if label)
        return Draft(self.name, text, labels, units, 0.5)


def _hedged(asking: Asking) -> tuple[Scored, ...]:
    """Units near the top that say how sure they are."""
    top = asking.found.units[:15]
    hedged = sorted(top, key=lambda s: (-(s.score + 0.3 * bool(_HEDGE.search(s.plain))), s.key))
    return tuple(hedged[:_MOST])


def _distinct(asking: Asking) -> tuple[Scored, ...]:
    """The best units, leaving out those that repeat most of another's words."""
    kept: list[Scored] = []
    for scored in asking.found.units[:20]:
        words = bag(scored.plain)
        if all(len(words & bag(k.plain)) < 0.6 * min(len(words), len(bag(k.plain))) for k in kept):
            kept.append(scored)
        if len(kept) == _MOST:
            break
    return tuple(kept)


def _values(asking: Asking, units: tuple[Scored, ...]) -> list[str]:
    """The value that each unit gives."""
    numeric = NumberQuestion().asks(asking.question)
    found = []
    for unit in units:
        choice = best_number(asking.of((unit,))) if numeric else best_entity(asking.of((unit,)))
        found.append(choice.label if choice is not None else "")
    return found

"""Questions that ask what the several documents say, or how sure it is: every distinct answer with its source."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, Asking, Choice, Draft, Value, clip, sentence
from kg.ask.numbers import NumberQuestion, number_choices
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored
from kg.ask.terms import bag

_ASKS = re.compile(
    r"\b(?:sources?|docs?|documents?|accounts?|texts?|papers?|files?|notes?)\s+(?:\w+\s+)?(?:seem|say|give|name|"
    r"differ|disagree|state|mention|report|claim|conflict|contradict)|\bdo the (?:sources|documents|docs|texts)\b|"
    r"\b(?:disagree|conflict\w*|contradict\w*|discrepan\w*|different (?:things|figures|numbers|values|answers))\b|"
    r"\baccording to the (?:different|various)\b|"
    r"\b(?:by|in|from|with|to) each (?:source|document|account|report|text|paper)\b|"
    r"\b(?:two|three|several|both|differing|more than one|various) "
    r"(?:figures|numbers|values|answers|versions|accounts)\b",
    re.IGNORECASE,
)
_SURE = re.compile(
    r"\bhow (?:sure|certain|confident|reliable|well established)\b|\b(?:proof|proven|evidence) (?:that|of)\b", re.I
)
_HEDGE = re.compile(
    r"\b(?:nothing that proves|no proof|not (?:confirmed|proven|clear|officially)|unclear|likely|reportedly|suspected|"
    r"assum\w+|guess|could|might|may|estimated|leaked|rumou?red|allegedly|seems?|appears?|claims?|confirmed|undisclosed|unknown)\b",
    re.IGNORECASE,
)
_MOST = 4


class ConflictQuestion:
    """What each source says."""

    name = "conflicting"

    def asks(self, question: Question) -> bool:
        """Asks for what sources give, or how sure something is."""
        return bool(_ASKS.search(question.text)) or (
            bool(_SURE.search(question.text)) and question.opening.startswith("how")
        )

    def read(self, asking: Asking) -> Draft | None:
        """The best units that each add something, quoted one after the other."""
        if _SURE.search(asking.question.text):
            return _quoted(self.name, _hedged(asking))
        if NumberQuestion().asks(asking.question):
            return _figures(self.name, asking)
        return _quoted(self.name, _distinct(asking))


def without_sources(text: str) -> str:
    """A question without the sentences that only speak of its sources.

    >>> without_sources("How long is it? The papers disagree.")
    'How long is it?'
    """
    kept = [part for part in re.split(r"(?<=[.?!;:])\s+", text) if not _ASKS.search(part)]
    return " ".join(kept) or text


def _quoted(kind: str, units: tuple[Scored, ...]) -> Draft | None:
    if not units:
        return None
    room = LONG_ROOM // len(units)
    text = "; ".join(f"“{clip(u.plain, 0, room)}”" for u in units)
    return Draft(kind, text, (), units, 0.5)


def _figures(kind: str, asking: Asking) -> Draft | None:
    """Every distinct figure, each with the unit that gives it."""
    kept: list[Choice] = []
    for choice in number_choices(asking.of(_of_named(asking))):
        if choice.fit > 0 and all(choice.value != k.value and choice.scored.key != k.scored.key for k in kept):
            kept.append(choice)
        if len(kept) == _MOST:
            break
    if not kept:
        return None
    room = LONG_ROOM // len(kept)
    text = "; ".join(sentence(c.label, c.scored.plain, room) for c in kept)
    values = tuple(Value(c.label, (i,)) for i, c in enumerate(kept))
    return Draft(kind, text, values, tuple(c.scored for c in kept), kept[0].fit)


def _of_named(asking: Asking) -> tuple[Scored, ...]:
    """Units that tell of the rarest name asked about, else of any, else all."""
    units = asking.found.units
    names = [t for t in asking.found.terms if t.word.role == Role.NAME]
    if names:
        rarest = max(names, key=lambda t: (t.weight, -t.word.token.start))
        named = tuple(u for u in units if rarest.found(asking.retriever.context_words(u)) >= 0.5)
        if named:
            return named
    return tuple(u for u in units if u.names >= 0.5) or units


def _named(asking: Asking) -> list[Scored]:
    """Units that speak of what the question names, then the others."""
    return sorted(asking.found.units, key=lambda s: (s.names < 0.5, -s.score, s.key))


def _hedged(asking: Asking) -> tuple[Scored, ...]:
    """Units near the top that say how sure they are."""
    top = _named(asking)[:15]
    hedged = sorted(top, key=lambda s: (-(s.score + 0.3 * bool(_HEDGE.search(s.plain))), s.key))
    return tuple(hedged[:_MOST])


def _distinct(asking: Asking) -> tuple[Scored, ...]:
    """The best units, leaving out those that repeat most of another's words."""
    kept: list[Scored] = []
    for scored in _named(asking)[:20]:
        words = bag(scored.plain)
        if all(len(words & bag(k.plain)) < 0.6 * min(len(words), len(bag(k.plain))) for k in kept):
            kept.append(scored)
        if len(kept) == _MOST:
            break
    return tuple(kept)

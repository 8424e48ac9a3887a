"""How old somebody or something was when something happened: two dates, subtracted."""

from __future__ import annotations

import re
from datetime import date

from kg.ask.drafts import Asking, Choice, Draft, Value
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.terms import bag
from kg.ask.times import date_choices

_ASKS = re.compile(
    r"^how old (?:was|were)\s+(?P<who>.+?)\s+(?:when|as)\s+(?P<event>.+?)[?.!\s]*$|"
    r"^(?:at what age) did\s+(?P<one>.+?)\s+(?P<did>[a-z]+\b.*?)[?.!\s]*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:he|she|it|they)\b", re.IGNORECASE)
_STATED = re.compile(r"\baged?\s+(?:of\s+)?\d{1,3}\b|\b\d{1,3}[ -]years?[ -]old\b", re.IGNORECASE)
# A unit that says this share of a question may date what happened.
_DATES = 0.6


class AgeQuestion:
    """An age at a time."""

    name = "duration"

    def asks(self, question: Question) -> bool:
        """``how old was X when …``, ``at what age did X …``."""
        return bool(_ASKS.match(question.text))

    def read(self, asking: Asking) -> Draft | None:
        """The years between the birth and the event; nothing unless both are dated, None where an age is stated."""
        if any(_STATED.search(s.plain) for s in asking.found.units[:3]):
            return None
        return self._computed(asking) or Draft(self.name, "", (), (), 0.0)  # a date alone is no age

    def _computed(self, asking: Asking) -> Draft | None:
        match = _ASKS.match(asking.question.text)
        assert match is not None
        who = (match["who"] or match["one"]).strip()
        event = match["event"] or f"{who} {match['did']}"
        event = _PRONOUN.sub(lambda _: who, event)
        born = _dated(asking, f"When was {who} born?", who, "born")
        then = _dated(asking, f"When {event}?", who if who in event else event, "")
        if born is None or then is None or born.day >= then.day:
            return None
        label = age(born.day, then.day)
        text = f"{label} – from {born.label} to {then.label}"
        evidence: tuple[Scored, ...] = (born.scored, then.scored)
        # Exact, so that neither of the two dates is preferred to what they give together.
        return Draft(self.name, text, (Value(label, (0, 1)),), evidence, 0.8, explained=1.0, exact=True)


def _dated(asking: Asking, question: str, who: str, verb: str) -> Choice | None:
    """The date of an event in a unit that says it of the one asked about."""
    sub = asking.about(question)
    named = bag(who)
    for choice in date_choices(sub):
        words = asking.retriever.context_words(choice.scored)
        if choice.scored.own >= _DATES and (named <= words or not verb) and (not verb or _born(choice)):
            return choice
    return None


def _born(choice: Choice) -> bool:
    """Whether a date is one of birth: said right before it, or over its cell."""
    before = choice.scored.plain[max(0, choice.span.start - 40) : choice.span.start]
    return bool(re.search(r"\b(?:born|birth\w*|b\.|founded|opened|built)\b[^;.]*$", before, re.IGNORECASE))


def age(born: str, then: str) -> str:
    """Whole years between two dates as exact as they are told (``1931``, ``1931-05``, ``1931-05-02``).

    >>> age("1931-05-02", "1967-03-01"), age("1931", "1967")
    ('35', '35 or 36')
    """
    years = int(then[:4]) - int(born[:4])
    if len(born) == len(then) == 10:
        one, two = date.fromisoformat(born), date.fromisoformat(then)
        return str(years - ((two.month, two.day) < (one.month, one.day)))
    if len(born) > 4 and len(then) > 4 and born[5:7] != then[5:7]:
        return str(years - (then[5:7] < born[5:7]))
    return f"{years - 1} or {years}"

"""A or B: the figure or date of each, compared; and by how much two figures differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.adjectives import degree, placing
from kg.ask.drafts import Asking, Draft, Value, clip, covered
from kg.ask.numbers import best_number
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.spans import numbers
from kg.ask.terms import bag
from kg.ask.times import best_date

_FIRST = (
    w.EARLY
    | w.LATE
    | frozenset(["earlier", "later", "older", "newer", "sooner", "before", "after", "recent", "recently"])
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the things compared, with its figure (or the day that bounds its date) and where it stands."""

    name: str
    shown: str
    value: float
    scored: Scored
    total: float


class ComparisonQuestion:
    """Which of two is more, bigger, earlier."""

    name = "comparison"

    def asks(self, question: Question) -> bool:
        """A choice between two things with a comparing word."""
        if not question.options:
            return False
        graded = any(degree(t.lower) is not None and t.lower.endswith(("er", "est")) for t in question.tokens)
        return graded or question.has(*w.COMPARATIVES, *w.SUPERLATIVES, "before", "after", "versus", "vs")

    def read(self, asking: Asking) -> Draft | None:
        """Both figures, the winning side first; None unless both are found."""
        by_date = question_of_dates(asking.question)
        sides = [side for option in asking.question.options if (side := _side(asking, option, by_date))]
        if len(sides) < 2 or sides[0].value == sides[1].value or sides[0].name == sides[1].name:
            return None
        up = wants_more(asking.question)
        first, second = sorted(sides, key=lambda s: s.value, reverse=up)
        text = f"{first.name}: {first.shown} ({second.name}: {second.shown})"
        fit = min(s.total for s in sides)
        quoted = f"{text} – “{clip(first.scored.plain, 0, max(40, 180 - len(text)))}”"
        return Draft(self.name, quoted, (Value(first.name),), (first.scored, second.scored), min(1.0, fit / 2))


def question_of_dates(question: Question) -> bool:
    """Whether earlier or later is asked for rather than more or less."""
    if placing(t.lower for t in question.tokens) is not None:
        return False
    if any(t.lower in _FIRST for t in question.tokens):
        counted = question.focus and not question.focus_in(w.DATE_NOUNS) and question.opening == "how many"
        return not counted
    return question.opening == "when"


def wants_more(question: Question) -> bool:
    """Whether the greater (or later) of the values is wanted."""
    lowers = [t.lower for t in question.tokens]
    if (placed := placing(lowers)) is not None:
        return placed[0] > 0
    if any(x in w.LATE for x in lowers):
        return True
    if (graded := _graded(question)) is not None:
        return graded[0] > 0
    return not any(x in w.EARLY | w.DOWN for x in lowers)


def _graded(question: Question) -> tuple[int, frozenset[str]] | None:
    """The end and the property's nouns of a comparing adjective that no list has ("pricier")."""
    words = (t.lower for t in question.tokens if t.lower not in w.COMPARATIVES | w.SUPERLATIVES)
    return next((d for x in words if x.endswith(("er", "est")) and (d := degree(x)) is not None), None)


def _side(asking: Asking, option: str, by_date: bool) -> Side | None:
    """The figure of one option: the question asked of it alone, answered from units that name it."""
    sub = asking.about(_single(asking.question, option))
    wanted = bag(option)
    units = tuple(s for s in sub.found.units if wanted <= sub.retriever.context_words(s))
    sub = sub.of(units)
    choice = best_date(sub) if by_date else best_number(sub)
    if choice is None or choice.fit < 0.1:
        return None
    return Side(option_name(option), choice.label, choice.value, choice.scored, choice.total)


def option_name(option: str) -> str:
    """An option as it is shown: without an article."""
    return re.sub(r"^(?:the|an?)\s+", "", option, flags=re.IGNORECASE)


def _single(question: Question, option: str) -> str:
    """The question about one option: the other and the comparing words left out, so that both are asked the same."""
    text = question.text
    for other in question.options:
        text = text.replace(other, " ")
    kept = [
        t.text
        for t in question.tokens
        if t.text in text and t.lower not in w.COMPARATIVES | w.SUPERLATIVES | w.FUNCTION | {"versus", "vs"}
    ]
    if (graded := _graded(question)) is not None:  # "pricier": the price is asked of both
        kept = [*sorted(graded[1]), *(x for x in kept if degree(x.casefold()) is None)]
    noun = " ".join(dict.fromkeys(kept))
    return f"How many {noun} {option}?" if not question_of_dates(question) else f"When {noun} {option}?"


class DifferenceQuestion:
    """By how much two figures differ."""

    name = "difference"

    def asks(self, question: Question) -> bool:
        """``by how many/much …``, ``how many/much more … than``."""
        return bool(
            re.search(
                r"\bby how (?:many|much)\b|\bhow (?:many|much) (?:more|fewer|less|bigger|larger|higher)\b",
                question.lower,
            )
        )

    def read(self, asking: Asking) -> Draft | None:
        """The difference of the two figures of the best unit that states two of the noun asked for."""
        if len(asking.question.names) == 2 and (draft := self._of_two(asking)) is not None:
            return draft
        focus = asking.focus_terms()
        for scored in asking.found.units[:8]:
            found = [n for n in numbers(scored.plain) if covered(focus, n.noun.split(" ")[0] if n.noun else "") > 0.5]
            values = sorted({v for n in found for v in (n.low, n.high)})
            if len(values) == 2:
                return _difference(self.name, scored, values, found[0].noun.split(" ")[0])
        return None

    def _of_two(self, asking: Asking) -> Draft | None:
        """The difference between the figures of the two things named."""
        noun = " ".join(t.text for t in asking.question.focus)
        found = []
        for name in asking.question.names:
            sub = asking.about(f"How many {noun} {name.text}?")
            units = tuple(s for s in sub.found.units if bag(name.text) <= sub.retriever.context_words(s))
            choice = best_number(sub.of(units))
            if choice is None or choice.fit < 0.1:
                return None
            found.append(choice)
        if found[0].value == found[1].value or found[0].scored.key == found[1].scored.key:
            return None
        label = f"{abs(found[0].value - found[1].value):,.10g} {noun}".strip()
        sides = ", ".join(f"{n.text}: {c.label}" for n, c in zip(asking.question.names, found, strict=True))
        return Draft(self.name, f"{label} ({sides})", (Value(label),), tuple(c.scored for c in found), 0.7)


def _difference(kind: str, scored: Scored, values: Sequence[float], noun: str) -> Draft:
    label = f"{values[1] - values[0]:,.10g} {noun}".strip()
    text = f"{label} ({values[0]:,.10g} → {values[1]:,.10g}) – “{clip(scored.plain, 0, 130)}”"
    return Draft(kind, text, (Value(label),), (scored,), 0.7)

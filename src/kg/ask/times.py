"""When: a date next to what happened, or in the heading above it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from kg.ask import words as w
from kg.ask.drafts import Around, Asking, Choice, Draft, Value, choices, draft_of, sentence
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.ask.spans import Date, Span, dates


class DateQuestion:
    """A day, month or year."""

    name = "date"

    def asks(self, question: Question) -> bool:
        """``when …``, ``in which year …``, ``… date?``."""
        if question.opening == "when":
            return True
        if question.opening in ("what", "which") and question.focus:
            return question.focus[-1].lower in w.DATE_NOUNS
        return not question.opening and bool(question.tokens) and question.tokens[-1].lower in ("date", "year")

    def read(self, asking: Asking) -> Draft | None:
        """The best date of the best units."""
        if re.search(r"\bdates\b|\bfrom when\b|\bbetween when\b", asking.question.lower) and (both := _period(asking)):
            return both
        best = best_date(asking)
        return draft_of(self.name, best, asking) if best else None


def _period(asking: Asking) -> Draft | None:
    """Of the first of the best units that gives a beginning and an end, both."""
    best = asking.found.best
    for scored in asking.found.units[:5]:
        for one, two in itertools.pairwise(dates(scored.plain)):
            between = scored.plain[one.end : two.start]
            if re.fullmatch(r"\s*(?:to|until|till|and|through|[-–—])\s*(?:the\s+)?", between) and best is not None:
                text = f"{one.text} to {two.text}"
                values = (Value(one.text), Value(two.text))
                return Draft("date", sentence(text, scored.plain), values, (scored,), 0.9)
    return None


def best_date(asking: Asking) -> Choice | None:
    """The date that fits the question best."""
    found = date_choices(asking)
    return found[0] if found else None


def date_choices(asking: Asking) -> list[Choice]:
    """Dates of the best units, the best fitting first."""
    return choices(asking, lambda s: _dates(asking, s))


def _dates(asking: Asking, scored: Scored) -> Iterator[Choice]:
    asked = {d.text for d in dates(asking.question.text)}
    inside = tuple(d for d in dates(scored.plain) if d.precision >= least_precision(asking.question))
    around = Around(asking.found.terms, scored.plain)
    for date in inside:
        fit = 0.5 + 0.4 * around.near(date) + 0.05 * date.precision
        yield _choice(scored, date, date, fit - (0.6 if date.text in asked else 0))
    if not inside and scored.passage.headings:
        heading = scored.passage.headings[-1]
        for date in dates(heading):
            if date.precision < least_precision(asking.question):
                continue
            yield _choice(scored, Span(0, 0, date.text), date, 0.45)


def least_precision(question: Question) -> int:
    """3 where a day is asked for, 2 for a month, else 1: a year is no answer to "on what day"."""
    noun = question.focus[-1].lower if question.focus and question.opening in ("what", "which") else ""
    return 3 if noun in ("day", "weekday") else 2 if noun == "month" else 1


def _choice(scored: Scored, span: Span, date: Date, fit: float) -> Choice:
    day = date.earliest[: {1: 4, 2: 7, 3: 10}[date.precision]]
    return Choice(scored, span, fit, date.text, float(date.earliest.replace("-", "")), day)

"""How many, how much, how long, what cost: a number of the right measure next to the right noun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kg.ask import words as w
from kg.ask.drafts import Around, Asking, Choice, Draft, choices, draft_of, matched
from kg.ask.question import Question
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import MEASURE_OF, Number, Span, cells, numbers
from kg.units import find_unit

_MEASURES = {
    "how long": "duration", "how soon": "duration", "how quickly": "duration", "how old": "duration",
    "how far": "length", "how high": "length", "how tall": "length", "how deep": "length", "how wide": "length",
    "how fast": "rate", "how heavy": "weight", "how hot": "temperature", "how cold": "temperature",
    "how expensive": "money",
}  # fmt: skip


# Heads of columns that say what is counted only in the table's title.
_COLUMN_OF_NUMBERS = frozenset(["count", "number", "value", "amount", "total", "quantity", "figure", "size"])


# "Gate 3", "Gen 1": the number of one thing, not how many there are.
_NUMBERED = re.compile(r"(?:^|[:;(,]\s|\bthe\s)[A-Z][a-z]{1,11}\.?\s(?:no\.?\s)?$")


class NumberQuestion:
    """A quantity or a count that a unit states."""

    name = "number"

    def asks(self, question: Question) -> bool:
        """``how many/much/long …``, ``number of …``, ``what cost/share/rate …``."""
        if question.opening.startswith(("how many", "how much", "number of")) or question.opening in _MEASURES:
            return True
        if question.opening in ("how big", "how large", "how small", "how powerful"):
            return True
        if re.match(r"what\s+(?:do|does|did|will|would)\b.*\b(?:cost|pay|spend|charge)\b", question.lower):
            return True
        nouns = w.MONEY_NOUNS | w.SHARE_NOUNS | w.NUMBER_NOUNS
        return question.opening in ("what", "which") and (question.focus_in(nouns) or _asks_measure(question, nouns))

    def read(self, asking: Asking) -> Draft | None:
        """The best number of the best units."""
        best = best_number(asking)
        return draft_of(self.name, best, asking) if best else None


def best_number(asking: Asking) -> Choice | None:
    """The number that fits the question best."""
    found = number_choices(asking)
    return found[0] if found else None


def number_choices(asking: Asking) -> list[Choice]:
    """Numbers of the best units, the best fitting first."""
    measure = expected(asking.question)
    return choices(asking, lambda s: _numbers(asking, s, measure))


def _asks_measure(question: Question, nouns: frozenset[str]) -> bool:
    match = re.match(
        r"what(?:'s|\s+is|\s+was|\s+were|\s+are)\s+(?:the\s+|an?\s+)?(?:\w+['’]s\s+)?((?:[\w-]+\s+){0,3}?[\w-]+)\b(?:\s+(?:of|for|per|in|on)\b|\?|$)",
        question.lower,
    )
    return bool(match) and match[1].split()[-1] in nouns if match else False


@lru_cache(maxsize=256)
def expected(question: Question) -> str:
    """The measure that a question asks for, "" where it asks for a count."""
    if question.opening in _MEASURES:
        return _MEASURES[question.opening]
    lowers = [t.lower for t in question.focus] or [t.lower for t in question.tokens[:6]]
    spending = question.opening in ("how much", "what") and question.has(*w.SPENDING)
    if spending or any(x in w.MONEY_NOUNS for x in lowers):
        return "money"
    if any(x in w.SHARE_NOUNS for x in lowers):
        return "percent"
    return next((MEASURE_OF[x] for x in lowers if x in MEASURE_OF), "")


def _numbers(asking: Asking, scored: Scored, measure: str) -> Iterator[Choice]:
    focus, around = asking.focus_terms(), Around(asking.found.terms, scored.plain)
    asked = {n.low for n in numbers(asking.question.text)}
    counting = asking.question.opening in ("how many", "number of") and not measure
    for number in numbers(scored.plain):
        label, cell = _cell_of(scored.plain, number)
        if label.casefold() in _COLUMN_OF_NUMBERS:
            # What is counted is said at the head of the row, or over the table.
            label = f"{_head(scored.plain)} {scored.unit.context} {' '.join(scored.passage.headings[-1:])}"
        counted = not measure and same_unit(asking.question, number)
        fit = 0.7 + 0.3 * around.near(number) if counted else _fit(around, number, label, measure, focus)
        if number.low in asked:
            fit -= 0.6
        if counting and _NUMBERED.search(scored.plain[: number.start]):
            fit -= 0.6
        yield Choice(scored, number, max(fit, -0.5), _label(number, cell, focus, asking), number.low)


def _fit(around: Around, number: Number, label: str, measure: str, focus: tuple[Term, ...]) -> float:
    fit = 0.3 * around.near(number)
    if measure:
        fit += 0.5 if number.measure == measure else -0.4
        return fit + 0.2 * max(matched(focus, number.noun), matched(focus, label))
    if number.measure and number.measure != "factor":
        fit -= 0.3
    after = " ".join(number.noun.split()[:3])
    return fit + 0.7 * max(matched(focus, after), 0.8 * matched(focus, label))


def same_unit(question: Question, number: Number) -> bool:
    """Whether a number is in the unit that the question counts: "how many gigawatts" of "7 GW"."""
    if not question.focus or not question.opening.startswith(("how many", "number of")):
        return False
    named = next((u for t in question.focus if (u := find_unit(t.text)) is not None), None)
    written = re.search(r"[^\W\d][\w/·-]*$", number.text)
    return named is not None and written is not None and find_unit(written.group()) == named


def _cell_of(plain: str, span: Span) -> tuple[str, Span | None]:
    """The label and cell that a span stands in."""
    return next(((label, cell) for label, cell in cells(plain) if cell.start <= span.start < cell.end), ("", None))


def _head(plain: str) -> str:
    """The first cell of a row."""
    return next((cell.text for _, cell in cells(plain)), "")


def _label(number: Number, cell: Span | None, focus: tuple[Term, ...], asking: Asking) -> str:
    if cell is not None and len(cell.text) <= 40:
        return re.sub(r"(?<=[^\W\d_]{3})\.$", "", cell.text)  # a line may end as a sentence does
    first = number.noun.split(" ")[0].strip(",") if number.noun else ""
    if (number.measure and MEASURE_OF.get(first.casefold()) == number.measure) or (
        first and matched(focus, first) > 0.5
    ):
        return f"{number.text} {first}"
    return number.text

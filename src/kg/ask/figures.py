"""Dates, numbers and lengths of time that units state, and which of them a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from kg.ask.drafts import Around, Asking, Choice, Draft, Value, choices, draft_of, matched
from kg.ask.question import Question
from kg.ask.retrieve import Scored, Term
from kg.text import terms as w
from kg.text.spans import MEASURE_OF, Date, Number, Span, cells, dates, numbers
from kg.text.units import find_unit


def asks_date(question: Question) -> bool:
    """``when …``, ``in which year …``, ``… date?``."""
    if question.opening == "when":
        return True
    if question.opening in ("what", "which") and question.focus:
        return question.focus[-1].lower in w.DATE_NOUNS
    return not question.opening and bool(question.tokens) and question.tokens[-1].lower in ("date", "year")


def read_date(asking: Asking) -> Draft | None:
    """The best date of the best units."""
    found = date_choices(asking)
    return draft_of("date", found[0], asking) if found else None


def date_choices(asking: Asking) -> list[Choice]:
    """Dates of the best units, the best fitting first."""
    return choices(asking, lambda s: _dates(asking, s))


def _dates(asking: Asking, scored: Scored) -> Iterator[Choice]:
    asked = {d.text for d in dates(asking.question.text)}
    inside = tuple(d for d in dates(scored.plain) if d.precision >= least_precision(asking.question))
    around = Around(asking.found.terms, scored.plain)
    for found in inside:
        fit = 0.5 + 0.4 * around.near(found) + 0.05 * found.precision
        yield _choice(scored, found, found, fit - (0.6 if found.text in asked else 0))
    if not inside and scored.passage.headings:
        heading = scored.passage.headings[-1]
        for found in dates(heading):
            if found.precision >= least_precision(asking.question):
                yield _choice(scored, Span(0, 0, found.text), found, 0.45)


def least_precision(question: Question) -> int:
    """3 where a day is asked for, 2 for a month, else 1: a year is no answer to "on what day"."""
    noun = question.focus[-1].lower if question.focus and question.opening in ("what", "which") else ""
    return 3 if noun in ("day", "weekday") else 2 if noun == "month" else 1


def _choice(scored: Scored, span: Span, date: Date, fit: float) -> Choice:
    return Choice(scored, span, fit, date.text, float(date.earliest.replace("-", "")), date.day)


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


def asks_number(question: Question) -> bool:
    """``how many/much/long …``, ``number of …``, ``what cost/share/rate …``."""
    if question.opening.startswith(("how many", "how much", "number of")) or question.opening in _MEASURES:
        return True
    if question.opening in ("how big", "how large", "how small", "how powerful"):
        return True
    if re.match(r"what\s+(?:do|does|did|will|would)\b.*\b(?:cost|pay|spend|charge)\b", question.lower):
        return True
    nouns = w.MONEY_NOUNS | w.SHARE_NOUNS | w.NUMBER_NOUNS
    return question.opening in ("what", "which") and (question.focus_in(nouns) or _asks_measure(question, nouns))


def read_number(asking: Asking) -> Draft | None:
    """The best number of the best units."""
    measure = expected(asking.question)
    found = choices(asking, lambda s: _numbers(asking, s, measure))
    return draft_of("number", found[0], asking) if found else None


def _asks_measure(question: Question, nouns: frozenset[str]) -> bool:
    match = re.match(
        r"what(?:'s|\s+is|\s+was|\s+were|\s+are)\s+(?:the\s+|an?\s+)?(?:\w+['’]s\s+)?((?:[\w-]+\s+){0,3}?[\w-]+)\b(?:\s+(?:of|for|per|in|on)\b|\?|$)",
        question.lower,
    )
    return match is not None and match[1].split()[-1] in nouns


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
        yield Choice(scored, number, max(fit, -0.5), _label(number, cell, focus), number.low)


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


def _label(number: Number, cell: Span | None, focus: tuple[Term, ...]) -> str:
    if cell is not None and len(cell.text) <= 40:
        return re.sub(r"(?<=[^\W\d_]{3})\.$", "", cell.text)  # a line may end as a sentence does
    first = number.noun.split(" ")[0].strip(",") if number.noun else ""
    if (number.measure and MEASURE_OF.get(first.casefold()) == number.measure) or (
        first and matched(focus, first) > 0.5
    ):
        return f"{number.text} {first}"
    return number.text


_BETWEEN = re.compile(
    r"\b(?:how (?:long|many (?P<unit>days|weeks|months|years)|much time|soon|much later|much earlier))\b.*?"
    r"\b(?P<how>between|after|before|from|since|until)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s+(?:did|was|were|does|do|is|had|has|and|to|until|came|could|would)\s+", re.IGNORECASE)
_DID = re.compile(r"\s+(?:did|does|do)\s+", re.IGNORECASE)
_DAYS = {"days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}


def events(question: Question) -> tuple[str, str, str] | None:
    """The two events and the unit asked for (or ""): ``how many months after A did B``."""
    match = _BETWEEN.search(question.text.strip(" ?"))
    if not match:
        return None
    # "After it was founded did it move": the question's own helping verb parts the two.
    own = _DID if match["how"].casefold() in ("after", "before") and _DID.search(match["rest"]) else _SPLIT
    pieces = own.split(match["rest"], maxsplit=1)
    if len(pieces) < 2 or not all(p.strip() for p in pieces):
        return None
    return pieces[0].strip(), pieces[1].strip(), (match["unit"] or "").casefold()


def asks_duration(question: Question) -> bool:
    """``how long/how many months after A did B``, ``how much time lay between A and B``."""
    return events(question) is not None


def read_duration(asking: Asking) -> Draft | None:
    """The difference of the events' dates; None unless both are dated, exactly enough to tell it."""
    parted = events(asking.question)
    assert parted is not None
    one, two = (_dated(asking, event) for event in parted[:2])
    if one is None or two is None or one.label == two.label:
        return None
    first, last = sorted((one, two), key=lambda c: c.value)
    text = between(first.day, last.day, parted[2])
    if not text:
        return None
    shown = f"{text} – from {first.label} to {last.label}"
    return Draft("duration", shown, (Value(text.split(" (")[0]),), (one.scored, two.scored), min(one.fit, two.fit))


_ENDS = re.compile(r"\b(?:end|ended|ending|finish\w*|complet\w*|conclu\w*|last|clos\w*|stop\w*)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:start\w*|beg[iau]n\w*|begin\w*|first|open\w*|launch\w*)\b", re.IGNORECASE)


def _dated(asking: Asking, event: str) -> Choice | None:
    """The date of one event; of a period the end that the event speaks of.

    "Its founding" is that of the first thing that the rest of the question names.
    """
    pronoun = re.search(r"\b(?:its|his|her|their)\b", event, re.IGNORECASE)
    owner = next((n.text for n in asking.question.names if n.text not in event), "") if pronoun else ""
    sub = asking.about(f"When {event} {owner}".strip() + "?")
    found = date_choices(sub)
    if not found:
        return None
    best = found[0]
    near = [c for c in found if c.scored.key == best.scored.key and abs(c.span.start - best.span.start) < 40]
    if len(near) > 1 and _ENDS.search(event):
        return max(near, key=lambda c: c.value)
    if len(near) > 1 and _STARTS.search(event):
        return min(near, key=lambda c: c.value)
    return best


def between(first: str, last: str, unit: str = "") -> str:
    """The time between two dates in whole units, with the days where both are exact to the day; "" within one year
    that is all that is known.

    Dates are ``2019``, ``2019-02`` or ``2019-07-22``.

    >>> between("2019-03-11", "2019-07-22"), between("2015-12", "2016-08", "months"), between("2015", "2018")
    ('4 months (133 days)', '8 months', '3 years')
    """
    precision = min(first.count("-"), last.count("-"))
    years = int(last[:4]) - int(first[:4])
    if precision == 0:
        return f"{years} {'year' if years == 1 else 'years'}" if years else ""
    months = years * 12 + int(last[5:7]) - int(first[5:7])
    if precision == 1:
        return _in_months(months, unit)
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    days = (end - start).days
    if unit in ("days", "weeks"):
        return f"{round(days / _DAYS[unit])} {unit}"
    whole = months - (1 if end.day < start.day else 0)
    return f"{_in_months(whole, unit)} ({days} days)" if whole else f"{days} days"


def _in_months(months: int, unit: str) -> str:
    if unit == "years":
        years = months / 12
        return f"{years:.2g} years" if years < 99 else f"{years:.0f} years"
    if not unit and months >= 24:
        years, rest = divmod(months, 12)
        return f"{years} years" + (f" and {rest} {'month' if rest == 1 else 'months'}" if rest else "")
    return f"{months} {'month' if months == 1 else 'months'}"

"""Two things set against each other by a property that both have: which is more, by how much, how long between."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from datetime import date

from kg.ask.drafts import Asking, Backing, Draft, Value
from kg.ask.facts import Fact, by_property, is_date
from kg.ask.graph import Graph, amount
from kg.ask.linking import Linked, compared, in_time
from kg.ask.question import Question
from kg.text import terms as w
from kg.text.terms import tokens

_DIFFERENCE = re.compile(r"\bby how (?:much|many)\b|\bdifference\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\bhow (?:much|many)\b(?!\s+times)", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:(?:al)?together|combined|in total|in all|between them|the sum|the total)\b", re.IGNORECASE
)
_FACTOR = re.compile(r"\bhow many times\b|\b(?:what|which) (?:factor|multiple|ratio)\b|\bratio (?:of|between)\b", re.I)
# A property must be said or meant at least so well.
_SAID = 0.6

Told = tuple[str, str, str, str]  # the kind of an answer, its label, its text, and the head of its query


@dataclass(frozen=True, slots=True)
class Pair:
    """Two linked things and their facts of one property."""

    names: tuple[str, str]
    facts: tuple[Fact, Fact]
    score: float

    @property
    def order(self) -> int:
        """1 if the first is more than the second, -1 if less, 0 if neither; of dates as exactly as both are told."""
        one, two = (f.number for f in self.facts)
        if one is not None and two is not None:
            return (one > two) - (one < two)
        shorter = min(len(f.value) for f in self.facts)
        first, second = (f.value[:shorter] for f in self.facts)
        return (first > second) - (first < second)

    @property
    def both(self) -> str:
        """What is stated of each."""
        return "; ".join(f"{n}: {f.stated}" for n, f in zip(self.names, self.facts, strict=True))


def compare(graph: Graph, asking: Asking) -> Draft | None:
    """The comparison that a question about two things asks for, computed by a query; None if it asks for none."""
    question = asking.question
    lowers = [t.lower for t in question.tokens]
    amounts, timed, lapse = compared(lowers), in_time(lowers), events(question)
    way = amounts or timed
    linked = graph.links(question)
    asks_amount, factor = bool(_AMOUNT.search(question.text)), bool(_FACTOR.search(question.text))
    difference = bool(_DIFFERENCE.search(question.text)) or (asks_amount and amounts is not None)
    together = asks_amount and bool(_TOGETHER.search(question.text))
    if len(linked) != 2 or not (way or difference or factor or together or lapse):
        return None
    sign, nouns = way or (1, frozenset())
    pair = _pair(graph, asking, linked[0], linked[1], nouns, timed is not None)
    if pair is None:
        return None
    if timed and _dated(graph, pair):
        sign = timed[0]
    if lapse is not None:
        told = _lapse(pair, lapse[2])
    elif together or factor or difference:
        told = _amount(question, pair, "sum" if together else "factor" if factor else "difference")
    elif question.tokens[0].lower in w.AUXILIARIES and not question.options:
        told = _whether(pair, sign)
    else:
        told = _which(pair, sign) if question.opening in ("which", "who", "what", "") else None
    if told is None:
        return None
    kind, label, text, select = told
    patterns = [(f.subject, f.predicate, end) for f, end in zip(pair.facts, ("?one", "?two"), strict=True)]
    written, evidence = graph.run(select, patterns), graph.cited(asking, pair.facts)
    if not written.rows or not evidence:
        return None
    spans = [(x.start, x.end) for x in linked]
    explained = graph.explained(asking, graph.names(pair.facts[0].predicate), spans, nouns)
    values = (Value(label, tuple(range(len(evidence)))),)
    return Draft(kind, text, values, evidence, 0.9, Backing(written, pair.facts), explained, True)


def _dated(graph: Graph, pair: Pair) -> bool:
    """Whether dates are compared, years written as numbers among them."""
    names = graph.names(pair.facts[0].predicate)
    return is_date(pair.facts[0]) or any(t.lower in ("year", "date") for n in names for t in tokens(n))


def _pair(graph: Graph, asking: Asking, one: Linked, two: Linked, nouns: frozenset[str], timed: bool) -> Pair | None:
    """The facts of the property that fits best of those that both things have."""
    rest = graph.rest(asking, [(x.start, x.end) for x in (one, two)])
    found: list[Pair] = []
    for first, second in itertools.product(one.things, two.things):
        mine, other = _ordered(graph, first), _ordered(graph, second)
        for predicate in sorted(mine.keys() & other.keys()):
            facts = mine[predicate], other[predicate]
            dated = is_date(facts[0])
            if dated != is_date(facts[1]) or (nouns and not timed and dated) or facts[0].unit != facts[1].unit:
                continue
            score = graph.fit(rest, predicate, nouns) + (0.3 if dated and timed else 0.0)
            found.append(Pair((graph.facts.label(first), graph.facts.label(second)), facts, score))
    best = max(found, key=lambda pair: pair.score, default=None)
    return best if best is not None and best.score >= _SAID else None


def _ordered(graph: Graph, thing: str) -> dict[str, Fact]:
    """The first asserted number or date of each property of a thing."""
    told = by_property(f for f in graph.facts.of_subject(thing) if f.asserted and f.is_ordered)
    return {predicate: facts[0] for predicate, facts in told.items()}


def _held_against(pair: Pair, sign: int, name: str) -> str:
    """The head of the query that compares two values, the outcome called ``name``."""
    one, two = ("STR(?one)", "STR(?two)") if pair.facts[0].number is None else ("?one", "?two")
    return f"SELECT ?one ?two ({one} {'>' if sign > 0 else '<'} {two} AS ?{name})"


def _whether(pair: Pair, sign: int) -> Told | None:
    """Yes or no: the first thing named is on the asked side of the second."""
    if pair.order == 0 and is_date(pair.facts[0]) and len({len(f.value) for f in pair.facts}) > 1:
        return None  # the year of one, and a month of that year
    word = "Yes" if pair.order == sign else "No"
    return "boolean", word, f"{word}: {pair.both}{_apart(pair)}", _held_against(pair, sign, "holds")


def _which(pair: Pair, sign: int) -> Told | None:
    """The thing on the asked side, with both values."""
    order = pair.order * sign
    if order == 0:
        return None
    at = 0 if order > 0 else 1
    name, other = pair.names[at], pair.names[1 - at]
    text = f"{name}: {pair.facts[at].stated} ({other}: {pair.facts[1 - at].stated}{_apart(pair)})"
    return "comparison", name, text, _held_against(pair, sign, "first")


# What is computed of two numbers.
_SELECTED = {
    "factor": "SELECT ?one ?two ((IF(?one > ?two, ?one / ?two, ?two / ?one)) AS ?factor)",
    "difference": "SELECT ?one ?two (ABS(?one - ?two) AS ?difference)",
    "sum": "SELECT ?one ?two (?one + ?two AS ?sum)",
}


def _amount(question: Question, pair: Pair, computed: str) -> Told | None:
    """The difference, the ratio (the greater first) or the sum of two numbers."""
    one, two = (f.number for f in pair.facts)
    if one is None or two is None or (computed == "factor" and 0 in (one, two)):
        return None
    if computed == "factor":
        figure = f"{max(one, two) / min(one, two):.3g} times"
    else:
        result = one + two if computed == "sum" else abs(one - two)
        figure = amount(result, pair.facts[0].unit, _counted(question))
    label = f"about {figure}" if any(f.is_rough for f in pair.facts) else figure
    kind = "number" if computed == "sum" else "difference"
    return kind, label, f"{label} ({pair.both})", _SELECTED[computed]


def _counted(question: Question) -> str:
    """The noun that is counted, without the word that compares."""
    counted = (t for t in question.focus if t.lower not in w.COMPARATIVES | {"times"} and not t.lower.endswith("er"))
    return " ".join(t.text for t in counted)


def _apart(pair: Pair) -> str:
    """By how much the greater exceeds the smaller, and by what factor."""
    one, two = (f.number for f in pair.facts)
    if one is None or two is None or one == two:
        return ""
    gap = amount(abs(one - two), pair.facts[0].unit)
    times = f", {max(one, two) / min(one, two):.3g} times" if min(one, two) > 0 else ""
    return f"; {gap} apart{times}"


# --- The time between two events that a question names

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


def _lapse(pair: Pair, unit: str) -> Told | None:
    """The time between two dates."""
    first, last = sorted(pair.facts, key=lambda f: f.value)
    label = between(first.value, last.value, unit) if is_date(first) and is_date(last) else ""
    if not label:
        return None
    text = f"{label} – from {first.stated} to {last.stated} ({pair.both})"
    return "duration", label.split(" (")[0], text, "SELECT ?one ?two"


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

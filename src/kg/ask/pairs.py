"""Two things set against each other by a property that both have: which is more, whether, by how much, what factor."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.adjectives import compared, in_time
from kg.ask.drafts import Asking, Backing, Draft, Value
from kg.ask.facts import Fact, is_date
from kg.ask.figures import between, events
from kg.ask.graph import Graph
from kg.ask.linking import Linked
from kg.ask.question import Question
from kg.ask.terms import tokens

_DIFFERENCE = re.compile(
    r"\bby how (?:much|many)\b|\bhow (?:much|many)\b(?!\s+times).*\b(?:more|fewer|less|\w+er)\b|\bdifference\b", re.I
)
_FACTOR = re.compile(r"\bhow many times\b|\b(?:what|which) (?:factor|multiple|ratio)\b|\bratio (?:of|between)\b", re.I)
# A property must be said or meant at least so well.
_SAID = 0.6


@dataclass(frozen=True, slots=True)
class Pair:
    """Two linked things and their facts of one property."""

    names: tuple[str, str]
    facts: tuple[Fact, Fact]
    score: float
    explained: float


def compare(graph: Graph, asking: Asking) -> Draft | None:
    """The comparison that a question about two things asks for, computed by a query; None if it asks for none."""
    question = asking.question
    lowers = [t.lower for t in question.tokens]
    way = compared(lowers) or in_time(lowers)
    linked = graph.links(question)
    difference, factor = bool(_DIFFERENCE.search(question.text)), bool(_FACTOR.search(question.text))
    if len(linked) != 2 or not (way or difference or factor or events(question) is not None):
        return None
    sign, nouns = way or (1, frozenset())
    pair = _pair(graph, asking, linked[0], linked[1], nouns)
    if pair is None:
        return None
    if _dated(graph, pair) and (timed := in_time(lowers)):
        sign = timed[0]
    if events(question) is not None:
        return _lapse(graph, asking, pair)
    if factor or difference:
        return _amount(graph, asking, pair, factor)
    if question.tokens[0].lower in w.AUXILIARIES and not question.options:
        return _whether(graph, asking, pair, sign)
    return _which(graph, asking, pair, sign) if question.opening in ("which", "who", "what", "") else None


def _dated(graph: Graph, pair: Pair) -> bool:
    """Whether dates are compared, years written as numbers among them."""
    names = graph.names(pair.facts[0].predicate)
    return is_date(pair.facts[0]) or any(t.lower in ("year", "date") for n in names for t in tokens(n))


def _pair(graph: Graph, asking: Asking, one: Linked, two: Linked, nouns: frozenset[str]) -> Pair | None:
    """The facts of the property that fits best of those that both things have."""
    spans = [(x.start, x.end) for x in (one, two)]
    rest = graph.rest(asking, spans)
    timed = bool(in_time([t.lower for t in asking.question.tokens]))
    best: Pair | None = None
    for first in one.things:
        for second in two.things:
            mine, other = _ordered(graph, first), _ordered(graph, second)
            for predicate in sorted(mine.keys() & other.keys()):
                facts = mine[predicate], other[predicate]
                dated = is_date(facts[0])
                if dated != is_date(facts[1]) or (nouns and not timed and dated) or facts[0].unit != facts[1].unit:
                    continue
                score = graph.fit(rest, predicate, nouns) + (0.3 if dated and timed else 0.0)
                explained = graph.explained(asking, graph.names(predicate), spans, nouns)
                if score >= _SAID and (best is None or score > best.score):
                    names = graph.facts.label(first), graph.facts.label(second)
                    best = Pair(names, facts, score, explained)
    return best


def _ordered(graph: Graph, thing: str) -> dict[str, Fact]:
    """The first asserted number or date of each property of a thing."""
    found: dict[str, Fact] = {}
    for fact in graph.facts.of_subject(thing):
        if fact.asserted and (fact.number is not None or is_date(fact)):
            found.setdefault(fact.predicate, fact)
    return found


def _key(fact: Fact) -> float | str:
    return fact.number if fact.number is not None else str(getattr(fact.object, "value", ""))


def _order(pair: Pair) -> int:
    """1 if the first is more than the second, -1 if less, 0 if neither."""
    one, two = (_key(f) for f in pair.facts)
    if isinstance(one, float) and isinstance(two, float):
        return (one > two) - (one < two)
    shorter = min(len(str(one)), len(str(two)))
    one, two = str(one)[:shorter], str(two)[:shorter]
    return (one > two) - (one < two)


def _draft(graph: Graph, asking: Asking, pair: Pair, kind: str, label: str, text: str, select: str) -> Draft | None:
    first, second = pair.facts
    patterns = [(first.subject, first.predicate, "?one"), (second.subject, second.predicate, "?two")]
    written = graph.run(select, patterns)
    evidence = graph.cited(asking, pair.facts)
    if not written.rows or not evidence:
        return None
    every = tuple(range(len(evidence)))
    return Draft(kind, text, (Value(label, every),), evidence, 0.9, Backing(written, pair.facts), pair.explained, True)


def _both(pair: Pair) -> str:
    return "; ".join(f"{n}: {f.stated}" for n, f in zip(pair.names, pair.facts, strict=True))


def _compared(pair: Pair) -> tuple[str, str]:
    dated = pair.facts[0].number is None
    return ("STR(?one)", "STR(?two)") if dated else ("?one", "?two")


def _whether(graph: Graph, asking: Asking, pair: Pair, sign: int) -> Draft | None:
    """Yes or no: the first thing named is on the asked side of the second."""
    word = "Yes" if _order(pair) == sign else "No"
    one, two = _compared(pair)
    select = f"SELECT ?one ?two ({one} {'>' if sign > 0 else '<'} {two} AS ?holds)"
    return _draft(graph, asking, pair, "boolean", word, f"{word}: {_both(pair)}{_apart(pair)}", select)


def _which(graph: Graph, asking: Asking, pair: Pair, sign: int) -> Draft | None:
    """The thing on the asked side, with both values."""
    order = _order(pair) * sign
    if order == 0:
        return None
    at = 0 if order > 0 else 1
    name, other = pair.names[at], pair.names[1 - at]
    text = f"{name}: {pair.facts[at].stated} ({other}: {pair.facts[1 - at].stated}{_apart(pair)})"
    one, two = _compared(pair)
    select = f"SELECT ?one ?two ({one} {'>' if sign > 0 else '<'} {two} AS ?first)"
    return _draft(graph, asking, pair, "comparison", name, text, select)


def _amount(graph: Graph, asking: Asking, pair: Pair, factor: bool) -> Draft | None:
    """The difference or the ratio of two numbers, the greater first."""
    one, two = (f.number for f in pair.facts)
    if one is None or two is None or (factor and 0 in (one, two)):
        return None
    about = "about " if any(f.lower != f.upper or "~" in f.stated for f in pair.facts) else ""
    if factor:
        label = about + f"{max(one, two) / min(one, two):.3g} times"
        select = "SELECT ?one ?two ((IF(?one > ?two, ?one / ?two, ?two / ?one)) AS ?factor)"
    else:
        label = about + amount(abs(one - two), pair.facts[0].unit, _counted(asking.question))
        select = "SELECT ?one ?two (ABS(?one - ?two) AS ?difference)"
    return _draft(graph, asking, pair, "difference", label, f"{label} ({_both(pair)})", select)


def _lapse(graph: Graph, asking: Asking, pair: Pair) -> Draft | None:
    """The time between two dates."""
    parted = events(asking.question)
    first, last = sorted(pair.facts, key=lambda f: str(getattr(f.object, "value", "")))
    if parted is None or not all(is_date(f) for f in pair.facts):
        return None
    days = [str(getattr(f.object, "value", "")) for f in (first, last)]
    label = between(days[0], days[1], parted[2])
    text = f"{label} – from {first.stated} to {last.stated} ({_both(pair)})"
    return _draft(graph, asking, pair, "duration", label.split(" (")[0], text, "SELECT ?one ?two")


def _counted(question: Question) -> str:
    words = [t.text for t in question.focus if t.lower not in w.COMPARATIVES | {"times"} and not t.lower.endswith("er")]
    return " ".join(words)


def _apart(pair: Pair) -> str:
    """By how much the greater exceeds the smaller, and by what factor."""
    one, two = (f.number for f in pair.facts)
    if one is None or two is None or one == two:
        return ""
    gap = amount(abs(one - two), pair.facts[0].unit)
    times = f", {max(one, two) / min(one, two):.3g} times" if min(one, two) > 0 else ""
    return f"; {gap} apart{times}"


def amount(value: float, unit: str | None, noun: str = "") -> str:
    """A computed number in its unit: ``$13``, ``336 days``, ``48 cars``."""
    from kg.text import units

    if value == int(value):
        figure = f"{value:,.0f}"
    else:
        figure = f"{value:,.10g}" if abs(value) < 1 else f"{round(value, 2):,.15g}"
    name = units.unit_of(unit) if unit else None
    if name is None:
        return f"{figure} {noun}".strip()
    if name.startswith("CCY_"):
        sign = next((s for s, n in units.CURRENCY_SIGNS.items() if n == name and len(s) == 1), "")
        return f"{sign}{figure}" if sign else f"{figure} {name.removeprefix('CCY_')}"
    return f"{figure} {units.label(name)}"

"""Conditions that a question states by a value's own words: "which boats are *for hire*"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.ask import words as w
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.question import Question
from kg.ask.schema import is_date
from kg.ask.terms import Token, tokens

# Words of a value that a question may say as a condition.
_WORDS = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """A property with a value, written as in SPARQL, that the question says at ``span``, and the claims of it."""

    predicate: str
    value: str
    span: tuple[int, int]
    facts: tuple[Fact, ...]


def stated(
    graph: Graph, question: Question, things: Iterable[str], taken: Sequence[tuple[int, int]]
) -> Condition | None:
    """The longest text of a claim of the things that the question says outside the stretches taken."""
    told = [f for t in sorted(things) for f in graph.facts.of_subject(t) if _is_text(f)]
    found = []
    for value, predicate in sorted({(str(f.object), f.predicate) for f in told}):
        own = tuple(f for f in told if f.predicate == predicate and str(f.object) == value)
        span = _said_at(question.tokens, graph.facts.label(own[0].object or ""))
        if span and not any(start < span[1] and span[0] < end for start, end in taken):
            found.append(Condition(predicate, value, span, own))
    return max(found, key=lambda c: (c.span[1] - c.span[0], c.predicate), default=None)


def _is_text(fact: Fact) -> bool:
    return fact.asserted and fact.number is None and isinstance(fact.object, ox.Literal) and not is_date(fact)


def _said_at(words: Sequence[Token], value: str) -> tuple[int, int] | None:
    """Where the question says a short value word for word."""
    wanted = tokens(value)
    if not wanted or len(wanted) > _WORDS or all(t.lower in w.FUNCTION | w.LIGHT_VERBS for t in wanted):
        return None
    for at in range(len(words) - len(wanted) + 1):
        run = words[at : at + len(wanted)]
        if [t.term for t in run] == [t.term for t in wanted]:
            return run[0].start, run[-1].end
    return None

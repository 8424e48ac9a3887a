"""Classes and conditions that a question states: "which … are funiculars", "which boats are for hire"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.ask import words as w
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.linking import Linked
from kg.ask.question import Question
from kg.ask.schema import Meant, is_date
from kg.ask.terms import Token, tokens

_COPULA = re.compile(r"\b(?:is|are|was|were|count as|counts as)\s+(?:also\s+)?(?:an?\s+|the\s+)?$", re.IGNORECASE)


def without_classes(graph: Graph, linked: Iterable[Linked]) -> tuple[Linked, ...]:
    """The things that a question names, but for words that are just a class's name, such as a glossary's terms."""
    return tuple(one for one in linked if not _names_class(graph, one))


def _names_class(graph: Graph, one: Linked) -> bool:
    kinds = graph.schema.kinds.get(tuple(t.term for t in tokens(one.text)), ())
    members = [k.things for k in kinds if k.pattern is not None and k.pattern[1] == "a"]
    return any(things - set(one.things) for things in members) and not any(
        things & set(one.things) for things in members
    )


def predicated(question: Question, meant: Meant, others: Iterable[Meant]) -> Meant | None:
    """The class that a question says of the kind that it asks for, right after the verb "to be"."""
    for other in others:
        pattern = other.kind.pattern
        if other.start <= meant.start or pattern is None or pattern[1] != "a":
            continue
        if _COPULA.search(question.text[meant.end : other.start]):
            return other
    return None


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

"""Documents that give one property of one thing different values."""

from __future__ import annotations

from collections.abc import Sequence

from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.schema import is_date
from kg.model import Citation, Conflict, ConflictValue


def rivals(graph: Graph, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The fact behind an answer with one number or date, and one for each other value; empty if there is none."""
    if len(facts) != 1 or not _comparable(facts[0]):
        return ()
    fact = facts[0]
    found = [fact]
    for other in graph.facts.of_subject(fact.subject):
        if other.predicate == fact.predicate and not other.denied and _comparable(other):
            found += [] if any(_agree(other, known) for known in found) else [other]
    return tuple(found) if len(found) > 1 else ()


def conflicts(graph: Graph, facts: Sequence[Fact], citations: Sequence[Citation]) -> tuple[Conflict, ...]:
    """The values that documents give to the property of an answer with one number or date, if they disagree."""
    found = rivals(graph, facts)
    if not found:
        return ()
    told = tuple(ConflictValue(f.stated, f.status, _cited(f, citations)) for f in found)
    return (Conflict(graph.facts.label(found[0].predicate), told),)


def _comparable(fact: Fact) -> bool:
    """Whether a value is a number or a date."""
    return fact.number is not None or is_date(fact)


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a property go together: overlapping bounds, or dates of which one holds the other."""
    if one.number is not None and other.number is not None:
        low, high = max(_low(one), _low(other)), min(_high(one), _high(other))
        return low <= high
    first, second = str(getattr(one.object, "value", "")), str(getattr(other.object, "value", ""))
    return first.startswith(second) or second.startswith(first)


def _low(fact: Fact) -> float:
    return fact.lower if fact.lower is not None else float("-inf")


def _high(fact: Fact) -> float:
    return fact.upper if fact.upper is not None else float("inf")


def _cited(fact: Fact, citations: Sequence[Citation]) -> tuple[int, ...]:
    """Citations whose quotation stands where the claim's does."""
    return tuple(
        c.id
        for c in citations
        if c.passage.endswith(fact.passage)
        and fact.start < c.document_start + c.end
        and c.document_start + c.start < fact.end
    )

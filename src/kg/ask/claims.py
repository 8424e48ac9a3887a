"""What is claimed of a thing that the question names, under the property that it seeks by meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kg.ask import words as w
from kg.ask.asked_for import counting as asks_count
from kg.ask.asked_for import of_each_source, without_sources
from kg.ask.backing import values
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, normal, sentence
from kg.ask.facts import Fact, is_date
from kg.ask.figures import events, expected
from kg.ask.graph import Graph
from kg.ask.judge import explained_at
from kg.ask.linking import Linked, turned_round
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored
from kg.ask.sought import Seeker, Sought
from kg.ask.terms import bag

# A property that is sought less likely is none; below the second it is believed only if nothing else answers.
_LEAST = 0.75
_MOST = 4
_SORTS = re.compile(
    r"how many (?:different |distinct |various )?(?:types|kinds|sorts|varieties|makes|brands|models) of (?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


def claimed(graph: Graph, seeker: Seeker, asking: Asking) -> list[Draft]:
    """The values of the property that the question seeks, for each thing that it names."""
    question = asking.question
    if _computes(question):
        return []
    if (match := _SORTS.match(question.text)) is not None:
        # How many kinds there are: which there are, counted.
        asking = asking.about(f"Which {match['rest']}")
    if conflicting := of_each_source(question):
        asking = asking.about(without_sources(question.text))
    found = _sought(graph, seeker, asking)
    drafts = (_told(graph, asking, one, s, match is not None, conflicting) for one, s in found)
    return [d for d in drafts if d is not None]


def _sought(graph: Graph, seeker: Seeker, asking: Asking) -> Iterator[tuple[Linked, Sought]]:
    """The likeliest property of each thing named, if it is likely enough."""
    for one in graph.links(asking.question):
        for thing in one.things:
            spans = [(one.start, one.end)]
            for sought in seeker.sought(asking, thing, spans)[:1]:
                if sought.chance < _LEAST or seeker.elsewhere(asking, sought, spans):
                    continue
                if turned_round(asking.question, one.start, True, graph.names(sought.predicate)):
                    continue
                yield one, sought


def _computes(question: Question) -> bool:
    """Whether a question wants something worked out rather than told, or asks why or how."""
    first = question.tokens[0].lower if question.tokens else ""
    graded = any(t.lower in w.SUPERLATIVES | w.COMPARATIVES for t in question.tokens)
    how = question.opening in ("why", "how", "")
    return first in w.AUXILIARIES or graded or how or bool(question.options) or events(question) is not None


def _told(
    graph: Graph, asking: Asking, one: Linked, sought: Sought, sorts: bool = False, conflicting: bool = False
) -> Draft | None:
    """The values; how many there are if that is asked, or how many ``sorts``; all that sources give if they differ."""
    measured = bool(expected(asking.question))  # "how long": words that hold a figure among others are no answer
    facts = best_attested(graph, (f for f in sought.facts if not measured or _is_figure(f)))
    counted = all(f.number is None and f.object is not None for f in facts)
    counting = counted and (sorts or asks_count(asking.question))
    if sorts and not counted:
        return None
    if (counting or conflicting) and len(facts) < 2:
        return None
    if not (counting or conflicting):
        facts = facts[: 1 if _single(facts) else _MOST]
    evidence = graph.cited(asking, facts)
    if not evidence or not _names_met(graph, asking, one, sought, evidence):
        return None
    labels = [graph.said(f) for f in facts]
    shown = f"{len(labels)}: {', '.join(labels)}" if counting else "; ".join(labels)
    text = sentence(shown, evidence[0].plain, LONG_ROOM if len(labels) > 1 else ROOM)
    every = tuple(range(len(evidence)))
    items = (Value(str(len(labels)), every),) if counting else tuple(Value(x) for x in labels)
    kind = "count" if counting else "conflicting" if conflicting else "value"
    return Draft(
        kind, text, items, evidence, sought.chance, values(graph, tuple(facts), counting), explained_at(sought.chance)
    )


def best_attested(graph: Graph, facts: Iterable[Fact]) -> list[Fact]:
    """One fact for each value, those said by most passages first; asserted ones before others."""
    told = sorted(facts, key=lambda f: (not f.asserted, f.passage, f.start))
    said = Counter(normal(graph.said(f)) for f in told)
    first: dict[str, Fact] = {}
    for fact in told:
        first.setdefault(normal(graph.said(fact)), fact)
    return sorted(first.values(), key=lambda f: (not f.asserted, -said[normal(graph.said(f))]))


def _is_figure(fact: Fact) -> bool:
    return fact.number is not None or fact.object is None or is_date(fact)


def _single(facts: Sequence[Fact]) -> bool:
    """Whether values exclude one another: numbers, dates, what is not disclosed."""
    return not all(
        f.asserted and f.number is None and f.object is not None and not is_date(f) and len(f.stated) < 60
        for f in facts
    )


def _names_met(graph: Graph, asking: Asking, one: Linked, sought: Sought, evidence: Sequence[Scored]) -> bool:
    """Whether every other name of the question is said by the property, its values or the units that state them."""
    told = (*(graph.said(f) for f in sought.facts), *(s.plain for s in evidence[:2]))
    # A thing that the question names beside must be told of; other words may be the property's own.
    named = any(x.start != one.start for x in graph.links(asking.question))
    words = frozenset().union(*(bag(x) for x in (told if named else (*told, *graph.names(sought.predicate)))))
    names = [t for t in asking.found.terms if t.word.role == Role.NAME]
    return all(one.start <= t.word.token.start < one.end or t.found(words) >= 0.5 for t in names)

"""Two steps through the graph: "who built the ferry that calls at Orra"."""

from __future__ import annotations

from dataclasses import dataclass

from kg.ask.asked_for import several as asks_several
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Backing, Draft, Value, sentence
from kg.ask.facts import Fact, by_property
from kg.ask.graph import Graph
from kg.ask.linking import every_word, turned_round
from kg.ask.question import Question, Role
from kg.ask.retrieve import Term
from kg.ask.sought import unmet
from kg.ask.value_fit import right_kind

# Neighbours looked at; a hub has more, and tells nothing.
_MOST = 60


@dataclass(frozen=True, slots=True)
class Step:
    """Facts of one property from a thing to what it leads to. ``forward``: the thing is their subject."""

    predicate: str
    forward: bool
    facts: tuple[Fact, ...]


def two_hops(graph: Graph, asking: Asking) -> Draft | None:
    """The best value two steps from a thing that the question names."""
    best: Draft | None = None
    for linked in graph.links(asking.question):
        span = (linked.start, linked.end)
        for thing in linked.things:
            for step in _steps(graph, thing):
                if turned_round(asking.question, linked.start, step.forward, graph.names(step.predicate)):
                    continue
                for draft in _onward(graph, asking, thing, step, span):
                    if best is None or (draft.explained or 0.0) > (best.explained or 0.0):
                        best = draft
    return best


def _steps(graph: Graph, thing: str) -> list[Step]:
    """Properties that lead from a thing to another, either way."""
    found = []
    for forward, facts in ((True, graph.facts.of_subject(thing)), (False, graph.facts.of_object(thing))):
        told = by_property(f for f in facts if f.asserted and _leads(f, forward))
        for predicate, own in told.items():
            if len(own) <= _MOST:
                found.append(Step(predicate, forward, own))
    return found


def _leads(fact: Fact, forward: bool) -> bool:
    from pyoxigraph import NamedNode

    return not forward or isinstance(fact.object, NamedNode)


def _end(fact: Fact, forward: bool) -> str:
    return str(getattr(fact.object, "value", "")) if forward else fact.subject


def _onward(graph: Graph, asking: Asking, thing: str, step: Step, span: tuple[int, int]) -> list[Draft]:
    """Values of the things that a step leads to, where the question says both properties."""
    rest = graph.rest(asking, [span])
    first_names = (*graph.names(step.predicate), *_class_names(graph, step))
    first = graph.explained(asking, first_names, [span])
    if first <= graph.explained(asking, (), [span]) and not _names_all(asking, span):
        return []
    found = []
    for middle in sorted({_end(f, step.forward) for f in step.facts}):
        for second in _steps(graph, middle) + _values(graph, middle):
            if second.predicate == step.predicate and second.forward != step.forward:
                continue
            names = (*first_names, *graph.names(second.predicate))
            if (
                graph.fit(rest, second.predicate) < 0.6
                or graph.fit(rest, step.predicate) + _said_class(asking, first_names) < 0.5
            ):
                continue
            if not _apart(rest, every_word(first_names), every_word(tuple(graph.names(second.predicate)))):
                continue
            if unmet(asking, (*graph.names(second.predicate), *(_class_names(graph, second)))):
                continue
            draft = _draft(graph, asking, (thing, middle), step, second, graph.explained(asking, names, [span]))
            if draft is not None:
                found.append(draft)
    return found


def _apart(rest: tuple[Term, ...], first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether each step has a word of its own: "who leads X?" is one step, whatever "leads" may mean."""
    one = [t for t in rest if t.found(first) >= 0.5]
    other = [t for t in rest if t.found(second) >= 0.5]
    return any(a is not b for a in one for b in other)


def _said_class(asking: Asking, names: tuple[str, ...]) -> float:
    words = every_word(names)
    return max((t.found(words) for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS)), default=0.0)


def _names_all(asking: Asking, span: tuple[int, int]) -> bool:
    return all(span[0] <= t.word.token.start < span[1] for t in asking.found.terms)


def _class_names(graph: Graph, step: Step) -> tuple[str, ...]:
    """Names of the classes of what a step leads to."""
    classes = {c for f in step.facts[:8] for c in graph.facts.types.get(_end(f, step.forward), frozenset())}
    return tuple(n for c in sorted(classes) for n in graph.facts.labels.get(c, ()))


def _values(graph: Graph, thing: str) -> list[Step]:
    """Literal properties of a thing."""
    facts = by_property(f for f in graph.facts.of_subject(thing) if not _leads(f, True) and not f.denied)
    return [Step(p, True, own) for p, own in facts.items()]


def _draft(
    graph: Graph, asking: Asking, path: tuple[str, str], step: Step, second: Step, explained: float
) -> Draft | None:
    question = asking.question
    thing, middle = path
    told = tuple(f for f in second.facts if f.asserted and (not second.forward or right_kind(graph, question, f)))
    if not told or (not second.forward and not _may_be_thing(question)):
        return None
    bridge = tuple(f for f in step.facts if _end(f, step.forward) == middle)[:1]
    one = (thing, step.predicate, "?thing") if step.forward else ("?thing", step.predicate, thing)
    two = ("?thing", second.predicate, "?value") if second.forward else ("?value", second.predicate, "?thing")
    written = graph.run("SELECT DISTINCT ?value ?thing", (one, two))
    several = asks_several(question)
    told = told if several else told[:1]
    evidence = graph.cited(asking, (*told, *bridge))
    if not evidence or not written.rows:
        return None
    labels = list(dict.fromkeys(graph.said(f) if second.forward else graph.facts.label(f.subject) for f in told))
    shown = f"{', '.join(labels)} (of {graph.facts.label(middle)})"
    text = sentence(shown, evidence[0].plain, LONG_ROOM if several else ROOM)
    every = tuple(range(len(evidence)))
    values = tuple(Value(x, every) for x in labels)
    return Draft("value", text, values, evidence, 0.8, Backing(written, told), explained)


def _may_be_thing(question: Question) -> bool:
    return question.opening in ("who", "which", "what", "whose", "where")


__all__ = ["Step", "two_hops"]

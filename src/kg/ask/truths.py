"""Yes or no by a query: whether two things are tied as the question says, or a date or number is within its bound."""

from __future__ import annotations

from kg.ask import words as w
from kg.ask.drafts import ROOM, Asking, Backing, Draft, Value, clip
from kg.ask.facts import Fact
from kg.ask.filters import Bound, bound, holds
from kg.ask.graph import Graph, Written
from kg.ask.linking import Linked
from kg.ask.schema import is_date
from kg.ask.selections import negated

_SAID = 0.7


def whether(graph: Graph, asking: Asking) -> Draft | None:
    """The answer to a question that begins with its verb; None if the graph doesn't hold what it asks about."""
    question = asking.question
    if not question.tokens or question.tokens[0].lower not in w.AUXILIARIES or question.options or negated(question):
        return None
    linked = graph.links(question)
    limit = bound(question)
    if len(linked) == 1 and limit is not None:
        return _within(graph, asking, linked[0], limit)
    if len(linked) == 2 and limit is None:
        return _tied(graph, asking, linked[0], linked[1])
    return None


def _within(graph: Graph, asking: Asking, one: Linked, limit: Bound) -> Draft | None:
    """Whether a thing's date or number is within a bound."""
    spans = ((one.start, one.end), (limit.start, limit.end))
    rest = graph.rest(asking, spans)
    facts = [f for thing in one.things for f in graph.facts.of_subject(thing) if f.asserted and limit.fits(f)]
    fitting = [(graph.fit(rest, f.predicate), f) for f in facts if f.number is not None or is_date(f)]
    score, fact = max(fitting, key=lambda x: x[0], default=(0.0, None))
    if fact is None or score < _SAID:
        return None
    word = "Yes" if holds(limit, fact) else "No"
    pattern = (fact.subject, fact.predicate, "?value")
    test = limit.filter(fact).removeprefix("FILTER")
    written = graph.run(f"SELECT ?value ({test} AS ?holds)", [pattern])
    explained = graph.explained(asking, graph.names(fact.predicate), spans)
    return _draft(
        graph, asking, f"{word}: {graph.facts.label(fact.predicate)} {fact.stated}", fact, (written, explained)
    )


def _tied(graph: Graph, asking: Asking, one: Linked, two: Linked) -> Draft | None:
    """Yes, where a claim ties the two things by the property that the question says."""
    spans = ((one.start, one.end), (two.start, two.end))
    rest = graph.rest(asking, spans)
    for thing in one.things:
        for fact in (*graph.facts.of_subject(thing), *graph.facts.of_object(thing)):
            ends = {fact.subject, str(getattr(fact.object, "value", ""))}
            said = graph.fit(rest, fact.predicate)
            if fact.asserted and not fact.denied and ends & set(two.things) and thing in ends and said >= _SAID:
                object_ = str(getattr(fact.object, "value", ""))
                written = graph.run("ASK", [(fact.subject, fact.predicate, object_)])
                explained = graph.explained(asking, graph.names(fact.predicate), spans)
                return _draft(graph, asking, "Yes", fact, (written, explained))
    return None


def _draft(graph: Graph, asking: Asking, said: str, fact: Fact, found: tuple[Written, float]) -> Draft | None:
    written, explained = found
    evidence = graph.evidence(asking, fact)
    if evidence is None:
        return None
    text = f"{said} – “{clip(evidence.plain, 0, ROOM - len(said) - 5)}”"
    value = (Value(said.split(":")[0]),)
    return Draft("boolean", text, value, (evidence,), 0.9, Backing(written, (fact,)), explained, True)

"""One name, several things: a question that fits two of them equally well is handed back."""

from __future__ import annotations

from kg.ask.drafts import Asking
from kg.ask.graph import Graph
from kg.ask.linking import Linked, relations
from kg.ask.terms import bag
from kg.ask.value_fit import right_kind
from kg.namespaces import OWL

_SAID = 0.74


def ambiguous(graph: Graph, asking: Asking) -> str:
    """The things that a name of the question may mean, with their classes, if they differ on what is asked; else ""."""
    for linked in graph.links(asking.question):
        if len(linked.things) < 2:
            continue
        told = {thing: _values(graph, asking, linked, thing) for thing in linked.things}
        having = sorted(thing for thing, values in told.items() if values)
        if len({told[t] for t in having}) > 1 and not any(_singled_out(graph, asking, t, having) for t in having):
            return " or ".join(_described(graph, t) for t in having)
    return ""


def _values(graph: Graph, asking: Asking, linked: Linked, thing: str) -> frozenset[str]:
    """What the graph gives of a thing for the property that fits the question best."""
    one = Linked(linked.text, linked.start, linked.end, (thing,))
    for relation in relations(asking.found.terms, one, graph.facts, graph.names)[:1]:
        if relation.forward and relation.said >= _SAID:
            return frozenset(graph.said(f) for f in relation.facts if right_kind(graph, asking.question, f))
    return frozenset()


def _class_words(graph: Graph, thing: str) -> frozenset[str]:
    classes = graph.facts.types.get(thing, frozenset())
    return frozenset().union(*(bag(n) for c in classes if c != OWL + "Thing" for n in graph.facts.labels.get(c, ())))


def _singled_out(graph: Graph, asking: Asking, thing: str, others: list[str]) -> bool:
    """Whether the question names the thing's class, and not those of the others."""
    words = bag(asking.question.text)
    rest = frozenset().union(*(_class_words(graph, t) for t in others if t != thing))
    return bool((_class_words(graph, thing) - rest) & words)


def _described(graph: Graph, thing: str) -> str:
    classes = sorted(graph.facts.types.get(thing, frozenset()) - {OWL + "Thing"})
    kind = next((n for c in classes for n in graph.facts.labels.get(c, ())), "")
    name = graph.facts.label(thing)
    return f"{name} ({kind})" if kind else name

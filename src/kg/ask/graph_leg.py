"""The graph's answers: queries made of terms that the graph holds, chosen by what the question's words say.

Each reading of the question – a property of a thing, a kind of things narrowed, two things compared – gives a draft
with its query and the share of the question's words that it stands for. A name that fits several things is handed back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from kg.ask import words as w
from kg.ask.asked_for import counting as asks_count
from kg.ask.asked_for import nth
from kg.ask.asked_for import several as asks_several
from kg.ask.backing import values
from kg.ask.claims import claimed
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, sentence
from kg.ask.facts import Fact
from kg.ask.figures import asks_date
from kg.ask.graph import Graph
from kg.ask.linking import Linked, Relation, relations, turned_round
from kg.ask.pairs import compare
from kg.ask.question import Question
from kg.ask.selections import select
from kg.ask.sought import Seeker
from kg.ask.terms import bag, tokens
from kg.ask.value_fit import aptness, right_kind
from kg.ask.view import View
from kg.namespaces import OWL

_FITS = 0.74


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
        if relation.forward and relation.said >= _FITS:
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


# A property answers by itself only if its own name is said and it accounts for this share of what is asked.
SAID, EXPLAINED = 0.74, 0.5
# A property asked for by its whole name may have values of any kind.
_NAMED = 0.99
# What no query here asks for: a value of each of several things, or all but some.
_APART = re.compile(r"\b(?:each|every|neither|nor|except|excluding|other than|but not)\b", re.IGNORECASE)


_LEADING = frozenset(("by", "as", "to", "into"))  # "renamed to": what it was renamed
_STANDING = w.FUNCTION - {"by", "as", "for", "of", "with", "about"}  # in, on, at, beyond: places and times
"""What may lead to the answer of a question that says no preposition, whatever it asks and where it asks for a place or
time."""


class GraphLeg:
    """Answers from one view's graph."""

    def __init__(self, view: View) -> None:
        self.graph = Graph(view)
        self.facts = self.graph.facts
        self.seeker = Seeker(self.graph)

    def proposals(self, asking: Asking) -> list[Draft]:
        """Answers of every reading that the graph can answer."""
        if _APART.search(asking.question.text):
            return []
        found = [compared] if (compared := compare(self.graph, asking)) is not None else []
        first = nth(asking.question) == 1  # a query for the extreme gives no second
        found += [d for d in select(self.graph, asking) if first or d.kind != "extreme"]
        spoken = self._spoken(asking.question)
        for linked in self.graph.links(asking.question):
            for relation in relations(asking.found.terms, linked, self.facts, self.graph.names)[:6]:
                if (spoken and relation.predicate not in spoken) or not self._asks(asking.question, relation.predicate):
                    continue
                if turned_round(asking.question, linked.start, relation.forward, self.graph.names(relation.predicate)):
                    continue
                if relation.forward and relation.said >= SAID and relation.explained >= EXPLAINED:
                    draft = _value(self.graph, asking, relation)
                    found += [draft] if draft is not None else []
        told_of = claimed(self.graph, self.seeker, asking)
        told = [(d, d.backing.facts[0].predicate if d.backing else "") for d in told_of]
        found += [d for d, own in told if (not spoken or own in spoken) and self._asks(asking.question, own)]
        return _uncounted(found)

    def _asks(self, question: Question, predicate: str) -> bool:
        """Whether a question wants what a property's preposition leads to: "who discovered it" no "discovered beyond".

        It says the preposition, or asks for a place or time, or for who did it or what became of it.
        """
        names = [tokens(name) for name in self.graph.names(predicate)]
        prepositions = {name[-1].lower if len(name) > 1 else "" for name in names}
        if not prepositions or not prepositions <= w.FUNCTION:
            return True
        place_or_time = question.opening == "where" or question.focus_in(w.PLACE_NOUNS) or asks_date(question)
        asked = _STANDING | _LEADING if place_or_time else _LEADING
        return any(p in asked or any(t.lower == p for t in question.tokens) for p in prepositions)

    def _spoken(self, question: Question) -> frozenset[str]:
        """Properties whose whole name with its preposition ("works for") the question says; others mean another."""
        words = tuple(t.term for t in question.tokens)
        return frozenset(
            predicate
            for at, word in enumerate(words)
            for run, predicate in self._runs.get(word, ())
            if words[at : at + len(run)] == run
        )

    @cached_property
    def _runs(self) -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
        """Names of properties that end in a preposition, as their words' normal forms, by the first of these."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for predicate in self.graph.schema.properties:
            for name in self.graph.names(predicate):
                run = tokens(name)
                if len(run) > 1 and run[-1].lower in w.PREPOSITIONS:
                    found[run[0].term].append((tuple(t.term for t in run), predicate))
        return found


def _uncounted(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts without counts of what the documents state the number of (or that it is not disclosed)."""
    stated = [d.explained or 0.0 for d in drafts if d.kind == "value" and d.backing and _is_number(d.backing.facts[0])]
    return [d for d in drafts if d.kind != "count" or (d.explained or 0.0) > max(stated, default=0.0)]


def _is_number(fact: Fact) -> bool:
    return fact.number is not None or fact.object is None


def _value(graph: Graph, asking: Asking, relation: Relation) -> Draft | None:
    """The values of a thing's property, or how many there are."""
    named = min(relation.said, relation.explained) >= _NAMED and asking.question.opening in ("what", "which", "")
    somewhere = asking.question.focus_in(w.PERSON_NOUNS | w.PLACE_NOUNS)  # "in which city": who did it is no answer
    facts = [f for f in relation.facts if not f.denied and (named or right_kind(graph, asking.question, f))]
    facts = [f for f in facts if not somewhere or aptness(graph, asking.question, f) > -1]
    counting = asks_count(asking.question) and all(f.number is None and f.object is not None for f in facts)
    several = counting or asks_several(asking.question)
    facts = sorted(facts, key=lambda f: not f.asserted)
    labels = list(dict.fromkeys(graph.said(f) for f in facts))
    if not several:
        facts, labels = facts[:1], labels[:1]
    evidence = graph.cited(asking, facts)
    if not facts or not evidence:
        return None
    shown = ", ".join(labels)
    items = tuple(Value(x) for x in labels)
    if counting:
        shown, items = f"{len(labels)}: {shown}", (Value(str(len(labels)), tuple(range(len(evidence)))),)
    text = sentence(shown, evidence[0].plain, LONG_ROOM if several else ROOM)
    explained = graph.explained(asking, (*graph.facts.labels.get(relation.thing, ()), *graph.names(relation.predicate)))
    backing = values(graph, tuple(facts), counting)
    return Draft("count" if counting else "value", text, items, evidence, relation.score, backing, explained)

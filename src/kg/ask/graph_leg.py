"""The graph's answers: queries made of terms that the graph holds, chosen by what the question's words say.

Each reading of the question – a property of a thing, a kind of things narrowed, two things compared – gives a draft
with its query and the share of the question's words that it stands for. A name that fits several things is handed back.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import pyoxigraph as ox

from kg.ask.backing import TELLS_WHAT, things_with, values
from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, normal, sentence
from kg.ask.facts import Fact, is_date
from kg.ask.graph import Graph
from kg.ask.linking import Linked, Relation, own_words, relations, turned_round
from kg.ask.pairs import compare
from kg.ask.question import Question, said_of
from kg.ask.question_kinds import (
    asks_count,
    asks_date,
    asks_number,
    asks_several,
    measures,
    nth,
    of_each_source,
    without_sources,
)
from kg.ask.selections import select
from kg.ask.view import View
from kg.namespaces import OWL, UNIT
from kg.text import terms as w
from kg.text import units
from kg.text.asking_clause import by_itself
from kg.text.spans import MEASURE_OF
from kg.text.terms import bag, tokens

# --- Whether a value is of the type that a question asks for: by its datatype and its unit

_DIMENSIONS = {"duration": "time", "length": "length", "weight": "mass", "temperature": "temperature", "data": "data"}


def right_kind(graph: Graph, question: Question, fact: Fact) -> bool:
    """A date for "when", money for "how much did … cost", a duration for "how long", a thing for "who"."""
    dated = is_date(fact)
    if asks_date(question):
        return dated
    asked = measures(question)
    if "money" in asked:
        return (fact.unit or "").startswith(UNIT + "CCY")
    if asked & _DIMENSIONS.keys() and fact.unit is not None:
        dimension = units.dimension(fact.unit_name) if fact.unit_name else ""
        last = fact.stated.split()[-1].casefold() if fact.stated else ""  # a measure's name, perhaps
        return dimension in {_DIMENSIONS.get(x) for x in asked} or MEASURE_OF.get(last, "") in asked
    if asks_count(question):
        return not dated
    if asks_number(question):
        return fact.number is not None or fact.object is None
    if question.opening in ("who", "whom", "whose"):
        # Somebody has a name; "hand puppet" is nobody.
        return isinstance(fact.object, ox.NamedNode) and not graph.facts.label(fact.object)[:1].islower()
    return not dated and fact.number is None


# --- What a name may mean

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
_RELATIONS = 6  # properties of a thing that are looked at, the best fitting
# A property asked for by its whole name may have values of any kind.
_NAMED = 0.99
# What no query here asks for: a value of each of several things, or all but some.
_APART = re.compile(r"\b(?:each|every|neither|nor|except|excluding|other than|but not)\b", re.IGNORECASE)
# What may lead to the answer of a question that says no preposition: always, and where it asks for a place or a time.
_LEADING = frozenset(("by", "as", "to", "into"))  # "renamed to": what it was renamed
_STANDING = w.FUNCTION - {"by", "as", "for", "of", "with", "about"}  # in, on, at, beyond: places and times
# What a question says that asks what a thing is, beside its name.
_MEANING = w.words("mean means meant meaning definition define defined describe explain stand stands refer term word")


class GraphLeg:
    """Answers from one view's graph."""

    def __init__(self, view: View) -> None:
        self.graph = Graph(view)
        self.facts = self.graph.facts

    def warm(self) -> None:
        """Makes ready what first questions would wait for."""
        self.facts.warm(self.graph.view.passages)
        _ = self._described

    def asked(self, asking: Asking) -> Asking:
        """What queries are made of: the clause that asks, its pronoun replaced by the one thing named beside it.

        A query needn't stand for the words of a situation. All of a question where the rest names things otherwise.
        """
        question = asking.question
        if of_each_source(question):  # which may be said beside the clause
            return asking
        beside = [x for x in self.graph.links(question) if not question.asks_at(x.start)]
        if len({x.things for x in beside}) == 1:
            text = said_of(question.asks, beside[-1].text)
            return asking if text == question.asks else asking.about(text)
        alone = question.text if beside else by_itself(question.text)
        return asking if alone == question.text else asking.about(alone)

    def proposals(self, asking: Asking) -> list[Draft]:
        """Answers of every reading that the graph can answer."""
        if _APART.search(asking.question.text):
            return []
        found = [pair] if (pair := compare(self.graph, asking)) is not None else []
        first = nth(asking.question) == 1  # a query for the extreme gives no second
        found += [d for d in select(self.graph, asking) if first or d.kind != "extreme"]
        found += self._of_things(asking)
        return _uncounted(found)

    def _of_things(self, asking: Asking) -> Iterator[Draft]:
        """Values of properties that the question names, of each thing that it names; all that sources give if asked."""
        sources = of_each_source(asking.question)
        if sources:
            asking = asking.about(without_sources(asking.question.text))
        question, names = asking.question, self.graph.names
        spoken = self._spoken(question)
        for linked in self.graph.links(question):
            for relation in relations(asking.found.terms, linked, self.facts, names)[:_RELATIONS]:
                said = relation.said >= SAID and relation.explained >= EXPLAINED
                if not said or (spoken and relation.predicate not in spoken):
                    continue
                if turned_round(question, linked.start, True, names(relation.predicate)):
                    draft = None if relation.forward else _doers(self.graph, asking, relation)
                elif relation.forward and self._asks(question, relation.predicate):
                    draft = _value(self.graph, asking, relation, sources)
                else:
                    draft = None
                if draft is not None:
                    yield draft

    def described(self, asking: Asking) -> Draft | None:
        """What a thing is said to be, where the question has its name and asks for no property of it."""
        question = asking.question
        if question.opening not in ("what", "who", ""):
            return None
        said = frozenset(t.term for t in question.tokens if t.lower not in w.FUNCTION and t.lower not in _MEANING)
        about = itertools.chain.from_iterable(map(self.facts.of_subject, self._described.get(said, ())))
        told = [f for f in about if f.predicate in self._telling and f.asserted]
        first = sorted(_most_said(self.graph, told), key=lambda f: self._telling[f.predicate])[:1]
        if not (evidence := self.graph.cited(asking, first)):
            return None
        others = [s for s in asking.found.units[:4] if s.key != evidence[0].key][:2]
        text = sentence("", evidence[0].plain, LONG_ROOM)
        told_of = (evidence[0], *others)
        return Draft("definition", text, (Value(""),), told_of, 1.0, values(self.graph, tuple(first)), 1.0)

    @cached_property
    def _telling(self) -> Mapping[str, int]:
        """Properties that tell what a thing is, with their rank, the best first."""
        named = {p: self.graph.names(p) for p in self.graph.schema.properties}
        told = ((p, [n for n, name in enumerate(TELLS_WHAT) if name in names]) for p, names in named.items())
        return {p: min(ranks) for p, ranks in told if ranks}

    @cached_property
    def _described(self) -> Mapping[frozenset[str], list[str]]:
        """Things of which it is told what they are, by the normal forms of a name's words."""
        told = " ".join(f"<{p}>" for p in sorted(self._telling))
        query = (
            f"SELECT DISTINCT ?thing WHERE {{ VALUES ?property {{ {told} }} ?thing ?property ?value }} ORDER BY ?thing"
        )
        found: dict[frozenset[str], list[str]] = defaultdict(list)
        for row in self.facts.select(query) if told else ():
            for words in {own_words(name) for name in self.facts.labels.get(row["thing"].value, ())} - {frozenset()}:
                found[words].append(row["thing"].value)
        return found

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
        words = f" {' '.join(t.term for t in question.tokens)} "
        return frozenset(predicate for run, predicate in self._runs if run in words)

    @cached_property
    def _runs(self) -> list[tuple[str, str]]:
        """Names of properties that end in a preposition, as their words' normal forms between spaces."""
        names = ((tokens(name), p) for p in self.graph.schema.properties for name in self.graph.names(p))
        ending = ((run, p) for run, p in names if len(run) > 1 and run[-1].lower in w.PREPOSITIONS)
        return [(f" {' '.join(t.term for t in run)} ", p) for run, p in ending]


def _uncounted(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts without counts of what the documents state the number of (or that it is not disclosed)."""
    told = [(d, d.backing.facts[0]) for d in drafts if d.kind == "value" and d.backing]
    stated = [d.explained or 0.0 for d, fact in told if fact.number is not None or fact.object is None]
    return [d for d in drafts if d.kind != "count" or (d.explained or 0.0) > max(stated, default=0.0)]


def _most_said(graph: Graph, facts: Sequence[Fact]) -> list[Fact]:
    """Facts, those whose value most passages say first."""
    said = Counter(normal(graph.said(f)) for f in facts)
    return sorted(facts, key=lambda f: (-said[normal(graph.said(f))], f.passage, f.start))


def _doers(graph: Graph, asking: Asking, relation: Relation) -> Draft | None:
    """The things of which a property tells the one named: who reports to somebody."""
    facts = tuple(f for f in relation.facts if f.asserted and not f.denied)
    things = {f.subject: graph.facts.label(f.subject) for f in facts}
    evidence = graph.cited(asking, facts)
    if not evidence or not things:
        return None
    keys = [s.key for s in evidence]
    places = {f.subject: keys.index(s.key) for f in facts if (s := graph.evidence(asking, f)) is not None}
    items = tuple(Value(label, (places.get(thing, 0),), thing) for thing, label in things.items())
    text = sentence(", ".join(things.values()), evidence[0].plain, LONG_ROOM)
    backing = things_with(graph, relation.predicate, relation.thing, facts)
    return Draft("list", text, items, evidence, relation.score, backing, _explained(graph, asking, relation))


def _explained(graph: Graph, asking: Asking, relation: Relation) -> float:
    """Share of the question's words that a property of a thing stands for."""
    return graph.explained(asking, (*graph.facts.labels.get(relation.thing, ()), *graph.names(relation.predicate)))


def _value(graph: Graph, asking: Asking, relation: Relation, sources: bool) -> Draft | None:
    """The values of a thing's property, or how many there are; ``sources``: all that they give, if they differ."""
    question = asking.question
    named = min(relation.said, relation.explained) >= _NAMED and question.opening in ("what", "which", "")
    facts = [f for f in relation.facts if not f.denied and (named or right_kind(graph, question, f))]
    facts.sort(key=lambda f: not f.asserted)
    counting = asks_count(question) and all(f.number is None and f.object is not None for f in facts)
    several = counting or sources or asks_several(question)
    labels = list(dict.fromkeys(graph.said(f) for f in facts))
    if not several:
        facts, labels = facts[:1], labels[:1]
    evidence = graph.cited(asking, facts)
    if not evidence or (sources and len(labels) < 2):
        return None
    shown = ", ".join(labels)
    items = tuple(Value(x) for x in labels)
    if counting:
        shown, items = f"{len(labels)}: {shown}", (Value(str(len(labels)), tuple(range(len(evidence)))),)
    text = sentence(shown, evidence[0].plain, LONG_ROOM if several else ROOM)
    kind = "count" if counting else "conflicting" if sources else "value"
    backing = values(graph, tuple(facts), counting)
    return Draft(kind, text, items, evidence, relation.score, backing, _explained(graph, asking, relation))

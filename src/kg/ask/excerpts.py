"""The part of a graph that a question is about, small enough to be read compositionally.

It holds the members of the kinds that the question names, the things that it names, and what the documents state of
them. A kind is a class, what a table's column calls its members, or what a property leads to: see
:mod:`kg.ask.schema`; queries write those that are no class by their pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import pyoxigraph as ox

from kg.ask.classes import without_classes
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.question import Question
from kg.ask.schema import Kind, Meant
from kg.namespaces import RDF, RDFS, SKOS
from kg.semantics import graph as semantic
from kg.semantics.engine import SemanticParser
from kg.semantics.lexicon import Lexicon

# Members of a kind, and of it those that a query may list.
_MEMBERS, _LISTED = 400, 60
_LABEL, _OTHER, _TYPE = (ox.NamedNode(x) for x in (f"{RDFS}label", f"{SKOS}altLabel", f"{RDF}type"))
_KINDS = "urn:kind:"
Key = tuple[str, str, str]


class Excerpt(semantic.Graph):
    """Triples of one excerpt. Nothing is derived from them: an answer needs claims."""

    def __init__(self, triples: Iterable[ox.Triple], patterns: dict[str, Key | None]) -> None:
        self.patterns = {ox.NamedNode(iri): pattern for iri, pattern in patterns.items()}
        super().__init__(triples)

    def _derive(self) -> None:
        self._passed = frozenset()


class Reader:
    """Makes parsers over excerpts of one graph; those made last are kept."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._made = lru_cache(maxsize=50)(self._make)

    def parser(self, question: Question) -> SemanticParser | None:
        """A parser over what a question is about; None if it names no kind, or one with too many members."""
        linked = without_classes(self._graph, self._graph.links(question))
        meant = self._graph.schema.meant(question, [(x.start, x.end) for x in linked])
        kinds = self._kinds(question, meant)
        things = frozenset().union(*(x.things for x in linked), *(k.things for _, k in kinds))
        if not kinds or len(things) > _MEMBERS:
            return None
        return self._made(kinds, things)

    def _kinds(self, question: Question, meant: Sequence[Meant]) -> tuple[tuple[str, Kind], ...]:
        """The kinds that each stretch names, as one: the largest if it holds the others, else all members listed."""
        stretches: dict[str, list[Kind]] = defaultdict(list)
        for one in meant:
            stretches[question.text[one.start : one.end].casefold()].append(one.kind)
        found = []
        for text, kinds in stretches.items():
            every = frozenset().union(*(k.things for k in kinds))
            whole = [k for k in kinds if k.things == every and k.pattern is not None]
            classes = [k for k in whole if k.pattern is not None and k.pattern[1] == "a"]
            found.append((text, (classes or whole or [Kind(kinds[0].name, None, every)])[0]))
        return tuple((text, kind) for text, kind in found if kind.pattern or len(kind.things) <= _LISTED)

    def _make(self, kinds: tuple[tuple[str, Kind], ...], things: frozenset[str]) -> SemanticParser:
        triples: set[ox.Triple] = set()
        patterns: dict[str, Key | None] = {}
        for number, (text, kind) in enumerate(kinds):
            iri = kind.pattern[2] if kind.pattern and kind.pattern[1] == "a" else f"{_KINDS}{number}"
            if iri.startswith(_KINDS):
                patterns[iri] = kind.pattern
            triples.add(ox.Triple(ox.NamedNode(iri), _LABEL, ox.Literal(text)))
            triples |= {ox.Triple(ox.NamedNode(t), _TYPE, ox.NamedNode(iri)) for t in kind.things}
        for thing in sorted(things):
            triples |= set(self._named(thing))
            for fact in (*self._graph.facts.of_subject(thing), *self._graph.facts.of_object(thing)):
                triples |= set(self._told(fact))
        graph = Excerpt(triples, patterns)
        return SemanticParser(self._graph.store, graph, Lexicon(graph, None))

    def _told(self, fact: Fact) -> Iterable[ox.Triple]:
        """A claim taken as fact, with the names of what it joins."""
        if not fact.asserted or fact.denied or fact.object is None:
            return
        predicate = ox.NamedNode(fact.predicate)
        yield ox.Triple(ox.NamedNode(fact.subject), predicate, fact.object)
        yield from self._named(fact.subject)
        if isinstance(fact.object, ox.NamedNode):
            yield from self._named(fact.object.value)
        for number, name in enumerate(self._graph.names(fact.predicate)):
            yield ox.Triple(predicate, _OTHER if number else _LABEL, ox.Literal(" ".join(name.split())))

    def _named(self, iri: str) -> Iterable[ox.Triple]:
        for number, name in enumerate(self._graph.facts.labels.get(iri, ())):
            yield ox.Triple(ox.NamedNode(iri), _OTHER if number else _LABEL, ox.Literal(name))

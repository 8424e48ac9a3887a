"""What the graph's words stand for: sets of things by the nouns that name them, and properties that could be meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from kg.ask.facts import Fact, Facts
from kg.ask.question import Question
from kg.ask.spans import cells
from kg.ask.terms import Token, term, tokens
from kg.ask.words import FUNCTION
from kg.model import Passage, UnitKind
from kg.namespaces import KG, OWL, RDF, RDFS, XSD

_LONGEST = 4
_PAIRS = f"""
SELECT DISTINCT ?subject ?predicate ?object WHERE {{
  ?claim <{RDF}subject> ?subject ; <{RDF}predicate> ?predicate ; <{RDF}object> ?object ; <{KG}asserted> true .
}}"""
DATES = frozenset(XSD + name for name in ("gYear", "gYearMonth", "date"))


@dataclass(frozen=True, slots=True)
class Kind:
    """A set of things that a noun names, as a triple pattern over ``?thing`` or, without one, its members listed."""

    name: tuple[str, ...]
    pattern: tuple[str, str, str] | None
    things: frozenset[str]

    @property
    def iris(self) -> tuple[str, ...]:
        """The terms of the pattern that are no variables."""
        return tuple(x for x in self.pattern or () if not x.startswith("?") and x != "a")


@dataclass(frozen=True, slots=True)
class Meant:
    """A stretch of the question that names a kind."""

    kind: Kind
    start: int
    end: int


class Schema:
    """The vocabulary of one view's graph."""

    def __init__(self, facts: Facts, passages: Mapping[str, Passage]) -> None:
        self._facts = facts
        self._passages = passages

    @cached_property
    def kinds(self) -> Mapping[tuple[str, ...], tuple[Kind, ...]]:
        """Kinds by the normal forms of their name: classes, rows under a head, values of a property."""
        found: dict[tuple[str, ...], list[Kind]] = defaultdict(list)
        for kind in (*self._classes(), *self._heads(), *self._ranges()):
            found[kind.name].append(kind)
        return {name: tuple(kinds) for name, kinds in found.items()}

    def _classes(self) -> Iterable[Kind]:
        members: dict[str, set[str]] = defaultdict(set)
        for thing, classes in self._facts.types.items():
            for iri in classes:
                if not iri.startswith((KG, OWL, RDFS, RDF)):
                    members[iri].add(thing)
        for iri in sorted(members):
            for name in self._facts.labels.get(iri, ()):
                yield Kind(_words(name), ("?thing", "a", iri), frozenset(members[iri]))

    def _heads(self) -> Iterable[Kind]:
        """Things whose rows stand under a column's head: what the first column calls its members."""
        members: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for id_ in sorted(self._passages):
            for unit in self._passages[id_].units:
                row = cells(unit.plain) if unit.kind == UnitKind.ROW else ()
                named = self._facts.things.get(_words(row[0][1].text)) if len(row) > 1 else None
                if named and len(named) == 1:
                    members[_words(row[0][0])].update(named)
        by_members = {frozenset(s): p for p, s in sorted(self._subjects.items(), reverse=True)}
        for name, things in sorted(members.items()):
            predicate = by_members.get(frozenset(things))
            yield Kind(name, ("?thing", predicate, "?any") if predicate else None, frozenset(things))

    def _ranges(self) -> Iterable[Kind]:
        """Values of the properties that lead to things, by the properties' names."""
        for predicate, things in sorted(self._objects.items()):
            for name in self._facts.labels.get(predicate, ()):
                yield Kind(_words(name), ("?any", predicate, "?thing"), frozenset(things))

    @property
    def properties(self) -> tuple[str, ...]:
        """Properties of which the graph has an asserted claim."""
        return tuple(sorted(self._subjects))

    @cached_property
    def _subjects(self) -> Mapping[str, set[str]]:
        return self._ends[0]

    @cached_property
    def _objects(self) -> Mapping[str, set[str]]:
        return self._ends[1]

    @cached_property
    def _ends(self) -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
        import pyoxigraph as ox

        subjects: dict[str, set[str]] = defaultdict(set)
        objects: dict[str, set[str]] = defaultdict(set)
        for row in self._facts.select(_PAIRS):
            subjects[row["predicate"].value].add(row["subject"].value)
            if isinstance(row["object"], ox.NamedNode):
                objects[row["predicate"].value].add(row["object"].value)
        return subjects, objects

    def meant(self, question: Question, taken: Iterable[tuple[int, int]]) -> tuple[Meant, ...]:
        """Kinds that the question names outside the stretches taken, the longest names first taken."""
        spans = list(taken)
        found: list[Meant] = []
        words = question.tokens
        for length in range(min(_LONGEST, len(words)), 0, -1):
            for at in range(len(words) - length + 1):
                run = words[at : at + length]
                start, end = run[0].start, run[-1].end
                if any(s < end and start < e for s, e in spans) or run[0].lower in FUNCTION:
                    continue
                for kind in self.kinds.get(tuple(t.term for t in run), ()):
                    found.append(Meant(kind, start, end))
                    spans.append((start, end))
        return tuple(sorted(found, key=lambda m: (m.start, -len(m.kind.things), m.kind.iris)))


def _words(text: str) -> tuple[str, ...]:
    return tuple(t.term for t in tokens(text) if not _ignored(t)) or (term(text),)


def _ignored(token: Token) -> bool:
    return token.lower in ("the", "a", "an")


def is_date(fact: Fact) -> bool:
    """Whether a fact's value is a date."""
    return getattr(getattr(fact.object, "datatype", None), "value", "") in DATES

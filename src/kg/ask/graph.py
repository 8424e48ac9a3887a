"""One view's graph as the readings of questions use it: its facts, its vocabulary, its queries."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import pyoxigraph as ox

from kg.ask.alternatives import ARTICLES
from kg.ask.drafts import Asking
from kg.ask.facts import Fact, Facts, Written
from kg.ask.linking import every_word, link, own_words, property_fit, property_names
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored, Term
from kg.ask.view import View
from kg.model import Passage, UnitKind
from kg.namespaces import KG, OWL, RDF, RDFS
from kg.protocols import GraphStore
from kg.text import units
from kg.text.question_words import AGGREGATES
from kg.text.spans import Span, cells
from kg.text.terms import COMPARATIVES, FUNCTION, SUPERLATIVES, bag, term, tokens

_REMARK = re.compile(r"\s*\([^()]*\)\s*$")  # "Pilot live (Thornbury)" may be called "Pilot live"
_KEY = re.compile(r"(?:^|;\s)[^\w;:]*(?P<key>\w[^;:\n]{0,70}?)\s*:", re.MULTILINE)
_LOCAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


class Writer:
    """Writes queries with the prefixes of a knowledge base, declaring those that are used."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        # The longest namespace first, so that ``ent:`` wins over its base.
        self._prefixes = sorted(prefixes.items(), key=lambda p: (-len(p[1]), p[0]))

    def term(self, iri: str) -> str:
        """An IRI as a prefixed name where that is safe, else in angle brackets. Raises ValueError if it isn't one."""
        for prefix, namespace in self._prefixes:
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri[len(namespace) :]):
                return f"{prefix}:{iri[len(namespace) :]}"
        return str(ox.NamedNode(iri))

    def declared(self, text: str) -> str:
        """A query with the prefixes that it uses declared."""
        used = ((p, n) for p, n in sorted(self._prefixes) if re.search(rf"(?<![\w:<]){re.escape(p)}:", text))
        heads = [f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in used]
        return "\n".join((*heads, text))


def run(store: GraphStore, sparql: str) -> Written:
    """Runs a SELECT or ASK query."""
    results = store.query(sparql)
    assert not isinstance(results, ox.QueryTriples)
    raw = results.serialize(format=ox.QueryResultsFormat.JSON)
    assert raw is not None
    return Written(sparql, json.loads(raw))


_HEDGES = {"guessed": "likely ", "estimated": "estimated ", "leaked": "leaked: ", "planned": "planned: "}
# Verbs that say little count this much of their weight.
_LIGHT = 0.5
# Words that a computation stands for rather than a property.
COMPUTED = COMPARATIVES | SUPERLATIVES | AGGREGATES.keys() | {"difference", "exceed", "exceeds", "exceeded"}


_LONGEST = 4
_PAIRS = f"""
SELECT DISTINCT ?subject ?predicate ?object WHERE {{
  ?claim <{RDF}subject> ?subject ; <{RDF}predicate> ?predicate ; <{RDF}object> ?object ; <{KG}asserted> true .
}}"""


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
        # A kind whose things another of its name has and more is a part of that: ferries that sail today are no fleet.
        return {
            name: tuple(k for k in kinds if not any(k.things < other.things for other in kinds))
            for name, kinds in found.items()
        }

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
        unnamed: Counter[tuple[str, ...]] = Counter()
        for row in self._rows():
            head, name = _words(row[0][0]), row[0][1].text
            if len(named := self._named(name)) == 1:
                members[head].update(named)
            elif len(named := self._named(row[1][1].text)) == 1 and self._is_told(named[0], name):
                members[head].update(named)  # "EQ-004; Kiln": a number, and what it is given to
                members[_words(row[1][0])].update(named)
            elif not any(word in AGGREGATES for word in name.casefold().split()):
                unnamed[head] += 1
        by_members = {frozenset(s): p for p, s in sorted(self._ends[0].items(), reverse=True)}
        for kind, things in sorted(members.items()):
            if unnamed[kind] >= len(things):  # of so few of the rows no count, mean or extreme is true
                continue
            predicate = by_members.get(frozenset(things))
            yield Kind(kind, ("?thing", predicate, "?any") if predicate else None, frozenset(things))

    def _rows(self) -> Iterator[tuple[tuple[str, Span], ...]]:
        """The cells of every row of a table, two or more."""
        for id_ in sorted(self._passages):
            for unit in self._passages[id_].units:
                row = cells(unit.plain) if unit.kind == UnitKind.ROW else ()
                if len(row) > 1:
                    yield row

    def _named(self, name: str) -> tuple[str, ...]:
        """The things of a name, or of it without the remark behind it."""
        known = self._facts.things
        return known.get(_words(name)) or known.get(_words(_REMARK.sub("", name)), ())

    def _is_told(self, thing: str, value: str) -> bool:
        """Whether a claim states a value of a thing."""
        return any(f.stated == value for f in self._facts.of_subject(thing))

    def _ranges(self) -> Iterable[Kind]:
        """Values of the properties that lead to things, by the properties' names."""
        for predicate, things in sorted(self._ends[1].items()):
            for name in self._facts.labels.get(predicate, ()):
                yield Kind(_words(name), ("?any", predicate, "?thing"), frozenset(things))

    @property
    def properties(self) -> tuple[str, ...]:
        """Properties of which the graph has an asserted claim."""
        return tuple(sorted(self._ends[0]))

    def having(self, predicate: str) -> Kind:
        """All of which an asserted claim tells a property; nobody where lines with its name as their key are no claims.

        Of those alone that were kept no extreme, count or mean would be true.
        """
        things = frozenset(self._ends[0].get(predicate, ()))
        told = sum(f.predicate == predicate for thing in things for f in self._facts.of_subject(thing))
        lines = sum(self._keys[name.casefold()] for name in self._facts.labels.get(predicate, ()))
        return Kind((), ("?thing", predicate, "?any"), things if lines <= told else frozenset())

    @cached_property
    def _keys(self) -> Counter[str]:
        """What stands before a colon where a unit or a cell of it begins, with the number of such units."""
        units = (unit.plain for passage in self._passages.values() for unit in passage.units)
        return Counter(key for plain in units for key in {m["key"].casefold() for m in _KEY.finditer(plain)})

    @cached_property
    def _ends(self) -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
        """Subjects and objects of asserted claims by property; objects that are things."""
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
        for run in question.runs(_LONGEST):
            start, end = run[0].start, run[-1].end
            if any(s < end and start < e for s, e in spans) or run[0].lower in FUNCTION:
                continue
            for kind in self.kinds.get(tuple(t.term for t in run), ()):
                found.append(Meant(kind, start, end))
                spans.append((start, end))
        return tuple(sorted(found, key=lambda m: (m.start, -len(m.kind.things), m.kind.iris)))


def _words(text: str) -> tuple[str, ...]:
    return tuple(t.term for t in tokens(text) if t.lower not in ARTICLES) or (term(text),)


class Graph:
    """Facts, vocabulary and queries of one view."""

    def __init__(self, view: View) -> None:
        assert view.store is not None
        self.view = view
        self.store = view.store
        self.facts = Facts(view.store, view.namespaces)
        self.schema = Schema(self.facts, view.passages)
        # Things of the graph that a question names, and what a property or class is called.
        self.links = lru_cache(maxsize=200)(lambda question: link(question, self.facts, view.lexicon.capitalised))
        self.names = lru_cache(maxsize=5_000)(lambda iri: property_names(iri, self.facts, view.ontology))

    @cached_property
    def writer(self) -> Writer:
        """Writes queries with this graph's prefixes."""
        declared = self.view.ontology.prefixes if self.view.ontology else {}
        return Writer({**{p: n for p, n in declared.items() if p}, **self.view.namespaces.prefixes()})

    def run(self, select: str, patterns: Iterable[Sequence[str]], *after: str, extra: Sequence[str] = ()) -> Written:
        """Runs ``select WHERE { patterns extra } after``; an IRI in a pattern is written as the prefixes allow."""
        lines = [f"{self.pattern(pattern)} ." for pattern in patterns]
        body = "\n".join((select + " WHERE {", *("  " + line for line in (*lines, *extra)), "}", *after))
        return run(self.store, self.writer.declared(body))

    def claimed(self, thing: str, predicate: str, passage: str = "") -> Written:
        """Runs the query for what claims state of a thing's property; those of one passage (its IRI), or all."""
        claim = f"?claim rdf:subject {self.term(thing)} ; rdf:predicate {self.term(predicate)} ;"
        source = f"prov:wasDerivedFrom {self.term(passage)} ; " if passage else ""
        stated = f"  {source}kg:statedValue ?value ; kg:status ?status ."
        return self.run("SELECT ?value ?status", (), extra=(claim, stated))

    def pattern(self, terms: Iterable[str]) -> str:
        """A triple pattern as it stands in a query: variables, literals and "a" as they are."""
        return " ".join(x if x.startswith(("?", '"')) or x == "a" else self.term(x) for x in terms)

    def term(self, iri: str) -> str:
        """An IRI as it stands in a query."""
        return self.writer.term(iri)

    def evidence(self, asking: Asking, fact: Fact) -> Scored | None:
        """The unit that a claim quotes."""
        return asking.retriever.scored_at(asking.found, fact.passage, fact.start)

    def cited(self, asking: Asking, facts: Iterable[Fact]) -> tuple[Scored, ...]:
        """The units that claims quote, each once."""
        units = (s for f in facts if (s := self.evidence(asking, f)) is not None)
        return tuple({s.key: s for s in units}.values())

    def said(self, fact: Fact) -> str:
        """How a value is said: as stated for numbers and dates, with the hedge; a thing by its name."""
        hedge = _HEDGES.get(fact.status, "") if not fact.asserted else ""
        if fact.object is None:
            return fact.stated or "not disclosed"
        return hedge + (fact.stated or self.facts.label(fact.object))

    def explained(
        self,
        asking: Asking,
        names: Iterable[str],
        spans: Iterable[tuple[int, int]] = (),
        nouns: frozenset[str] = frozenset(),
    ) -> float:
        """Share of the question's words that a reading stands for, 0 to 1; 0 if a name or figure of it is not read.

        ``names``: of its properties and classes; ``spans``: stretches of the question that it reads; ``nouns``: normal
        forms that its adjectives stand for.
        """
        words = nouns | every_word(tuple(names))
        spans = tuple(spans)
        total = got = 0.0
        for t in asking.found.terms:
            token = t.word.token
            read = any(start <= token.start < end for start, end in spans) or token.lower in COMPUTED
            found = 1.0 if read or t.word.role == Role.KIND else t.found(words)
            if (t.word.role == Role.NAME or token.digits) and found < 0.5:
                return 0.0
            weight = t.weight * (_LIGHT if t.word.role == Role.LIGHT else 1.0)
            total += weight
            got += weight * found
        return got / total if total else 0.0

    def rest(self, asking: Asking, spans: Iterable[tuple[int, int]]) -> tuple[Term, ...]:
        """Words of the question outside the stretches, without those that a computation stands for."""
        spans = tuple(spans)
        return tuple(
            t
            for t in asking.found.terms
            if t.word.token.lower not in COMPUTED and not any(start <= t.word.token.start < end for start, end in spans)
        )

    def fit(self, terms: tuple[Term, ...], predicate: str, nouns: frozenset[str] = frozenset()) -> float:
        """How well a property is said by words, or by the nouns that an adjective stands for, 0 to 1.5."""
        names = self.names(predicate)
        said, explained = property_fit(terms, names)
        meant = max((0.9 for n in names if bag(n) & nouns), default=0.0)
        head = max((len(own_words(n) & nouns) / len(own_words(n)) for n in names if own_words(n)), default=0.0)
        return max(said, meant * (0.6 + 0.4 * head)) + 0.5 * explained


def amount(value: float, unit: str | None, noun: str = "") -> str:
    """A computed number in its unit: ``$13``, ``336 days``, ``48 cars``.

    >>> amount(6214.5, "http://qudt.org/vocab/unit/CCY_USD"), amount(13.0, None), amount(2.25, None, "cars")
    ('$6,214.50', '13', '2.25 cars')
    """
    if value == int(value):
        figure = f"{value:,.0f}"
    else:
        figure = f"{value:,.10g}" if abs(value) < 1 else f"{round(value, 2):,.15g}"
    name = units.unit_of(unit) if unit else None
    if name is None:
        return f"{figure} {noun}".strip()
    if name.startswith("CCY_"):
        figure = f"{value:,.2f}" if "." in figure and abs(value) >= 1 else figure
        sign = next((s for s, n in units.CURRENCY_SIGNS.items() if n == name and len(s) == 1), "")
        return f"{sign}{figure}" if sign else f"{figure} {name.removeprefix('CCY_')}"
    return f"{figure} {units.label(name)}"

"""An RDF graph held for typing and denotations: what is an instance of what, which property joins what with what.

Terms are numbers. A step is a property with a direction: ``(property, True)`` goes from subjects to objects.

Measures that a graph holds without a property of their own are properties derived from two others. A value node
("length [ value 190 ; unit metre ]") is passed through: the property reads as its number. Two dates of one thing of
which one never comes after the other make a span: how long a voyage took, how old somebody got.
"""

from __future__ import annotations

import datetime
import math
import re
import statistics
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pyoxigraph as ox

from kg.namespaces import OWL, RDF, RDFS, SKOS, XSD
from kg.semantics.naming import holds_names, is_opaque, kinds, local_name, phrases
from kg.text.question_words import UNITS
from kg.text.tokens import words

LABELS = (
    f"{RDFS}label",
    f"{SKOS}prefLabel",
    f"{SKOS}altLabel",
    f"{SKOS}hiddenLabel",
    "http://xmlns.com/foaf/0.1/name",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
)
COMMENTS = (
    f"{RDFS}comment",
    f"{SKOS}definition",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/description",
    "http://schema.org/description",
    "https://schema.org/description",
)
# Vocabularies that speak about the schema: never something that a question asks for.
SCHEMA = (RDF, RDFS, OWL, "http://www.w3.org/ns/shacl#", f"{SKOS}definition")
CLASS_TYPES = frozenset((f"{OWL}Class", f"{RDFS}Class"))
NOT_KINDS = frozenset((f"{OWL}NamedIndividual", f"{OWL}Thing", f"{RDFS}Resource", f"{OWL}Ontology"))
NUMBERS = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "unsignedInt", "unsignedLong", "unsignedShort", "negativeInteger", "nonPositiveInteger",
    )
)  # fmt: skip
DATE = re.compile(r"(-?\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*|Z|[+-]\d\d:\d\d)?$")
DATES = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))
Step = tuple[int, bool]
Ids = frozenset[int]
Term = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(frozen=True, slots=True)
class Property:
    """A property: its names (labels first), what it joins, and what its values are: thing, number, date or text."""

    id: int
    iri: str
    names: tuple[str, ...]
    domain: Ids
    range: Ids
    kind: str
    uses: int
    is_span: bool = False


def ordered(triples: Iterable[ox.Triple | ox.Quad]) -> tuple[list[Term], npt.NDArray[np.int64]]:
    """The terms of triples, each once, and the triples as places among these, shape (N, 3), in the order of their text.

    That order is the same whatever the order they come in. Of a million triples no text is held, only that of terms.
    """
    known: dict[Term, int] = {}
    rows = array("q")
    for triple in triples:
        subject, object_ = triple.subject, triple.object
        if not isinstance(subject, ox.Triple) and not isinstance(object_, ox.Triple):
            rows.extend(known.setdefault(term, len(known)) for term in (subject, triple.predicate, object_))
    terms = list(known)
    # Ranks order as whole lines do: no subject's or property's text goes on where another's ends.
    ranks = np.empty(len(terms), np.int64)
    ranks[sorted(range(len(terms)), key=[str(term) for term in terms].__getitem__)] = np.arange(len(terms))
    places = np.frombuffer(rows, np.int64).reshape(-1, 3)
    return terms, places[np.lexsort([ranks[places[:, column]] for column in (2, 1, 0)])]


def _first_seen(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The different numbers in the order in which they come first."""
    different, first = np.unique(numbers, return_index=True)
    return different[np.argsort(first)]


def ordinal(text: str) -> float | None:
    """A date as the number of its (first) day."""
    match = DATE.fullmatch(text)
    if match is None:
        return None
    try:
        return float(datetime.date(int(match[1]), int(match[2] or 1), int(match[3] or 1)).toordinal())
    except ValueError:
        return None


K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """Each first of the pairs with all that stand second to it, in order."""
    found: dict[K, list[V]] = defaultdict(list)
    for one, other in pairs:
        found[one].append(other)
    return {one: tuple(others) for one, others in found.items()}


def both(edges: Mapping[int, object], ids: Iterable[int]) -> AbstractSet[int]:
    """Keys that are among ids too; the fewer of the two are gone through, which ``keys() & ids`` doesn't see to."""
    return ids.intersection(edges) if isinstance(ids, frozenset) and len(edges) < len(ids) else edges.keys() & ids


_DAYS = ("duration", "days", "length of time", "time taken")
_YEARS = ("age", "lifetime", "years", "duration")
_LONG = 5 * 365  # days from which a span is told in years
_UNITS = frozenset(("unit", "units", "currency", "uom"))
_VALUES = frozenset(("value", "quantity", "measure", "measurement"))
_MOST_DATES = 4
_DATE = 10  # characters of a date that names its day
_SHORT = frozenset(("cm", "mm", "km2", "m2", "sqkm", "sqm", "in", "of", "total", "kg", "g", "t"))
_PEOPLE, _AREA = ("population", "inhabitants", "people", "residents"), ("area", "surface")
_LENGTH, _WIDTH, _HEIGHT = ("depth", "length"), ("width", "breadth"), ("height",)
_DEFINED = (
    ("quotient", ("population density", "density"), (_PEOPLE, _AREA)),
    ("quotient", ("density",), (("mass", "weight"), ("volume",))),
    ("product", ("volume",), (_WIDTH, _HEIGHT, _LENGTH)),
)


@dataclass(frozen=True, slots=True)
class Derived:
    """A property made of others: one after the other ("path"), the time between two ("days", "years"), a quotient."""

    parts: tuple[int, ...]
    how: Literal["path", "days", "years", "quotient", "product"]
    names: tuple[str, ...]

    @property
    def is_span(self) -> bool:
        """Whether it is a time between two dates."""
        return self.how in ("days", "years")


class Graph:
    """The default graph of a store, indexed."""

    def __init__(self, triples: Iterable[ox.Triple | ox.Quad]) -> None:
        self.terms: list[ox.NamedNode | ox.BlankNode | ox.Literal] = []
        self.ids: dict[object, int] = {}
        self.out: dict[int, dict[int, tuple[int, ...]]] = {}
        self.back: dict[int, dict[int, tuple[int, ...]]] = {}
        self._value: dict[int, float] = {}
        self._dates: set[int] = set()
        self.literals: set[int] = set()
        self._take(*ordered(triples))
        for property_ in self._declared:
            self.out.setdefault(property_, {})
            self.back.setdefault(property_, {})
        self.derived: dict[int, Derived] = {}
        self._derive()

    def _take(self, terms: list[Term], rows: npt.NDArray[np.int64]) -> None:
        """Numbers terms in the order of the triples, and indexes these a property at a time."""
        order = _first_seen(rows.ravel())
        numbers = np.empty(len(terms), np.int64)
        numbers[order] = [self.id(terms[place]) for place in order]
        rows = numbers[rows]
        own = list(self.ids.values())  # each number held once
        of_property = np.argsort(rows[:, 1], kind="stable")
        starts = dict(zip(*np.unique(rows[of_property, 1], return_index=True), strict=True))
        for property_ in _first_seen(rows[:, 1]):
            count = int(np.count_nonzero(rows[:, 1] == property_))
            mine = rows[of_property[starts[property_] : starts[property_] + count]]
            edges = [(own[subject], own[object_]) for subject, object_ in zip(mine[:, 0], mine[:, 2], strict=True)]
            self.out[own[property_]] = grouped(edges)
            self.back[own[property_]] = grouped((object_, subject) for subject, object_ in edges)

    @cached_property
    def _declared(self) -> Ids:
        """Properties that the graph says are some, whether it uses them or not."""
        types = self._of(f"{RDF}type")
        found = (s for s, os in types.items() if any(self._text(o).endswith("Property") for o in os))
        return frozenset(s for s in found if self._text(s))

    def _derive(self) -> None:
        """Adds what is measured though no property of its own says it; value nodes are passed through."""
        through = quantities(self)
        for property_, found in through.items():
            edges = {s: self.out[found.parts[1]][os[0]] for s, os in self.out[property_].items()}
            self._add(found, edges)
        for found in spans(self):
            first, second = (self.out[p] for p in found.parts)
            both = sorted(first.keys() & second.keys())
            years = {i: n for i in both if (n := length(self, found, i)) is not None}
            whole = ox.NamedNode(f"{XSD}integer")
            self._add(found, {i: (self.id(ox.Literal(str(n), datatype=whole)),) for i, n in years.items()})
        self._passed = frozenset(through)
        for found in computed(self):
            numbers = {i: v for i in sorted(self.out[found.parts[0]]) if (v := calculated(self, found, i)) is not None}
            decimal = ox.NamedNode(f"{XSD}decimal")
            self._add(found, {i: (self.id(ox.Literal(f"{v:.12f}", datatype=decimal)),) for i, v in numbers.items()})

    def _add(self, derived: Derived, edges: Mapping[int, tuple[int, ...]]) -> None:
        id_ = self.id(ox.NamedNode(f"urn:derived:{'-'.join(map(str, derived.parts))}:{derived.how}"))
        self.derived[id_] = derived
        self.out[id_] = dict(edges)
        self.back[id_] = grouped((o, subject) for subject, objects in sorted(edges.items()) for o in objects)

    def id(self, term: ox.NamedNode | ox.BlankNode | ox.Literal) -> int:
        """The number of a term, a new one if it is new."""
        found = self.ids.get(term)
        if found is None:
            found = self.ids[term] = len(self.terms)
            self.terms.append(term)
            if isinstance(term, ox.Literal):
                self.literals.add(found)
                self._read(found, term)
        return found

    def _read(self, id_: int, literal: ox.Literal) -> None:
        text, type_ = literal.value.strip(), literal.datatype.value
        if type_ in NUMBERS:
            try:
                number = float(text)
            except ValueError:
                return
            if math.isfinite(number):
                self._value[id_] = number
            return
        if type_ not in DATES and not (type_ == f"{XSD}string" and len(text) >= 10 and DATE.fullmatch(text)):
            return
        if (day := ordinal(text)) is not None:
            self._value[id_] = day
            self._dates.add(id_)

    def iri(self, iri: str) -> int | None:
        """The number of an IRI, if the graph has it."""
        return self.ids.get(ox.NamedNode(iri))

    def _of(self, iri: str) -> Mapping[int, tuple[int, ...]]:
        id_ = self.iri(iri)
        return self.out.get(id_, {}) if id_ is not None else {}

    # --- values ------------------------------------------------------------------------------

    def value(self, id_: int) -> float | None:
        """A literal's number, or the day of a date."""
        return self._value.get(id_)

    def is_date(self, id_: int) -> bool:
        """Whether a literal is a date."""
        return id_ in self._dates

    def is_literal(self, id_: int) -> bool:
        """Whether a term is a literal."""
        return id_ in self.literals

    # --- names -------------------------------------------------------------------------------

    @cached_property
    def names(self) -> Mapping[int, tuple[str, ...]]:
        """Names of things by labels; the first is the one shown."""
        found: dict[int, list[str]] = defaultdict(list)
        for iri in LABELS:
            for subject, objects in self._of(iri).items():
                texts = [t for t in (self.terms[o] for o in objects) if isinstance(t, ox.Literal)]
                english = [t.value for t in texts if t.language in (None, "") or str(t.language).startswith("en")]
                found[subject] += [n for n in english if n.strip() and n not in found[subject]]
        for property_ in self.naming:
            for subject, objects in self.out[property_].items():
                found[subject] += [n for o in objects if (n := self.terms[o].value) not in found[subject]]
        return {id_: tuple(names) for id_, names in found.items() if names}

    def called(self, id_: int) -> list[tuple[int, int]]:
        """The properties and literals by which a thing is named."""
        by = [p for p in (*sorted(self._labels), *self.naming) if id_ in self.out.get(p, {})]
        return [(p, o) for p in by for o in self.out[p][id_] if self.is_literal(o)]

    @cached_property
    def naming_properties(self) -> tuple[int, ...]:
        """Properties whose values are names of the graph's things."""
        kinds = self.kinds
        labels = (p for p in sorted(self._labels) if not kinds.keys().isdisjoint(self.out.get(p, {})))
        return (*labels, *(p for p in self.naming if p not in self._labels))

    @cached_property
    def naming(self) -> tuple[int, ...]:
        """Properties of the graph's own that say what its things are called."""
        labels = self._labels
        labelled = {s for i in labels for s in self.out.get(i, {})}
        found = []
        for id_ in sorted(self.out):
            edges = self.out[id_]
            if id_ in labels or self._text(id_).startswith(SCHEMA) or any(len(os) > 1 for os in edges.values()):
                continue
            values = [self.terms[os[0]] for os in edges.values()]
            if labelled & set(edges) or not all(isinstance(v, ox.Literal) for v in values):
                continue
            own = [self.terms[o].value for i in labels for o in self.out.get(i, {}).get(id_, ())]
            own.append(local_name(self._text(id_)))
            if holds_names(own, self._comment(id_), [v.value for v in values]):
                found.append(id_)
        return tuple(found)

    @cached_property
    def _labels(self) -> Ids:
        return frozenset(i for iri in LABELS if (i := self.iri(iri)) is not None)

    def _comment(self, id_: int) -> str:
        texts = [self.terms[o] for iri in COMMENTS for o in self._of(iri).get(id_, ())]
        english = [t.value for t in texts if isinstance(t, ox.Literal) and (t.language or "en").startswith("en")]
        return " ".join(english)

    def name(self, id_: int) -> str:
        """A term as it is shown: its label, else the last part of its IRI, else its text."""
        if id_ in self.names:
            return self.names[id_][0]
        term = self.terms[id_]
        if not isinstance(term, ox.NamedNode):
            return term.value
        return self.names_of(id_)[0] if id_ in self.superclasses else local_name(term.value)

    def names_of(self, id_: int) -> tuple[str, ...]:
        """All names of a class or property, by labels, comments and its IRI."""
        own = [part.strip() for name in self.names.get(id_, ()) for part in re.split(r"\s+/\s+|;|\|", name)]
        term = self.terms[id_]
        local = [local_name(term.value)] if isinstance(term, ox.NamedNode) else []
        opaque = bool(local) and is_opaque(local[0])
        said = self._said(id_) if opaque and not own else ()
        if opaque and own:  # "P3" calls nothing that has a label
            local = []
        seen: dict[str, None] = {}
        for name in (*own, *said, *local):
            if name and name.casefold() not in {s.casefold() for s in seen}:
                seen[name] = None
        return tuple(seen) or (term.value,)

    def _said(self, id_: int) -> tuple[str, ...]:
        """Names that a comment gives."""
        if not (comment := self._comment(id_)):
            return ()
        if id_ in self.superclasses:
            return kinds(comment)
        ends = [c for iri in ("domain", "range") for c in self._of(f"{RDFS}{iri}").get(id_, ())]
        above = {a for c in ends[:1] for a in self.superclasses.get(c, ())}
        below = {c for c, found in self.superclasses.items() if set(ends[:1]) & found}
        return phrases(comment, [n for c in sorted(above | below) for n in self.names_of(c)])

    # --- classes -----------------------------------------------------------------------------

    @cached_property
    def superclasses(self) -> Mapping[int, Ids]:
        """Every class with all that it is a kind of."""
        direct = self._of(f"{RDFS}subClassOf")
        found = {}
        for cls in sorted(c for c in {*direct, *self._class_ids()} if self._text(c)):
            seen, waiting = {cls}, [cls]
            while waiting:  # a chain may be long, and a circle
                for parent in direct.get(waiting.pop(), ()):
                    if parent not in seen:
                        seen.add(parent)
                        waiting.append(parent)
            found[cls] = frozenset(c for c in seen if self._text(c))
        return found

    def _class_ids(self) -> set[int]:
        types = self._of(f"{RDF}type")
        declared = {s for s, os in types.items() if any(self._text(o) in CLASS_TYPES for o in os)}
        used = {o for os in types.values() for o in os if not self._text(o).startswith(SCHEMA)}
        return {c for c in declared | used if self._text(c) and self._text(c) not in NOT_KINDS}

    def _text(self, id_: int) -> str:
        term = self.terms[id_]
        return term.value if isinstance(term, ox.NamedNode) else ""

    @cached_property
    def classes(self) -> Mapping[int, Ids]:
        """Classes with their instances, those of subclasses too."""
        found: dict[int, set[int]] = {c: set() for c in self.superclasses}
        for subject, types in self._of(f"{RDF}type").items():
            for kind in types:
                for above in self.superclasses.get(kind, ()):
                    if above in found and not self._is_schema(subject):
                        found[above].add(subject)
        return {c: frozenset(found[c]) for c in sorted(found)}

    @cached_property
    def schema_terms(self) -> Ids:
        """Properties of the vocabularies that speak about schemas."""
        return frozenset(p for p in self.out if self._text(p).startswith(SCHEMA)) | self._labels

    def _is_schema(self, id_: int) -> bool:
        return id_ in self.out or (id_ in self.superclasses and id_ not in self.punned)

    @cached_property
    def punned(self) -> Ids:
        """Classes of which something is said as of a thing."""
        classes, found = self.superclasses.keys(), set[int]()
        for property_, edges in self.out.items():
            if property_ not in self.schema_terms and not self._is_comment(property_):
                found |= (classes & edges.keys()) | (classes & self.back[property_].keys())
        return frozenset(found)

    def _is_comment(self, property_: int) -> bool:
        return self._text(property_) in COMMENTS

    @cached_property
    def kinds(self) -> Mapping[int, tuple[int, ...]]:
        """Things with their classes, the smallest class first."""
        ordered_ = sorted(self.classes.items(), key=lambda c: (len(c[1]), c[0]))
        return grouped((member, kind) for kind, members in ordered_ for member in members)

    # --- properties --------------------------------------------------------------------------

    @cached_property
    def properties(self) -> Mapping[int, Property]:
        """Properties that join things, or things and values, in this graph or by its ontology."""
        labels = self._labels
        asked = (i for i in sorted(self.out) if i not in labels | self._passed and self._text(i))
        return {i: self._property(i) for i in asked if not self._text(i).startswith(SCHEMA)}

    def _property(self, id_: int) -> Property:
        uses = self.out.get(id_, {})
        derived = self.derived.get(id_)
        own = () if derived is None else derived.names or self.names_of(derived.parts[0])
        return Property(
            id_,
            self._text(id_),
            own or self.names_of(id_),
            frozenset(self._of(f"{RDFS}domain").get(id_, ())),
            frozenset(self._of(f"{RDFS}range").get(id_, ())),
            self._kind(id_),
            sum(len(os) for os in uses.values()),
            derived is not None and derived.is_span,
        )

    def _kind(self, id_: int) -> str:
        objects = [o for os in self.out.get(id_, {}).values() for o in os]
        literal = [o for o in objects if self.is_literal(o)]
        if not objects:
            ranges = [self._text(r) for r in self._of(f"{RDFS}range").get(id_, ())]
            if any(r in NUMBERS for r in ranges):
                return "number"
            return "date" if any(r in DATES for r in ranges) else "text" if any(XSD in r for r in ranges) else "thing"
        if 2 * len(literal) <= len(objects):
            return "thing"
        valued = sum(1 for o in literal if o in self._value)
        if 10 * valued < 9 * len(literal):
            return "text"
        return "date" if 2 * sum(1 for o in literal if o in self._dates) > len(literal) else "number"

    def truths(self, property_: int) -> tuple[int, ...]:
        """The literals that say yes among a property's values; none if it has others than yes and no."""
        found = self.back.get(property_, {})
        if not all(self._is_truth(o) for o in found):
            return ()
        return tuple(sorted(o for o in found if self.terms[o].value.strip() in ("true", "1")))

    def _is_truth(self, id_: int) -> bool:
        term = self.terms[id_]
        return isinstance(term, ox.Literal) and term.datatype.value == f"{XSD}boolean"

    # --- joins -------------------------------------------------------------------------------

    def follow(self, ids: Iterable[int], step: Step) -> Ids:
        """What a step leads to from any of these."""
        edges = self.edges(step)
        if isinstance(ids, tuple):
            return frozenset(o for s in ids for o in edges.get(s, ()))
        return frozenset(chain.from_iterable(map(edges.__getitem__, both(edges, ids))))

    def edges(self, step: Step) -> Mapping[int, tuple[int, ...]]:
        """Things from which a step leads somewhere, each with what it leads to."""
        return (self.out if step[1] else self.back).get(step[0], {})


def quantities(graph: Graph) -> dict[int, Derived]:
    """Properties that lead to value nodes, each with what to read instead."""
    found = {}
    for property_, edges in graph.out.items():
        nodes = {o for objects in edges.values() for o in objects}
        if any(graph.is_literal(n) or n in graph.names for n in nodes) or property_ in graph.schema_terms:
            continue
        number = _number(graph, frozenset(nodes))
        if number is not None and all(len(graph.back[property_][n]) == 1 for n in nodes):
            found[property_] = Derived((property_, number), "path", ())
    return found


def _number(graph: Graph, nodes: frozenset[int]) -> int | None:
    """The one property by which all the nodes have one number or date, and no other has any."""
    valued: set[int] = set()
    for property_, edges in graph.out.items():
        for node in nodes & edges.keys():
            if any(graph.value(o) is not None for o in edges[node]):
                valued.add(property_)
                if len(edges[node]) > 1:
                    return None
    only = next(iter(valued), None)
    if _ties(graph, nodes):
        return None
    if len(valued) != 1 or only is None or not nodes <= graph.out[only].keys():
        return None
    return only if all(isinstance(graph.terms[n], ox.BlankNode) or _is_quantity(graph, n) for n in nodes) else None


def _ties(graph: Graph, nodes: frozenset[int]) -> bool:
    """Whether nodes lead to things of the graph other than units: they tell who and what, not only how much."""
    for property_, edges in graph.out.items():
        if property_ in graph.schema_terms or _UNITS & set(words(local_name(graph.terms[property_].value))):
            continue
        reached = {o for node in nodes & edges.keys() for o in edges[node]}
        kinds = {kind for o in reached for kind in graph.kinds.get(o, ())}
        if any(not _UNITS & set(words(name)) for kind in kinds for name in graph.names_of(kind)):
            return True
    return False


def _is_quantity(graph: Graph, node: int) -> bool:
    """Whether a thing's class is called one of values."""
    return any(set(words(name)) & _VALUES for kind in graph.kinds.get(node, ()) for name in graph.names_of(kind))


def spans(graph: Graph) -> list[Derived]:
    """Times between two dates of a thing."""
    dated = [
        p for p, edges in sorted(graph.out.items())
        if edges and all(graph.is_date(o) for os in edges.values() for o in os)
    ]  # fmt: skip
    found = []
    for first in dated:
        for second in dated:
            both = graph.out[first].keys() & graph.out[second].keys()
            if first == second or not both or sum(bool(graph.out[d].keys() & both) for d in dated) > _MOST_DATES:
                continue
            days = [_days(graph, first, second, i) for i in sorted(both)]
            if any(d is None or d < 0 for d in days) or not any(days):
                continue
            coarse = any(len(graph.terms[os[0]].value) < _DATE for p in (first, second) for os in graph.out[p].values())
            years = coarse or statistics.median(d for d in days if d is not None) >= _LONG
            found.append(Derived((first, second), "years" if years else "days", _YEARS if years else _DAYS))
    return found


def computed(graph: Graph) -> list[Derived]:
    """What is a quotient or a product of things' numbers by definition: density, volume. None that a property says."""
    numbers = {
        p: _measured(graph, p) for p in sorted(graph.out) if p not in graph.schema_terms and _is_number(graph, p)
    }
    said = {w for p in graph.out if p not in graph.schema_terms for n in graph.names_of(p) for w in words(n)}
    found = []
    for how, names, wanted in _DEFINED:
        if names[-1] in said:
            continue
        parts = [next((p for p, own in numbers.items() if any(m in w for m, _ in own)), None) for w in wanted]
        known = [p for p in parts if p is not None]
        if len(known) < len(wanted) or len(set(known)) < len(known):
            continue
        units = {unit for p in known for _, unit in numbers[p]}
        if how == "product" and len(units) > 1:
            continue
        found.append(Derived(tuple(known), how, names))  # type: ignore[arg-type]
    return found


def _measured(graph: Graph, property_: int) -> set[tuple[str, tuple[str, ...]]]:
    """What a property measures, each with its unit: "widthCm" is a width in cm."""
    said = [words(name) for name in graph.names_of(property_)]
    return {
        (name[0], name[1:]) for name in said if name and all(w in UNITS or w in _SHORT for w in name[1:])
    } | {(name[-1], ()) for name in said if len(name) == 2 and name[0] == "total"}  # fmt: skip


def _is_number(graph: Graph, property_: int) -> bool:
    """Whether all things have one number."""
    edges = graph.out[property_]
    return bool(edges) and all(
        len(os) == 1 and graph.value(os[0]) is not None and not graph.is_date(os[0]) for os in edges.values()
    )


def calculated(graph: Graph, derived: Derived, id_: int) -> float | None:
    """The number of a thing by a definition; None where a part is missing or nothing can be divided by."""
    ends = [graph.out[p].get(id_, ()) for p in derived.parts]
    numbers = [v for end in ends for o in end[:1] if (v := graph.value(o)) is not None]
    if len(numbers) < len(ends) or (derived.how == "quotient" and not numbers[1]):
        return None
    return numbers[0] / numbers[1] if derived.how == "quotient" else math.prod(numbers)


def _days(graph: Graph, first: int, second: int, id_: int) -> float | None:
    one, other = graph.out[first][id_], graph.out[second][id_]
    start, end = graph.value(one[0]), graph.value(other[0])
    return None if len(one) > 1 or len(other) > 1 or start is None or end is None else end - start


def length(graph: Graph, derived: Derived, id_: int) -> int | None:
    """The span of a thing in its unit; None if it has none."""
    first, second = derived.parts
    if id_ not in graph.out[first] or id_ not in graph.out[second]:
        return None
    if derived.how == "days":
        days = _days(graph, first, second, id_)
        return None if days is None else int(days)
    start, end = (graph.terms[graph.out[p][id_][0]].value for p in (first, second))
    return whole_years(start, end)


def whole_years(start: str, end: str) -> int:
    """Years between two ISO dates that are over: 1922-01-09 to 1999-01-08 are 76."""
    return int(end[:4]) - int(start[:4]) - (end[4:10] < start[4:10])

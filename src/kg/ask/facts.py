"""What the graph holds, as asking needs it: names of things, and claims by subject, property, object or passage."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import pyoxigraph as ox

from kg.namespaces import KG, OWL, PROV, QUDT, RDF, RDFS, SKOS, XSD, Namespaces
from kg.protocols import GraphStore
from kg.text.terms import term, tokens
from kg.text.units import unit_of

Term = ox.NamedNode | ox.Literal

_LABELS = f"""
SELECT ?thing ?name ?preferred WHERE {{
  {{ ?thing <{RDFS}label> ?name BIND(true AS ?preferred) }}
  UNION {{ ?thing <{SKOS}altLabel> ?name BIND(false AS ?preferred) }}
}}"""
_CLAIMS = f"""
SELECT ?claim ?subject ?predicate ?object ?passage ?start ?end ?stated ?status ?asserted ?polarity ?lower ?upper ?unit
WHERE {{
  ?claim <{RDF}subject> ?subject ; <{RDF}predicate> ?predicate ; <{PROV}wasDerivedFrom> ?passage ;
    <{KG}quoteStart> ?start ; <{KG}quoteEnd> ?end ; <{KG}statedValue> ?stated ; <{KG}status> ?status ;
    <{KG}asserted> ?asserted ; <{KG}polarity> ?polarity .
  OPTIONAL {{ ?claim <{RDF}object> ?object }}
  OPTIONAL {{ ?claim <{KG}lowerValue> ?lower }}
  OPTIONAL {{ ?claim <{KG}upperValue> ?upper }}
  OPTIONAL {{ ?claim <{QUDT}unit> ?unit }}
  FILTER NOT EXISTS {{ ?claim <{KG}rejectionReason> ?reason }}
}}"""
_TYPES = f"SELECT ?thing ?class WHERE {{ ?thing <{RDF}type> ?class }}"
# Types of the bookkeeping, not of what documents are about.
_NOT_THINGS = frozenset(KG + name for name in ("Document", "Passage", "Claim", "Evidence", "Extractor", "OpenProperty"))
# A host with its domain: what stands before the first dot calls it, too.
_HOST = re.compile(r"(?P<first>[a-z][a-z0-9-]*\d)(?:\.[a-z0-9-]+)+\.[a-z]{2,}")
_WARMED = 1_000  # things and passages whose claims are read ahead: a second
DATES = frozenset(XSD + name for name in ("gYear", "gYearMonth", "date"))
_NUMERIC = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))


@dataclass(frozen=True, slots=True)
class Written:
    """A query and what it gave: SPARQL's JSON results."""

    sparql: str
    bindings: dict[str, Any]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of a SELECT query."""
        return list(self.bindings.get("results", {}).get("bindings", []))


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim with what is needed to answer from it. ``object`` is None when the value is not disclosed.

    ``start:end`` is its quotation in the document; ``passage`` the identifier (not the IRI).
    """

    claim: str
    subject: str
    predicate: str
    object: Term | None
    passage: str
    start: int
    end: int
    stated: str
    status: str
    asserted: bool
    denied: bool
    lower: float | None
    upper: float | None
    unit: str | None

    @property
    def number(self) -> float | None:
        """The value that orders it, of a number."""
        if isinstance(self.object, ox.Literal) and self.object.datatype.value in _NUMERIC:
            return float(self.object.value)
        return None

    @property
    def value(self) -> str:
        """The value's characters or IRI; "" if it isn't disclosed."""
        return self.object.value if self.object is not None else ""

    @property
    def unit_name(self) -> str | None:
        """The QUDT local name of its unit."""
        return unit_of(self.unit) if self.unit else None

    @property
    def is_ordered(self) -> bool:
        """Whether the value is a number or a date."""
        return self.number is not None or is_date(self)

    @property
    def is_rough(self) -> bool:
        """Whether the number is stated as a range or about so."""
        return self.lower != self.upper or "~" in self.stated


class Facts:
    """Reads a store; results are kept, since a view's graph never changes."""

    def __init__(self, store: GraphStore, namespaces: Namespaces) -> None:
        self._store = store
        self._namespaces = namespaces
        self.of_subject = lru_cache(maxsize=2_000)(partial(self._facts, "subject"))
        self.of_object = lru_cache(maxsize=2_000)(partial(self._facts, "object"))
        self.in_passage = lru_cache(maxsize=2_000)(lambda id_: self._facts("passage", namespaces.passage(id_)))

    @cached_property
    def first(self) -> tuple[str, ...]:
        """The first things that documents speak of, by IRI: as many as are made ready for questions."""
        return tuple(sorted(set(itertools.chain.from_iterable(self.things.values())))[:_WARMED])

    def warm(self, passages: Iterable[str]) -> None:
        """Reads the claims about the first things and of the first passages (identifiers), as questions would."""
        for thing in self.first:
            self.of_subject(thing)
            self.of_object(thing)
        for passage in sorted(passages)[:_WARMED]:
            self.in_passage(passage)

    def select(self, sparql: str) -> ox.QuerySolutions:
        """Solutions of a SELECT query."""
        results = self._store.query(sparql)
        assert isinstance(results, ox.QuerySolutions)
        return results

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Names by IRI, the preferred one first."""
        found: dict[str, list[tuple[bool, str]]] = defaultdict(list)
        for row in self.select(_LABELS):
            found[row["thing"].value].append((row["preferred"].value != "true", row["name"].value))
        return {iri: tuple(dict.fromkeys(name for _, name in sorted(names))) for iri, names in found.items()}

    @cached_property
    def types(self) -> Mapping[str, frozenset[str]]:
        """Classes by IRI."""
        found: dict[str, set[str]] = defaultdict(set)
        for row in self.select(_TYPES):
            if isinstance(row["class"], ox.NamedNode):
                found[row["thing"].value].add(row["class"].value)
        return {iri: frozenset(classes) for iri, classes in found.items()}

    @cached_property
    def things(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """Things that documents speak of, by the normal forms of a name's words."""
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for iri, names in self.labels.items():
            classes = self.types.get(iri, frozenset())
            vocabulary = any(c.startswith((OWL, RDFS)) and c != OWL + "Thing" for c in classes)
            if not classes or classes & _NOT_THINGS or vocabulary:
                continue
            for name in names:
                words = tuple(t.term for t in tokens(name))
                if words:
                    found[words].add(iri)
        found |= {words: iris for words, iris in self._hosts().items() if words not in found}
        return {words: tuple(sorted(iris)) for words, iris in found.items()}

    def _hosts(self) -> Mapping[tuple[str, ...], set[str]]:
        """Hosts of the domain name system by the first label of their name, where only one has it."""
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for iri, names in self.labels.items():
            for host in (m for name in names if (m := _HOST.fullmatch(name))):
                found[term(host["first"]),].add(iri)
        return {words: iris for words, iris in found.items() if len(iris) == 1}

    @cached_property
    def spelled(self) -> Mapping[str, tuple[str, ...]]:
        """The same by the words put together, in their order."""
        return dict(sorted((" ".join(words), iris) for words, iris in self.things.items()))

    def label(self, term: str | Term) -> str:
        """What a thing or value is called: its preferred name, a literal's text, else the end of its IRI."""
        if isinstance(term, ox.Literal):
            return term.value
        iri = term if isinstance(term, str) else term.value
        names = self.labels.get(iri)
        return names[0] if names else iri.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]

    def _facts(self, variable: str, iri: str) -> tuple[Fact, ...]:
        bound = ox.NamedNode(iri)
        # An optional pattern would let every claim through, the object bound or not.
        wanted = _CLAIMS.replace("OPTIONAL { ?claim", "{ ?claim", 1) if variable == "object" else _CLAIMS
        # In the query's text the planner starts from it; bound from outside it would be joined last, a hundred times
        # slower. A NamedNode writes itself as an IRI and nothing else.
        head, body = wanted.split("WHERE", 1)
        results = self.select(f"{head.replace(f' ?{variable}', '')}WHERE{body.replace(f'?{variable}', str(bound))}")
        names = [v.value for v in results.variables]
        prefix = self._namespaces.passage("")
        told = ({n: x for n, x in zip(names, row, strict=True) if x is not None} for row in results)
        rows = (row | {variable: bound} for row in told)
        return tuple(sorted((_fact(row, prefix) for row in rows), key=lambda f: (f.passage, f.start, f.claim)))


def is_date(fact: Fact) -> bool:
    """Whether a fact's value is a date."""
    return getattr(getattr(fact.object, "datatype", None), "value", "") in DATES


def by_property(facts: Iterable[Fact]) -> dict[str, tuple[Fact, ...]]:
    """Facts by their property, in the order of the properties' IRIs; those of one as they came."""
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[fact.predicate].append(fact)
    return {predicate: tuple(found[predicate]) for predicate in sorted(found)}


def _fact(row: Mapping[str, Term], prefix: str) -> Fact:
    def number(name: str) -> float | None:
        return float(row[name].value) if name in row else None

    return Fact(
        row["claim"].value,
        row["subject"].value,
        row["predicate"].value,
        row.get("object"),
        row["passage"].value.removeprefix(prefix),
        int(row["start"].value),
        int(row["end"].value),
        row["stated"].value,
        row["status"].value.removeprefix(KG),
        row["asserted"].value == "true",
        row["polarity"].value.endswith("negated"),
        number("lower"),
        number("upper"),
        row["unit"].value if "unit" in row else None,
    )

"""A query that a model proposes, checked before it runs: read-only, of known terms, and such that rows have claims.

Accepted is one group of triples with filters, aggregated, ordered and cut or not. Everything else that SPARQL has
(OPTIONAL, UNION, NOT EXISTS, paths, sub-queries, GRAPH …) is refused: its rows couldn't be led back to claims.

A proposed query run where it can be killed, and its rows led back to the claims that state them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pyoxigraph as ox

from kg.ask.drafts import LONG_ROOM, Asking, Backing, Draft, Value, sentence
from kg.ask.facts import Fact, Term, Written
from kg.ask.graph import Graph
from kg.ask.retrieve import Scored
from kg.errors import BadQuery, CitegraphError, QueryRefused
from kg.namespaces import RDF, RDFS, SKOS, XSD
from kg.ontology import Ontology
from kg.stores.guard import QueryForm, check_query, tokens
from kg.text.words import word_set

MAX_LENGTH, MAX_DEPTH, MAX_TRIPLES = 2_000, 12, 12
TYPE = RDF + "type"
NAMING = frozenset({RDFS + "label", SKOS + "altLabel"})
_FORMS = (QueryForm.SELECT, QueryForm.ASK)
# Nodes of rdflib's algebra and of its expressions.
_SHAPES = word_set(
    """
    SelectQuery AskQuery Project Distinct Reduced OrderBy OrderCondition Slice Extend AggregateJoin Group Filter BGP
    Aggregate_Count Aggregate_Sum Aggregate_Avg Aggregate_Min Aggregate_Max Aggregate_Sample RelationalExpression
    ConditionalAndExpression ConditionalOrExpression AdditiveExpression MultiplicativeExpression UnaryNot UnaryMinus
    UnaryPlus Function Builtin_STR Builtin_LCASE Builtin_UCASE Builtin_CONTAINS Builtin_STRSTARTS Builtin_STRENDS
    Builtin_REGEX Builtin_YEAR Builtin_MONTH Builtin_DAY Builtin_ABS Builtin_ROUND Builtin_FLOOR Builtin_CEIL
    Builtin_BOUND Builtin_DATATYPE Builtin_LANG Builtin_isLITERAL Builtin_isNUMERIC Builtin_isIRI Builtin_sameTerm
    """
)
# What may make a column out of others: sums and the like of what was found, nothing that the query itself holds.
_MADE_OF = frozenset(("AdditiveExpression", "MultiplicativeExpression", "UnaryMinus", "UnaryPlus"))


class Refused(Exception):
    """A proposed query that isn't run, and why."""


@dataclass(frozen=True)
class Vocabulary:
    """What a query may name: properties and classes in use, things by identifier, prefixes that needn't be declared."""

    properties: Collection[str]
    classes: Collection[str]
    things: Collection[str]
    prefixes: Mapping[str, str]
    ontology: Ontology | None


RdfTerm = Any  # rdflib's Variable, URIRef, Literal
Triple = tuple[RdfTerm, RdfTerm, RdfTerm]


@dataclass(frozen=True)
class Proposal:
    """A query that may run. ``solutions`` gives every solution of its ``triples``, all variables of them.

    ``keys``: variables whose values the rows show as they were found; with ``aggregated`` rows stand for several.
    """

    text: str
    ask: bool
    solutions: str
    triples: tuple[Triple, ...]
    keys: tuple[str, ...]
    aggregated: bool

    @property
    def iris(self) -> tuple[str, ...]:
        """The IRIs of its triples."""
        return tuple(dict.fromkeys(str(t) for triple in self.triples for t in triple if _is(t, "URIRef")))

    @property
    def texts(self) -> tuple[str, ...]:
        """The literals of its triples."""
        return tuple(dict.fromkeys(str(t) for triple in self.triples for t in triple if _is(t, "Literal")))


def proposal(text: str, known: Vocabulary, most: int) -> Proposal:
    """The query, if it may run; ``most``: solutions that are looked at. Raises Refused with the reason."""
    text = text.strip()
    try:
        form = check_query(text, MAX_LENGTH, MAX_DEPTH)
    except (BadQuery, QueryRefused) as error:
        raise Refused(error.message) from error
    if form not in _FORMS:
        raise Refused("only SELECT and ASK are run")
    declared = {m[1] for m in re.finditer(r"\bPREFIX\s+([\w-]*):", text, re.IGNORECASE)}
    heads = "".join(
        f"PREFIX {prefix}: <{iri}>\n"
        for prefix, iri in sorted(known.prefixes.items())
        if prefix not in declared and re.search(rf"(?<![\w:<]){re.escape(prefix)}:", text)
    )
    algebra = _algebra(heads + text)
    nodes = list(_nodes(algebra))
    if strange := sorted({node.name for node in nodes} - _SHAPES):
        raise Refused(f"{_plain(strange[0])} is not among what is run")
    triples = tuple(t for node in nodes if node.name == "BGP" for t in node["triples"])
    _check_triples(triples, known)
    _check_columns(nodes)
    for node in nodes:
        if node.name == "Function" and not str(node["iri"]).startswith(XSD):
            raise Refused(f"no such function is run: {node['iri']}")
    group = _group(text)
    before, tail = text[: group[0]], text[group[1] :]
    prologue = heads + before[: _verb(before)]
    solutions = f"{prologue}SELECT * WHERE {text[group[0] : group[1]]} LIMIT {most + 1}"
    if re.search(r"\b(?:FROM)\b", before[_verb(before) :], re.IGNORECASE) or "{" in tail:
        raise Refused("only the graph as a whole is asked")
    aggregated = any(node.name == "AggregateJoin" for node in nodes)
    keys = _keys(nodes, triples)
    if aggregated and any(str(p) in NAMING and _is(o, "Variable") and str(o) not in keys for _, p, o in triples):
        raise Refused("a thing would be counted once for each of its names")
    return Proposal(heads + text, form is QueryForm.ASK, solutions, triples, keys, aggregated)


# --- reading -------------------------------------------------------------------------------------


def _algebra(text: str) -> Any:
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return translateQuery(parseQuery(text)).algebra
    except Exception as error:  # the parser's own errors, and what its translation stumbles over
        raise Refused(f"the query doesn't parse ({type(error).__name__})") from error


def _nodes(part: Any) -> Iterator[Any]:
    """Every node of the algebra, triples left out."""
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(part, CompValue):
        yield part
        for key, value in part.items():
            if key not in ("triples", "_vars"):
                yield from _nodes(value)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _nodes(one)


def _is(term: RdfTerm, *kinds: str) -> bool:
    return type(term).__name__ in kinds


def _plain(name: str) -> str:
    """An algebra node's name as people say it."""
    known = {"LeftJoin": "OPTIONAL", "Union": "UNION", "Minus": "MINUS", "Graph": "GRAPH", "Join": "a nested group"}
    return known.get(name, name.removeprefix("Builtin_").removeprefix("Aggregate_"))


def _verb(before: str) -> int:
    """Where the query's form stands behind its prologue."""
    return next(t.start for t in tokens(before) if t.kind == "word" and t.text.upper() in _FORMS)


def _group(text: str) -> tuple[int, int]:
    """Where the group of triples begins and ends."""
    depth, start = 0, -1
    for token in tokens(text):
        if token.kind == "other" and token.text == "{":
            start = token.start if not depth else start
            depth += 1
        elif token.kind == "other" and token.text == "}":
            depth -= 1
            if not depth:
                return start, token.end
    raise Refused("the query has no group of triples")


# --- checks --------------------------------------------------------------------------------------


def _check_triples(triples: tuple[Triple, ...], known: Vocabulary) -> None:
    if not 1 <= len(triples) <= MAX_TRIPLES:
        raise Refused(f"the query has {len(triples)} triples, 1 to {MAX_TRIPLES} are run")
    for triple in triples:
        _check_triple(triple, known)
    if all(str(p) == TYPE or str(p) in NAMING for _, p, _ in triples):
        raise Refused("the query asks for nothing that a claim states")
    _check_connected(triples)
    _check_classes(triples, known.ontology)


def _check_triple(triple: Triple, known: Vocabulary) -> None:
    subject, predicate, object_ = triple
    if not _is(predicate, "URIRef"):
        raise Refused("a property must be named")
    if not _is(subject, "Variable", "URIRef") or not _is(object_, "Variable", "URIRef", "Literal"):
        raise Refused("blank nodes are not run")
    iri = str(predicate)
    if iri == TYPE:
        if not _is(object_, "URIRef") or str(object_) not in known.classes:
            raise Refused(f"no such class is in the graph: {object_}")
    elif iri not in NAMING and iri not in known.properties:
        raise Refused(f"no such property is in the graph: {iri}")
    for thing in (subject,) if iri == TYPE else (subject, object_):
        if _is(thing, "URIRef") and str(thing) not in known.things:
            raise Refused(f"no such thing is in the graph: {thing}")


def _check_connected(triples: tuple[Triple, ...]) -> None:
    """Refuses triples that have nothing to do with each other: every pair of their solutions would be a row."""
    groups: list[set[str]] = []
    for subject, _, object_ in triples:
        ends = {str(t) if not _is(t, "Variable") else f"?{t}" for t in (subject, object_) if not _is(t, "Literal")}
        touching = [g for g in groups if g & ends]
        groups = [*(g for g in groups if not g & ends), ends.union(*touching)]
    if len(groups) > 1:
        raise Refused("the query's triples are not connected")


def _check_classes(triples: tuple[Triple, ...], ontology: Ontology | None) -> None:
    """Refuses variables that two triples want of classes that can't hold of one thing, and values of the wrong form."""
    if ontology is None:
        return
    wanted: dict[RdfTerm, list[tuple[str, ...]]] = {}
    for subject, predicate, object_ in triples:
        if str(predicate) == TYPE:
            wanted.setdefault(subject, []).append((str(object_),))
            continue
        property_ = ontology.properties.get(str(predicate))
        if property_ is None:
            continue
        if (property_.values == "entity" and _is(object_, "Literal")) or (
            property_.values == "literal" and _is(object_, "URIRef")
        ):
            raise Refused(f"the property has no such values: {property_.label}")
        wanted.setdefault(subject, []).append(property_.domains)
        if property_.values == "entity":
            wanted.setdefault(object_, []).append(property_.ranges)
    for term, classes in wanted.items():
        for one, other in combinations([c for c in classes if c], 2):
            if not any(ontology.compatible(a, b) for a in one for b in other):
                raise Refused(f"nothing can be all that the query says of {term}")


def _check_columns(nodes: list[Any]) -> None:
    """Refuses columns with something that the query itself holds: an answer comes from the graph."""
    for node in nodes:
        if node.name == "Extend":
            inner = [n.name for n in _nodes(node["expr"])]
            if set(inner) - _MADE_OF or not all(_is(leaf, "Variable", "str") for leaf in _leaves(node["expr"])):
                raise Refused("a column must come from the graph")
        elif node.name.startswith("Aggregate_") and not (_is(node["vars"], "Variable") or node["vars"] == "*"):
            raise Refused("an aggregate must be over a variable")


def _leaves(part: Any) -> Iterator[Any]:
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(part, CompValue):
        for key, value in part.items():
            if key != "_vars":
                yield from _leaves(value)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _leaves(one)
    else:
        yield part


def _keys(nodes: list[Any], triples: tuple[Triple, ...]) -> tuple[str, ...]:
    """Variables of the triples that the rows show: those projected, of an aggregate those it is grouped by."""
    project = next((node for node in nodes if node.name == "Project"), None)
    shown = {str(v) for v in project["PV"]} if project is not None else set()
    group = next((node for node in nodes if node.name == "Group"), None)
    if group is None:
        if any(node.name == "Extend" for node in nodes):
            raise Refused("only sums, counts and the like are computed")
        return tuple(sorted(shown & {str(t) for triple in triples for t in triple if _is(t, "Variable")}))
    by = group["expr"] or ()
    if not all(_is(t, "Variable") and str(t) in shown for t in by):
        raise Refused("what rows are grouped by must be a column")
    return tuple(sorted({str(t) for t in by}))


MOST_SOLUTIONS, _MOST_ROWS, _SHOWN = 500, 100, 20
_TIMEOUT_S, _MEMORY_MB, _MOST_BYTES = 5.0, 500, 4_000_000
Solution = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with its label and the claims of the triples that it rests on; ``fact``: the one that states its value."""

    label: str
    facts: tuple[Fact, ...]
    fact: Fact | None
    iri: str | None = None


def run(graph: Graph, queries: Sequence[str]) -> list[bytes]:
    """Results of queries as SPARQL's JSON, in a process that is killed at its deadline. Raises Refused."""
    from kg.api.sandbox import Limits, Sandbox

    sandbox = Sandbox(Limits(_TIMEOUT_S, 1, 10_000, _MOST_BYTES, _MEMORY_MB))
    try:
        sandbox.use(graph.store.checkpoint, {})
        return [sandbox.run(query, "JSON", None).body for query in queries]
    except CitegraphError as error:
        raise Refused(error.message) from error
    finally:
        sandbox.close()


def draft(graph: Graph, asking: Asking, proposal: Proposal) -> Draft:
    """The answer that a query gives, if every row of it has claims with evidence. Raises Refused."""
    names = [name for iri in proposal.iris for name in (*graph.names(iri), *graph.facts.labels.get(iri, ()))]
    if not graph.explained(asking, (*names, *proposal.texts)):  # it would answer another question
        raise Refused("the query doesn't use every name of the question")
    given, found = run(graph, (proposal.text, proposal.solutions))
    solutions = _solutions(found)
    if len(solutions) > MOST_SOLUTIONS:
        raise Refused(f"more than {MOST_SOLUTIONS} things would have to be cited")
    if proposal.ask:
        rows = [_row(graph, proposal, "Yes", solutions[:1], {})] if json.loads(given).get("boolean") else []
    else:
        rows = [
            _row(graph, proposal, "", [s for s in solutions if all(row.get(k) == s.get(k) for k in proposal.keys)], row)
            for row in _solutions(given)
        ]
    if not rows or len(rows) > _MOST_ROWS:
        raise Refused(f"the query gives {len(rows)} rows")
    return _drafted(graph, asking, Written(proposal.text, json.loads(given)), rows, proposal.aggregated or proposal.ask)


def _solutions(body: bytes) -> list[dict[str, Term]]:
    results = ox.parse_query_results(body, format=ox.QueryResultsFormat.JSON)
    if not isinstance(results, ox.QuerySolutions):
        return []
    names = [v.value for v in results.variables]
    return [{n: row[n] for n in names if row[n] is not None} for row in results]


def _row(graph: Graph, proposal: Proposal, label: str, solutions: Sequence[Solution], row: Solution) -> _Row:
    """A row led back to claims. Raises Refused where one of its triples has none."""
    facts: list[Fact] = []
    valued: Fact | None = None
    for solution in solutions:
        for subject, predicate, object_ in proposal.triples:
            if str(predicate) == TYPE or str(predicate) in NAMING:
                continue
            fact = _stated(graph, _bound(subject, solution), str(predicate), _bound(object_, solution))
            facts.append(fact)
            if _is(object_, "Variable") and str(object_) in row and not proposal.aggregated:
                valued = valued or fact
    if not facts:
        raise Refused("a row of the query rests on no claim")
    told = label or " – ".join(_said(graph, term, valued) for term in row.values())
    only = next(iter(row.values())) if len(row) == 1 else None
    iri = only.value if isinstance(only, ox.NamedNode) else None
    return _Row(told, tuple(dict.fromkeys(facts)), valued if only is not None else None, iri)


def _said(graph: Graph, term: Term, fact: Fact | None) -> str:
    """A value as the document says it, a thing by its name, a number that was computed to six digits."""
    if fact is not None and fact.object == term:
        return graph.said(fact)
    if isinstance(term, ox.Literal):
        try:
            return f"{float(term.value):,.6g}" if "." in term.value or "E" in term.value else f"{int(term.value):,}"
        except ValueError:
            return term.value
    return graph.facts.label(term)


def _bound(term: Any, solution: Solution) -> Term:
    if _is(term, "Variable"):
        return solution[str(term)]
    if _is(term, "URIRef"):
        return ox.NamedNode(str(term))
    if term.language:
        return ox.Literal(str(term), language=term.language)
    return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype)) if term.datatype else None)


def _stated(graph: Graph, subject: Term, predicate: str, object_: Term) -> Fact:
    """The claim that asserts a triple. Raises Refused."""
    for fact in graph.facts.of_subject(subject.value):
        if fact.predicate == predicate and fact.object == object_ and fact.asserted and not fact.denied:
            return fact
    raise Refused("a row of the query rests on a triple that no claim states")


def _drafted(graph: Graph, asking: Asking, written: Written, rows: Sequence[_Row], computed: bool) -> Draft:
    places: dict[tuple[str, int], int] = {}
    units: list[Scored] = []
    values = []
    for row in rows:
        own = []
        for fact in row.facts:
            unit = graph.evidence(asking, fact)
            if unit is not None and unit.key not in places:
                places[unit.key] = len(units)
                units.append(unit)
            if unit is not None:
                own.append(places[unit.key])
        if not own:
            raise Refused("a row of the query has no passage")
        values.append(Value(row.label, tuple(dict.fromkeys(own)), row.iri))
    stated = tuple(row.fact for row in rows if row.fact is not None)
    each = len(stated) == len(rows) and not computed
    facts = stated if each else tuple(dict.fromkeys(f for row in rows for f in row.facts))
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    told = ", ".join(dict.fromkeys(row.label for row in rows[:_SHOWN])) + more
    text = sentence(told, units[0].plain, LONG_ROOM)
    return Draft("value", text, tuple(values), tuple(units), 0.0, Backing(written, facts), exact=not each)

"""A query that a model proposes, checked before it runs: read-only, of known terms, and such that rows have claims.

Accepted is one group of triples with filters, aggregated, ordered and cut or not. Everything else that SPARQL has
(OPTIONAL, UNION, NOT EXISTS, paths, sub-queries, GRAPH …) is refused: its rows couldn't be led back to claims.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kg.errors import QueryRefused
from kg.guard import QueryForm, check_query, tokens
from kg.mentions.words import word_set
from kg.namespaces import RDF, RDFS, SKOS, XSD
from kg.ontology import Ontology

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


Term = Any  # rdflib's Variable, URIRef, Literal
Triple = tuple[Term, Term, Term]


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
    except QueryRefused as error:
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
    _check_functions(nodes)
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


def _is(term: Term, *kinds: str) -> bool:
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
    wanted: dict[Term, list[tuple[str, ...]]] = {}
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


def _check_functions(nodes: list[Any]) -> None:
    for node in nodes:
        if node.name == "Function" and not str(node["iri"]).startswith(XSD):
            raise Refused(f"no such function is run: {node['iri']}")


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

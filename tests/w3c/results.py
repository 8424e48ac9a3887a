"""Comparison of what came with what is expected: results, graphs and datasets up to the names of blank nodes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

import pyoxigraph as ox
from rdflib import Graph, Namespace
from rdflib.namespace import RDF

RS = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/result-set#")
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMERIC = frozenset(_XSD + name for name in ("integer", "decimal", "double", "float"))
Term = ox.NamedNode | ox.BlankNode | ox.Literal | None
Row = tuple[Term, ...]
Table = tuple[tuple[str, ...], list[Row]]
FORMATS = {
    ".srx": ("application/sparql-results+xml", ox.QueryResultsFormat.XML),
    ".srj": ("application/sparql-results+json", ox.QueryResultsFormat.JSON),
    ".tsv": ("text/tab-separated-values", ox.QueryResultsFormat.TSV),
    ".csv": ("text/csv", None),
}


def table_of(data: bytes, suffix: str) -> Table | bool:
    """A result in one of the formats: its variables, sorted, and its rows; or a truth value."""
    if suffix == ".csv":
        names, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
        order = sorted(range(len(names)), key=lambda i: names[i])
        return tuple(names[i] for i in order), [tuple(_csv_term(row[i]) for i in order) for row in rows]
    found = ox.parse_query_results(data, FORMATS[suffix][1])
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    variables = sorted(v.value for v in found.variables)
    return tuple(variables), [tuple(row[v] for v in variables) for row in found]


def _csv_term(text: str) -> Term:
    # CSV doesn't say what is an IRI and what isn't bound: texts are compared.
    return ox.BlankNode(text[2:]) if text.startswith("_:") else ox.Literal(text)


def table_of_graph(data: bytes, base: str) -> Table | bool | None:
    """A result set written in RDF; None for a graph that is none."""
    graph = Graph().parse(data=data, format="turtle", publicID=base)
    node = graph.value(None, RDF.type, RS.ResultSet)
    if node is None:
        return None
    truth = graph.value(node, RS.boolean)
    if truth is not None:
        return str(truth) == "true"
    variables = sorted(str(o) for o in graph.objects(node, RS.resultVariable))
    rows = []
    for solution in graph.objects(node, RS.solution):
        bindings = {
            str(graph.value(b, RS.variable)): graph.value(b, RS.value) for b in graph.objects(solution, RS.binding)
        }
        rows.append(tuple(None if v not in bindings else _term(bindings[v].n3()) for v in variables))
    return tuple(variables), rows


def _term(n3: str) -> Term:
    quad = next(iter(ox.parse(f"<a:a> <a:a> {n3} .".encode(), ox.RdfFormat.TURTLE)))
    assert not isinstance(quad.object, ox.Triple)
    return quad.object


def same_tables(came: Table | bool, expected: Table | bool) -> bool:
    """Whether two results are the same up to order and the names of blank nodes."""
    if isinstance(came, bool) or isinstance(expected, bool):
        return came is expected
    if came[0] != expected[0] or len(came[1]) != len(expected[1]):
        return False
    return _match(sorted(came[1], key=_blanks), list(expected[1]), {})


def _blanks(row: Row) -> int:
    return sum(isinstance(term, ox.BlankNode) for term in row)


def _match(rows: Sequence[Row], others: list[Row], names: dict[str, str]) -> bool:
    """Finds for each row one of the others, blank nodes renamed one to one."""
    if not rows:
        return True
    for i, other in enumerate(others):
        more = _fit(rows[0], other, names)
        if more is not None and _match(rows[1:], others[:i] + others[i + 1 :], more):
            return True
    return False


def _fit(row: Row, other: Row, names: dict[str, str]) -> dict[str, str] | None:
    names = dict(names)
    for a, b in zip(row, other, strict=True):
        if isinstance(a, ox.BlankNode) and isinstance(b, ox.BlankNode):
            taken = b.value in names.values() and names.get(a.value) != b.value
            if names.setdefault(a.value, b.value) != b.value or taken:
                return None
        elif not same_terms(a, b):
            return None
    return names


def same_terms(a: Term, b: Term) -> bool:
    """Equal terms; numbers and truth values of the same type are equal by value ("1.0E0" and "1e0")."""
    if a == b:
        return True
    if not (isinstance(a, ox.Literal) and isinstance(b, ox.Literal)) or a.datatype != b.datatype:
        return False
    if a.datatype.value == _XSD + "boolean":
        return (a.value in ("1", "true")) is (b.value in ("1", "true"))
    try:
        return a.datatype.value in _NUMERIC and Decimal(a.value) == Decimal(b.value)
    except InvalidOperation:
        return False


def same_datasets(came: Iterable[ox.Quad], expected: Iterable[ox.Quad]) -> bool:
    """Whether two datasets are isomorphic (RDFC-1.0 gives them the same form)."""
    return _canonical(came) == _canonical(expected)


def _canonical(quads: Iterable[ox.Quad]) -> set[ox.Quad]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return set(dataset)

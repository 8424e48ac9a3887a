from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.stores.sparql_server import bound, declared, hiding

NODE = ox.NamedNode("urn:n")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT ?y { ?x ?p ?y }", "SELECT ?y { <urn:n> ?p ?y }"),
        ("SELECT DISTINCT ?x ?y WHERE { ?x ?p ?y }", "SELECT DISTINCT (<urn:n> AS ?x) ?y WHERE { <urn:n> ?p ?y }"),
        ("SELECT (STR(?x) AS ?s) { ?x ?p ?y }", "SELECT (STR(<urn:n>) AS ?s) { <urn:n> ?p ?y }"),
        ("SELECT ?y { ?x ?p ?y } ORDER BY ?x DESC(?x)", "SELECT ?y { <urn:n> ?p ?y } ORDER BY (<urn:n>) DESC(<urn:n>)"),
        ("SELECT * { ?x ?p ?y }", "SELECT  (<urn:n> AS ?x) ?p ?y { <urn:n> ?p ?y }"),
        ('ASK { $x ?p "?x" } # ?x', 'ASK { <urn:n> ?p "?x" } # ?x'),
        ("ASK { ?xy ?p <urn:?x> }", "ASK { ?xy ?p <urn:?x> }"),
    ],
)  # fmt: skip
def test_terms_take_the_place_of_variables(query: str, expected: str) -> None:
    assert bound(query, {"x": NODE}) == expected
    assert bound(query, {}) == query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ASK { GRAPH ?g { ?s ?p ?o } }", "ASK { GRAPH ?g { ?s ?p ?o } FILTER(?g != <urn:h>)  }"),
        ("ASK { graph $g { { ?s ?p ?o } } ?a ?b ?c }", "ASK { graph $g { { ?s ?p ?o } } HERE  ?a ?b ?c }"),
        ("ASK { GRAPH <urn:g> { ?s ?p ?o } }", "ASK { GRAPH <urn:g> { ?s ?p ?o } }"),
        ('ASK { ?s ?p "GRAPH ?g {" } # GRAPH ?g {}', 'ASK { ?s ?p "GRAPH ?g {" } # GRAPH ?g {}'),
        (
            "ASK { GRAPH ?g { } FILTER NOT EXISTS { GRAPH ?g { } GRAPH ?k { } } }",
            "ASK { GRAPH ?g { } HERE  FILTER NOT EXISTS { GRAPH ?g { } GRAPH ?k { } FILTER(?k != <urn:h>)  } }",
        ),
    ],
)  # fmt: skip
def test_graphs_of_our_own_are_hidden(query: str, expected: str) -> None:
    assert hiding(query, "?graph != <urn:h>") == expected.replace("HERE", "FILTER(?g != <urn:h>)")


def test_named_graphs_become_variables_where_an_engine_needs_that() -> None:
    found = hiding("SELECT * { GRAPH <urn:g> { ?s ?p ?o } GRAPH kg:x { } }", "?graph != <urn:h>", all_variable=True)
    assert found == (
        "SELECT * { GRAPH ?citegraph_0 { ?s ?p ?o } FILTER(?citegraph_0 = <urn:g>)  "
        "GRAPH ?citegraph_1 { } FILTER(?citegraph_1 = kg:x)  }"
    )


def test_what_is_declared_moves_no_line() -> None:
    assert declared("ASK\n{}", {"b": "urn:b", "a": "urn:a"}, "urn:base") == (
        "BASE <urn:base> PREFIX a: <urn:a> PREFIX b: <urn:b> ASK\n{}"
    )

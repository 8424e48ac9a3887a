"""What the guard lets through and what it refuses, held against the engine's own reading."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadQuery, QueryRefused
from kg.stores.guard import QueryForm, check_query

HARMLESS = [
    ("SELECT * { ?s ?p ?o }", QueryForm.SELECT),
    ('SELECT * { ?s ?p "SERVICE <http://lamp.example/> { }" }', QueryForm.SELECT),
    ("ASK { ?s ?p '''it's\nSERVICE ?x { }''' }", QueryForm.ASK),
    ('ASK { ?s ?p "a \\" SERVICE ?x {" }', QueryForm.ASK),
    ("ASK { ?s <http://lamp.example/service> ?o . { ?o ?q ?r } }", QueryForm.ASK),
    ("PREFIX lamp: <http://lamp.example/> ASK { ?s lamp:service ?o . { ?o ?q ?r } }", QueryForm.ASK),
    ("ASK { ?service ?p ?o . { ?o ?q ?r } } # SERVICE <http://lamp.example/> {", QueryForm.ASK),
    ("# a remark { SERVICE ?x {\nCONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", QueryForm.CONSTRUCT),
    ("ASK { VALUES (?a ?b) { (<http://a.example/service#x> <http://b.example/it's(service)>) } }", QueryForm.ASK),
    ("ASK { ?s ?p ?o FILTER(?o <5 && ?o > 3) }", QueryForm.ASK),
    ("ASK { ?s ?p (<http://a.example/x#1> <http://a.example/x#2>) }", QueryForm.ASK),
    ("BASE <http://a.example/> PREFIX select: <b> DESCRIBE <c>", QueryForm.DESCRIBE),
    ("ASKWHERE{?s ?p ?o}", QueryForm.ASK),
    ("ASK { ?s ?p 'INSERT DATA', 'LOAD' }", QueryForm.ASK),
]

CALLS = [
    "SELECT * { SERVICE <http://lamp.example/> { ?s ?p ?o } }",
    "SELECT * { service silent <http://lamp.example/>{ ?s ?p ?o } }",
    "PREFIX ex: <http://lamp.example/> ASK { SERVICEex:foo{ ?s ?p ?o } }",
    "PREFIX ex: <http://lamp.example/> ASK { SERVICESILENTex:foo{ ?s ?p ?o } }",
    "PREFIX : <http://lamp.example/> ASK {SERVICE:x{?s ?p ?o}}",
    "PREFIX ex: <http://lamp.example/> ASK { ?s ?p trueSERVICE ex:foo{?s ?p ?o} }",
    "PREFIX ex: <http://lamp.example/> ASK { ?s ?p 1SERVICE ex:foo{?s ?p ?o} }",
    "PREFIX ex: <http://lamp.example/> ASK { ?s ?p 1e5SERVICE ex:foo{?s ?p ?o} }",
    "PREFIX ex: <http://lamp.example/> ASK { ?s ?p ex:a.b.SERVICE ex:foo{?s ?p ?o} }",
    "PREFIX a\u0301b: <http://lamp.example/> ASK { SERVICE a\u0301b:x{?s ?p ?o} }",
    "ASK { FILTER(1<2)SERVICE?x#>\n{ ?s ?p ?o } }",
    "ASK { FILTER(1<'x>')SERVICE <http://lamp.example/> { ?s ?p ?o }#'\n }",
    "ASK { FILTER(?a<2#>'''\n)SERVICE <http://lamp.example/> { ?s ?p ?o }#'''\n }",
    "ASK { FILTER(EXISTS{?s ?p ?o}<'x>')SERVICE <http://lamp.example/> { ?s ?p ?o }#'\n }",
    "PREFIX x: <http://x.example/> ASK { ?s ?p x:it\\'s . SERVICE ?g { ?s ?p ?o } FILTER(x:it\\'s = 1) }",
    "ASK { ?s ?p '''a' . SERVICE ?g { ?s ?p ?o } }",
    "ASK { ?s ?p <http://a.example/it's> . SERVICE ?g { ?s ?p 'x' } }",
    "ASK { { SELECT * { GRAPH ?g { SERVICE\n#remark\n?x#remark\n{ ?s ?p ?o } } } } }",
]

UPDATES = [
    "LOAD <http://lamp.example/>",
    "INSERT DATA { <http://a.example/> <http://b.example/> 1 }",
    "PREFIX x: <http://a.example/> # remark\n DELETE WHERE { ?s ?p ?o }",
    "clear all",
    "WITH <http://g.example/> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
]


@pytest.mark.parametrize(("query", "form"), HARMLESS)
def test_harmless_queries_pass_with_their_form(query: str, form: QueryForm) -> None:
    assert check_query(query) is form


@pytest.mark.parametrize("query", CALLS)
def test_service_is_refused_however_it_is_written(query: str) -> None:
    with pytest.raises(QueryRefused, match="SERVICE"):
        check_query(query)


@pytest.mark.parametrize("query", UPDATES)
def test_updates_are_refused(query: str) -> None:
    with pytest.raises(QueryRefused, match="updates"):
        check_query(query)


@pytest.mark.parametrize("brackets", ["{}", "()", "[]"])
def test_depth_is_limited(brackets: str) -> None:
    nest = "ASK " + brackets[0] * 128 + brackets[1] * 128
    assert check_query(nest) is QueryForm.ASK
    with pytest.raises(QueryRefused, match="deeper than 128"):
        check_query("ASK " + brackets[0] * 129 + brackets[1] * 129)
    assert check_query("ASK { ?s ?p '" + brackets[0] * 3000 + "' }") is QueryForm.ASK


def test_length_and_ambiguity_are_limited() -> None:
    with pytest.raises(QueryRefused, match="200,000"):
        check_query("ASK {" + " " * 200_000 + "}")
    with pytest.raises(QueryRefused, match="too many ways"):
        check_query("ASK { FILTER(" + " && ".join(["?a<'x>'"] * 40) + ") }")
    with pytest.raises(QueryRefused, match="256"):
        check_query("ASK { ?s ?p " + "a." * 300 + " }")
    assert check_query("ASK { FILTER(" + " && ".join(["?a < 'x>'"] * 40) + ") }") is QueryForm.ASK


def test_a_text_that_is_no_query_has_no_form() -> None:
    for nothing in ("", " \n", "# SELECT"):
        with pytest.raises(BadQuery, match="the query is empty"):
            check_query(nothing)
    assert check_query("{ ?s ?p ?o }") is None
    assert check_query("hello") is None


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="aS:<>'\"#(){}?.\\ \n1", max_size=40))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    try:
        check_query(text)
    except QueryRefused as refusal:
        assert refusal.http_status == 403
    except BadQuery as refusal:
        assert refusal.message == "the query is empty: line 1, column 1" and not text.partition("#")[0].strip()


FILLER = st.sampled_from(
    [
        "?a",
        " ",
        "<",
        ">",
        "'",
        "'x>'",
        "#",
        "\n",
        "(",
        ")",
        "FILTER(1<",
        "<http://a.example/x>",
        ")",
        "}",
        "{",
        "'''",
        "1",
        ".",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(FILLER, max_size=8), st.lists(FILLER, max_size=8))
def test_a_call_that_the_engine_reads_is_never_missed(before: list[str], after: list[str]) -> None:
    import pyoxigraph as ox

    query = "ASK { ?s ?p 1 " + "".join(before) + "SERVICE ?unbound { ?x ?y ?z }" + "".join(after) + "}"
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("http://a.example/"), ox.NamedNode("http://b.example/"), ox.Literal(1)))
    try:
        store.query(query)
    except SyntaxError:
        return
    except RuntimeError as error:
        # The engine got as far as the call: the guard must not have let it through.
        assert "service name is unbound" in str(error)
        with pytest.raises(QueryRefused):
            check_query(query)

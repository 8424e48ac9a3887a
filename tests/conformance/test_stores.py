"""One suite over every store: the same quads, queries and changes give the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import BadQuery
from kg.protocols import GraphStore
from kg.stores import STORES
from kg.stores.sparql_server import SparqlStore
from tests.stores.servers import SERVERS

LAMP = "https://lamps.example/"
DEFAULT = ox.DefaultGraph()


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(LAMP + name)


def quad(subject: str, predicate: str, object_: str | int, graph: str = "") -> ox.Quad:
    value = ox.Literal(object_) if isinstance(object_, int) or " " in object_ else node(object_)
    return ox.Quad(node(subject), node(predicate), value, node(graph) if graph else DEFAULT)


LIGHTS = [
    quad("corran", "height", 38),
    quad("gannet", "height", 51),
    quad("corran", "near", "gannet"),
    quad("corran", "height", 38, "notes"),
    quad("gannet", "motto", 'a "quoted" line\nand é 😀 \\ more', "notes"),
]


Make = Callable[[Path | None], GraphStore]
KINDS = ["oxigraph-memory", "oxigraph-folder", *(f"sparql-{name}" for name in SERVERS)]


def test_every_store_is_tried() -> None:
    assert {kind.partition("-")[0] for kind in KINDS} == set(STORES)


@pytest.fixture(scope="module", params=KINDS)
def make(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Makes a store that is empty, of one kind."""
    name, place = request.param.split("-")
    if name == "oxigraph":
        yield lambda folder: STORES[name](folder if place == "folder" else None)
        return
    server = SERVERS[place](tmp_path_factory.mktemp(place))
    store = SparqlStore.at(server.url, server.settings())

    def emptied(_: Path | None) -> GraphStore:
        store.change(store.quads(), ())
        return store

    yield emptied
    store.close()
    server.kill()


@pytest.fixture
def store(make: Make, tmp_path: Path) -> Iterator[GraphStore]:
    made = make(tmp_path / "store")
    yield made
    if not isinstance(made, SparqlStore):
        made.close()


def rows(store: GraphStore, query: str, **bound: ox.NamedNode | ox.Literal) -> list[tuple[str, ...]]:
    found = store.query(query, bound)
    assert isinstance(found, ox.QuerySolutions)
    return sorted(tuple(term.value if term is not None else "" for term in row) for row in found)


def test_quads_go_in_and_come_out(store: GraphStore) -> None:
    assert list(store.quads()) == []
    store.change((), LIGHTS)
    assert set(store.quads()) == set(LIGHTS)
    assert set(store.quads(DEFAULT)) == set(LIGHTS[:3])
    assert set(store.quads(node("notes"))) == set(LIGHTS[3:])
    assert list(store.quads(node("nothing"))) == []


def test_a_change_removes_then_adds(store: GraphStore) -> None:
    store.change((), LIGHTS)
    store.change(LIGHTS[:1], [quad("corran", "height", 39)])
    assert rows(store, f"SELECT ?h {{ <{LAMP}corran> <{LAMP}height> ?h }}") == [("39",)]
    store.change(LIGHTS[1:3], LIGHTS[1:2])
    assert LIGHTS[1] in set(store.quads()) and LIGHTS[2] not in set(store.quads())
    store.change([quad("never", "was", 1)], ())
    store.change(LIGHTS, ())
    assert set(store.quads()) == {quad("corran", "height", 39)}


def test_the_default_graph_is_no_union(store: GraphStore) -> None:
    store.change((), LIGHTS)
    assert rows(store, f"SELECT (COUNT(*) AS ?n) {{ ?s <{LAMP}height> ?h }}") == [("2",)]
    assert rows(store, f"SELECT ?g {{ GRAPH ?g {{ ?s <{LAMP}height> 38 }} }}") == [(LAMP + "notes",)]


def test_variables_are_bound_to_terms(store: GraphStore) -> None:
    store.change((), LIGHTS)
    height = f"SELECT ?h {{ ?light <{LAMP}height> ?h }}"
    assert rows(store, height, light=node("gannet")) == [("51",)]
    assert rows(store, f"SELECT ?light ?h {{ ?light <{LAMP}height> ?h }}", light=node("gannet")) == [
        (LAMP + "gannet", "51")
    ]
    motto = ox.Literal('a "quoted" line\nand é 😀 \\ more')
    assert rows(store, f"SELECT ?s {{ GRAPH ?g {{ ?s <{LAMP}motto> ?m }} }}", m=motto) == [(LAMP + "gannet",)]
    optional = f"SELECT ?h {{ ?s <{LAMP}near> ?o OPTIONAL {{ ?o <{LAMP}height> ?h }} }}"
    assert rows(store, optional, s=node("corran")) == [("51",)]
    assert bool(store.query(f"ASK {{ ?s <{LAMP}height> 51 }}", {"s": node("gannet")}))
    assert not bool(store.query(f"ASK {{ ?s <{LAMP}height> 51 }}", {"s": node("corran")}))


def test_words_that_look_like_variables_are_left_alone(store: GraphStore) -> None:
    store.change((), [quad("corran", "height", 38)])
    query = f"""# ?light
    SELECT ?h ("?light" AS ?a) ('''a ' ?light''' AS ?b)
    {{ ?light <{LAMP}height> ?h FILTER(1 < 2 && STR(?light) != "?light") }}"""
    assert rows(store, query, light=node("corran")) == [("38", "?light", "a ' ?light")]


def test_an_injected_term_stays_a_term(store: GraphStore) -> None:
    store.change((), LIGHTS)
    evil = ox.Literal('x" } UNION { ?s ?p ?o } #')
    assert rows(store, f"SELECT ?s {{ ?s <{LAMP}motto> ?m }}", m=evil) == []


def test_graphs_are_constructed(store: GraphStore) -> None:
    store.change((), LIGHTS)
    found = store.query(f"CONSTRUCT {{ ?h <{LAMP}of> ?s }} WHERE {{ ?s <{LAMP}near> ?h }}")
    assert [str(triple) for triple in found] == [f"<{LAMP}gannet> <{LAMP}of> <{LAMP}corran>"]


@pytest.mark.parametrize(
    ("query", "line"),
    [("SELECT", 1), ("SELECT *\nWHERE { ?s ?p }", 2), ("", 1), ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", 1)],
)
def test_what_is_no_query_is_refused_with_its_place(store: GraphStore, query: str, line: int) -> None:
    with pytest.raises(BadQuery, match=f"line {line}, column") as caught:
        store.query(query)
    assert caught.value.hint


def test_an_unknown_function_is_refused(store: GraphStore) -> None:
    store.change((), LIGHTS)
    with pytest.raises(BadQuery, match="can't be run"):
        list(store.query("SELECT (<urn:no-such-function>(1) AS ?x) {}"))  # type: ignore[arg-type]


def test_what_fits_patterns_is_looked_up(store: GraphStore) -> None:
    store.change((), LIGHTS)
    corran, gannet, notes = node("corran"), node("gannet"), node("notes")
    assert set(store.lookup([(corran, None, DEFAULT)])) == {LIGHTS[0], LIGHTS[2]}
    assert set(store.lookup([(corran, node("height"), None)])) == {LIGHTS[0], LIGHTS[3]}
    assert set(store.lookup([(None, None, notes), (gannet, None, DEFAULT)])) == {LIGHTS[1], *LIGHTS[3:]}
    assert set(store.lookup([(corran, node("near"), notes), (node("drum"), None, None)])) == set()
    assert list(store.lookup([])) == []


XSD = "http://www.w3.org/2001/XMLSchema#"
VALUES = [
    *(ox.Literal(text) for text in ("", "  spaces  ", "a\tb\r\nc", "\\ \" '", "é 😀 \u0001", "word " * 3000)),
    *(ox.Literal("fjord", language=tag) for tag in ("nb", "en-GB")),
    *(ox.Literal(v) for v in (0, -5, 10**15 - 1, True, False, 0.1 + 0.2, 1 / 3, 8.64e19, 5e-324, -0.5)),
    *(
        ox.Literal(text, datatype=ox.NamedNode(XSD + kind))
        for text, kind in [
            ("1", "decimal"),
            ("31.25", "decimal"),
            ("0.000000000000000001", "decimal"),
            ("NaN", "double"),
            ("2021", "gYear"),
            ("2021-06", "gYearMonth"),
            ("2021-06-03", "date"),
            ("-0044-03-15", "date"),
            ("2021-06-03T10:00:00Z", "dateTime"),
            ("10:30:00", "time"),
            ("P1Y", "duration"),
            ("7" * 30, "integer"),
            ("not a number", "integer"),
            ("https://lamps.example/é", "anyURI"),
        ]
    ),
    ox.Literal("oil", datatype=node("fuel")),
    node("é/ü?q=1&r=%20"),
]


def test_every_value_comes_back_as_the_embedded_store_gives_it(store: GraphStore) -> None:
    quads = [
        ox.Quad(node(f"v{n}"), node("is"), value, g) for n, value in enumerate(VALUES) for g in (DEFAULT, node("g"))
    ]
    embedded = ox.Store()
    embedded.extend(quads)
    expected = set(embedded)
    store.change((), quads)
    assert set(store.quads()) == expected
    assert set(store.lookup([(q.subject, q.predicate, DEFAULT) for q in quads])) == {
        quad for quad in expected if quad.graph_name == DEFAULT
    }
    store.change(quads[:-2], ())
    assert {quad.object for quad in store.quads()} == {VALUES[-1]}


def test_named_graphs_are_asked_by_name_and_by_variable(store: GraphStore) -> None:
    store.change((), LIGHTS)
    (row,) = rows(store, f"SELECT * {{ GRAPH <{LAMP}notes> {{ ?s <{LAMP}height> ?h }} }}")
    assert set(row) == {LAMP + "corran", "38"} and len(row) == 2
    other = "OPTIONAL { GRAPH ?other { ?s <urn:no> ?x } }"
    both = f"SELECT ?s ?g {{ ?s <{LAMP}height> 38 GRAPH ?g {{ ?s ?p ?h }} {other} }}"
    assert rows(store, both) == [(LAMP + "corran", LAMP + "notes")]
    counted = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER NOT EXISTS { GRAPH ?g { ?s <urn:no> ?o } } }"
    assert rows(store, counted) == [("2",)]


def test_blank_nodes_keep_their_shape(store: GraphStore) -> None:
    one, two, notes = ox.BlankNode("c14n0"), ox.BlankNode("c14n1"), node("notes")
    blank = [ox.Quad(one, node("near"), two, notes), ox.Quad(two, node("height"), ox.Literal(3), notes)]
    store.change((), blank)
    assert set(store.quads()) == set(blank)
    found = store.query(f"SELECT ?s {{ GRAPH ?g {{ ?s <{LAMP}height> 3 FILTER(?s != <{LAMP}corran>) }} }}")
    assert [type(row["s"]) for row in found] == [ox.BlankNode]  # type: ignore[index, union-attr]
    store.change(blank[:1], ())
    assert set(store.quads()) == set(blank[1:])


def test_a_checkpoint_is_a_copy(store: GraphStore, tmp_path: Path) -> None:
    store.change((), LIGHTS)
    store.checkpoint(tmp_path / "copies" / "1")
    store.change(LIGHTS, ())
    copy = ox.Store.read_only(str(tmp_path / "copies" / "1"))
    assert set(copy) == set(LIGHTS)
    with pytest.raises(FileExistsError):
        store.checkpoint(tmp_path / "copies" / "1")


_terms = st.sampled_from(("corran", "gannet", "drum"))
_values = st.one_of(_terms, st.integers(0, 2))
_quads = st.builds(quad, _terms, st.sampled_from(("height", "near")), _values, st.sampled_from(("", "notes")))
_changes = st.lists(st.tuples(st.lists(_quads, max_size=3), st.lists(_quads, max_size=3)), max_size=5)


@given(changes=_changes)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_changes_do_what_sets_do(
    make: Make, changes: list[tuple[list[ox.Quad], list[ox.Quad]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store, expected = make(tmp_path_factory.mktemp("store") / "store"), set[ox.Quad]()
    for remove, add in changes:
        store.change(remove, add)
        expected = (expected - set(remove)) | set(add)
        assert set(store.quads()) == expected

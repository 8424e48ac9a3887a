"""A form's query gives what the form denotes; no text gets into a query but through the RDF library."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.namespaces import RDFS
from kg.semantics.denote import Denoter, holds
from kg.semantics.graph import Graph
from kg.semantics.linking import Linker
from kg.semantics.logic import (
    Aggregate,
    And,
    Best,
    BestOfEach,
    Bound,
    Compare,
    Contains,
    Count,
    Each,
    Join,
    Kind,
    Minus,
    More,
    Number,
    Or,
    Overall,
    Set,
    Share,
    Things,
    Users,
)
from kg.semantics.sparql import QueryBuilder
from tests.semantics.world import PREFIXES, dated, graph, parser, store

GRAPH = graph()
DENOTE = Denoter(GRAPH)
THINGS = sorted(i for i in GRAPH.kinds)
STEPS = [(p.id, forward) for p in GRAPH.properties.values() if p.kind == "thing" for forward in (True, False)]
NUMBERS = [((p.id, True),) for p in GRAPH.properties.values() if p.kind == "number"]
DATES = [((p.id, True),) for p in GRAPH.properties.values() if p.kind == "date"]

operators = st.sampled_from([">", "<", ">=", "<=", "=", "!="])
bases = st.one_of(
    st.sampled_from(sorted(GRAPH.classes)).map(Kind),
    st.lists(st.sampled_from(THINGS), min_size=1, max_size=3, unique=True).map(lambda i: Things(tuple(i), "")),
    st.sampled_from(STEPS).map(Users),
)


def _grow(inner: st.SearchStrategy[Set]) -> st.SearchStrategy[Set]:
    steps = st.sampled_from(STEPS)
    paths = steps.map(lambda s: (s,))
    numbers = st.sampled_from(NUMBERS)
    counted = st.builds(Number, paths, st.none() | bases)
    bounds = st.sampled_from([0.0, 80.0, 700.0, 2500.0, 4000.0, 52000.0]).map(lambda v: Bound(v, str(v)))
    years = (
        st.sampled_from(["1997", "1998", "2004", "2011", "2019"]).map(dated)
        | st.just(dated("september", "2011"))
        | st.just(dated("december", "2011"))
    )
    return st.one_of(
        st.builds(Join, steps, inner),
        st.builds(And, inner, inner),
        st.builds(Or, inner, inner),
        st.builds(Minus, inner, inner),
        st.builds(Compare, inner, numbers, operators, bounds),
        st.builds(Compare, inner, st.sampled_from(DATES), operators, years),
        st.builds(Best, inner, st.sampled_from(NUMBERS + DATES), st.booleans(), st.integers(1, 3)),
        st.builds(Best, inner, counted, st.booleans(), st.integers(1, 2)),
        st.builds(Compare, inner, counted, operators, st.integers(0, 3).map(lambda n: Bound(float(n), str(n)))),
    )


sets = st.recursive(bases, _grow, max_leaves=4)


def rows(sparql: str) -> list[str]:
    found = parser().store.query(sparql)
    assert isinstance(found, ox.QuerySolutions)
    return sorted(str(row[0]) for row in found)


@given(sets)
@settings(max_examples=150, deadline=None)
def test_a_sets_query_gives_what_it_denotes(form: Set) -> None:
    assert rows(QueryBuilder(GRAPH).query(form)) == sorted(str(GRAPH.terms[i]) for i in DENOTE(form))


@given(
    sets, sets, st.sampled_from(STEPS), st.none() | bases, st.sampled_from(NUMBERS), st.booleans(), st.integers(1, 2)
)
@settings(max_examples=100, deadline=None)
def test_what_is_found_without_counting_is_what_counting_finds(
    one: Set,
    other: Set,
    step: tuple[int, bool],
    within: Set | None,
    measure: tuple[tuple[int, bool], ...],
    top: bool,
    nth: int,
) -> None:
    for form in (Best(one, Number((step,), within), top, nth), Best(one, measure, top, nth)):
        assert Denoter(GRAPH).holds(form) == bool(DENOTE(form))
    for form in (other, Join(step, other)):
        assert Denoter(GRAPH).meet(DENOTE(one), form) == DENOTE(one) & DENOTE(form)
        assert Denoter(GRAPH).is_value(form) == any(GRAPH.is_literal(i) for i in DENOTE(form))


def test_what_is_kept_is_bounded_by_all_that_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    denote = Denoter(GRAPH)
    kind = Kind(max(GRAPH.classes, key=lambda c: len(GRAPH.classes[c])))
    assert len(denote(kind)) > 1
    denote.clear()
    assert kind in denote._cache
    monkeypatch.setattr("kg.semantics.denote._HELD", 1)
    denote.clear()
    assert kind not in denote._cache
    assert denote(kind) == DENOTE(kind)


@pytest.mark.parametrize(("top", "best"), [(True, "Aurelia"), (False, "Bryndis")])
def test_of_several_numbers_of_a_thing_the_greatest_or_least_counts(top: bool, best: str) -> None:
    text = (
        ":Ship a owl:Class . :berths a owl:DatatypeProperty . :Corvina a :Ship ; rdfs:label 'Corvina' ; :berths 30 . "
        ":Aurelia a :Ship ; rdfs:label 'Aurelia' ; :berths 25 , 90 . "
        ":Bryndis a :Ship ; rdfs:label 'Bryndis' ; :berths 20 , 60 ."
    )
    world = graph(PREFIXES + text)
    berths = next(p.id for p in world.properties.values() if p.kind == "number")
    form = Best(Kind(next(iter(world.classes))), ((berths, True),), top)
    found = Denoter(world)(form)
    assert [world.name(i) for i in found] == [best]
    query = QueryBuilder(world).query(form)
    assert [row[0].value for row in store(PREFIXES + text).query(query)] == [world.terms[i].value for i in found]


@given(sets)
@settings(max_examples=50, deadline=None)
def test_counts_agree(form: Set) -> None:
    assert rows(QueryBuilder(GRAPH).query(Count(form))) == [
        str(ox.Literal(str(len(DENOTE(form))), datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")))
    ]


@given(sets, st.sampled_from(NUMBERS), st.sampled_from(["SUM", "MIN", "MAX", "AVG"]))
@settings(max_examples=50, deadline=None)
def test_totals_agree(form: Set, path: tuple[tuple[int, bool], ...], function: str) -> None:
    made = Aggregate(function, form, path)  # type: ignore[arg-type]
    expected = DENOTE.scalar(made)
    found = next(iter(parser().store.query(QueryBuilder(GRAPH).query(made))))[0]
    if expected is None:
        assert found is None or float(found.value) == 0
    else:
        assert abs(float(found.value) - expected) < 1e-6 * max(1.0, abs(expected))


@given(sets, sets, operators)
@settings(max_examples=50, deadline=None)
def test_sizes_and_shares_agree(one: Set, other: Set, operator: str) -> None:
    more, size = More(one, operator, other), len(DENOTE(one))  # type: ignore[arg-type]
    compared = holds(size, operator, Bound(len(DENOTE(other)), ""))
    assert bool(parser().store.query(QueryBuilder(GRAPH).query(more))) == compared
    share = Share(And(one, other), one)
    found = next(iter(parser().store.query(QueryBuilder(GRAPH).query(share))))[0]
    expected = 100 * len(DENOTE(share.part)) / size if size else None
    assert (found is None) == (expected is None)
    if expected is not None:
        assert abs(float(found.value) - expected) < 1e-6


@given(sets, st.sampled_from(STEPS), st.none() | bases)
@settings(max_examples=50, deadline=None)
def test_averages_of_counts_agree(form: Set, step: tuple[int, bool], within: Set | None) -> None:
    overall = Overall("AVG", Each(form, (step,), "COUNT", within))
    found = next(iter(parser().store.query(QueryBuilder(GRAPH).query(overall))))[0]
    counts = DENOTE.counts(form, (step,), within).values()
    expected = sum(counts) / len(counts) if counts else 0
    assert abs(float(found.value if found is not None else 0) - expected) < 1e-6


@given(sets, st.sampled_from(STEPS), sets, st.sampled_from(NUMBERS), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_best_of_each_agrees(
    each: Set, step: tuple[int, bool], within: Set, measure: tuple[tuple[int, bool], ...], top: bool
) -> None:
    form = BestOfEach(each, (step,), within, measure, top)
    found = {(str(row[0]), str(row[1])) for row in parser().store.query(QueryBuilder(GRAPH).query(form))}
    assert found == {(str(GRAPH.terms[i]), str(GRAPH.terms[j])) for i, j in DENOTE.best_of_each(form)}


@given(sets, st.sampled_from(["er", "Ve", "sea", '"', "x\\y", ""]))
@settings(max_examples=40, deadline=None)
def test_names_that_contain_agree(form: Set, text: str) -> None:
    made = Contains(form, (), text)
    assert rows(QueryBuilder(GRAPH).query(made)) == sorted(str(GRAPH.terms[i]) for i in DENOTE(made))


@given(sets, st.sampled_from(NUMBERS), st.sampled_from([">", "<"]))
@settings(max_examples=40, deadline=None)
def test_comparisons_with_an_average_agree(form: Set, path: tuple[tuple[int, bool], ...], operator: str) -> None:
    made = Compare(form, path, operator, Aggregate("AVG", form, path))  # type: ignore[arg-type]
    assert rows(QueryBuilder(GRAPH).query(made)) == sorted(str(GRAPH.terms[i]) for i in DENOTE(made))


@given(st.text(min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_names_stay_names(name: str) -> None:
    """Whatever a thing is called, queries about it are well formed and only about it."""
    thing, kind = ox.NamedNode("http://example.com/t"), ox.NamedNode("http://example.com/K")
    note = ox.NamedNode("http://example.com/note")
    store = ox.Store()
    for triple in (
        (thing, ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), kind),
        (thing, ox.NamedNode(f"{RDFS}label"), ox.Literal(name)),
        (thing, note, ox.Literal(name)),
    ):
        store.add(ox.Quad(*triple))
    known = Graph(store)
    text = known.ids[ox.Literal(name)]
    form = Join((known.ids[note], False), Things((text,), name))
    found = store.query(QueryBuilder(known).query(form))
    assert [row[0] for row in found] == [thing]  # type: ignore[union-attr]


def test_linker_is_part_of_the_parser() -> None:
    assert isinstance(parser()._linker, Linker)

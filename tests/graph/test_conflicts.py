from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.whole_graph import build
from kg.graph.conflicts import Disagreement, conflicts, may_both_hold
from kg.model import Hedge, Polarity, Status, Text, Value
from kg.namespaces import Namespaces
from kg.ontology import Ontology, parse
from kg.records import Record
from kg.stores.oxigraph import OxigraphStore

from ..making import MILLS, Said, libraries, number, ontologies, record, when

NS = Namespaces("https://kb.example/")
TENANTS = parse(
    [
        (
            "tenants.ttl",
            b"""@prefix : <https://mills.example/> . @prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:tenant a owl:ObjectProperty ; rdfs:label "tenant" ; kg:usuallyOne true .""",
        )
    ]
)
UNDISCLOSED, DENIED = Hedge(status=Status.UNDISCLOSED), Hedge(polarity=Polarity.NEGATED)


def report(*records: Record, subject: str = "") -> list[Disagreement]:
    store = OxigraphStore()
    store.change((), build(records, MILLS, (), NS))
    return conflicts(store, subject)


def test_what_clauses_tell_is_no_disagreement() -> None:
    def told(document: str, figure: Value, extractor: str) -> Record:
        made = record(document, [said("opens in", figure)])
        claims = tuple(replace(claim, extractors=(extractor,)) for claim in made.extraction.claims)
        return replace(made, extraction=replace(made.extraction, claims=claims))

    apart = [("a", when("1931")), ("b", when("1940"))]
    assert not report(*(told(name, value, "propositions") for name, value in apart))
    assert report(*(told(name, value, "tables") for name, value in apart))


def said(prop: str, value: str | Value | None) -> Said:
    return Said("Corn Mill", prop, value, Hedge() if value is not None else UNDISCLOSED)


def between(prop: str, one: str | Value | None, other: str | Value | None) -> list[Disagreement]:
    return report(record("a", [said(prop, one)]), record("b", [said(prop, other)]))


@pytest.mark.parametrize(
    ("prop", "one", "other"),
    [
        ("height", number("5", unit="M"), number("6", unit="M")),
        ("stones", number("3"), number("4")),
        ("built", when("1931"), when("1932-05")),
        ("Wheels", number("3"), number("4")),
        ("Weight", number("1", "2", "KiloGM"), number("3000", None, "GM")),
        ("height", number("4", "6", "M"), number("5", unit="M")),
        ("height", number("4", "5", "M"), number("5", unit="M")),
        ("height", number("4", "6", "M"), number("5", "7", "M")),
        ("Wheels", number(None, "3"), number("4")),
        ("stones", None, number("4")),
        ("miller", None, "Ada Rook"),
    ],
)
def test_sources_that_differ_are_reported(prop: str, one: Value | None, other: Value) -> None:
    (found,) = between(prop, one, other)
    assert (found.subject, found.subject_label) == (NS.entity("corn-mill"), "Corn Mill")
    assert [[v.document for v in side] for side in found.sides] == [[NS.document("a")], [NS.document("b")]]
    assert str(found).startswith("Corn Mill – ") and "(a) / " in str(found)


@pytest.mark.parametrize(
    ("prop", "one", "other"),
    [
        ("height", number("5", unit="M"), number("500", unit="CentiM")),
        ("height", number("4", "6", "M"), number("400", "600", "CentiM")),
        ("height", number("4", None, "M"), number("5", unit="M")),
        ("height", number("4", None, "M"), number("3", "5", "M")),
        ("stones", number("25000", approximate=True), number("25000")),
        ("stones", None, None),
        ("stones", number("3", per="floor"), number("4", per="loft")),
        ("built", when("1931"), when("1931-05")),
        ("Weight", number("1", unit="KiloGM"), number("3", unit="M")),
        ("miller", "Ada Rook", "Tom Finch"),
        ("motto", Text("Grind well"), Text("Grind on")),
        ("Wheels", number("3"), "three"),
    ],
)
def test_values_that_can_both_hold_are_not(prop: str, one: str | Value | None, other: str | Value | None) -> None:
    assert between(prop, one, other) == []


def test_what_is_not_asserted_disagrees_with_nobody() -> None:
    denied = record("b", [Said("Corn Mill", "stones", number("4"), Hedge(polarity=Polarity.NEGATED))])
    assert report(record("a", [Said("Corn Mill", "stones", number("3"))]), denied) == []


def test_a_denial_disagrees_with_the_value_that_it_denies() -> None:
    stated, denied = Said("Corn Mill", "stones", number("3")), Said("Corn Mill", "stones", number("3"), DENIED)
    (found,) = report(record("a", [stated]), record("b", [denied]))
    assert str(found) == "Corn Mill – stones: 3-3 (a) / not 3-3 (b)"
    (found,) = report(
        record("a", [Said("Corn Mill", "miller", "Ada Rook", DENIED)]), record("b", [said("miller", "Ada Rook")])
    )
    assert str(found) == "Corn Mill – miller: not Ada Rook (a) / Ada Rook (b)"
    assert report(record("a", [denied]), record("b", [denied])) == []


def test_what_a_document_itself_calls_undisclosed_but_gives_is_no_disagreement() -> None:
    assert report(record("a", [said("stones", None), said("stones", number("4"))])) == []


def test_undisclosed_stands_against_all_values_of_others() -> None:
    records = [record("a", [said("miller", n) for n in ("Ada Rook", "Tom Finch")]), record("b", [said("miller", None)])]
    (found,) = report(*records)
    assert [[v.stated for v in side] for side in found.sides] == [["Ada Rook", "Tom Finch"], ["undisclosed"]]


def test_names_are_compared_where_there_usually_is_one() -> None:
    def told(*tenants: str) -> list[Disagreement]:
        records = [record(f"d{i}", [said("tenant", name)]) for i, name in enumerate(tenants)]
        store = OxigraphStore()
        store.change((), build(records, TENANTS, (), NS))
        return conflicts(store)

    (found,) = told("Ada Rook", "Tom Finch")
    assert str(found) == "Corn Mill – tenant: Ada Rook (d0) / Tom Finch (d1)"
    assert told("Ada Rook", "Ada Rook") == []


def test_an_open_end_agrees_with_what_lies_beyond_but_hides_nothing() -> None:
    heights = [number("12", unit="M"), number("10", None, "M"), number("15", unit="M")]
    (found,) = report(*(record(f"d{i}", [said("height", h)]) for i, h in enumerate(heights)))
    assert [[v.document[-2:] for v in side] for side in found.sides] == [["d0", "d1"], ["d2"]]


def test_a_document_that_lists_several_values_disagrees_with_nobody() -> None:
    listing = record("a", [Said("Corn Mill", "Wheels", number(n)) for n in ("3", "4")])
    assert report(listing, record("b", [Said("Corn Mill", "Wheels", number("5"))])) == []


def test_a_functional_property_may_differ_within_a_document() -> None:
    heights = [said("height", number(n, unit="M")) for n in ("5", "6")]
    assert len(report(record("a", heights, per_passage=1))) == 1


def test_those_that_agree_stand_together() -> None:
    heights = {"a": "5", "b": "6", "c": "5"}
    records = [record(d, [Said("Corn Mill", "height", number(h, unit="M"))]) for d, h in heights.items()]
    (found,) = report(*records)
    assert [[v.document for v in side] for side in found.sides] == [
        [NS.document("a"), NS.document("c")],
        [NS.document("b")],
    ]
    assert report(*records, subject=NS.entity("corn-mill")) == [found]
    assert report(*records, subject=NS.entity("stone-mill")) == []


@given(libraries(min_size=2), ontologies)
@settings(max_examples=30, deadline=None)
def test_every_side_is_a_claim_of_the_subject(records: list[Record], ontology: Ontology) -> None:
    store = OxigraphStore()
    store.change((), build(records, ontology, (), NS))
    for found in conflicts(store):
        assert len(found.sides) > 1
        claims = [v.claim for side in found.sides for v in side]
        assert len(claims) == len(set(claims))
        assert len({(v.object, v.denied) for side in found.sides for v in side}) > 1
        for side in found.sides:
            assert all(
                may_both_hold(a, b) for a in side for b in side if not (a.denied or b.denied or a.kind == "none")
            )


@st.composite
def figures(draw: st.DrawFn) -> Value:
    low, more = draw(st.none() | st.integers(0, 9)), draw(st.none() | st.integers(0, 3))
    if low is None:
        return number(None, str(draw(st.integers(0, 9))), "M")
    return number(str(low), None if more is None else str(low + more), "M")


@given(st.lists(figures(), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_the_order_of_documents_tells_nothing_and_no_pair_is_missed(heights: list[Value]) -> None:
    records = [record(f"d{i}", [said("height", h)]) for i, h in enumerate(heights)]
    found = report(*records)
    assert found == report(*reversed(records))
    pairs = {len(between("height", a, b)) for i, a in enumerate(heights) for b in heights[:i]}
    assert bool(found) == (1 in pairs)
    assert between("height", heights[0], heights[0]) == []

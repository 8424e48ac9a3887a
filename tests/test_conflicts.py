from __future__ import annotations

import pytest
from hypothesis import given, settings

from kg.conflicts import Disagreement, conflicts
from kg.graph import build
from kg.model import Hedge, Polarity, Text, Value
from kg.namespaces import Namespaces
from kg.ontology import Ontology
from kg.records import Record
from kg.stores.oxigraph import OxigraphStore

from .making import EX, MILLS, Said, libraries, number, ontologies, record, when

NS = Namespaces("https://kb.example/")


def report(*records: Record, subject: str = "", property: str = "") -> list[Disagreement]:
    store = OxigraphStore()
    store.change((), build(records, MILLS, (), NS))
    return conflicts(store, subject, property)


def between(prop: str, one: str | Value, other: str | Value) -> list[Disagreement]:
    return report(record("a", [Said("Corn Mill", prop, one)]), record("b", [Said("Corn Mill", prop, other)]))


@pytest.mark.parametrize(
    ("prop", "one", "other"),
    [
        ("height", number("5", unit="M"), number("6", unit="M")),
        ("stones", number("3"), number("4")),
        ("built", when("1931"), when("1932-05")),
        ("Wheels", number("3"), number("4")),
        ("Weight", number("1", "2", "KiloGM"), number("3000", None, "GM")),
    ],
)
def test_sources_that_differ_are_reported(prop: str, one: Value, other: Value) -> None:
    (found,) = between(prop, one, other)
    assert (found.subject, found.subject_label) == (NS.entity("corn-mill"), "Corn Mill")
    assert [[v.document for v in side] for side in found.sides] == [[NS.document("a")], [NS.document("b")]]
    assert str(found).startswith("Corn Mill – ") and "(a) / " in str(found)


@pytest.mark.parametrize(
    ("prop", "one", "other"),
    [
        ("height", number("5", unit="M"), number("500", unit="CentiM")),
        ("height", number("4", "6", "M"), number("5", unit="M")),
        ("height", number("4", None, "M"), number("5", unit="M")),
        ("stones", number("3", per="floor"), number("4", per="loft")),
        ("built", when("1931"), when("1931-05")),
        ("Weight", number("1", unit="KiloGM"), number("3", unit="M")),
        ("miller", "Ada Rook", "Tom Finch"),
        ("motto", Text("Grind well"), Text("Grind on")),
        ("Wheels", number("3"), "three"),
    ],
)
def test_values_that_can_both_hold_are_not(prop: str, one: str | Value, other: str | Value) -> None:
    assert between(prop, one, other) == []


def test_what_is_not_asserted_disagrees_with_nobody() -> None:
    denied = record("b", [Said("Corn Mill", "stones", number("4"), Hedge(polarity=Polarity.NEGATED))])
    assert report(record("a", [Said("Corn Mill", "stones", number("3"))]), denied) == []


def test_a_document_that_lists_several_values_disagrees_with_nobody() -> None:
    listing = record("a", [Said("Corn Mill", "Wheels", number(n)) for n in ("3", "4")])
    assert report(listing, record("b", [Said("Corn Mill", "Wheels", number("5"))])) == []


def test_a_functional_property_may_differ_within_a_document() -> None:
    said = [Said("Corn Mill", "height", number(n, unit="M")) for n in ("5", "6")]
    assert len(report(record("a", said, per_passage=1))) == 1


def test_those_that_agree_stand_together() -> None:
    heights = {"a": "5", "b": "6", "c": "5"}
    records = [record(d, [Said("Corn Mill", "height", number(h, unit="M"))]) for d, h in heights.items()]
    (found,) = report(*records)
    assert [[v.document for v in side] for side in found.sides] == [
        [NS.document("a"), NS.document("c")],
        [NS.document("b")],
    ]
    assert report(*records, subject=NS.entity("corn-mill"), property=EX + "height") == [found]
    assert report(*records, property=EX + "stones") == []


@given(libraries(min_size=2), ontologies)
@settings(max_examples=30, deadline=None)
def test_every_side_is_a_claim_of_the_subject(records: list[Record], ontology: Ontology) -> None:
    store = OxigraphStore()
    store.change((), build(records, ontology, (), NS))
    for found in conflicts(store):
        assert len(found.sides) > 1
        claims = [v.claim for side in found.sides for v in side]
        assert len(claims) == len(set(claims))
        assert len({v.object for side in found.sides for v in side}) > 1

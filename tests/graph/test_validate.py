"""Statements that an ontology accepts, and why it refuses others."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph.literals import LiteralValue, Reason, Statement, check, may_agree
from kg.model import DateValue, Flag, Precision, Quantity, Text
from kg.ontology import Ontology, parse

B = "http://example.org/bakery#"
BAKERY = parse(
    [
        (
            "bakery.ttl",
            b"""@prefix : <http://example.org/bakery#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix unit: <http://qudt.org/vocab/unit/> .
:Baker a owl:Class . :Loaf a owl:Class ; owl:disjointWith :Baker , :Oven . :Oven a owl:Class ; owl:disjointWith :Baker .
:Rye a owl:Class ; rdfs:subClassOf :Loaf . :Master a owl:Class ; rdfs:subClassOf :Baker . :Shop a owl:Class .
:bakes a owl:ObjectProperty ; rdfs:domain :Baker ; rdfs:range :Loaf .
:weight a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :Loaf ; rdfs:range xsd:decimal ;
    kg:canonicalUnit unit:GM .
:slices a owl:DatatypeProperty ; rdfs:domain :Loaf ; rdfs:range xsd:nonNegativeInteger .
:built a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :Oven , :Shop ; rdfs:range xsd:date .
:foundedYear a owl:DatatypeProperty ; rdfs:range xsd:integer .
:owner a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:domain :Shop ; rdfs:range :Baker .
:slogan a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:range xsd:string .
:vegan a owl:DatatypeProperty ; rdfs:range xsd:boolean .
:note a rdf:Property .
:remark a owl:DatatypeProperty .
""",
        )
    ]
)


def grams(lower: str | None, upper: str | None = None, unit: str | None = "GM", per: str = "") -> Quantity:
    """A weight; one number is exact."""
    high = lower if upper is None else upper or None
    return Quantity("x", Decimal(lower) if lower else None, Decimal(high) if high else None, unit=unit, per=per)


def day(value: str, precision: Precision = Precision.YEAR, earliest: str = "", latest: str = "") -> DateValue:
    return DateValue(value, value, precision, earliest or f"{value}-01-01", latest or f"{value}-12-31")


def says(name: str, literal: LiteralValue | None = None, *types: str) -> Statement:
    return Statement(B + name, [B + t for t in types], literal=literal)


def links(name: str, subject: str, object_: str) -> Statement:
    return Statement(B + name, [B + subject] if subject else [], B + "x", [B + object_] if object_ else [])


@pytest.mark.parametrize(
    "statement",
    [
        links("bakes", "Baker", "Loaf"),
        links("bakes", "Master", "Rye"),
        links("bakes", "", ""),  # nothing is known of either
        links("bakes", "Shop", "Shop"),  # no axiom says that a shop is no baker
        Statement(B + "bakes", ["http://elsewhere/Robot"], B + "x", ["http://elsewhere/Bun"]),
        says("weight", grams("750"), "Rye"),
        says("weight", grams("0.75", unit="KiloGM")),
        says("slices", grams("12", unit=None)),
        says("slices", grams("12", "", unit=None)),  # twelve or more
        says("built", day("1901"), "Oven"),
        says("built", day("1901"), "Shop"),
        says("foundedYear", day("1901")),
        says("slogan", Text("Warm since dawn")),
        Statement(B + "slogan", [], B + "x", [B + "Loaf"]),  # a name is a text
        says("vegan", Flag(True)),
        says("note", Text("x")),
        says("note", grams("1")),
        says("remark", day("2001")),
        says("remark", grams("7", unit=None)),
        says("weight", None, "Loaf"),  # not disclosed
        says("unheardOf", Text("x"), "Loaf"),
    ],
)
def test_accepted(statement: Statement) -> None:
    assert check(statement, BAKERY) is None


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (links("bakes", "Oven", "Loaf"), Reason.DOMAIN),
        (links("bakes", "Rye", "Loaf"), Reason.DOMAIN),
        (links("bakes", "Master", "Oven"), Reason.RANGE),
        (Statement(B + "bakes", [B + "Baker"], B + "x", [B + "Shop", B + "Oven"]), Reason.RANGE),
        (says("weight", None, "Baker"), Reason.DOMAIN),
        (says("built", day("1901"), "Loaf"), None),  # a loaf may be a shop, for all that is said
        (says("bakes", Text("bread"), "Baker"), Reason.DATATYPE),
        (links("weight", "Loaf", "Loaf"), Reason.DATATYPE),
        (says("weight", Text("heavy")), Reason.DATATYPE),
        (says("weight", grams("750", unit=None)), Reason.UNIT),
        (says("weight", grams("3", unit="DAY")), Reason.UNIT),
        (says("weight", grams("3", unit="NoSuchUnit")), Reason.UNIT),
        (says("slices", grams("2.5", unit=None)), Reason.DATATYPE),
        (says("slices", grams("-2", unit=None)), Reason.DATATYPE),
        (says("slices", day("1901")), None),
        (says("built", grams("1901", unit=None), "Oven"), Reason.DATATYPE),
        (says("built", Text("long ago"), "Oven"), Reason.DATATYPE),
        (says("foundedYear", day("1901-02", Precision.MONTH, "1901-02-01", "1901-02-28")), Reason.DATATYPE),
        (says("vegan", Text("yes")), Reason.DATATYPE),
        (says("slogan", Flag(True)), Reason.DATATYPE),
        (says("slogan", grams("4", unit=None)), Reason.DATATYPE),
    ],
)
def test_refused(statement: Statement, reason: Reason | None) -> None:
    assert check(statement, BAKERY) == reason


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (grams("750"), grams("800"), Reason.CARDINALITY),
        (grams("750"), grams("0.75", unit="KiloGM"), None),
        (grams("700", "800"), grams("750"), None),
        (grams("700", ""), grams("900"), None),
        (grams("700", ""), grams("600"), Reason.CARDINALITY),
        (grams("750"), grams("800", per="half"), None),
    ],
)
def test_a_functional_property_has_one_value_in_a_passage(
    first: Quantity, second: Quantity, reason: Reason | None
) -> None:
    earlier = [says("weight", first, "Rye")]
    assert check(says("weight", second, "Rye"), BAKERY, earlier) == reason


def test_number_of_values_of_other_kinds() -> None:
    assert check(links("owner", "Shop", "Baker"), BAKERY, [links("owner", "Shop", "Baker")]) is None
    other = Statement(B + "owner", [], B + "y", [])
    assert check(links("owner", "Shop", "Baker"), BAKERY, [other]) is Reason.CARDINALITY
    assert check(says("slogan", Text("Warm")), BAKERY, [says("slogan", Text("WARM"))]) is None
    assert check(says("slogan", Text("Warm")), BAKERY, [says("slogan", Text("Cold"))]) is Reason.CARDINALITY
    may = day("1901-05", Precision.MONTH, "1901-05-01", "1901-05-31")
    assert check(says("built", day("1901")), BAKERY, [says("built", may)]) is None
    assert check(says("built", day("1902")), BAKERY, [says("built", may)]) is Reason.CARDINALITY
    # Values beside a refused one still count once.
    assert check(says("slices", grams("9", unit=None)), BAKERY, [says("slices", grams("8", unit=None))]) is None


def test_the_wrong_thing_is_named_before_the_number_of_values() -> None:
    assert check(says("weight", Text("x")), BAKERY, [says("weight", grams("1"))]) is Reason.DATATYPE


def test_without_an_ontology_everything_is_accepted() -> None:
    assert check(says("weight", Text("x"), "Oven"), Ontology.empty()) is None


numbers = st.integers(0, 2000).map(str)
quantities = st.builds(grams, numbers) | st.tuples(numbers, numbers).map(lambda pair: grams(*sorted(pair, key=int)))


@settings(max_examples=50, deadline=None)
@given(quantities, quantities)
def test_agreement_has_no_direction_and_holds_with_itself(one: Quantity, other: Quantity) -> None:
    a, b = says("weight", one), says("weight", other)
    assert may_agree(a, a) and may_agree(a, b) == may_agree(b, a)
    assert one.lower is not None and one.upper is not None and other.lower is not None and other.upper is not None
    assert may_agree(a, b) == (max(one.lower, other.lower) <= min(one.upper, other.upper))

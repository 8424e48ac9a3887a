from __future__ import annotations

from decimal import Decimal

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadInput
from kg.graph.literals import end_of, moment, number, precision_of, stated, unit_node
from kg.model import DateValue, Flag, Precision, Quantity, Text
from kg.namespaces import XSD
from kg.text.units import convertible

from ..making import number as quantity
from ..making import when


def shown(literal: ox.Literal | None) -> tuple[str, str] | None:
    return literal and (literal.value, literal.datatype.value.removeprefix(XSD))


@pytest.mark.parametrize(
    ("value", "lexical", "datatype"),
    [
        ("0", "0", "integer"),
        ("-0.0", "0", "integer"),
        ("175E9", "175000000000", "integer"),
        ("999999999999999", "999999999999999", "integer"),
        ("1000000000000000", "1000000000000000", "double"),
        ("2.15E25", "21500000000000000000000000", "double"),
        ("0.50", "0.5", "decimal"),
        ("-12.25", "-12.25", "decimal"),
        ("0.333333333333333", "0.333333333333333", "decimal"),
        ("0.3333333333333333", "0.3333333333333333", "double"),
        ("1E-20", "0.00000000000000000001", "double"),
        ("-2.5E310", f"-25{'0' * 309}", "integer"),
        ("1E999", f"1{'0' * 999}", "integer"),
    ],
)
def test_numbers(value: str, lexical: str, datatype: str) -> None:
    assert shown(number(Decimal(value))) == (lexical, datatype)


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_what_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="number"):
        number(Decimal(value))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=Decimal("-1E40"), max_value=Decimal("1E40")))
@settings(max_examples=100, deadline=None)
def test_a_store_gives_numbers_back_as_they_are(value: Decimal) -> None:
    literal, node = number(value), ox.NamedNode("https://mills.example/1")
    store = ox.Store()
    store.add(ox.Quad(node, node, literal))
    assert [quad.object for quad in store] == [literal]
    assert float(literal.value) == pytest.approx(float(value), rel=1e-12)


@given(st.integers(-(10**15) + 1, 10**15 - 1))
@settings(max_examples=50, deadline=None)
def test_whole_numbers_to_15_digits_are_exact(value: int) -> None:
    assert shown(number(Decimal(value))) == (str(value), "integer")


def test_a_range_has_its_lower_end_as_direct_value() -> None:
    found = stated(quantity("5", "7", "M"))
    assert (shown(found.literal), shown(found.lower), shown(found.upper)) == (
        ("5", "integer"),
        ("5", "integer"),
        ("7", "integer"),
    )
    assert (found.unit, found.per, found.approximate) == ("M", "", False)


def test_an_open_range_has_its_only_bound() -> None:
    least, most = stated(quantity("5", None)), stated(quantity(None, "7"))
    assert (shown(least.literal), shown(least.lower), least.upper) == (("5", "integer"), ("5", "integer"), None)
    assert (shown(most.literal), most.lower, shown(most.upper)) == (("7", "integer"), None, ("7", "integer"))


def test_a_tolerance_has_the_value_stated() -> None:
    found = stated(quantity("720", "820", central=Decimal(770)))
    assert [shown(x) for x in (found.literal, found.lower, found.upper)] == [
        ("770", "integer"),
        ("720", "integer"),
        ("820", "integer"),
    ]


def test_bounds_are_in_the_canonical_unit() -> None:
    found = stated(quantity("500", "700", "CentiM", approximate=True, per="floor"), "M")
    assert [shown(x) for x in (found.literal, found.lower, found.upper)] == [
        ("5", "integer"),
        ("5", "integer"),
        ("7", "integer"),
    ]
    assert (found.unit, found.per, found.approximate) == ("M", "floor", True)


def test_a_value_that_does_not_convert_stays_as_written() -> None:
    assert stated(quantity("5", unit="KiloGM"), "M").unit == "KiloGM"
    assert stated(quantity("5"), "M").unit is None
    assert not convertible(None, "M") and not convertible("M", "KiloGM") and convertible("M", "CentiM")


def test_a_quantity_without_bounds_is_refused() -> None:
    with pytest.raises(BadInput, match="without bounds"):
        stated(Quantity("some", None, None))


@pytest.mark.parametrize(
    ("value", "datatype", "latest"),
    [("1931", "gYear", "1931-12-31"), ("1931-05", "gYearMonth", "1931-05-28"), ("1931-05-09", "date", "1931-05-09")],
)
def test_dates_keep_their_precision(value: str, datatype: str, latest: str) -> None:
    found = stated(when(value))
    assert shown(found.literal) == (value, datatype)
    assert shown(found.latest) == (latest, "date")
    assert (found.lower, found.upper, found.unit) == (None, None, None)


def test_a_period_begins_and_ends() -> None:
    period = DateValue("1931 to May 1935", "1931", Precision.YEAR, "1931-01-01", "1935-05-31", "1935-05")
    assert shown(moment(period)) == ("1931", "gYear")
    assert shown(end_of(period)) == ("1935-05", "gYearMonth")
    assert end_of(when("1931")) == moment(when("1931"))
    assert stated(DateValue("since 1931", "1931", Precision.YEAR, "1931-01-01", "")).latest is None
    assert precision_of("-0044-03") is Precision.MONTH


def test_texts_and_flags() -> None:
    assert shown(stated(Text("Grind well")).literal) == ("Grind well", "string")
    assert shown(stated(Flag(True)).literal) == ("true", "boolean")


def test_units_are_named_by_qudt() -> None:
    assert unit_node("GigaBYTE").value == "http://qudt.org/vocab/unit/GigaBYTE"
    assert unit_node("FLOP").value == "https://w3id.org/citegraph/kg#FLOP"
    assert unit_node("Cubit").value == "http://qudt.org/vocab/unit/Cubit"

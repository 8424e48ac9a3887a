"""Spellings of units, labels, and conversion that is exact or refused."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadInput
from kg.text import units
from kg.text.units import TERMS


@pytest.mark.parametrize(
    ("spelt", "unit"),
    [
        ("GB", "GigaBYTE"),
        ("gb", "GigaBYTE"),
        ("Gb", "GigaBIT"),
        ("GB/s", "GigaBYTE-PER-SEC"),
        ("Gb/s", "GigaBIT-PER-SEC"),
        ("Gbps", "GigaBIT-PER-SEC"),
        ("GiB", "GibiBYTE"),
        ("MW", "MegaW"),
        ("mW", "MilliW"),
        ("m", "M"),
        ("ms", "MilliSEC"),
        ("µm", "MicroM"),
        ("um", "MicroM"),
        ("TFLOPS", "TeraFLOPS"),
        ("FLOPs", "FLOP"),
        ("FLOP/s", "FLOPS"),
        ("petaflop", "PetaFLOPS"),
        ("PF-days", "PetaFLOPS-DAY"),
        ("PFlop/s-days", "PetaFLOPS-DAY"),
        ("petaflop/s-day", "PetaFLOPS-DAY"),
        ("PETAFLOP/S-DAYS", "PetaFLOPS-DAY"),
        ("$", "CCY_USD"),
        ("US dollars", "CCY_USD"),
        ("EUR", "CCY_EUR"),
        ("£", "CCY_GBP"),
        ("Nautical Miles", "MI_N"),
        ("degrees Celsius", "DEG_C"),
        ("°F", "DEG_F"),
        ("per cent", "PERCENT"),
        ("km/h", "KiloM-PER-HR"),
        ("miles per hour", "MI-PER-HR"),
        ("m²", "M2"),
        ("kWh", "KiloW-HR"),
        ("GigaBYTE", "GigaBYTE"),
        ("(kg)", "KiloGM"),
    ],
)
def test_spellings(spelt: str, unit: str) -> None:
    assert units.find_unit(spelt) == unit


@pytest.mark.parametrize("spelt", ["", "lighthouse", "Gbx", "mw", "in", "GB per", "M", "B of", "kilobananas"])
def test_what_is_no_unit(spelt: str) -> None:
    assert units.find_unit(spelt) is None


def test_the_longest_spelling_is_matched_in_place() -> None:
    assert units.match_unit("40 km/h wind", 3) == ("KiloM-PER-HR", 7)
    assert units.match_unit("40 km high", 3) == ("KiloM", 5)
    assert units.match_unit("3 days' rest", 2) == ("DAY", 6)
    assert units.match_unit("3 dayspring", 2) is None


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("1", "GAL_US", "L", "3.785411784"),
        ("29.3", "DEG_C", "DEG_F", "84.74"),
        ("-40", "DEG_F", "DEG_C", "-40"),
        ("0", "DEG_C", "K", "273.15"),
        ("1", "PetaFLOPS-DAY", "FLOP", "86400000000000000000"),
        ("1", "GibiBYTE", "BYTE", "1073741824"),
        ("400", "GigaBIT-PER-SEC", "GigaBYTE-PER-SEC", "50"),
        ("34", "PERCENT", "UNITLESS", "0.34"),
        ("2", "YR", "MO", "24"),
        ("1", "MI", "M", "1609.344"),
        ("1", "AC", "M2", "4046.8564224"),
        ("3", "NanoM", "M", "0.000000003"),
        ("1.5", "CCY_EUR", "CCY_EUR", "1.5"),
        ("1", "LB", "KiloGM", "0.45359237"),
        ("1", "KiloW-HR", "J", "3600000"),
        ("1", "PetaFLOPS", "TeraFLOPS", "1000"),
    ],
)
def test_exact_conversion(value: str, unit: str, to: str, expected: str) -> None:
    assert units.convert(Decimal(value), unit, to) == Decimal(expected)


@pytest.mark.parametrize(
    ("unit", "to"),
    [
        ("CCY_USD", "CCY_EUR"),
        ("FLOP", "FLOPS"),
        ("GigaBYTE", "GigaBYTE-PER-SEC"),
        ("M", "SEC"),
        ("PERCENT", "DEG"),
        ("HZ", "REV-PER-MIN"),
    ],
)
def test_other_dimensions_are_refused(unit: str, to: str) -> None:
    with pytest.raises(BadInput, match="can't be converted"):
        units.convert(Decimal(1), unit, to)


def test_unknown_units_are_refused() -> None:
    with pytest.raises(BadInput, match="Furlong"):
        units.convert(Decimal(1), "Furlong", "M")
    assert not units.known("Furlong")


@given(
    value=st.decimals(min_value=-(10**6), max_value=10**6, places=4),
    unit=st.sampled_from(TERMS),
    other=st.sampled_from(TERMS),
)
@settings(max_examples=100, deadline=None)
def test_there_and_back(value: Decimal, unit: object, other: object) -> None:
    first, second = unit.name, other.name  # type: ignore[attr-defined]
    if units.dimension(first) != units.dimension(second):
        with pytest.raises(BadInput):
            units.convert(value, first, second)
        return
    back = units.convert(units.convert(value, first, second), second, first)
    assert abs(back - value) <= abs(value) * Decimal("1e-40") + Decimal("1e-30")


def test_every_unit_has_a_size_a_label_and_an_iri_that_leads_back() -> None:
    for term in TERMS:
        assert units.convert(Decimal(1), term.name, term.name) == 1
        assert units.label(term.name)
        assert units.unit_of(units.iri(term.name)) == term.name
    assert units.iri("GigaBYTE") == "http://qudt.org/vocab/unit/GigaBYTE"
    assert units.iri("FLOP").startswith("https://w3id.org/citegraph/kg#")
    assert units.unit_of("http://example.org/GigaBYTE") is None


def test_symbols_mean_one_unit() -> None:
    for term in TERMS:
        for symbol in term.symbols:
            found = units.find_unit(symbol)
            assert found is not None
            assert units.convert(Decimal(3), found, found) == 3
            assert units.dimension(found) == term.dimension or symbol in ("RPM", "NM"), symbol


@pytest.mark.parametrize(
    ("head", "unit", "rest"),
    [
        ("Height (m)", "M", "Height"),
        ("Cost (US$)", "CCY_USD", "Cost"),
        ("Mass, kg", "KiloGM", "Mass"),
        ("Length in metres", "M", "Length"),
        ("Cost (estimated)", None, "Cost (estimated)"),
        ("Year", None, "Year"),
    ],
)
def test_units_in_heads(head: str, unit: str | None, rest: str) -> None:
    assert units.unit_in_head(head) == (unit, rest)


def test_labels_are_what_people_write() -> None:
    shown = [units.label(u) for u in ("CCY_USD", "GigaBYTE", "PERCENT", "PetaFLOPS-DAY", "MO", "DEG_C", "KiloM-PER-HR")]
    assert shown == ["US$", "GB", "%", "PF-days", "months", "°C", "km/h"]

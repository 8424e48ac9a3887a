"""Figures of many domains: what they say, what they count, and what is no figure at all."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.model import Quantity
from kg.text import quantities, units
from kg.text.units import TERMS

Expected = tuple[str, str | None, str | None, str | None, str, str]


def brief(value: Quantity) -> Expected:
    """Stated text, bounds, unit, noun and per."""
    low, high = (None if b is None else f"{b:f}" for b in (value.lower, value.upper))
    return value.stated, low, high, value.unit, value.noun, value.per


# text → (stated, lower, upper, unit, noun, per) of every figure in it
FOUND: list[tuple[str, list[Expected]]] = [
    ("The quarry employs 1,450 people.", [("1,450", "1450", "1450", None, "people", "")]),
    ("It cost 1.234.567,89 €", [("1.234.567,89 €", "1234567.89", "1234567.89", "CCY_EUR", "", "")]),
    ("a beam of 2.5 km", [("2.5 km", "2.5", "2.5", "KiloM", "", "")]),
    ("It weighs about 40 tonnes", [("about 40 tonnes", "40", "40", "TONNE", "", "")]),
    ("a ~170 MW turbine", [("~170 MW", "170", "170", "MegaW", "turbine", "")]),
    ("over 300,000 visitors", [("over 300,000", "300000", None, None, "visitors", "")]),
    ("at least 12 oak barrels", [("at least 12", "12", None, None, "oak barrels", "")]),
    ("up to 70 GB of memory per oven", [("up to 70 GB", None, "70", "GigaBYTE", "memory", "oven")]),
    ("fewer than 25 loaves", [("fewer than 25", None, "25", None, "loaves", "")]),
    ("no more than 5 keepers", [("no more than 5", None, "5", None, "keepers", "")]),
    ("took 90-100 days", [("90-100 days", "90", "100", "DAY", "", "")]),
    ("took 6–9 months", [("6–9 months", "6", "9", "MO", "", "")]),
    ("between 6 and 9 ferries", [("between 6 and 9", "6", "9", None, "ferries", "")]),
    ("20,000 to 25,000 seats", [("20,000 to 25,000", "20000", "25000", None, "seats", "")]),
    ("costs $500K-$4.6M", [("$500K-$4.6M", "500000", "4600000", "CCY_USD", "", "")]),
    ("costs $50K-200K", [("$50K-200K", "50000", "200000", "CCY_USD", "", "")]),
    ("worth €2-3 billion", [("€2-3 billion", "2000000000", "3000000000", "CCY_EUR", "", "")]),
    ("500 MB to 2 GB", [("500 MB to 2 GB", "0.5", "2", "GigaBYTE", "", "")]),
    ("770 ± 50 kg", [("770 ± 50 kg", "720", "820", "KiloGM", "", "")]),
    ("285,000+ books", [("285,000+", "285000", None, None, "books", "")]),
    ("waited 30+ minutes", [("30+ minutes", "30", None, "MIN", "", "")]),
    ("20B+ calls/day", [("20B+", "20000000000", None, None, "calls", "day")]),
    ("100M+ weekly", [("100M+ weekly", "100000000", None, None, "", "week")]),
    ("$700K/day running cost", [("$700K/day", "700000", "700000", "CCY_USD", "running cost", "day")]),
    ("$0.002/1K", [("$0.002/1K", "0.002", "0.002", "CCY_USD", "", "1K")]),
    ("~$1/oven-hour", [("~$1/oven-hour", "1", "1", "CCY_USD", "", "oven-hour")]),
    ("400 Gb/s fibre per mast", [("400 Gb/s", "400", "400", "GigaBIT-PER-SEC", "fibre", "mast")]),
    ("64 GB/s per lane", [("64 GB/s per lane", "64", "64", "GigaBYTE-PER-SEC", "", "lane")]),
    (
        "~2.15 x 10^25 FP8 FLOP",
        [("~2.15 x 10^25 FP8 FLOP", "21500000000000000000000000", "21500000000000000000000000", "FLOP", "", "")],
    ),
    ("about 1e21 grains", [("about 1e21", "1000000000000000000000", "1000000000000000000000", None, "grains", "")]),
    ("6.02×10²³ atoms", [("6.02×10²³", "602000000000000000000000", "602000000000000000000000", None, "atoms", "")]),
    ("Sub-50ms replies", [("Sub-50ms", None, "50", "MilliSEC", "replies", "")]),
    ("grew 34% in spring", [("34%", "34", "34", "PERCENT", "", "")]),
    ("6 percent of all flour", [("6 percent", "6", "6", "PERCENT", "flour", "")]),
    ("10x faster", [("10x", "10", "10", "UNITLESS", "faster", "")]),
    ("a 300,000x increase", [("300,000x", "300000", "300000", "UNITLESS", "increase", "")]),
    ("2-3x speed", [("2-3x", "2", "3", "UNITLESS", "speed", "")]),
    ("1/10,000th of the dose", [("1/10,000th", "0.000100000000", "0.000100000000", "UNITLESS", "dose", "")]),
    ("three-quarters of the crew", [("three-quarters", "0.750000000000", "0.750000000000", "UNITLESS", "crew", "")]),
    ("placed #10 on the list", [("#10", "10", "10", None, "rank", "")]),
    ("a top-5 bakery", [("top-5", None, "5", None, "rank", "")]),
    ("the top five ports", [("top five", None, "5", None, "rank", "")]),
    ("8x Zeiss K200 lenses", [("8x", "8", "8", None, "Zeiss K200 lenses", "")]),
    ("an 8-way valve junction", [("8", "8", "8", None, "valve junction", "")]),
    ("a 17-billion-cell model", [("17-billion", "17000000000", "17000000000", None, "cell", "")]),
    ("a 46-minute radio play", [("46-minute", "46", "46", "MIN", "radio play", "")]),
    ("ten thousand candles", [("ten thousand", "10000", "10000", None, "candles", "")]),
    ("a dozen eggs", [("a dozen", "12", "12", None, "eggs", "")]),
    ("hundreds of thousands of eels", [("hundreds of thousands", "100000", None, None, "eels", "")]),
    ("tens of GB", [("tens of GB", "10", None, "GigaBYTE", "", "")]),
    ("two and a half years later", [("two and a half years", "2.5", "2.5", "YR", "", "")]),
    ("half a million tourists", [("half a million", "500000", "500000", None, "tourists", "")]),
    ("twenty-five keepers", [("twenty-five", "25", "25", None, "keepers", "")]),
    ("Four weeks later it rained", [("Four weeks", "4", "4", "WK", "", "")]),
    ("11.5 million gallons of brine", [("11.5 million gallons", "11500000", "11500000", "GAL_US", "brine", "")]),
    ("29.3 C (85 F)", [("29.3 C", "29.3", "29.3", "DEG_C", "", ""), ("85 F", "85", "85", "DEG_F", "", "")]),
    ("froze at -40 °C", [("-40 °C", "-40", "-40", "DEG_C", "", "")]),
    (
        "rose from 2,500 to 7,500 hives",
        [("2,500", "2500", "2500", None, "hives", ""), ("7,500", "7500", "7500", None, "hives", "")],
    ),
    ("15 → 1,500+ bakers", [("15", "15", "15", None, "bakers", ""), ("1,500+", "1500", None, None, "bakers", "")]),
    ("16/32GB cards", [("16", "16", "16", "GigaBYTE", "cards", ""), ("32GB", "32", "32", "GigaBYTE", "cards", "")]),
    (
        "$5 billion over four years",
        [("$5 billion", "5000000000", "5000000000", "CCY_USD", "", ""), ("four years", "4", "4", "YR", "", "")],
    ),
    ("lasted over four years", [("over four years", "4", None, "YR", "", "")]),
    (
        "3 rooms, 2 baths and 1 cellar",
        [("3", "3", "3", None, "rooms", ""), ("2", "2", "2", None, "baths", ""), ("1", "1", "1", None, "cellar", "")],
    ),
    ("30 lines of code", [("30", "30", "30", None, "lines of code", "")]),
    (
        "£30m and USD 20 million",
        [
            ("£30m", "30000000", "30000000", "CCY_GBP", "", ""),
            ("USD 20 million", "20000000", "20000000", "CCY_USD", "", ""),
        ],
    ),
    ("5 million US dollars", [("5 million US dollars", "5000000", "5000000", "CCY_USD", "", "")]),
    ("~200 QPS", [("~200 QPS", "200", "200", None, "queries", "second")]),
    ("50 requests per second", [("50", "50", "50", None, "requests", "second")]),
    ("1,200 m of chain", [("1,200 m", "1200", "1200", "M", "chain", "")]),
    (
        "100 or so gulls, 20 or more seals",
        [("100 or so", "100", "100", None, "gulls", ""), ("20 or more", "20", None, None, "seals", "")],
    ),
    ("nearly 7 gigawatts", [("nearly 7 gigawatts", "7", "7", "GigaW", "", "")]),
    (
        "175B grains, 12M seeds, 3K pots, 2T cells",
        [
            ("175B", "175000000000", "175000000000", None, "grains", ""),
            ("12M", "12000000", "12000000", None, "seeds", ""),
            ("3K", "3000", "3000", None, "pots", ""),
            ("2T", "2000000000000", "2000000000000", None, "cells", ""),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), FOUND, ids=[text for text, _ in FOUND])
def test_figures_in_text(text: str, expected: list[Expected]) -> None:
    found = quantities.find(text)
    assert [brief(f.value) for f in found] == expected
    assert all(text[f.start : f.end] == f.value.stated for f in found)


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4, A100, H100s, B52 and X-15",
        "Phase 2 of the works",
        "in Chapter 56",
        "Apollo 11 landed",
        "Python 3.11 and NVLink 4.0",
        "TensorFlow 1.x",
        "Gen 3 ovens",
        "v3 and version 1.2.3",
        "at 192.168.100.200",
        "arXiv:2001.08361",
        "doi 10.1000/182",
        "https://example.org/2019/07/22/5-lamps",
        "host 10.0.0.1 or 52.152.96.252",
        "on June 30, 2018",
        "in 2019",
        "the 1990s",
        "call 555-867-5309",
        "tel. +44 20 7946 0958",
        "at 10:30 or 5 pm",
        "a ratio of 2:4",
        "open 24/7",
        "5G phones and 3D glasses",
        "a 1920x1080 screen",
        "the 2nd floor",
        "one of the keepers",
        "the two agreed",
        "Big Five",
        "see [3] and (1)",
        "the colour #3B82F6",
        "Windows 11 users",
        "a 4K video",
        "someone told no one",
        "ISBN 978-3-16-148410-0",
        "step 3",
        "a.b.c5",
        "write to mail7@example.org",
        "Catch (in thousands)",
    ],
)
def test_digits_that_are_no_figures(text: str) -> None:
    assert quantities.find(text) == ()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("8", ("8", "8", "8", None, "", "")),
        ("8-64", ("8-64", "8", "64", None, "", "")),
        ("~20,000-25,000", ("~20,000-25,000", "20000", "25000", None, "", "")),
        ("$2B+ annually", ("$2B+ annually", "2000000000", None, "CCY_USD", "", "year")),
        ("~$4.6M (single run)", ("~$4.6M", "4600000", "4600000", "CCY_USD", "", "")),
        ("25,000+ A100s", ("25,000+", "25000", None, None, "A100s", "")),
        ("four", ("four", "4", "4", None, "", "")),
        ("Nearly 7 GW", ("Nearly 7 GW", "7", "7", "GigaW", "", "")),
        (" 12.5% ", ("12.5%", "12.5", "12.5", "PERCENT", "", "")),
        ("1500", ("1500", "1500", "1500", None, "", "")),
        ("(2,376)", ("(2,376)", "-2376", "-2376", None, "", "")),
        ("$(0.4)", ("$(0.4)", "-0.4", "-0.4", "CCY_USD", "", "")),
        ("$   1,146.2", ("$   1,146.2", "1146.2", "1146.2", "CCY_USD", "", "")),
    ],
)
def test_cells(cell: str, expected: Expected) -> None:
    value = quantities.parse(cell)
    assert value is not None
    assert brief(value) == expected


@pytest.mark.parametrize(
    "cell", ["", "Unknown", "N/A", "Weeks-months", "Part of 10,000 cluster", "P100/V100", "(2018)", "3-1", "1.2.3"]
)
def test_cells_that_hold_no_figure(cell: str) -> None:
    assert quantities.parse(cell) is None


def test_tolerances_keep_their_centre() -> None:
    value = quantities.parse("770 +/- 50 PFlop/s-days")
    assert value is not None
    assert (value.value, value.lower, value.upper) == (770, 720, 820)


def test_values_of_bounds() -> None:
    approximate = {
        t: quantities.find(t)[0].value.approximate for t in ("~5 t", "about 5 t", "5 t", "dozens of eels", "over 5 t")
    }
    assert approximate == {"~5 t": True, "about 5 t": True, "5 t": False, "dozens of eels": True, "over 5 t": False}
    assert quantities.find("up to 9 masts")[0].value.value == 9
    assert quantities.find("6–9 masts")[0].value.value == 6


SHOWN_UNITS = sorted(
    {t.symbols[0] for t in TERMS if t.symbols and len(t.symbols[0]) > 1 and not t.name.startswith("CCY")}
)


@given(
    value=st.decimals(min_value=0, max_value=10**9, places=2),
    about=st.booleans(),
    scale=st.sampled_from(["", " thousand", " million", " billion"]),
    unit=st.sampled_from(SHOWN_UNITS),
)
@settings(max_examples=100, deadline=None)
def test_rendered_figures_are_read_back(value: Decimal, about: bool, scale: str, unit: str) -> None:
    assume(f"{value:f}{unit}" not in ("90s",))
    text = f"{'~' if about else ''}{value:,f}{scale} {unit}"
    read = quantities.parse(text)
    factor = {"": 1, " thousand": 10**3, " million": 10**6, " billion": 10**9}[scale]
    assert read is not None
    assert (read.lower, read.upper, read.approximate) == (value * factor, value * factor, about)
    assert read.unit == units.find_unit(unit)
    assert read.stated == text


@given(
    low=st.integers(1, 10**6),
    step=st.integers(1, 10**6),
    dash=st.sampled_from(["-", "–", " to "]),
    money=st.sampled_from(["", "$", "€"]),
    noun=st.sampled_from(["lamps", "oak barrels", "NVX 400 masts"]),
)
@settings(max_examples=60, deadline=None)
def test_rendered_ranges_are_read_back(low: int, step: int, dash: str, money: str, noun: str) -> None:
    text = f"{money}{low:,}{dash}{money}{low + step:,} {noun}"
    (found,) = quantities.find(f"It has {text}.")
    assert (found.value.lower, found.value.upper) == (low, low + step)
    assert found.value.noun == noun


@given(st.text(alphabet=st.sampled_from("0123456789.,-–$%xKMB /+~()GPUsday per"), max_size=40))
@settings(max_examples=100, deadline=None)
def test_spans_never_overlap_and_quote_the_text(text: str) -> None:
    found = quantities.find(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(text[f.start : f.end] == f.value.stated for f in found)
    assert all(f.value.value is not None for f in found)
    for f in found:
        assert f.value.lower is None or f.value.upper is None or f.value.lower <= f.value.upper


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [("£2–3m", 2000000, 3000000, "CCY_GBP"), ("$1.5–2.5m", 1500000, 2500000, "CCY_USD"), ("2-3m", 2, 3, "M")],
)
def test_m_behind_a_range_of_money_is_million(text: str, low: int, high: int, unit: str) -> None:
    found = quantities.find(text)[0].value
    assert (found.lower, found.upper, found.unit) == (low, high, unit)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("The bell weighs 4,5 kg", [("4,5 kg", "4.5", "KiloGM")]),
        ("37,5 % of the nets", [("37,5 %", "37.5", "PERCENT")]),
        ("2,5 million herrings", [("2,5 million", "2500000", None)]),
        ("rooms 4,5 and 6", [("4", "4", None), ("6", "6", None)]),
        ("4,500 kg of rope", [("4,500 kg", "4500", "KiloGM")]),
    ],
)
def test_a_decimal_comma_is_one_where_a_measure_follows(text: str, figures: list[tuple[str, str, str | None]]) -> None:
    assert [(f.value.stated, f"{f.value.value:f}", f.value.unit) for f in quantities.find(text)] == figures


@pytest.mark.parametrize(
    ("text", "value", "unit", "noun"),
    [
        ("3 3/4 cups flour", "3.75", "CUP", "flour"),
        ("1½ cups of sugar", "1.5", "CUP", "sugar"),
        ("1 1/2 tsp salt", "1.5", "TSP", "salt"),
        ("10 1/2-inch pan", "10.5", "IN", "pan"),
        ("They won 3 cups in a row", "3", None, "cups"),
    ],
)
def test_mixed_fractions_with_their_unit_and_noun(text: str, value: str, unit: str | None, noun: str) -> None:
    (found,) = quantities.find(text)
    assert (f"{found.value.value:f}", found.value.unit, found.value.noun) == (value, unit, noun)

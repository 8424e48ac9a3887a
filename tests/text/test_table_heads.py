"""Headers of several rows, captions that give units and scales, and accounts by year."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kg.model import Quantity
from kg.text.scales import Measure, measure
from tests.extract.reading import extraction, facts

MILLION, THOUSAND = Decimal(10**6), Decimal(1000)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(in millions)", Measure(MILLION)),
        ("(inthousands)", Measure(THOUSAND)),
        ("in thousands of tonnes", Measure(THOUSAND, "TONNE")),
        ("£m", Measure(MILLION, "CCY_GBP")),
        ("$’000", Measure(THOUSAND, "CCY_USD")),
        ("(Dollars in millions)", Measure(MILLION, "CCY_USD")),
        ("($ in thousands, except per share data)", Measure(THOUSAND, "CCY_USD")),
        ("(Amounts in thousands of U.S. dollars)", Measure(THOUSAND, "CCY_USD")),
        ("million euros", Measure(MILLION, "CCY_EUR")),
        ("'000 tonnes", Measure(THOUSAND, "TONNE")),
        ("thousand visitors", Measure(THOUSAND)),
        ("in GW", Measure(Decimal(1), "GigaW")),
    ],
)
def test_captions_that_declare_a_measure(text: str, wanted: Measure) -> None:
    assert measure(text) == wanted


@pytest.mark.parametrize("text", ["in Kiel", "Level 5", "m", "$", "In Germany", "lamps", "", "restated", "2019"])
def test_other_captions_declare_none(text: str) -> None:
    assert measure(text) is None


def figures(text: str) -> set[tuple[str, str, str, str, str]]:
    """Subject, property, value, unit and time of each figure."""
    found = set()
    for claim in extraction(text)[1].claims:
        if isinstance(claim.object, Quantity):
            subject = claim.subject.surface if claim.subject.kind == "entity" else claim.subject.label
            when = claim.valid_from.value if claim.valid_from else ""
            value = format(claim.object.value.normalize(), "f")
            found.add((subject, claim.predicate.label, value, claim.object.unit or "", when))
    return found


def test_a_caption_row_scales_the_figures_below_it() -> None:
    text = (
        "# Kiel Yard\n\n|  | 2019 | 2018 |\n|---|---|---|\n|  | (in thousands) |  |\n| Lamp sales | €1,452.4 | €902 |\n"
        "| Repairs | 14 | (3.5) |\n| Return on capital | 5% | 4% |\n| Profit per lamp | €2.10 | €1.90 |\n"
    )
    assert figures(text) == {
        ("Kiel Yard", "Lamp sales", "1452400", "CCY_EUR", "2019"),
        ("Kiel Yard", "Lamp sales", "902000", "CCY_EUR", "2018"),
        ("Kiel Yard", "Repairs", "14000", "CCY_EUR", "2019"),
        ("Kiel Yard", "Repairs", "-3500", "CCY_EUR", "2018"),
        ("Kiel Yard", "Return on capital", "5", "PERCENT", "2019"),
        ("Kiel Yard", "Return on capital", "4", "PERCENT", "2018"),
        ("Kiel Yard", "Profit per lamp", "2.1", "CCY_EUR", "2019"),
        ("Kiel Yard", "Profit per lamp", "1.9", "CCY_EUR", "2018"),
    }


def test_measures_in_the_corner_in_heads_and_above_the_table() -> None:
    corner = "# Kiel Yard\n\n| (£m) | 2019 | 2018 |\n|---|---|---|\n| Sales | 12 | 11.5 |\n"
    heads = "# Kiel Yard\n\n|  | 2019 £m | 2018 £m |\n|---|---|---|\n| Sales | 12 | 11.5 |\n"
    above = (
        "# Kiel Yard\n\nAccounts in brief (£ in millions)\n\n|  | 2019 | 2018 |\n|---|---|---|\n| Sales | 12 | 11.5 |\n"
    )
    wanted = {
        ("Kiel Yard", "Sales", "12000000", "CCY_GBP", "2019"),
        ("Kiel Yard", "Sales", "11500000", "CCY_GBP", "2018"),
    }
    assert figures(corner) == figures(heads) == figures(above) == wanted


def test_groups_over_columns_with_years() -> None:
    text = (
        "# Herring fleets\n\n|  | Fiscal year 2018 |  | Fiscal year 2017 |  |\n|---|---|---|---|---|\n"
        "|  | Catch (t) | Share | Catch (t) | Share |\n| Fastnet | 40 | 8% | 30 | 6% |\n| Skerry | 5 | 1% | 4 | 2% |\n"
    )
    assert {
        ("Fastnet", "Catch", "40", "TONNE", "2018"),
        ("Fastnet", "Share", "6", "PERCENT", "2017"),
        ("Skerry", "Catch", "4", "TONNE", "2017"),
    } <= figures(text)


def test_rows_without_values_head_those_below_them() -> None:
    text = (
        "# Kiel Yard\n\n|  | 2019 | 2018 |\n|---|---|---|\n| Debts: |  |  |\n| long-term | 40 | 30 |\n"
        "| short-term | 5 | 6 |\n"
        "| Total debts | 45 | 36 |\n"
    )
    assert {p for _, p, *_ in figures(text)} == {"Debts: long-term", "Debts: short-term", "Total debts"}


def test_a_column_of_changes_beside_years_is_of_the_row_too() -> None:
    text = "# Kiel Yard\n\n|  | 2019 | 2018 | Change |\n|---|---|---|---|\n| Lamp sales | 54 | 48 | (13%) |\n"
    assert figures(text) == {
        ("Kiel Yard", "Lamp sales", "54", "", "2019"),
        ("Kiel Yard", "Lamp sales", "48", "", "2018"),
        ("Kiel Yard", "Lamp sales, Change", "-13", "PERCENT", ""),
    }


def test_rows_of_data_are_no_header() -> None:
    text = "| Lamp | Opened |\n|---|---|\n|  | 1902 |\n| Skerry | 1903 |\n"
    assert {c.subject.surface for c in extraction(text)[1].claims if c.subject.kind == "entity"} <= {"Skerry"}
    text = "| Lamp | Height (m) | Visitors (thousands) |\n|---|---|---|\n| Skerry | 48 | 12 |\n"
    assert figures(text) == {("Skerry", "Height", "48", "M", ""), ("Skerry", "Visitors", "12000", "", "")}


def test_a_lone_caption_over_named_columns() -> None:
    text = (
        "# Kiel Yard\n\n|  |  | Due in |  |\n|---|---|---|---|\n| Loan | Less than 1 year | 2-5 years | Total |\n"
        "| Orr Bank | £20 | £30 | £50 |\n| Holm Bank | 4 | 6 | 10 |\n"
    )
    assert {("Orr Bank", "30", "CCY_GBP"), ("Holm Bank", "10", "")} <= {(s, v, u) for s, _, v, u, _ in figures(text)}
    assert "Due in 2-5 years" in {p for _, p, *_ in figures(text)}


def test_counts_and_shares_in_accounts_keep_out_of_the_currency() -> None:
    text = (
        "# Kiel Yard\n\n| (in millions) | 2019 | 2018 |\n|---|---|---|\n| Sales | £20 | £30 |\n| Costs | 5 | 6 |\n"
        "| Weighted average shares outstanding | 7 | 8 |\n| Tax at the usual rate | £2 | £3 |\n| Profit | £15 | £24 |\n"
    )
    found = {(p, v, u) for _, p, v, u, when in figures(text) if when == "2019"}
    assert {("Costs", "5000000", "CCY_GBP"), ("Weighted average shares outstanding", "7", "")} <= found
    assert ("Profit", "15000000", "CCY_GBP") in found


def test_a_row_of_units_below_the_header_measures_its_columns() -> None:
    found = facts(
        "Name;Height;Weight;Keepers\n;m;(kg);\nCorran Light;38,5;310;3\nGannet Light;51;420;4\n", "lights.csv"
    )
    assert {(p, v) for _, p, v in found if p in ("Height", "Weight", "Keepers")} == {
        ("Height", "38.5 M"),
        ("Weight", "310 KiloGM"),
        ("Keepers", "3"),
        ("Height", "51 M"),
        ("Weight", "420 KiloGM"),
        ("Keepers", "4"),
    }


def test_a_corner_s_scale_leaves_what_is_counted_alone() -> None:
    rows = "| Revenue | 188 | 190 |\n| Employees (average) | 2,085 | 97 |\n"
    found = facts(f"| Million crowns | 2019 | 2020 |\n|---|---|---|\n{rows}")
    assert {(p, v) for _, p, v in found} == {
        ("Revenue", "188000000"),
        ("Revenue", "190000000"),
        ("Employees (average)", "2085"),
        ("Employees (average)", "97"),
    }

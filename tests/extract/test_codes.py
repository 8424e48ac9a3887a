from __future__ import annotations

import pytest

from kg.extract.codes import are_codes, are_serials, is_bare, is_code, names_by_number


@pytest.mark.parametrize("text", ["1.10", "v2", "4.3.1", "2012-r2", "19c", "8u471", "5.15.0-91-generic", "22.04 LTS"])
def test_numbers_that_may_name(text: str) -> None:
    assert is_code(text) and is_bare(text)


@pytest.mark.parametrize("text", ["1.32 - 1.36", "8.1 – 8.4", "5.4, 5.5", "≥ 3.8", "3.8+", "7 to 9", "7/8"])
def test_ranges_and_lists_of_them(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize(
    "text", ["", "1,200", "$10", "12%", "10 km", "2025-05-27", "27.05.2025", "Beacon 7", "May 2022"]
)
def test_figures_days_and_names_are_none(text: str) -> None:
    assert not is_code(text)


@pytest.mark.parametrize("text", ["Beacon 7", "humble", "1.1 - 1.3", "R2024b", "", "12 lamps"])
def test_names_that_stand_alone(text: str) -> None:
    assert not is_bare(text)


@pytest.mark.parametrize(
    "header", ["Version", "supportedPHPVersions", "Release (cycle)", "Kernel version", "Editions of it"]
)
def test_headers_of_names(header: str) -> None:
    assert names_by_number(header)


@pytest.mark.parametrize("header", ["Released", "Latest Release Date", "Depth", "", "Number of lamps"])
def test_headers_of_anything(header: str) -> None:
    assert not names_by_number(header)


def test_the_header_tells() -> None:
    assert are_codes("Version", ["1.2", "1.3"])
    assert not are_codes("Depth", ["1.2", "1.3"])
    assert not are_codes("Version", ["smooth", "1.3"])


def test_plural_headers_may_count() -> None:
    assert not are_codes("Versions", ["12", "7"])
    assert not are_codes("Number of versions", ["12", "7"])
    assert are_codes("Supported versions", ["12", "7"])
    assert are_codes("Versions", ["1.2 - 1.4", "7"])


def test_three_parts_tell() -> None:
    assert are_codes("Latest", ["4.3.1", "5"])
    assert not are_codes("Latest", ["4.3", "5"])


def test_counting_on_past_nine_tells() -> None:
    assert are_codes("Latest", ["1.1", "1.9", "1.10", "1.8", "1.7", "1.6"])
    assert not are_codes("Salinity", ["35.1", "35.10", "35.24"])


def test_going_on_from_the_row_tells() -> None:
    assert are_codes("Latest", ["9.8", "8.7"], ["9", "8"])
    assert are_codes("Latest", ["42", "41"], ["42", "41"])
    assert not are_codes("Weight", ["9.8", "8.7"], ["5", "6"])
    assert not are_codes("Weight", ["9.8", "8.7"], ["Beacon", "Buoy"])


def test_years_are_versions_only_where_the_header_says_so() -> None:
    years = ["2016", "2019", "2022"]
    assert are_codes("Edition", years, dated=True)
    assert not are_codes("Release", years, dated=True)
    assert not are_codes("Founded", years)


@pytest.mark.parametrize(
    "cells",
    [
        ["EQ-001", "EQ-002", "EQ-007"],
        ["INV-2001", "INV-2044", "INV-3999"],
        ["K1", "K2", "K3", "K6"],
        ["a/7", "a/8", "a/9"],
    ],
)
def test_serial_numbers(cells: list[str]) -> None:
    assert are_serials(cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["EQ-001", "EQ-002"],  # too few to tell
        ["EQ-001", "EQ-002", "EQ-002"],
        ["A100", "H100", "V100"],
        ["F-5", "F-16", "F-104"],
        ["RTX 3080", "RTX 3090", "RTX 4090"],
        ["1.1", "1.2", "1.3"],
        ["2019", "2020", "2021"],
        ["Kappa", "Rho", "Orr"],
    ],
)
def test_names_and_figures_are_no_serial_numbers(cells: list[str]) -> None:
    assert not are_serials(cells)

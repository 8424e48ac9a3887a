"""Values in text."""

from __future__ import annotations

import pytest

from kg.text.spans import cells, dates, numbers


@pytest.mark.parametrize(
    ("text", "low", "high", "measure"),
    [
        ("about 35 minutes", 35, 35, "duration"),
        ("$2.4 million", 2_400_000, 2_400_000, "money"),
        ("$500K-$4.6M", 500_000, 4_600_000, "money"),
        ("90–100 days", 90, 100, "duration"),
        ("1,250 cars", 1250, 1250, ""),
        ("17-billion-parameter", 17e9, 17e9, ""),
        ("32-36%", 32, 36, "percent"),
        ("17GB", 17, 17, "data"),
        ("four keepers", 4, 4, ""),
        ("12 knots to 14 knots", 12, 12, ""),
    ],
)
def test_numbers(text: str, low: float, high: float, measure: str) -> None:
    first = numbers(text)[0]
    assert (first.low, first.high, first.measure) == (low, high, measure)


@pytest.mark.parametrize("text", ["MK-3 and V100", "in 2019", "on 4 May 2020", "arXiv:2001.08361"])
def test_names_dates_and_identifiers_are_no_numbers(text: str) -> None:
    assert [n.text for n in numbers(text)] == []


def test_what_is_counted_follows_the_number() -> None:
    assert numbers("carries 72 cars and 300 passengers")[1].noun == "passengers"


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("in June 2003", "2003-06-01", "2003-06-30"),
        ("on 4 October 1871", "1871-10-04", "1871-10-04"),
        ("July 22, 2019", "2019-07-22", "2019-07-22"),
        ("Feb 13 2020 : news", "2020-02-13", "2020-02-13"),
        ("2018-19", "2018-01-01", "2019-12-31"),
        ("2019-02-28", "2019-02-28", "2019-02-28"),
        ("in 1994, later", "1994-01-01", "1994-12-31"),
    ],
)
def test_dates_are_bounded_and_no_day_is_invented(text: str, earliest: str, latest: str) -> None:
    first = dates(text)[0]
    assert (first.earliest, first.latest) == (earliest, latest)


@pytest.mark.parametrize("text", ["2,019 cars", "$1994", "v2.2019", "12034"])
def test_other_numbers_are_no_dates(text: str) -> None:
    assert dates(text) == ()


def test_rows() -> None:
    assert [(h, c.text) for h, c in cells("Ferry: Bryndis; Cars: 72")] == [("Ferry", "Bryndis"), ("Cars", "72")]
    assert cells("no label here") == ()

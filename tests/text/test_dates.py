"""Dates and periods: values, precision, bounds; years that count are left alone; no day is invented."""

from __future__ import annotations

import itertools
from calendar import monthrange
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import DateValue, Precision
from kg.text import dates

MONTHS = [f"{date(2000, n, 1):%B}" for n in range(1, 13)]


def brief(value: DateValue) -> tuple[str, str, str, str, bool]:
    """Value, end, bounds, approximate."""
    return value.value, value.end, value.earliest, value.latest, value.approximate


# text: the whole of it is the date
WHOLE = [
    ("June 30, 2018", "2018-06-30", "", "2018-06-30", "2018-06-30", False),
    ("30 June 2018", "2018-06-30", "", "2018-06-30", "2018-06-30", False),
    ("Mar 11 2019", "2019-03-11", "", "2019-03-11", "2019-03-11", False),
    ("11th of March 2019", "2019-03-11", "", "2019-03-11", "2019-03-11", False),
    ("March 3rd, 1887", "1887-03-03", "", "1887-03-03", "1887-03-03", False),
    ("2019-07-22", "2019-07-22", "", "2019-07-22", "2019-07-22", False),
    ("2019-07-22T08:30:00Z", "2019-07-22", "", "2019-07-22", "2019-07-22", False),
    ("22.07.2019", "2019-07-22", "", "2019-07-22", "2019-07-22", False),
    ("07/22/2019", "2019-07-22", "", "2019-07-22", "2019-07-22", False),
    ("Sept. 2021", "2021-09", "", "2021-09-01", "2021-09-30", False),
    ("May 2020", "2020-05", "", "2020-05-01", "2020-05-31", False),
    ("February 2020", "2020-02", "", "2020-02-01", "2020-02-29", False),
    ("February 1900", "1900-02", "", "1900-02-01", "1900-02-28", False),
    ("2020-05", "2020-05", "", "2020-05-01", "2020-05-31", False),
    ("2018", "2018", "", "2018-01-01", "2018-12-31", False),
    ("2018-19", "2018", "2019", "2018-01-01", "2019-12-31", False),
    ("2011-12", "2011", "2012", "2011-01-01", "2012-12-31", False),
    ("2015-2019", "2015", "2019", "2015-01-01", "2019-12-31", False),
    ("1914–1918", "1914", "1918", "1914-01-01", "1918-12-31", False),
    ("June 30, 2018 to April 22, 2019", "2018-06-30", "2019-04-22", "2018-06-30", "2019-04-22", False),
    ("August 2022 - March 2023", "2022-08", "2023-03", "2022-08-01", "2023-03-31", False),
    ("January–May 2020", "2020-01", "2020-05", "2020-01-01", "2020-05-31", False),
    ("July 3–7, 2019", "2019-07-03", "2019-07-07", "2019-07-03", "2019-07-07", False),
    ("3-7 July 2019", "2019-07-03", "2019-07-07", "2019-07-03", "2019-07-07", False),
    ("June 30 - July 4, 2019", "2019-06-30", "2019-07-04", "2019-06-30", "2019-07-04", False),
    ("between 2015 and 2019", "2015", "2019", "2015-01-01", "2019-12-31", False),
    ("2023+", "2023", "", "2023-01-01", "", False),
    ("2024-", "2024", "", "2024-01-01", "", False),
    ("1986–", "1986", "", "1986-01-01", "", False),
    ("2023-Present", "2023", "", "2023-01-01", "", False),
    ("May 2021 to the present", "2021-05", "", "2021-05-01", "", False),
    ("since 2012", "2012", "", "2012-01-01", "", False),
    ("since Jan 2020", "2020-01", "", "2020-01-01", "", False),
    ("until July 2024", "2024-07", "2024-07", "", "2024-07-31", False),
    ("before 2020", "2020", "2020", "", "2019-12-31", False),
    ("after 2019", "2019", "", "2020-01-01", "", False),
    ("by March 2021", "2021-03", "2021-03", "", "2021-03-31", False),
    ("early 2017", "2017", "", "2017-01-01", "2017-04-30", True),
    ("mid-2017", "2017", "", "2017-04-01", "2017-09-30", True),
    ("late 2017", "2017", "", "2017-09-01", "2017-12-31", True),
    ("late May 2017", "2017-05", "", "2017-05-21", "2017-05-31", True),
    ("late February 2017", "2017-02", "", "2017-02-21", "2017-02-28", True),
    ("End of 2026", "2026", "", "2026-10-01", "2026-12-31", True),
    ("Q3 2021", "2021", "", "2021-07-01", "2021-09-30", False),
    ("first half of 2020", "2020", "", "2020-01-01", "2020-06-30", False),
    ("~February 2022", "2022-02", "", "2022-02-01", "2022-02-28", True),
    ("circa 1850", "1850", "", "1850-01-01", "1850-12-31", True),
    ("1990s", "1990", "1999", "1990-01-01", "1999-12-31", True),
    ("early 1990s", "1990", "1999", "1990-01-01", "1993-12-31", True),
    ("19th century", "1801", "1900", "1801-01-01", "1900-12-31", True),
]


@pytest.mark.parametrize(
    ("text", "value", "end", "earliest", "latest", "approximate"), WHOLE, ids=[w[0] for w in WHOLE]
)
def test_dates(text: str, value: str, end: str, earliest: str, latest: str, approximate: bool) -> None:
    expected = (value, end, earliest, latest, approximate)
    parsed = dates.parse(text)
    assert parsed is not None
    assert brief(parsed) == expected
    assert parsed.stated == text
    (found,) = dates.find(f"It opened, {text}.")
    assert brief(found.value) == expected


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The lamp was lit in 1821.", ["1821"]),
        ("in the 2019 season", ["2019"]),
        ("The tower (2015-2023) fell", ["2015-2023"]),
        ("Keeper (2024-), formerly mate", ["2024-"]),
        ("By 1999, two were left; by 2003 none", ["By 1999", "by 2003"]),
        ("from June 30, 2018 to April 22, 2019 (10 months)", ["June 30, 2018 to April 22, 2019"]),
        ("built of stone, 1066, and timber", ["1066"]),
        ("in 2020 ovens became common", ["2020"]),
        ("the 2024 results", ["2024"]),
        ("grew 34% in 2022, and in July 2023", ["2022", "July 2023"]),
        ("We may 2 times ask", []),
        ("May I?", []),
        ("opened on Friday, May 3, 2019", ["May 3, 2019"]),
    ],
)
def test_dates_in_sentences(text: str, stated: list[str]) -> None:
    assert [f.value.stated for f in dates.find(text)] == stated


@pytest.mark.parametrize(
    "text",
    [
        "2019 hives stood there",
        "a fleet of 2,048 boats",
        "1500 engineers",
        "2000 km away",
        "a 1920x1080 screen",
        "worth $2000",
        "RFC 2119",
        "port 2049",
        "1800 RPM",
        "arXiv:2001.08361",
        "https://example.org/2019/07/22/",
        "31 February 2019",
        "03/04/2020",
        "2019.5 kg",
        "a 2048-bit key",
        "page 2012",
        "room 1984",
        "about 1800 loaves",
        "product 1999-A7",
    ],
)
def test_digits_that_are_no_dates(text: str) -> None:
    assert dates.find(text) == ()


@pytest.mark.parametrize(
    ("cell", "hint", "value"),
    [
        ("2016", "Year", "2016"),
        ("2016", "", "2016"),
        ("1215", "Founded", "1215"),
        ("1215", "", None),
        ("2048", "GPU Count", None),
        ("(May 2020)", "", "2020-05"),
        ("Unknown", "Date", None),
        ("8", "Year", None),
        ("2016 or so", "Year", None),
    ],
)
def test_hints(cell: str, hint: str, value: str | None) -> None:
    parsed = dates.parse(cell, hint)
    assert (parsed.value if parsed else None) == value


@given(day=st.dates(date(1000, 1, 1), date(2100, 12, 31)), form=st.integers(0, 5))
@settings(max_examples=100, deadline=None)
def test_rendered_days_are_read_back(day: date, form: int) -> None:
    name = MONTHS[day.month - 1]
    text = [
        day.isoformat(),
        f"{name} {day.day}, {day.year}",
        f"{day.day} {name} {day.year}",
        f"{name[:3]} {day.day} {day.year}",
        f"{day.day:02d}.{day.month:02d}.{day.year}",
        f"{day.year}/{day.month:02d}/{day.day:02d}",
    ][form]
    if day.year == 2100 and form in (4,):
        return
    value = dates.parse(text)
    assert value is not None
    assert (value.value, value.precision) == (day.isoformat(), Precision.DAY)
    assert value.earliest == value.latest == day.isoformat()


@given(year=st.integers(1000, 2100), month=st.integers(1, 12), years=st.integers(1, 30))
@settings(max_examples=60, deadline=None)
def test_rendered_months_and_periods_are_read_back(year: int, month: int, years: int) -> None:
    value = dates.parse(f"{MONTHS[month - 1]} {year}")
    assert value is not None
    assert (value.value, value.precision) == (f"{year:04d}-{month:02d}", Precision.MONTH)
    assert value.latest == f"{year:04d}-{month:02d}-{monthrange(year, month)[1]}"
    if year + years <= 2100:
        period = dates.parse(f"{MONTHS[month - 1]} {year} – {year + years}")
        assert period is not None
        assert (period.value, period.end) == (f"{year:04d}-{month:02d}", f"{year + years:04d}")


@given(st.text(alphabet=st.sampled_from("0129-– /.,May June (until since)s+"), max_size=36))
@settings(max_examples=100, deadline=None)
def test_spans_never_overlap_and_bounds_are_in_order(text: str) -> None:
    found = dates.find(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    for f in found:
        assert text[f.start : f.end] == f.value.stated
        assert not (f.value.earliest and f.value.latest) or f.value.earliest <= f.value.latest

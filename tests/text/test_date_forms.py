"""Short forms of dates, as cells and file listings write them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Precision
from kg.text.dates import parse

CASES = [
    ("2025 Q2", "2025", "2025-04-01", "2025-06-30"),
    ("Q2 2025", "2025", "2025-04-01", "2025-06-30"),
    ("Q4'24", "2024", "2024-10-01", "2024-12-31"),
    ("3Q19", "2019", "2019-07-01", "2019-09-30"),
    ("2H 2021", "2021", "2021-07-01", "2021-12-31"),
    ("FY2019", "2019", "2019-01-01", "2019-12-31"),
    ("Fiscal Year 2018", "2018", "2018-01-01", "2018-12-31"),
    ("May-25", "2025-05", "2025-05-01", "2025-05-31"),
    ("Feb '96", "1996-02", "1996-02-01", "1996-02-29"),
    ("27 May '25", "2025-05-27", "2025-05-27", "2025-05-27"),
    ("27-May-25", "2025-05-27", "2025-05-27", "2025-05-27"),
    ("20250527", "2025-05-27", "2025-05-27", "2025-05-27"),
    ("Tue, 27 May 2025", "2025-05-27", "2025-05-27", "2025-05-27"),
    ("Saturday 1 March 1902", "1902-03-01", "1902-03-01", "1902-03-01"),
    ("2025-05-27 10:30 UTC", "2025-05-27", "2025-05-27", "2025-05-27"),
    ("2025-W22", "2025", "2025-05-26", "2025-06-01"),
    ("2025-W22-3", "2025-05-28", "2025-05-28", "2025-05-28"),
    ("week 22 of 2025", "2025", "2025-05-26", "2025-06-01"),
    ("05/2025", "2025-05", "2025-05-01", "2025-05-31"),
]


@pytest.mark.parametrize(("text", "value", "earliest", "latest"), CASES)
def test_where_a_date_is_expected(text: str, value: str, earliest: str, latest: str) -> None:
    found = parse(text, "Opening date")
    assert found is not None
    assert (found.stated, found.value, found.earliest, found.latest) == (text, value, earliest, latest)


@pytest.mark.parametrize("text", ["20250527", "May-25", "27-May-25", "05/2025"])
@pytest.mark.parametrize("hint", ["", "Number of lamps", "Part no."])
def test_what_may_be_something_else_is_no_date_elsewhere(text: str, hint: str) -> None:
    assert parse(text, hint) is None


@pytest.mark.parametrize("text", ["Q5 2025", "3H 2024", "20251327", "20250230", "2025-W60", "Sunday", "May-2", "W22"])
def test_what_is_no_date_is_refused(text: str) -> None:
    assert parse(text, "Opening date") is None


@settings(max_examples=60, deadline=None)
@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)))
def test_days_are_read_back(day: date) -> None:
    year, week, weekday = day.isocalendar()
    for text in (day.strftime("%Y%m%d"), day.strftime("%A, %d %B %Y"), f"{year}-W{week:02d}-{weekday}"):
        found = parse(text, "Date")
        assert found is not None and found.value == day.isoformat() and found.precision is Precision.DAY
        assert date.fromisoformat(found.latest) - date.fromisoformat(found.earliest) == timedelta(0)

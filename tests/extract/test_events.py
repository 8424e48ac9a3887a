"""Dated lines: an event of the section's subject, with its date."""

from __future__ import annotations

import pytest

from tests.extract.reading import facts

LIST = """# Brightwater Harbour

## History

- 1911: The harbour is founded
- March 1944: The mole is destroyed
- **12 May 1951**: The new mole opens for $2M
"""
PAGE = """Brightwater Harbour

History

1911: The harbour is founded

March 1944: The mole is destroyed

12 May 1951: The new mole opens for $2M
"""
LINES = {"list.md": LIST, "lines.txt": PAGE}


@pytest.mark.parametrize("name", LINES)
def test_a_dated_line_is_an_event_with_its_date(name: str) -> None:
    found = facts(LINES[name], name)
    assert {
        ("Brightwater Harbour", "event", "The harbour is founded"),
        ("The harbour is founded", "date", "1911"),
        ("The mole is destroyed", "date", "1944-03"),
        ("The new mole opens for $2M", "date", "1951-05-12"),
    } <= found
    assert not {predicate for _, predicate, _ in found} & {"1911", "March 1944", "12 May 1951"}
    assert not any("1911:" in str(value) for _, _, value in found)


def test_a_figure_by_year_is_no_event() -> None:
    assert not any(p == "event" for _, p, _ in facts("# Catch\n\n- 1911: 40 t\n- May 1912: 55 t\n"))


def test_a_time_of_day_is_no_date() -> None:
    assert not any(p == "event" for _, p, _ in facts("# Day\n\n- 10:30: Doors open\n- 12: Lunch\n"))

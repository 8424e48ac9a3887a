from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.algebra.evaluate import holds
from kg.algebra.source import Day, read, same, table


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", "1234"), ("12.5 km", "12.5"), ("$1.5 million", "1500000"), ("1st", "1"), ("−5", "-5"), ("45%", "45"),
        ("2–1", "2"), ("3:45.2", "225.2"), ("1:02:10", "3730"), ("5 (2)", "5"), ("1976 (UK)", "1976"),
    ],
)  # fmt: skip
def test_numbers_of_cells(text: str, number: str) -> None:
    assert read(text).number == Decimal(number)


@pytest.mark.parametrize("text", ["Ada Wren", "–", "", "n/a", "T-12"])
def test_cells_that_state_no_number(text: str) -> None:
    assert read(text).number is None


def test_scores_have_two_numbers() -> None:
    assert (read("24-10").number, read("24-10").second) == (24, 10)
    assert read("24").second is None


def test_dates_are_stretches_of_days() -> None:
    year, day = date(1969, 1, 1).toordinal(), date(2004, 6, 4).toordinal()
    assert read("1969").day == Day(year, year + 364)
    assert read("June 4, 2004").day == Day(day, day)
    assert read("opened June 4, 2004 (again)").day == Day(day, day)
    assert read("Room 12").day is None


@pytest.mark.parametrize("text", ["", "–", "-", "n/a"])
def test_blanks(text: str) -> None:
    assert read(text).blank


def test_equal_cells_say_the_same() -> None:
    assert same(read("Cádiz"), read("cadiz"))
    assert same(read("1,000"), read("1000"))
    assert same(read("4 June 2004"), read("June 4, 2004"))
    assert not same(read("1,000 t"), read("Ada"))
    assert not same(read("10 (a)"), read("10 (b)"))


def test_a_year_holds_its_days() -> None:
    cell, year = read("June 4, 2004"), read("2004").day
    assert year is not None
    assert holds(cell, "=", year) and holds(cell, ">=", year) and holds(cell, "<=", year)
    assert not holds(cell, ">", year) and not holds(cell, "<", year)


def test_a_place_in_the_document_is_kept() -> None:
    assert read("Ada", (3, 6)).span == (3, 6)
    assert read("Ada").span is None


def numbers_of(cells: list[str]) -> list[Decimal | None]:
    return [row[1].number for row in table(["What", "Kept for"], [["x", cell] for cell in cells]).rows]


def test_a_columns_numbers_are_compared_in_one_unit() -> None:
    assert numbers_of(["10 years", "90 minutes", "5 years", "6 months"])[::3] == [10, Decimal("0.5")]
    assert numbers_of(["3 hours", "90 minutes", "5 hours"]) == [3, Decimal("1.5"), 5]
    assert numbers_of(["0 °C", "50 °F", "5 °C"]) == [0, 10, 5]
    assert numbers_of(["2 GB", "until withdrawn", "512 MB", "8 GB"]) == [2, None, Decimal("0.512"), 8]
    assert table(["What", "Kept for"], [["a", "30 days"], ["b", "1 year"], ["c", "7 days"]]).columns[1].unit == "DAY"


@pytest.mark.parametrize("cells", [["3 kg", "2 m"], ["3 kg", "200", "400 g"], ["$3", "€4"], ["4 km", "3 km"]])
def test_numbers_that_no_unit_is_common_to_stay_as_they_are(cells: list[str]) -> None:
    assert numbers_of(cells) == [read(cell).number for cell in cells]


@pytest.mark.parametrize(
    ("head", "unit"),
    [("Height (m)", "M"), ("Height / ft (m)", "FT"), ("Height / m (ft)", "M"), ("Height", ""), ("(m)", "M")],
)
def test_a_heads_first_unit_is_its_numbers(head: str, unit: str) -> None:
    assert table(["What", head], [["Corran", "18"]]).columns[1].unit == unit


def test_nothing_needs_no_unit() -> None:
    assert numbers_of(["0", "90 minutes", "2 hours", "3 hours"]) == [0, Decimal("1.5"), 2, 3]
    (none, *_) = numbers_of(["0 °F", "5 °C", "10 °C"])  # but one with a unit is converted
    assert none is not None and round(none, 2) == Decimal("-17.78")


def test_a_head_tells_no_unit_of_cells_that_tell_others() -> None:
    assert table(["What", "Length (m)"], [["a", "3"], ["b", "2 km"]]).columns[1].unit == ""


@given(st.lists(st.tuples(st.integers(1, 500), st.sampled_from([("days", 1), ("weeks", 7), ("hours", 1 / 24)]))))
def test_the_order_of_durations_is_that_of_their_days(told: list[tuple[int, tuple[str, float]]]) -> None:
    found = [Decimal(n or 0) for n in numbers_of([f"{count} {unit}" for count, (unit, _) in told])]
    days = [count * days for count, (_, days) in told]
    for one, other, first, second in zip(found, found[1:], days, days[1:], strict=False):
        assert first == pytest.approx(second) or (one < other) == (first < second)

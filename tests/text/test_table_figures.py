from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.table_figures import AS_ENGLISH, Written, in_english, totals, written, written_throughout

COMMA, POINT = Written(comma=True), Written(comma=False)


@pytest.mark.parametrize(
    ("cells", "comma"),
    [
        (["9,8", "1.774"], True),
        (["412", "1.234.567"], True),
        (["1.234,50 €"], True),
        (["0,125"], True),
        (["2.5", "1,774"], False),
        (["1,234.50"], False),
        (["0.125"], False),
        (["1,234,567"], False),
        (["1.774", "412"], None),
        (["1,774"], None),
        (["1.2.3", "192.168.0.1", "12.03.2025", "10:30"], None),
        (["1965,1966,1968", "09,380", "(3,0,-,3,0)"], None),
        (["9,8", "2.5"], False),  # it tells both: read as English
    ],
)
def test_how_a_column_writes_decimals(cells: list[str], comma: bool | None) -> None:
    assert written(cells).comma is comma


@pytest.mark.parametrize(
    ("cells", "day_first"),
    [
        (["03/01/2025", "22/01/2025"], True),
        (["03/01/2025", "01/22/2025"], False),
        (["03/01/2025", "05/05/2025"], None),
        (["13/01/2025", "01/22/2025"], None),
        (["2025/13/01", "1/22"], None),
    ],
)
def test_how_a_column_writes_days(cells: list[str], day_first: bool | None) -> None:
    assert written(cells).day_first is day_first


def test_a_column_that_leaves_it_open_is_written_as_the_others() -> None:
    assert written(["1.774", "412"], COMMA).comma is True
    assert written(["1.5", "412"], COMMA).comma is False
    assert written_throughout(["9,8", "3,1", "1.774"]) == COMMA
    assert written_throughout(["9,8", "1.774"]) == AS_ENGLISH  # one cell may be a list of two
    assert written_throughout(["9,8", "3,1", "2.5"]) == POINT


def test_cells_in_english() -> None:
    assert in_english("1.774 m", COMMA) == "1,774 m"
    assert in_english("1.234,5 to -9,8", COMMA) == "1,234.5 to -9.8"
    assert in_english("version 2.4.1, 12.03.2025", COMMA) == "version 2.4.1, 12.03.2025"
    assert in_english("03/01/2025", Written(day_first=True)) == "03.01.2025"
    assert in_english("1/3/2025", Written(day_first=False)) == "2025/1/3"
    assert in_english("1.774 on 03/01/2025", AS_ENGLISH) == "1.774 on 03/01/2025"


@given(st.text("0123456789.,/- am€", max_size=30), st.sampled_from([None, True, False]), st.booleans())
def test_each_sign_keeps_its_place(text: str, day_first: bool | None, comma: bool) -> None:
    assert len(in_english(text, Written(comma, day_first))) == len(text)


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_a_number_comes_back_from_european_to_english(whole: int, part: int) -> None:
    english = f"{whole:,}.{part:02}"
    european = english.translate(str.maketrans(".,", ",."))
    assert written([european]).comma is True and in_english(european, COMMA) == english


WARES = [("Bread", "3", "40"), ("Cake", "12", "8"), ("Tea", "5", "60")]


@pytest.mark.parametrize(
    "row",
    [
        ("Total", "20", "108"),
        ("", "TOTAL:", "108"),
        ("Total", "", "6.7"),
        ("Total sales", "20", "108"),
        ("Wares total", "20", ""),
        ("Summe", "20", "108"),
        ("", "20", "108"),
    ],
)
def test_rows_that_add_up_others(row: tuple[str, ...]) -> None:
    assert totals([*WARES, row]) == {3}


@pytest.mark.parametrize(
    "row",
    [
        ("Total Eclipse", "4", "9"),
        ("Totally new", "20", "107"),
        ("Jam", "20", "109"),
        ("Jam", "20", "7"),
        ("Jam, of which the total is told in many words", "20", "7"),
    ],
)
def test_rows_of_one_thing(row: tuple[str, ...]) -> None:
    assert totals([*WARES, row]) == frozenset()


def test_sums_between_rows() -> None:
    rows = [*WARES, ("Subtotal", "20", "108"), ("Rope", "2", "1"), ("Subtotal", "2", "1"), ("Grand total", "22", "109")]
    assert totals(rows) == {3, 5, 6}
    assert totals([("All", "20", "108"), *WARES]) == {0}
    assert totals([("Bread", "3"), ("Total", "2"), ("Tea", "5")]) == frozenset()  # a firm of that name
    assert totals([("Week 1 total", "37"), ("Week 2 total", "43")]) == frozenset()  # of what isn't there
    assert totals([("a", "1", "1"), ("b", "2", "2"), ("c", "3", "3")]) == frozenset()  # too few to tell
    assert totals([]) == frozenset()

"""How tables given as rows of cells are read: headers, groups, years, scales."""

from decimal import Decimal

import pytest

from kg.tabular.captions import declared, repeated
from kg.tabular.figures import figure
from kg.tabular.rows import from_rows
from kg.tabular.table import table
from kg.tabular.times import span_of_years, years


@pytest.mark.parametrize(
    ("text", "value", "percent"),
    [
        ("$ (2,306)", "-2306", False),
        ("15.5%", "15.5", True),
        ("(27.4)%", "-27.4", True),
        ("—", "0", False),
        ("€3.5", "3.5", False),
        ("71,204 (1)", "71204", False),
        ("2.5x", "2.5", False),
    ],
)
def test_cells_of_figures(text: str, value: str, percent: bool) -> None:
    found = figure(text)
    assert found is not None
    assert (found.value, found.percent) == (Decimal(value), percent)


@pytest.mark.parametrize("text", ["", "Harbour", "June 2019", "3 - 5.10", "£000", "Level 2"])
def test_cells_without_a_figure(text: str) -> None:
    assert figure(text) is None


def test_years() -> None:
    assert years("from FY18 to fiscal 2019, and 2 0 2 0") == (2018, 2019, 2020)
    assert years("the season 2017/18") == (2018,)
    assert years("2,019 hives at $2018") == ()
    assert span_of_years("between 2016 and 2017") == ()
    assert span_of_years("from 2016 to 2018") == (2016, 2017, 2018)


@pytest.mark.parametrize(
    ("text", "scale"),
    [("2019 £m", 10**6), ("(in thousands)", 1000), ("US$’000", 1000), ("Long-term debt", 0), ("2019", 0)],
)
def test_declared_scales(text: str, scale: int) -> None:
    assert declared(text) == scale


def test_a_scale_that_the_text_repeats() -> None:
    assert repeated(["88,214", "1,205"], ["A grant of $88.2 million paid for the kilns."]) == 1000
    assert repeated(["88,214", "1,205"], ["A grant of $77.1 million paid for the kilns."]) == 1


ORCHARDS = [
    ["", "", "Season ended 31 October,", ""],
    ["", "2021", "2020", "2019"],
    ["", "", "(tonnes, in thousands)", ""],
    ["Stone fruit:", "", "", ""],
    ["Plums", "14", "9", "11"],
    ["Cherries", "6", "8", "5"],
    ["Total stone fruit", "20", "17", "16"],
    ["Pome fruit:", "", "", ""],
    ["Quinces", "3", "—", "4"],
    ["Frost days", "7%", "12%", "9%"],
]


def test_headers_groups_and_scale() -> None:
    read = table(ORCHARDS)
    assert [c.years for c in read.columns] == [(2021,), (2020,), (2019,)]
    plums = next(r for r in read.rows if r.label == "Plums")
    assert plums.groups == ("Stone fruit:",)
    assert [c.scale for c in plums.cells] == ["thousand"] * 3
    frost = next(r for r in read.rows if r.label == "Frost days")
    assert {c.scale for c in frost.cells} == {"percent"}


def test_a_header_in_the_middle_begins_new_columns() -> None:
    read = table(
        [
            ["(tonnes)", "May 1, 2020", "Landed", "May 1, 2021"],
            ["Cod", "5", "2", "7"],
            ["(tonnes)", "May 1, 2021", "Landed", "May 1, 2022"],
            ["Cod", "7", "1", "8"],
        ]
    )
    assert [[c.column.years for c in r.cells] for r in read.filled] == [[(2020,), (), (2021,)], [(2021,), (), (2022,)]]


def test_rows_as_they_are_quoted() -> None:
    read = from_rows(["Moors; 2021: 14; 2020: —", "Fens: wet; 2020: 9"], ["Area (in thousands)"])
    assert [(r.label, [(c.column.years, c.text, c.scale) for c in r.cells]) for r in read.rows] == [
        ("Moors", [((2021,), "14", "thousand"), ((2020,), "—", "thousand")]),
        ("wet", [((2020,), "9", "thousand")]),
    ]

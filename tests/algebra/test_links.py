from __future__ import annotations

from decimal import Decimal

import pytest

from kg.algebra.evaluate import rows_of
from kg.algebra.features import Asked, grades
from kg.algebra.forms import Where, english
from kg.algebra.links import Kind, Link, Linked, question, small
from kg.algebra.source import Cell, table
from tests.algebra.making import LIGHTS

LINKED = Linked(LIGHTS)


def links(text: str, kind: Kind) -> list[Link]:
    return [link for link in LINKED.links(question(text)) if link.kind is kind]


def test_cells_are_found_by_all_their_words() -> None:
    (only,) = links("When was corran built?", Kind.EXACT)
    assert (only.where.column, list(rows_of(only.rows)), only.first, only.last) == (0, [0], 2, 3)
    assert links("Was it built by Tom?", Kind.EXACT) == []


def test_parts_of_cells_are_found_where_no_whole_cell_is() -> None:
    (only,) = links("Which lights does Wren keep?", Kind.PART)
    assert (only.where.column, list(rows_of(only.rows))) == (4, [0, 2])
    assert links("Which lights does Ada Wren keep?", Kind.PART) == []


def test_numbers_are_equal_to_cells_or_bounds_of_them() -> None:
    assert [(o.where.column, o.where.value) for o in links("higher than 27", Kind.NUMBER)] == [(2, Decimal(27))]
    bounds = {o.where.test: list(rows_of(o.rows)) for o in links("higher than 27", Kind.BOUND)}
    assert bounds == {">": [1, 4], ">=": [1, 2, 4], "<": [0, 3], "<=": [0, 2, 3]}


def test_years_bound_dates() -> None:
    bounds = {
        o.where.test: list(rows_of(o.rows)) for o in links("built before 1900", Kind.BOUND) if o.where.column == 1
    }
    assert bounds["<"] == [1, 2]
    assert bounds[">"] == [0, 3, 4]


def test_heads_are_found_without_their_units() -> None:
    shares = [round(head.share, 2) for head in LINKED.head_links(question("What is the height of Corran?"))]
    assert shares == [0, 0, 1, 0, 0]


def test_words_of_one_family_are_found_loosely() -> None:
    linked = Linked(table(["Name", "Country"], [["Ada", "Australia"], ["Tom", "Norway"]]))
    (only,) = [o for o in linked.links(question("Who is the Australian?")) if o.kind is Kind.PART]
    assert only.loose and list(rows_of(only.rows)) == [0]


ROOMS = Linked(
    table(
        ["Room", "Shower", "Step-free", "Places"],
        [
            ["Ada", "yes", "✓", "2"],
            ["Bel", "no", "", "4"],
            ["Cor", "yes, shared", "✔\ufe0f", "8"],
            ["Dee", "–", "✗", "3"],
        ],
    )
)


@pytest.mark.parametrize(
    ("asked", "column", "rows"),
    [
        ("Which rooms have a shower?", 1, [0, 2]),
        ("Which rooms have no shower?", 1, [1]),
        ("Which rooms don't have a shower?", 1, [1]),
        ("Which rooms are step-free?", 2, [0, 2]),
        ("Which rooms are not step free?", 2, [3]),
    ],
)
def test_columns_of_yes_and_no_are_asked_for_by_their_heads(asked: str, column: int, rows: list[int]) -> None:
    (only,) = [o for o in ROOMS.links(question(asked)) if o.kind is Kind.FLAG]
    assert (only.where.column, list(rows_of(only.rows))) == (column, rows)


def test_what_more_a_cell_says_than_yes_is_no_part_of_the_filter() -> None:
    linked = Linked(table(["Room", "Shower"], [["Ada", "Yes, shared"], ["Bel", "no"], ["Cor", "yes"]]))
    (only,) = linked.links(question("Which rooms have a shower?"))
    assert isinstance(only.where.value, Cell) and only.where.value.text == "yes"
    assert list(rows_of(only.rows)) == [0, 2]


def test_other_columns_are_no_filters_by_their_heads_alone() -> None:
    assert ROOMS.links(question("Which rooms have places?")) == []
    assert links("Which lights have a keeper?", Kind.FLAG) == []


def test_places_in_an_order_are_read_from_the_second_on() -> None:
    assert list(question("the third largest of the first and 2nd").places) == [(1, 3), (7, 2)]


def test_nothing_is_linked_to_what_the_table_lacks() -> None:
    assert LINKED.links(question("Who founded the university of Vienna?")) == []
    assert LINKED.links(question("")) == []


def test_numbers_that_rows_are_counted_by() -> None:
    assert [small(x) for x in (Decimal(3), Decimal(0), Decimal("2.5"), Decimal(21), "3")] == [3, None, None, None, None]


def test_numbers_and_dates_that_questions_name() -> None:
    named = question("the top three of 1.5 million in 1999").named
    assert [n.value for n in named if isinstance(n.value, Decimal)][:2] == [3, 1500000]
    assert question("no figures at all").named == ()


def test_grades_of_adjectives() -> None:
    (found,) = grades(question("Which light is the tallest?"))
    assert found[:3] == ("tall", "+", "est") and "height" in found[3]
    assert [g[:3] for g in grades(question("the shortest and the older"))] == [
        ("short", "-", "est"),
        ("old", "+", "er"),
    ]
    assert grades(question("Which light is in the forest?")) == ()


@pytest.mark.parametrize(
    ("asked", "end"), [("Which inn is the most expensive?", "+"), ("Which is the least expensive inn?", "-")]
)
def test_an_adjective_behind_most_or_least_is_graded(asked: str, end: str) -> None:
    (found,) = grades(question(asked))
    assert found[:3] == ("expensive", end, "est") and "price" in found[3]


def test_an_adjective_grades_what_its_unit_measures() -> None:
    inns = Linked(table(["Inn", "Rooms", "Double from"], [["Rho", "24", "£95"], ["Orr", "11", "£120"]]))
    cheap = question("Which inn is the cheapest?")
    asked = Asked(cheap, inns, inns.links(cheap))
    assert asked.column("least", 2)["least:grade=-est:fits=True"] == 1
    assert asked.column("least", 1)["least:grade=-est:fits=False"] == 1


KEPT = table(
    ["Record", "Kept for", "Length (m)"],
    [
        ["Contract", "10 years", "300"],
        ["Call", "90 days", "1200"],
        ["Letter", "6 months", "2500"],
        ["Tape", "7 days", ""],
    ],
)


@pytest.mark.parametrize(
    ("asked", "column", "rows"),
    [
        ("Which records are kept for less than 100 days?", 1, [1, 3]),
        ("Which records are kept for more than a year?", 1, [0]),
        ("Which records are kept for more than 4 months?", 1, [0, 2]),
        ("Which records have a length of more than 2 km?", 2, [2]),
    ],
)
def test_bounds_are_in_whatever_unit_they_are_asked(asked: str, column: int, rows: list[int]) -> None:
    found = [x for x in Linked(KEPT).links(question(asked)) if x.kind is Kind.BOUND and x.where.column == column]
    told = {x.where.test: list(rows_of(x.rows)) for x in found}
    assert told["<" if "less" in asked else ">"] == rows


def test_a_unit_after_a_number_bounds_no_other_measure() -> None:
    (named,) = question("Which are longer than 3 kg?").named
    assert named.unit == "KiloGM" and named.within("M") == named.within("") == 3
    assert named.within("GM") == 3000
    assert [n.within(unit) for n in question("Which are more than 3?").named for unit in ("", "M")] == [3, 3]
    assert question("Which take longer than a car?").named == question("Is a year long?").named == ()


def test_a_bound_is_told_with_its_unit_where_the_head_doesnt_tell_it() -> None:
    assert english(Where(1, "<", Decimal(100)), KEPT).endswith("“Kept for” is less than 100 days")
    assert english(Where(2, "<", Decimal(100)), KEPT).endswith("“Length (m)” is less than 100")

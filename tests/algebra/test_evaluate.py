from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.algebra.evaluate import Evaluator, rows_of
from kg.algebra.forms import (
    Aggregate,
    Alike,
    Beside,
    Beyond,
    Both,
    Cells,
    Change,
    Commonest,
    Count,
    Difference,
    Distinct,
    Either,
    Every,
    Extreme,
    Form,
    Greater,
    Holds,
    Nth,
    Ratio,
    Rows,
    Side,
    Where,
    Without,
    english,
    figure,
)
from kg.algebra.source import Day, Table, Type, read, table
from kg.errors import BadInput
from tests.algebra.making import LIGHTS, sets, tables

EVERY = Every()
NINETEEN_HUNDRED = Day(693596, 693960)
NINETEEN_TEN = Day(697248, 697612)
ARGYLL = Where(3, "=", read("Argyll"))
ORKNEY = Where(3, "=", read("Orkney"))
CORRAN, HOLM = Where(0, "=", read("corran")), Where(0, "=", read("Holm"))


def texts(form: Form) -> tuple[str, ...]:
    return Evaluator(LIGHTS).result(form).texts


def number(form: Form) -> Decimal | None:
    return Evaluator(LIGHTS).result(form).number


def test_columns_have_the_type_that_their_cells_state() -> None:
    assert [c.type for c in LIGHTS.columns] == [Type.TEXT, Type.DATE, Type.NUMBER, Type.TEXT, Type.TEXT]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Cells(ARGYLL, 0), ("Corran", "Skerry")),
        (Cells(Where(1, "<", NINETEEN_HUNDRED), 0), ("Skerry", "Northness")),
        (Cells(Where(1, ">=", NINETEEN_TEN), 0), ("Holm", "Sandaig")),
        (Cells(Where(2, ">", Decimal(18)), 0), ("Skerry", "Northness", "Sandaig")),
        (Cells(Where(4, "contains", read("wren")), 0), ("Corran", "Northness")),
        (Cells(Both(ARGYLL, Where(2, ">", Decimal(20))), 0), ("Skerry",)),
        (Cells(Either(CORRAN, HOLM), 0), ("Corran", "Holm")),
        (Cells(Without(EVERY, ARGYLL), 0), ("Northness", "Holm", "Sandaig")),
        (Cells(Extreme(EVERY, 2, True), 0), ("Skerry", "Sandaig")),
        (Cells(Extreme(EVERY, 1, False), 0), ("Skerry",)),
        (Cells(Extreme(EVERY, 1, True, 2), 0), ("Holm", "Sandaig")),
        (Cells(Nth(ORKNEY, -1), 0), ("Holm",)),
        (Cells(Beside(HOLM, -1), 0), ("Northness",)),
        (Cells(Side(HOLM, True), 0), ("Sandaig",)),
        (Cells(Alike(CORRAN, 4), 0), ("Northness",)),
        (Cells(Beyond(CORRAN, 2, True), 0), ("Skerry", "Northness", "Sandaig")),
        (Cells(EVERY, 4), ("Ada Wren", "Tom Flint", "Iris Vane")),
        (Commonest(EVERY, 3, True), ("Argyll", "Orkney")),
        (Commonest(EVERY, 3, True, 2), ("Argyll",)),
        (Commonest(EVERY, 3, False), ("Skye",)),
    ],
)
def test_cells(form: Form, expected: tuple[str, ...]) -> None:
    assert texts(form) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Count(ARGYLL), 2),
        (Distinct(EVERY, 4), 3),
        (Aggregate("sum", ORKNEY, 2), 39),
        (Aggregate("mean", ORKNEY, 2), Decimal("19.5")),
        (Aggregate("median", EVERY, 2), 27),
        (Aggregate("range", EVERY, 2), 36),
        (Difference(Cells(CORRAN, 2), Cells(HOLM, 2)), 6),
        (Difference(Cells(CORRAN, 1), Cells(HOLM, 1), years=True), 24),
        (Difference(Count(ARGYLL), Count(HOLM)), 1),
        (Ratio(Count(ARGYLL), Count(EVERY), percent=True), 40),
        (Ratio(Cells(CORRAN, 2), Cells(HOLM, 2)), Decimal("1.5")),
        (Change(Cells(HOLM, 2), Cells(CORRAN, 2)), 6),
        (Change(Cells(CORRAN, 2), Cells(HOLM, 2)), -6),
        (Change(Cells(HOLM, 2), Cells(CORRAN, 2), percent=True), 50),
    ],
)
def test_numbers(form: Form, expected: Decimal) -> None:
    assert number(form) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Holds(Both(ARGYLL, CORRAN)), True),
        (Holds(Both(ORKNEY, CORRAN)), False),
        (Greater(Cells(CORRAN, 2), Cells(HOLM, 2)), True),
        (Greater(Count(HOLM), Count(ARGYLL)), False),
    ],
)
def test_truths(form: Form, expected: bool) -> None:
    assert Evaluator(LIGHTS).result(form).truth is expected


def test_text_is_not_compared_as_less_and_more() -> None:
    with pytest.raises(BadInput):
        Evaluator(LIGHTS).rows(Where(0, ">", read("Corran")))


def test_no_number_where_nothing_states_one() -> None:
    nothing = Where(0, "=", read("Elsewhere"))
    assert number(Aggregate("sum", nothing, 2)) is None
    assert number(Aggregate("mean", nothing, 2)) is None
    assert number(Cells(ARGYLL, 2)) is None  # two rows, two heights
    assert number(Ratio(Count(EVERY), Count(nothing))) is None
    assert number(Change(Count(nothing), Count(EVERY), percent=True)) is None  # of nothing there is no share
    assert number(Count(nothing)) == 0
    assert Evaluator(LIGHTS).result(Cells(nothing, 0)).empty


def test_evidence_is_the_cells_that_were_compared_and_told() -> None:
    evaluator = Evaluator(LIGHTS)
    assert evaluator.evidence(Cells(Extreme(ORKNEY, 2, True), 0)) == ((2, 0), (2, 2), (2, 3))
    assert evaluator.evidence(Count(ARGYLL)) == ((0, 0), (0, 3), (1, 0), (1, 3))
    assert evaluator.evidence(Aggregate("sum", ORKNEY, 2)) == ((2, 2), (2, 3), (3, 2), (3, 3))


def test_english() -> None:
    assert (
        english(Cells(Extreme(ARGYLL, 2, True), 0), LIGHTS)
        == "“Light” of the row with the greatest “Height (m)” of rows whose “County” is “Argyll”"
    )
    assert (
        english(Change(Cells(HOLM, 2), Cells(CORRAN, 2), percent=True), LIGHTS)
        == "the change in per cent from “Height (m)” of rows whose “Light” is “Holm” to “Height (m)” of rows whose"
        " “Light” is “corran”"
    )
    assert (
        english(Count(Where(1, "<", NINETEEN_HUNDRED)), LIGHTS) == "the number of rows whose “Built” is less than 1900"
    )


def test_columns_without_heads_are_told_apart() -> None:
    lines = table(["", ""], [["Cook time", "11 min"], ["Servings", "2"]])
    assert english(Cells(Every(), 1), lines) == "“value” of all rows"
    assert english(Cells(Every(), 0), lines) == "“label” of all rows"
    assert english(Cells(Every(), 1), table(["", "", ""], [["a", "b", "c"]])) == "“column 2” of all rows"
    assert english(Cells(Every(), 0), table(["", "Built"], [["Corran", "1901"]])) == "“column 1” of all rows"


def test_figures_of_any_length() -> None:
    assert figure(Decimal("1E+40")) == "1" + "0" * 40
    assert figure(Decimal("2.50")) == "2.5"
    assert figure(Decimal("0.1234567")) == "0.123457"
    assert figure(Decimal("-0")) in ("0", "-0")


# --- properties over generated tables ----------------------------------------------------------------


@given(tables(), sets())
def test_a_count_is_the_size_of_its_set(source: Table, form: Rows) -> None:
    evaluator = Evaluator(source)
    assert evaluator.number(Count(form)) == len(list(rows_of(evaluator.rows(form))))


@given(tables(), sets(), st.booleans())
def test_an_extreme_is_in_its_set_and_none_goes_beyond_it(source: Table, form: Rows, top: bool) -> None:
    evaluator = Evaluator(source)
    best, rows = evaluator.rows(Extreme(form, 1, top)), evaluator.rows(form)
    assert best & ~rows == 0
    values = evaluator.values(1)
    told = [values[row] for row in rows_of(rows) if values[row] is not None]
    assert bool(best) == bool(told)
    for row in rows_of(best):
        assert values[row] == (max if top else min)(v for v in told if v is not None)


@given(tables(), sets(), st.booleans(), st.integers(2, 5))
def test_the_first_n_are_a_prefix_of_the_rows_sorted(source: Table, form: Rows, top: bool, n: int) -> None:
    evaluator = Evaluator(source)
    values = evaluator.values(1)
    rows = [row for row in rows_of(evaluator.rows(form)) if values[row] is not None]
    rows.sort(key=lambda row: values[row], reverse=top)  # type: ignore[arg-type, return-value]
    assert set(rows_of(evaluator.rows(Extreme(form, 1, top, n)))) == set(rows[:n])


@given(tables(), sets(), st.booleans(), st.integers(2, 5))
def test_a_place_is_told_from_the_one_before(source: Table, form: Rows, top: bool, place: int) -> None:
    evaluator = Evaluator(source)
    values = evaluator.values(1)
    ordered = sorted((v for row in rows_of(evaluator.rows(form)) if (v := values[row]) is not None), reverse=top)
    there = ordered[place - 1 : place] if ordered[place - 2 : place - 1] != ordered[place - 1 : place] else []
    found = {values[row] for row in rows_of(evaluator.rows(Extreme(form, 1, top, place=place)))}
    assert found == set(there)


@given(tables(), sets(), sets())
def test_sets_obey_the_laws_of_sets(source: Table, one: Rows, two: Rows) -> None:
    rows = Evaluator(source).rows
    assert rows(Both(one, two)) == rows(Both(two, one))
    assert rows(Either(one, two)) == rows(Either(two, one))
    assert rows(Without(one, two)) | rows(Both(one, two)) == rows(one)
    assert rows(Without(EVERY, Either(one, two))) == rows(Both(Without(EVERY, one), Without(EVERY, two)))


@given(tables(), sets(), sets())
def test_a_difference_is_the_same_both_ways(source: Table, one: Rows, two: Rows) -> None:
    evaluator = Evaluator(source)
    left, right = Aggregate("sum", one, 1), Aggregate("sum", two, 1)
    assert evaluator.number(Difference(left, right)) == evaluator.number(Difference(right, left))
    greater, smaller = evaluator.result(Greater(left, right)).truth, evaluator.result(Greater(right, left)).truth
    assert not (greater and smaller)


@given(tables(), sets())
def test_a_mean_lies_between_the_least_and_the_greatest(source: Table, form: Rows) -> None:
    evaluator = Evaluator(source)
    told = [v for row in rows_of(evaluator.rows(form)) if (v := evaluator.values(1)[row]) is not None]
    mean = evaluator.number(Aggregate("mean", form, 1))
    assert (mean is None) == (not told)
    if mean is not None:
        assert min(told) <= mean + Decimal("1e-20") and mean <= max(told) + Decimal("1e-20")


@given(tables(), sets())
def test_the_commonest_values_are_said_most_often(source: Table, form: Rows) -> None:
    evaluator = Evaluator(source)
    rows = list(rows_of(evaluator.rows(form)))
    said = [source.cell(row, 2).key for row in rows if not source.cell(row, 2).blank]
    best = {source.cell(*place).key for place in evaluator.result(Commonest(form, 2, True)).places}
    assert best == {key for key in said if said.count(key) == max(map(said.count, said))}


@settings(max_examples=60)
@given(tables(), sets())
def test_evidence_and_reading_exist_for_every_form(source: Table, form: Rows) -> None:
    evaluator = Evaluator(source)
    for whole in (form, Cells(form, 0), Count(form), Aggregate("sum", form, 1), Commonest(form, 2, False), Holds(form)):
        places = evaluator.evidence(whole)
        assert all(0 <= r < source.size and 0 <= c < 3 and not source.cell(r, c).blank for r, c in places)
        assert english(whole, source)

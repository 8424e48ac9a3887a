"""Two things compared: what is asked for each, what is read for it, and how the two are held against one another."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.candidates import Candidate, Source
from kg.ask.comparisons import (
    Measured,
    Told,
    _as_year,
    _comparable,
    _fits,
    _measured_at,
    compared_by_reading,
    comparison,
    values,
)
from kg.ask.compose import explanation
from kg.ask.engine import Asker
from kg.ask.question import analyse
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.reading import Reader

TEXT = """# Boats of the sound

The Elsa is a boat of 14 metres. She was launched in 1931 at Norvik. The Marta is a boat of 5,100 millimetres,
launched in May 1958. The Runa was launched in 1958.

| Boat | Draught (m) | Crew | Weight (t) |
|---|---|---|---|
| Elsa | 2.1 | 3 | 18 |
| Marta | 1.4 | 5 | 22 |

A season ticket for the Marta costs $40. A season ticket for the Elsa costs €35.
"""
# Of other boats, so that nothing of them is said twice.
MORE = """# Boats of the lake

The Olga has 40 metres of rope and a mast of 12 metres. The Petra has 30 metres of rope and a mast of 15 metres.

| Boat | Number | Refitted | Top speed (km/h) | Full load (°C) |
|---|---|---|---|---|
| Olga | 31 | 1990 | 14 | 30 |
| Petra | 12 | 1984 | 19 | 25 |
"""
# Sheets that name their boat in the title alone.
SHEETS = {
    f"{name}.md": f"---\ntitle: {name}\n---\n\nShe is a boat of the sound. {built}\n\nThe mast is {high} metres high.\n"
    for name, built, high in (("Gull", "Built for lakes.", 9), ("Tern", "Built for the sea.", 7))
}


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder = tmp_path_factory.mktemp("boats")
    for name, text in {"boats.md": TEXT, "more.md": MORE, **SHEETS}.items():
        (folder / name).write_text(text, "utf-8")
    with KnowledgeBase.create(folder / "kb") as knowledge_base:
        knowledge_base.add([folder])
        yield Asker(view(knowledge_base.snapshot))


def read_for_both(asker: Asker, question: str) -> list[Candidate]:
    reader = Reader()
    return compared_by_reading(asker.asking(question), lambda asking: asker.read(asking, reader, 3))


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which is wider, Titan or Ganymede?", ["How wide is Titan?", "How wide is Ganymede?"]),
        ("Which ships are the slower, A-class or B-class?",
         ["How slow ships are A-class?", "How slow ships are B-class?"]),
        ("Which sailing boat was built first, the Elsa or the Runa?",
         ["When was the Elsa built?", "When was the Runa built?"]),
        ("Which was abandoned first, the mill or the pier?",
         ["When was the mill abandoned?", "When was the pier abandoned?"]),
        ("Which melting point is higher, iron or copper?",
         ["How high melting point is iron?", "How high melting point is copper?"]),
        ("AdobeRGB or sRGB – which one holds more colors?",
         ["How many colors holds AdobeRGB?", "How many colors holds sRGB?"]),
        ("Which costs less: tea or coffee?", ["How much costs tea?", "How much costs coffee?"]),
        ("Which is more expensive, tea or coffee?", ["How expensive is tea?", "How expensive is coffee?"]),
        ("Which is emptied more often, the blue bin or the red one?",
         ["How often is the blue bin emptied?", "How often is the red one emptied?"]),
        ("Is silk or hemp rope lighter?", ["How light is silk?", "How light is hemp rope?"]),
        ("Did craft or buildings emit more?", ["How much emit craft?", "How much emit buildings?"]),
        ("Did the Line carry more people in 2019 or in 2022?",
         ["How many people the Line carry in 2019?", "How many people the Line carry in 2022?"]),
        ("Are there more grey or more common seals?", ["How much there grey?", "How much there common seals?"]),
        ("Was the Elsa or the Runa built first?", ["When was the Elsa built?", "When was the Runa built?"]),
        ("Was the Elsa or the Runa launched first?", ["When was the Elsa launched?", "When was the Runa launched?"]),
        ("Is A4 or US Letter the taller sheet?", ["How tall is A4 sheet?", "How tall is US Letter sheet?"]),
        ("Were there more puffins in 2018 or last year?",
         ["How many puffins in there 2018?", "How many puffins in there last year?"]),
        ("Which opened first, the mill or the pier?", ["When opened the mill?", "When opened the pier?"]),
        ("Did the mill or the pier open first?", ["When did the mill open?", "When did the pier open?"]),
        ("Who came first, Ada or Bo?", ["When was Ada born?", "When was Bo born?"]),
        ("Which needs longer, a load over £50,000 or one under it?",
         ["How long needs a load over £50,000?", "How long needs one under it?"]),
    ],
)  # fmt: skip
def test_each_of_the_two_is_asked_for_by_itself(question: str, asked: list[str]) -> None:
    meant = comparison(analyse(question))
    assert meant is not None
    assert [ask for option in meant.options for ask in meant.questions(option)] == asked


def test_what_is_older_is_asked_by_age_and_by_date() -> None:
    meant = comparison(analyse("Which bridge is older, Pell Bridge or Low Bridge?"))
    assert meant is not None
    assert meant.questions("Pell Bridge") == ("How old is Pell Bridge?", "When was Pell Bridge made?")
    assert (meant.amount, meant.time) == (1, -1)
    assert [meant.measured_in(kind) for kind in ("date", "time", "", "length")] == [True, True, False, False]


def test_what_came_earlier_is_told_by_dates_alone_and_what_is_longer_by_none() -> None:
    earlier, longer = (comparison(analyse(f"Which is {how}, A or B?")) for how in ("earlier", "longer"))
    assert earlier is not None and longer is not None
    assert (earlier.amount, earlier.measured_in("date"), earlier.measured_in("")) == (0, True, False)
    assert (longer.time, longer.measured_in("date"), longer.measured_in("")) == (0, False, True)


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("Which is longer, A or B?", 1), ("Which is shorter, A or B?", -1), ("Which has more rooms, A or B?", 1),
        ("Which has fewer rooms, A or B?", -1), ("Which is less expensive, A or B?", -1),
        ("Which is more expensive, A or B?", 1), ("Which is less often seen, A or B?", -1),
    ],
)  # fmt: skip
def test_the_end_that_is_asked_for(question: str, amount: int) -> None:
    meant = comparison(analyse(question))
    assert meant is not None and meant.amount == amount


@pytest.mark.parametrize(
    "question",
    [
        "Is it red or blue?",  # nothing is compared
        "Which is the longest, A, B or C or D?",  # more than two
        "Is a jaguar heavier than a leopard, or lighter?",  # two ends, not two things
        "Is the ton heavier than the tonne, or the other way round?",
        "Did it cost more or less than planned?",
        "Which boat is the longest?",  # no two
        "What came first?",
        "or?",
    ],
)
def test_what_compares_no_two_things(question: str) -> None:
    assert comparison(analyse(question)) is None


@pytest.mark.parametrize(
    ("question", "label", "quotes"),
    [
        ("Which boat is longer, the Elsa or the Marta?", "the Elsa", ["14 metres", "5,100 millimetres"]),
        ("Which boat is shorter, the Elsa or the Marta?", "the Marta", ["14 metres", "5,100 millimetres"]),
        ("Which was launched first, the Marta or the Elsa?", "the Elsa", ["1931", "May 1958"]),
        ("Which was launched later, the Marta or the Elsa?", "the Marta", ["1931", "May 1958"]),
        ("Which boat is older, the Marta or the Elsa?", "the Elsa", ["1931", "May 1958"]),
        ("Which has the higher mast, the Olga or the Petra?", "the Petra", ["mast of 12 metres", "mast of 15 metres"]),
        ("Which has the larger crew, the Elsa or the Marta?", "the Marta", ["Boat: Elsa", "Boat: Marta"]),
    ],
)
def test_both_values_are_read_and_quoted(boats: Asker, question: str, label: str, quotes: list[str]) -> None:
    (found,) = read_for_both(boats, question)
    assert (found.source, [v.label for v in found.draft.values]) == (Source.COMPARED, [label])
    assert found.draft.text.startswith(f"{label} (")
    quoted = " | ".join(scored.plain for scored in found.draft.evidence)
    assert all(quote in quoted for quote in quotes), quoted
    assert found.draft.values[0].evidence == tuple(range(len(found.draft.evidence)))
    assert found.signs["compared_least"] <= found.signs["compared_most"]


def test_columns_are_not_compared_with_one_another(boats: Asker) -> None:
    for question in (
        "Which is heavier, the Elsa or the Marta?",
        "Which has the deeper draught, the Elsa or the Marta?",
    ):
        for found in read_for_both(boats, question):
            assert found.signs["compared_heads"] == 1.0
    (deeper,) = read_for_both(boats, "Which has the deeper draught, the Elsa or the Marta?")
    assert deeper.draft.text == "the Elsa (2.1; the Marta: 1.4)"


def test_a_year_of_a_column_is_a_date_where_it_is_asked_what_came_first(boats: Asker) -> None:
    (first,) = read_for_both(boats, "Which was refitted first, the Olga or the Petra?")
    assert first.draft.text == "the Petra (1984; the Olga: 1990)"
    assert first.signs["compared_dates"] == first.signs["compared_heads"] == 1.0


def test_of_a_row_the_cell_is_taken_whose_head_or_unit_is_asked_for(boats: Asker) -> None:
    (faster,) = read_for_both(boats, "Which has the higher top speed, the Olga or the Petra?")
    assert faster.draft.text == "the Petra (19; the Olga: 14)"
    (hotter,) = read_for_both(boats, "Which boat gets to the higher temperature, the Olga or the Petra?")
    assert hotter.draft.text == "the Olga (30; the Petra: 25)"


def test_a_thing_may_be_named_by_what_stands_above(boats: Asker) -> None:
    (higher,) = read_for_both(boats, "Whose mast is higher, the Gull's or the Tern's?")
    assert [v.label for v in higher.draft.values] == ["the Gull's"]
    assert 0 < higher.signs["compared_named"] < 1


def test_an_answer_says_that_two_values_were_compared(boats: Asker) -> None:
    (found,) = read_for_both(boats, "Whose mast is higher, the Gull's or the Tern's?")
    told = "A value of each was read, in “Gull” and “Tern”, and the two were compared; no query stands behind it."
    assert explanation(boats.view, None, found.draft) == told


@pytest.mark.parametrize(
    "question",
    [
        "Which was launched first, the Marta or the Runa?",  # within one year
        "Which season ticket costs more, that of the Marta or that of the Elsa?",  # dollars and euros
        "Which is longer, the Elsa or the Zebulon?",  # no document names one of them
        "Which has the higher top speed, the Olga or the Elsa?",  # the table has one of them
    ],
)
def test_what_cannot_be_held_against_one_another_is_not(boats: Asker, question: str) -> None:
    assert read_for_both(boats, question) == []


def test_values_of_a_text() -> None:
    told = [
        (one.stated, one.kind)
        for _, _, one in values("In May 1958 she took 12 tons over 7,400 miles, 3 of them by night")
    ]
    assert told == [("May 1958", "date"), ("12 tons", "mass"), ("over 7,400 miles", "length"), ("3", "")]
    ((start, end, headed),) = values("18", "TONNE")
    assert (start, end, headed.low, headed.high, headed.kind) == (0, 2, Decimal(18), Decimal(18), "mass")


def told(number: int, unit: str = "", head: str = "", unit_of_quotation: int = 0) -> Told:
    """A value that stands in some unit of some passage."""
    scored = SimpleNamespace(key=("passage", unit_of_quotation))
    return Told(Measured(str(number), Decimal(number), Decimal(number), unit), head, scored, 0.0, 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "two", "comparable"),
    [
        (told(3, "M"), told(5, "MI", unit_of_quotation=1), True),
        (told(3), told(5), True),
        (told(3), told(3, unit_of_quotation=1), True),
        (told(3), told(3), False),  # one value is not that of both
        (told(3, "M"), told(5, "KiloGM"), False),
        (told(3, "M"), told(5), False),
        (told(3, head="Crew"), told(5, head="Crew"), True),
        (told(3, head="Crew"), told(5, head="Number"), False),
        (told(3, head="Crew"), told(5), True),
    ],
)
def test_what_can_be_held_against_one_another(one: Told, two: Told, comparable: bool) -> None:
    assert (_comparable(one, two), _comparable(two, one)) == (comparable, comparable)


def test_a_value_fits_by_its_head_and_by_its_unit() -> None:
    meant = comparison(analyse("Which boat has the larger crew, the Elsa or the Marta?"))
    heavier = comparison(analyse("Which is heavier, the Elsa or the Marta?"))
    more = comparison(analyse("Which has more rooms, the Elsa or the Marta?"))
    assert meant is not None and heavier is not None and more is not None
    bare, tons = (Measured("3", Decimal(3), Decimal(3), unit) for unit in ("", "TONNE"))
    assert [_fits(meant, head, bare) for head in ("Crew", "Number")] == [1, 0]
    assert [_fits(heavier, head, value) for head, value in (("Weight (t)", tons), ("Crew", tons), ("Crew", bare))] == [
        2,
        1,
        0,
    ]
    assert [_fits(more, head, bare) for head in ("Rooms", "Number", "Amount")] == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "unit", "kind"), [("1984", "", "date"), ("0984", "", ""), ("198", "", ""), ("1984", "M", "length")]
)
def test_four_digits_without_a_unit_may_be_a_year(text: str, unit: str, kind: str) -> None:
    assert _as_year(Measured(text, Decimal(text), Decimal(text), unit)).kind == kind


def test_all_cells_of_a_row_are_told_with_whether_they_stand_beside_the_one_read() -> None:
    row = "Boat: Olga; Catch: 1500; Crew: 4"
    larger, earlier = (comparison(analyse(f"Which is {how}, A or B?")) for how in ("larger", "earlier"))
    assert larger is not None and earlier is not None
    found = [(head, one.stated, one.kind, beside) for head, one, beside in _measured_at(larger, row, 19, 23)]
    assert found == [("Catch", "1500", "", False), ("Crew", "4", "", True)]
    assert [(head, one.kind) for head, one, _ in _measured_at(earlier, row, 19, 23)] == [("Catch", "date")]


def test_bounds_that_overlap_tell_nothing() -> None:
    wide, high = Measured("10 to 20", Decimal(10), Decimal(20)), Measured("15", Decimal(15), Decimal(15))
    assert wide.before(high) is None and high.before(wide) is None
    assert Measured("9", Decimal(9), Decimal(9)).before(wide) is True


@given(st.decimals(0, 10_000, places=2), st.decimals(0, 10_000, places=2), st.sampled_from(["KiloM", "M", "MI"]))
def test_one_value_is_below_another_exactly_if_that_is_not_below_it(one: Decimal, two: Decimal, unit: str) -> None:
    mine, theirs = Measured("", one, one, "M"), Measured("", two, two, unit)
    there, back = mine.before(theirs), theirs.before(mine)
    assert (there is None) == (back is None)
    assert there is None or there != back

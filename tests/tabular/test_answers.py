"""Questions on invented tables and paragraphs: what is computed, chosen, listed and read, and what isn't there."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from kg.tabular.answers import Reader
from kg.tabular.table import context

FERRY = context(
    [
        ["(in thousands)", "2022", "2021", "2020"],
        ["Passenger fares", "$ 4,800", "$ 4,000", "$ 5,000"],
        ["Freight", "1,500", "1,250", "1,000"],
        ["Galley sales", "(60)", "20", "40"],
        ["Total receipts", "$ 6,240", "$ 5,270", "$ 6,040"],
        ["Punctuality", "91.5%", "88.0%", "90.0%"],
    ],
    [
        "Receipts of the island ferry line. Freight rose primarily due to the new timber contract with the sawmills.",
        "Deck maintenance cost $310,000 and $275,500 in 2022 and 2021, respectively.",
        "Season passes consist of cards for islanders and cards for commuters.",
        "The winter timetable began on 3 November 2021.",
    ],
)
READER = Reader(FERRY)


def reply(question: str) -> tuple[tuple[str, ...], str]:
    found = READER.answer(question)
    assert found is not None
    return found.values, found.scale


@pytest.mark.parametrize(
    ("question", "values", "scale"),
    [
        ("What were the passenger fares in 2021?", ("$ 4,000",), "thousand"),
        ("What was the change in freight from 2021 to 2022?", ("250",), "thousand"),
        ("What was the change in passenger fares between 2020 and 2021?", ("-1000",), "thousand"),
        ("What was the percentage change in passenger fares from 2021 to 2022?", ("20",), "percent"),
        ("What was the change in galley sales in 2022?", ("-80",), "thousand"),
        ("What was the average freight from 2020 to 2022?", ("1250",), "thousand"),
        ("What is the average freight for 2021 and 2022?", ("1375",), "thousand"),
        ("What is the sum of freight and galley sales in 2020?", ("1040",), "thousand"),
        ("What is the difference between passenger fares and freight in 2022?", ("3300",), "thousand"),
        ("What is the ratio of freight to passenger fares in 2020?", ("0.2",), ""),
        ("What is freight as a percentage of total receipts in 2020?", ("16.5563",), "percent"),
        ("What were the passenger fares in 2022 and 2020 respectively?", ("$ 4,800", "$ 5,000"), "thousand"),
        ("In which year was freight the highest?", ("2022",), ""),
        ("Which year had the second highest passenger fares?", ("2022",), ""),
        ("In which years were passenger fares less than $4,900 thousand?", ("2022", "2021"), ""),
        ("How many years did freight exceed $1,100 thousand?", ("2",), ""),
        ("Which years does the table provide information for?", ("2022", "2021", "2020"), ""),
        ("What was the punctuality in 2020?", ("90.0%",), ""),
    ],
)
def test_table(question: str, values: tuple[str, ...], scale: str) -> None:
    assert reply(question) == (values, scale)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Why did freight rise?", ("primarily due to the new timber contract with the sawmills",)),
        ("How much did deck maintenance cost in 2021?", ("$275,500",)),
        ("What did deck maintenance cost in 2022 and 2021, respectively?", ("$310,000", "$275,500")),
        ("What do season passes consist of?", ("cards for islanders and cards for commuters",)),
        ("When did the winter timetable begin?", ("3 November 2021",)),
    ],
)
def test_paragraphs(question: str, values: tuple[str, ...]) -> None:
    assert reply(question) == (values, "")


def test_the_cells_are_the_evidence() -> None:
    found = READER.answer("What was the percentage change in passenger fares from 2021 to 2022?")
    assert found is not None
    assert [c.text for c in found.cells] == ["$ 4,800", "$ 4,000"]
    assert found.shown == "($ 4,800 − $ 4,000) / $ 4,000"


def test_groups_and_lists() -> None:
    reader = Reader(
        context(
            [
                ["", "2020", "2019"],
                ["Workshops:", "", ""],
                ["Looms", "12", "10"],
                ["Kilns", "30", "20"],
                ["Gardens:", "", ""],
                ["Looms", "3", "1"],
            ],
            [],
        )
    )
    listed = reader.answer("What are the components under workshops in the table?")
    assert listed is not None and listed.values == ("Looms", "Kilns")
    found = reader.answer("What is the change in looms of the gardens from 2019 to 2020?")
    assert found is not None and found.values == ("2",)


def test_balances_and_the_movements_between_them() -> None:
    reader = Reader(
        context(
            [
                ["", "Berths", "Fee per berth"],
                ["Let at 1 May 2019", "40", "$9.00"],
                ["Let anew", "6", "9.50"],
                ["Let at 1 May 2020", "46", "9.10"],
                ["Let anew", "4", "9.75"],
                ["Let at 1 May 2021", "50", "9.20"],
            ],
            [],
        )
    )
    found = reader.answer("How many berths were let anew in 2021?")
    assert found is not None and found.values == ("4",)


def test_nothing_is_divided_by_nothing() -> None:
    reader = Reader(context([["", "2020", "2019"], ["Seals", "4", "—"], ["Otters", "5", "2"]], []))
    found = reader.answer("What is the percentage change in seals from 2019 to 2020?")
    assert found is None or found.by != "percentage change"


def test_no_table_and_no_text() -> None:
    assert Reader(context([], [])).answer("What is the change in seals from 2019 to 2020?") is None


class Kinds:
    """An encoder that knows two kinds of things: those that swim and all others."""

    dimensions = 2

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        swims = [any(word in text.lower() for word in ("seal", "otter", "swimmer")) for text in texts]
        return np.array([[1.0, 0.0] if s else [0.0, 1.0] for s in swims], dtype=np.float32)


def test_names_that_share_no_word_are_compared_in_meaning() -> None:
    table = context([["", "2020", "2019"], ["Badgers", "9", "8"], ["Otters", "5", "2"]], [])
    found = Reader(table, Kinds()).answer("What was the change in swimmers from 2019 to 2020?")
    assert found is not None and found.values == ("3",)

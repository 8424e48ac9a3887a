from __future__ import annotations

import subprocess
import sys

import pytest

from kg.algebra.forms import Extreme, english
from kg.algebra.links import Linked
from kg.algebra.parse import Parser
from kg.algebra.source import table

ROOMS = Linked(
    table(
        ["Hall", "Seats", "Hearing loop"],
        [["Ada", "120", "yes"], ["Bel", "340", "no"], ["Cor", "90", "yes"], ["Dee", "210", "no"], ["Eve", "60", "no"]],
    )
)


@pytest.mark.parametrize(
    ("asked", "told", "reading"),
    [
        ("Which halls have a hearing loop?", ("Ada", "Cor"), "rows whose “Hearing loop” contains “yes”"),
        ("Which halls have no hearing loop?", ("Bel", "Dee", "Eve"), "rows whose “Hearing loop” contains “no”"),
        ("Which hall has the third most seats?", ("Ada",), "the row in place 3 by the greatest “Seats” of all rows"),
        ("Which hall has the second fewest seats?", ("Cor",), "the row in place 2 by the least “Seats” of all rows"),
    ],
)
def test_what_is_meant(asked: str, told: tuple[str, ...], reading: str) -> None:
    best = Parser().parse(asked, ROOMS, most=1)[0]
    assert best.result.texts == told
    assert english(best.form, ROOMS.table) == f"“Hall” of {reading}"


def paced(head: str, *cells: str) -> Linked:
    return Linked(table(["Tool", "Age", head], [[f"Tool {n}", str(n), cell] for n, cell in enumerate(cells)]))


@pytest.mark.parametrize(
    ("columns", "asked", "told"),
    [
        (paced("Unpack", "400 MB/s", "4500 MB/s", "1500 MB/s"), "Which tool unpacks fastest?", ("Tool 1",)),
        (paced("Unpack", "400 MB/s", "4500 MB/s", "1500 MB/s"), "Which tool is slowest to unpack?", ("Tool 0",)),
        (paced("Unpack", "40 s", "450 s", "15 s"), "Which tool unpacks fastest?", ("Tool 2",)),
        (paced("Unpack", "40 s", "450 s", "15 s"), "Which tool is slowest to unpack?", ("Tool 1",)),
        (paced("Speed", "40", "450", "15"), "Which tool has the fastest speed?", ("Tool 1",)),
    ],
)
def test_the_fastest_has_most_by_the_second_and_takes_the_fewest(
    columns: Linked, asked: str, told: tuple[str, ...]
) -> None:
    assert Parser().parse(asked, columns, most=1)[0].result.texts == told


BOUGHT = Linked(
    table(
        ["Printer", "Bought", "Price", "Pages"],
        [["Heron", "2019-03-11", "$1,249", "12,400"], ["Merlin", "2016-11-30", "$1,310", "900"],
         ["Osprey", "2023-01-16", "$2,975", "15,900"]],
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Which printer is the oldest?", "Merlin"),
        ("Which is the newest printer?", "Osprey"),
        ("Which printer is the most expensive?", "Osprey"),
    ],
)
def test_the_oldest_has_the_earliest_date_and_no_greatest_price(asked: str, told: str) -> None:
    first = next(one for one in Parser().parse(asked, BOUGHT, most=9) if isinstance(one.form.of, Extreme))
    assert first.result.texts == (told,)


ORDERED = """
from kg.algebra.compose import Candidate
from kg.algebra.evaluate import Result
from kg.algebra.parse import _grouped
tied = [("Corran", "Skerry"), ("Holm", "Orr"), ("Kiel", "Alma"), ("Rex", "Fastnet")]
found = [Candidate(None, Result(texts=texts), (), 1.0) for texts in tied]
print([one.result.texts[0] for one, share in _grouped(found)])
"""


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_results_of_equal_chance_stand_in_one_order_in_every_process(seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", ORDERED], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["['Kiel',", "'Corran',", "'Rex',", "'Holm']"]

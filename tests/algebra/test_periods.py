"""Questions on tables with a column a period, as a newcomer would ask them."""

from __future__ import annotations

import pytest

from kg.algebra.answers import Computer
from kg.algebra.documents import Collection
from kg.readers import read
from kg.text.passages import split

TEXT = """# Northwind Ferries

Sales by route, in thousands of euros:

|  | Year ended 30 June | | |
| --- | --- | --- | --- |
|  | 2019 | 2018 | 2017 |
| Island route | 1,452.4 | 1,146.2 | 1,036.9 |
| Harbour tours | 44.1 | 56.7 | 70.8 |
| Total sales | 1,496.5 | 1,202.9 | 1,107.7 |
| Sales per passenger | 7.5 | 6.5 | 6.0 |
"""


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What were the sales of harbour tours in 2018?", "56.7"),
        ("In which year were harbour tours the highest?", "2017"),
        ("What was the change in total sales from 2018 to 2019?", "293.6 thousand"),
        ("What was the percentage change in total sales from 2018 to 2019?", "24.41%"),
        ("What was the change in sales per passenger from 2018 to 2019?", "1"),  # each is no thousands
        ("What share of total sales did harbour tours have in 2019?", "2.95%"),
        ("What was the average of total sales in 2018 and 2019?", "1349.7 thousand"),
    ],
)
def test_a_figure_its_change_and_its_share(question: str, value: str) -> None:
    passages = split(read(TEXT.encode(), "report.md"), "report")
    tables = Collection(passages).around((p, n) for p in passages for n in range(len(p.units)))
    best = Computer().answers(question, tables, 1)[0]
    assert best.values == (value,)
    for cell in best.evidence:
        assert TEXT[cell.start : cell.end] == cell.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many sales per passenger were there from 2018 to 2019?", False),
        ("By how many percent did total sales change from 2018 to 2019?", True),
    ],
)
def test_how_many_asks_for_no_share(question: str, told: bool) -> None:
    passages = split(read(TEXT.encode(), "report.md"), "report")
    tables = Collection(passages).around((p, n) for p in passages for n in range(len(p.units)))
    found = Computer().answers(question, tables, 50)
    assert any("%" in value for one in found for value in one.values) == told

"""Arithmetic over the cells of an invented document's tables, and what no table has the cells for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

ABBEY = """# Tarn Abbey: accounts

What the abbey took in and spent (in thousands).

|  | 2022 | 2021 | 2020 |
|---|---|---|---|
| Guest house | $ 4,800 | $ 4,000 | $ 5,000 |
| Candle workshop | 1,500 | 1,250 | 1,000 |
| Total income | $ 6,300 | $ 5,250 | $ 6,000 |

## Gardens

| Garden | Visitors 2021 | Visitors 2022 | Share of income |
|---|---|---|---|
| Herb garden | 410 | 520 | 12.5% |
| Cloister garth | 380 | 360 | 9.0% |
"""


@pytest.fixture(scope="module")
def abbey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder: Path = tmp_path_factory.mktemp("abbey")
    (folder / "docs").mkdir()
    (folder / "docs" / "abbey.md").write_text(ABBEY, encoding="utf-8")
    with KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()})) as knowledge_base:
        assert knowledge_base.add([folder / "docs"]).failed == ()
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "label", "rows"),
    [
        ("What was the percentage change in the guest house from 2021 to 2022?", "20%", ["Guest house"]),
        ("By what percentage did the guest house increase between 2021 and 2022?", "20%", ["Guest house"]),
        ("What was the change in the candle workshop from 2020 to 2022?", "$500,000", ["Candle workshop"]),
        ("What was the average candle workshop income from 2020 to 2022?", "$1,250,000", ["Candle workshop"]),
        (
            "What is the candle workshop as a percentage of total income in 2022?",
            "23.81%",
            ["Candle workshop", "Total income"],
        ),
        ("What was the change in visitors of the herb garden from 2021 to 2022?", "110", ["Herb garden"]),
    ],
)
def test_computed_from_cells(abbey: Asker, question: str, label: str, rows: list[str]) -> None:
    answer = abbey.ask(question)
    assert answer.status == "answered"
    assert [item.label for item in answer.answers] == [label]
    quoted = [citation.quote for citation in answer.citations]
    assert all(any(row in quote for quote in quoted) for row in rows)


@pytest.mark.parametrize(
    "question",
    [
        "What was the change in the guest house from 2018 to 2022?",
        "What was the percentage change in the brewery from 2021 to 2022?",
        "What was the change in rainfall from 2021 to 2022?",
    ],
)
def test_cells_that_are_missing(abbey: Asker, question: str) -> None:
    assert abbey.ask(question).status == "abstained"

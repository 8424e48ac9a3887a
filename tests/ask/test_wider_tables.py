"""The most or least of a table's rows, where only some of them are of the kind that a query finds by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

INVENTORY = """# The lakes of Orr

| Name | Depth (m) | Area (km²) |
|---|---|---|
| Corran | 41 | 12 |
| Ense | 12 | 30 |
| Holm | 96 | 8 |
| Kiel | 23 | 45 |
| Skara | 7 | 3 |
| Tolm | 55 | 21 |
"""
VISITS = """# Where the survey ship went

| Lake | Visit date |
|---|---|
| Ense | 1931-05-04 |
| Kiel | 1932-06-11 |
| Skara | 1934-08-01 |
"""


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Iterator[Asker]:
    folder: Path = tmp_path_factory.mktemp("lakes")
    with KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()})) as base:
        base.put(INVENTORY.encode(), "inventory.md")
        base.put(VISITS.encode(), "visits.md")
        yield by_models(base)


def test_all_rows_are_compared(lakes: Asker) -> None:
    answer = lakes.ask("Which lake has the greatest depth?")
    assert answer.answer.startswith("Holm")

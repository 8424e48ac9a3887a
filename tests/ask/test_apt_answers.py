"""A value of the wrong sort is no answer: who did it is not where, a number of pages counts no sources."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

PRESS = """# The printing house of Quillhaven

## Albion press

- Type: hand press
- Delivered by: Otto Brandt
- Delivered: 1887
- Place: Marlow

## Quill Almanac

- Type: almanac
- Printed pages: 4,800
- Binding: cloth

The text of the Quill Almanac comes from Star tables, Parish books, Farm diaries and Tide lists.
"""


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("press")
    (folder / "documents").mkdir()
    (folder / "documents" / "press.md").write_text(PRESS, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings())
    base.add([folder / "documents"])
    yield base
    base.close()


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("In which town was the Albion press delivered?", "Marlow"),
        ("Who delivered the Albion press?", "Otto Brandt"),
        ("From how many sources do the printed pages of the Quill Almanac come?", "4"),
        ("How many printed pages has the Quill Almanac?", "4,800"),
    ],
)
def test_the_value_is_of_the_sort_asked_for(press: KnowledgeBase, question: str, start: str) -> None:
    assert press.ask(question).answer.replace(":", " ").split(" – ")[0].startswith(start)

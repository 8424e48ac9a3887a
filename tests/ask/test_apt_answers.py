"""A value of the wrong sort is no answer: who did it is not where, a number of pages counts no sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kg.ask.engine import Asker
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


STATIONS = """# Weather stations of the Corran coast

The Corran Service runs the stations. Mila Dorn — Chief Observer of the Corran Service since 2004.
The station on Rook Head was opened on 3 May 1921. The station on Lamb Island was opened on 9 June 1948.
The service's use of batteries grew 12% in 2018.
The mast of Rook Head needed more steel than could be carried to any island in one summer.

## Readings

The readings of Lamb Island go to the archive in Velm.

- Archive partner: Norrland (data services)

## Collections

| Collection | Sheets | Keeper | Oldest sheet |
|---|---|---|---|
| Storm charts | 910 | Anne Vole | 1922 |
| Ice charts | 4,120 | Piet Ross | 1951 |
| Tide rolls | 2,300 | Jon Wick | 1930 |

## Instruments

| Generation | Year | Instruments |
|---|---|---|
| First | 1921 | 14 gauges, 3 masts |
| Second | 1960 | 40 gauges, 9 masts |

Sable is the newest vessel of the service and stands in no register of instruments.
"""


@pytest.fixture(scope="module")
def stations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("stations")
    (folder / "documents").mkdir()
    (folder / "documents" / "stations.md").write_text(STATIONS, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings())
    base.add([folder / "documents"])
    yield base
    base.close()


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("By how much did the use of batteries grow in 2018?", "12%"),
    ],
)
def test_answered(
    stations: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker], question: str, start: str
) -> None:
    answer = by_models(stations).ask(question)
    assert (answer.status, answer.answer[: len(start)]) == ("answered", start)


@pytest.mark.parametrize(
    "question",
    [
        "By how much did the use of batteries grow in 2019?",  # another year
        "How many masts does Sable have?",  # a row that doesn't name it
    ],
)
def test_declined(stations: KnowledgeBase, question: str) -> None:
    assert stations.ask(question).status == "abstained"


def test_who_holds_a_post_is_read_by_models(
    stations: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker]
) -> None:
    answer = by_models(stations).ask("Who is the chief observer of the Corran Service?")
    assert answer.status == "answered" and answer.answer.startswith("Mila Dorn")

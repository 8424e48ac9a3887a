"""What a newcomer's staff notes and price list showed: one line is no disagreement, no query for a part of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.ask.backing import backed
from kg.ask.drafts import Draft, Value
from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

NOTES = """# Lindholm Bakery: staff notes

## Suppliers

- **Flour**: Brandt Mills, Aarby
- **Eggs**: Henriksen Farm
- **Oven**: Miwe Condo, 2 decks, 18 kW
- **Head baker**: Tomas Wrede
"""
PRINTERS = """Printer,Room,Model,Bought,Price,Status
Heron,214,Laserjet 4200,2019-03-11,"$1,249.00",in service
Kestrel,301,Brother HL-6400,2021-07-02,$680,in service
Merlin,118,Laserjet 4200,2016-11-30,"$1,310",broken
Osprey,B02,Canon iR-2630,2023-01-16,"$2,975.50",in service
"""


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Iterator[Asker]:
    folder: Path = tmp_path_factory.mktemp("bakery")
    with KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()})) as base:
        base.put(NOTES.encode(), "notes.md")
        base.put(PRINTERS.encode(), "printers.csv")
        yield by_models(base)


def test_one_line_with_several_values_does_not_contradict_itself(bakery: Asker) -> None:
    answer = bakery.ask("How many decks does the new oven have?")
    assert answer.answer == "2 – “Oven: Miwe Condo, 2 decks, 18 kW”"
    assert "disagree" not in answer.explanation


def test_a_query_that_gives_part_of_a_list_does_not_stand_behind_it(bakery: Asker) -> None:
    assert bakery.graph is not None
    asking = bakery.asking("Who supplies the flour?")
    told = [next(s for s in asking.found.units if s.plain.startswith(key)) for key in ("Flour:", "Eggs:")]

    def of(*labels: str) -> Draft:
        values = tuple(Value(label, (n,)) for n, label in enumerate(labels))
        return Draft("list", ", ".join(labels), values, tuple(told), 1.0)

    assert backed(bakery.graph.graph, asking, of("Brandt Mills, Aarby", "Henriksen Farm")).backing is None
    assert backed(bakery.graph.graph, asking, of("Brandt Mills, Aarby")).backing is not None


def test_a_line_with_two_values_is_told_whole_with_its_query(bakery: Asker) -> None:
    answer = bakery.ask("Who supplies the flour?")
    assert [one.label for one in answer.answers] == ["Brandt Mills, Aarby"]
    assert answer.sparql is not None and "rel:flour ?value" in answer.sparql


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which printer is the oldest?", "Merlin"),
        ("What is the total price of all printers?", "$6,214.50"),
    ],
)
def test_printers(bakery: Asker, question: str, told: str) -> None:
    assert bakery.ask(question).answer.startswith(told)

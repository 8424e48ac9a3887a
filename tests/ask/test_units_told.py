"""Figures are told with the unit of their column's head, and in the unit that is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

FLEET = """# Skerra Ferries

| Vessel | Length (m) | Speed (kn) | Fare (€) | Passengers |
|---|---|---|---|---|
| Gannet | 54.2 | 14 | 12.50 | 310 |
| Petrel | 28.5 | 11 | 9.00 | 95 |
| Tern | 31.8 | 12.5 | 9.00 | 120 |

The Fulmar weighs 6.2 kg.

# Crew

| Name | Reports to | Joined |
|---|---|---|
| Priya Raman | Tom Whitlock | 2022 |
| Jonas Meier | Tom Whitlock | 2016 |
| Tom Whitlock | Amara Okafor | 2006 |
"""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Asker:
    folder = tmp_path_factory.mktemp("fleet")
    path = folder / "fleet.md"
    path.write_text(FLEET, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    base.add([path])
    return by_models(base)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How long is the Gannet?", "54.2 m"),
        ("What is the fare on the Gannet?", "€12.50"),
        ("How many passengers does the Petrel carry?", "95"),
        ("How long is the Gannet in feet?", "177.82 ft (54.2 m)"),
        ("How fast is the Tern in km/h?", "23.15 km/h (12.5 knots)"),
    ],
)
def test_a_figure_has_its_unit(fleet: Asker, question: str, label: str) -> None:
    answer = fleet.ask(question)
    assert [item.label for item in answer.answers] == [label]
    assert answer.answer.startswith(label)


def test_who_does_something_to_somebody_is_told_by_the_query(fleet: Asker) -> None:
    answer = fleet.ask("Who reports to Tom Whitlock?")
    assert sorted(item.label for item in answer.answers) == ["Jonas Meier", "Priya Raman"]
    assert answer.sparql is not None and "?subject" in answer.sparql
    assert [item.label for item in fleet.ask("Who does Priya Raman report to?").answers] == ["Tom Whitlock"]

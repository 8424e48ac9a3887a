"""A kind of things narrowed by what the question says of them: counted, listed and ranked by queries and tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

STAY = """# Where to stay

| Hotel | Rooms | Double from | Breakfast |
|---|---|---|---|
| Harbour View | 24 | £95 | included |
| The Old Mill | 11 | £120 | included |
| Station Lodge | 40 | £62 | £9 extra |

# The roll-out

| Milestone | Planned | Status |
|---|---|---|
| Contract signed | 10 January 2024 | done |
| Design approved | 30 June 2024 | done |
| Pilot live (Thornbury) | 3 June 2025 | done |
| Rehearsal | 1 September 2025 | planned |

# Visits

| Year | Visits | Loans |
|---|---|---|
| 2021 | 61,240 | 148,900 |
| 2022 | 88,015 | 171,250 |
| 2023 | 97,300 | 169,800 |

# Bakery

## Bread

| Product | Price | Vegan |
|---|---|---|
| Farmhouse white | £3.20 | yes |
| Seeded rye | £4.60 | yes |
| Milk loaf | £3.40 | no |

## Pastry

| Product | Price | Vegan |
|---|---|---|
| Butter croissant | £1.95 | no |
| Apple turnover | £2.35 | yes |
| Cinnamon bun | £2.60 | no |
"""
SAILINGS = """# Vessels

| Vessel | Built | Speed (kn) |
|---|---|---|
| MV Gannet | 1998 | 14 |
| MV Petrel | 1984 | 11 |
| MV Tern | 2011 | 12.5 |

# Sailings

| Sailing | Vessel | Departs |
|---|---|---|
| S1 | MV Gannet | 06:30 |
| S2 | MV Tern | 09:15 |
"""


EQUIPMENT = """Asset,Item,Room,Condition
EQ-001,Fog bell,Loft,good
EQ-002,Kiln,Yard,broken
EQ-003,Lamp,Yard,good
EQ-004,Winch,Quay,broken
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, by_models: Callable[[KnowledgeBase], Asker]) -> Asker:
    folder = tmp_path_factory.mktemp("misfits")
    documents = {"stay.md": STAY, "sailings.md": SAILINGS, "equipment.csv": EQUIPMENT}
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    base = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    base.add([Path(folder / name) for name in documents])
    return by_models(base)


def labels(asked: Asker, question: str) -> list[str]:
    return [item.label for item in asked.ask(question).answers]


@pytest.mark.parametrize(
    ("question", "label"),
    [("Which hotel is the cheapest?", "Station Lodge"), ("Which is the most expensive hotel?", "The Old Mill")],
)
def test_what_is_dear_or_cheap_is_told_by_its_price(asked: Asker, question: str, label: str) -> None:
    assert labels(asked, question) == [label]


def test_a_state_that_is_asked_for_narrows_what_is_told(asked: Asker) -> None:
    assert labels(asked, "How many milestones are done?") == ["3"]
    assert labels(asked, "Which milestones are not done?") == ["Rehearsal"]
    assert labels(asked, "How many milestones are there?") == ["4"]


def test_what_holds_of_some_is_not_counted_of_all(asked: Asker) -> None:
    assert labels(asked, "How many breads are vegan?") == ["2"]
    assert labels(asked, "How many pastries are not vegan?") == ["2"]


def test_a_kind_is_all_that_its_table_holds_not_what_another_speaks_of(asked: Asker) -> None:
    assert labels(asked, "Which vessel is the oldest?") == ["MV Petrel"]


def test_numbered_things_are_a_kind_by_their_number_and_their_name(asked: Asker) -> None:
    assert sorted(labels(asked, "Which items are broken?")) == ["Kiln", "Winch"]
    assert labels(asked, "How many assets are broken?") == ["2"]


@pytest.mark.parametrize("question", ["How many visits were there in 2020?", "How many loans were there in 2025?"])
def test_no_other_years_figure_is_given(asked: Asker, question: str) -> None:
    assert asked.ask(question).status == "abstained"

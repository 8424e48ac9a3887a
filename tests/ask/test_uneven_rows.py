"""Rows with empty cells belong to their table; sizes of two things that differ in one name aren't mixed up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

LOOMS = """Loom,Repair cost,Year,Note
Anna,,1871,free: done by the apprentices
Brita,$40-$60,1874,
Clara,$300,1880,new shafts
Dorte,unknown,1881,
"""
STEPS = """Year,Step,Place,Note
1869,First looms,Upper Ford,
1874,First dyes,,made by hand
1880,First steam,Lower Ford,
"""
WEAVERS = "# People\n\n- **Ketil Roe**: he was the first to weave figures of the Varn company.\n"
GIFTS = """# The Orle choir

## Gifts of Rask to the Orle choir

- A bell from Kiel
- Two benches of oak
- The right to sing in his barn
"""
MILLS = """# Mills of the Varn

The Varn company's first mill (Upper Ford): 25 looms.

The Varn company's second mill (Lower Ford): 130 looms.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("looms") / "kb", Settings(build={"ontology": ()}))
    kb.put(LOOMS.encode(), "looms.csv")
    kb.put(MILLS.encode(), "mills.md")
    kb.put(GIFTS.encode(), "gifts.md")
    kb.put(STEPS.encode(), "steps.csv")
    kb.put(WEAVERS.encode(), "weavers.md")
    return kb


def test_figures_of_the_other_are_not_given(kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker]) -> None:
    question = "How many looms has the Varn company's mill at Upper Ford? Give the figures that the sources name."
    answer = by_models(kb).ask(question)
    assert [a.label for a in answer.answers] == ["25"], answer.answer


def test_a_year_is_nobody(kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker]) -> None:
    answer = by_models(kb).ask("Who was first to weave figures of the Varn company?")
    assert answer.status == "answered" and "Ketil Roe" in answer.answer

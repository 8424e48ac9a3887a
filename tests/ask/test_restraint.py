"""What must not be answered from what merely stands near: column heads, other sentences, other currencies."""

from __future__ import annotations

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

PIANOS = """# Pianos in the shop

| Piano | Origin | Price | In tune |
|---|---|---|---|
| Brask grand | Oslo | $9,000 | yes |
| Hamo upright | Kyoto | ¥400,000 | yes |
| Lindt spinet | Basel | €2,500 | no |

The Brask grand is a black instrument from the north. It does not need a pedal.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("pianos") / "kb", Settings(build={"ontology": ()}))
    kb.put(PIANOS.encode(), "pianos.md")
    return kb


@pytest.mark.parametrize("question", ["Are there any organs with pipes?", "Does the Brask grand belong to a museum?"])
def test_yes_needs_a_sentence_that_says_so(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).status == "abstained"


@pytest.mark.parametrize(
    "question", ["Which piano is the most expensive?", "Is the Hamo upright more expensive than the Lindt spinet?"]
)
def test_amounts_in_different_currencies_are_not_ranked(kb: KnowledgeBase, question: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "abstained" or "¥400,000" not in answer.answer.split("–")[0]

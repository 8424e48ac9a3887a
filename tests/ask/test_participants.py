"""Who did it: what somebody else did is no answer, whether it was paid, bought, given or said."""

from __future__ import annotations

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

AUCTIONS = """# The auction house of Velm

Marten Osk paid 4,200 crowns for the Ivory Clock in 1908. Dora Finch gave 900 crowns to the Orphan Fund.
The Brass Globe was bought by the Skarn Museum for 12,500 crowns. Lena Rusk attended every sale.
Dora Finch sold the Copper Lute to Anton Wiel in 1911.

## The Orphan Fund

| Property | Value |
|---|---|
| Patron | Dora Finch |
| Total gift | 7,300 crowns |
| Adviser | Osk brothers |

## Glossary

**Bidder** — a person who made an offer, who founded a house such as the House of Velm, or who sends somebody else.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("auctions") / "kb", Settings(build={"ontology": ()}))
    kb.put(AUCTIONS.encode(), "auctions.md")
    return kb


@pytest.mark.parametrize(
    "question",
    [
        "How much did Lena Rusk pay for the Ivory Clock?",
        "How much did Dora Finch pay for the Ivory Clock?",
        "How much did Marten Osk pay for the Brass Globe?",
        "How much did Lena Rusk give to the Orphan Fund?",
        "How much did Marten Osk give to the Orphan Fund?",
        "When did Anton Wiel sell the Copper Lute?",
        "When did Lena Rusk sell the Copper Lute?",
        "Who founded the House of Velm?",
    ],
)
def test_what_somebody_else_did_is_declined(kb: KnowledgeBase, question: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "abstained", answer.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much did Marten Osk pay for the Ivory Clock?", "4,200"),
        ("How much did Dora Finch give to the Orphan Fund?", "900"),
        ("How much did the Skarn Museum pay for the Brass Globe?", "12,500"),
        ("When did Dora Finch sell the Copper Lute?", "1911"),
        ("Who bought the Brass Globe?", "Skarn Museum"),
    ],
)
def test_what_it_did_itself_is_given(kb: KnowledgeBase, question: str, said: str) -> None:
    assert said in kb.ask(question).answer[:60]

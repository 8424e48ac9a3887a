"""Places in an order, where number one is the best; hosts by the first part of their names; what lines cite."""

from __future__ import annotations

import pytest

from kg.ask.adjectives import compared, placing
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

RELAYS = """# Relays of ferry.example

| Relay | Priority | Weight |
|---|---|---|
| quay1.mail.ferry.example | 3 | 90 |
| quay2.mail.ferry.example | 8 | 40 |
| quay3.mail.ferry.example | 8 | 20 |

# Ferry Alma

The Alma was lengthened by nine metres in 1962.

Source: Shipyard ledger of Tarn, Harbour Gazette

# Ferry Berta

The Berta carries 200 passengers.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("relays") / "kb", Settings(build={"ontology": ()}))
    kb.put(RELAYS.encode(), "relays.md")
    return kb


@pytest.mark.parametrize(
    ("words", "end"),
    [
        ("the highest priority", -1),
        ("better rank", -1),
        ("come last in priority", 1),
        ("the lowest rank", 1),
        ("the lowest priority number", None),  # the number itself is asked for
        ("first or last in rank", None),
        ("the highest tower", None),
    ],
)
def test_number_one_comes_first(words: str, end: int | None) -> None:
    placed = placing(words.split())
    assert (placed[0] if placed else None) == end
    if placed:
        assert compared(words.split()) == placed


@pytest.mark.parametrize(
    ("question", "relays"),
    [
        ("Which relay has the highest priority?", {"quay1.mail.ferry.example"}),
        ("Which relays come last in priority?", {"quay2.mail.ferry.example", "quay3.mail.ferry.example"}),
        ("Which relay has the highest weight?", {"quay1.mail.ferry.example"}),
        ("Which has the better priority: quay2 or quay1?", {"quay1.mail.ferry.example"}),
        ("Which has the greater weight: quay2 or quay3?", {"quay2.mail.ferry.example"}),
    ],
)
def test_relays_in_order(kb: KnowledgeBase, question: str, relays: set[str]) -> None:
    answer = kb.ask(question)
    assert {a.label for a in answer.answers} == relays, answer.answer


def test_what_is_cited(kb: KnowledgeBase) -> None:
    answer = kb.ask("Which sources are given for the lengthening of the Alma?")
    assert answer.answer.startswith("Shipyard ledger of Tarn, Harbour Gazette")
    assert [c.quote for c in answer.citations] == ["Source: Shipyard ledger of Tarn, Harbour Gazette"]


@pytest.mark.parametrize("about", ["the Berta's passengers", "the sinking of the Alma", "the Corvina"])
def test_nothing_is_cited(kb: KnowledgeBase, about: str) -> None:
    assert "ledger" not in kb.ask(f"Which sources are given for {about}?").answer

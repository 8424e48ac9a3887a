"""A passage on another thing, another time or beyond a bound answers nothing; a table's rows are held to the bound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.ask.filters import bound, within
from kg.ask.question import analyse
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

PONDS = """# The Ponds of Hessel

| Pond | Village | Dug | Visitors | Keeper |
|---|---|---|---|---|
| Alder Pond | Nort | 1788 | 1,200 | Ida Brom |
| Mill Pond | Sand | 1931 | 340 | Tom Kask |
| Reed Pond | Nort | 1954 | 2,750 | Eva Lind |
| Abbey Pond | Sand | 1612 | not disclosed | Olof Grau |

## About the Abbey Pond

The Abbey Pond was dug by the monks of Hessel. The Reed Pond was planned by the engineer Rolf Wend.
It cost £90,000. The Mill Pond was drained in 1970. The pond was filled again on 3 May 1973.
"""


@pytest.fixture(scope="module")
def ponds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("ponds") / "kb", Settings(build={"ontology": ()})) as kb:
        kb.put(PONDS.encode(), "ponds.md")
        yield kb


@pytest.mark.parametrize(
    "question",
    [
        "Which ponds have more than 9,000 visitors?",
        "Who planned the Abbey Pond?",
        "How much did the Abbey Pond cost?",
        "When was the Abbey Pond drained?",
    ],
)
def test_another_ones_fact_or_one_beyond_the_bound_is_no_answer(ponds: KnowledgeBase, question: str) -> None:
    assert ponds.ask(question).status == "abstained"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who planned the Reed Pond?", "Rolf Wend"),
        ("How much did the Reed Pond cost?", "£90,000"),
    ],
)
def test_its_own_fact_is(ponds: KnowledgeBase, question: str, value: str) -> None:
    assert ponds.ask(question).answer.startswith(value)


@pytest.mark.parametrize(
    ("question", "text", "holds"),
    [
        ("Which are longer than 3 km?", "7.3 km", True),
        ("Which are longer than 3 km?", "300 m", False),
        ("Which are longer than 3 km?", "12 kg", None),
        ("Which were dug before 1900?", "in May 1899", True),
        ("Which were dug before 1900?", "in 1900", False),
        ("Which were dug in 1931?", "4 June 1931", True),
        ("Which have at least 20 visitors?", "20", True),
        ("Which have more than 20 visitors?", "20", False),
        ("Which have more than 20 visitors?", "none", None),
    ],
)
def test_figures_are_held_against_a_bound(question: str, text: str, holds: bool | None) -> None:
    limit = bound(analyse(question))
    assert limit is not None
    assert within(limit, text) is holds


def test_a_sentence_cut_at_its_commas_is_no_list(ponds: KnowledgeBase) -> None:
    answer = ponds.ask("List all engineers with their birthplaces")
    assert answer.status == "abstained"

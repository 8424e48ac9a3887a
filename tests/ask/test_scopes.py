"""Questions about a part of the documents, things named by what they do, and groups that are ranked."""

from __future__ import annotations

import pytest

from kg.ask.question import analyse
from kg.ask.spans import numbers
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

BREWERY = """# The Orlick brewery

## Phase 2: The Orlick B kettle house (1931)

### Steam lines

```mermaid
graph TD
    BOILER[Boiler<br/>Steam raising]
    SPLITTER[Splitter<br/>Wort sorting<br/>Foam skimming]
    CISTERN[(Cistern<br/>Cold store)]
    BOILER --> SPLITTER
    SPLITTER --> CISTERN
```

## Loans of the bank

The Tarn bank lent to the brewery several times.

| Date | Event |
|---|---|
| May 1931 | First loan - $20,000 from Tarn |
| 1938 | Additional loan - $45,000 |
| June 1952 | Last loan - $31,000 |
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("brewery") / "kb", Settings(build={"ontology": ()}))
    kb.put(BREWERY.encode(), "brewery.md")
    return kb


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("Which vessel sorts worts in the house?", ["vessel"]),
        ("Which firm supplies Tarn?", ["firm"]),
        ("What monitoring tools does Tarn use?", ["monitoring", "tools"]),
        ("Which model series names were used?", ["model", "series", "names"]),
        ("Which kettle houses are in Tarn?", ["kettle", "houses"]),
    ],
)
def test_the_noun_asked_for_ends_before_its_verb(question: str, focus: list[str]) -> None:
    assert [t.text for t in analyse(question).focus] == focus


@pytest.mark.parametrize(
    "question",
    [
        "Which vessel does the component that sorts worts connect to in the Orlick B kettle house?",
        "Where does the Splitter lead in the Orlick B kettle house?",
        "What does the Splitter feed in the Orlick B kettle stack?",
    ],
)
def test_a_part_of_the_documents_is_what_headings_say(kb: KnowledgeBase, question: str) -> None:
    answer = kb.ask(question)
    assert answer.status == "answered"
    assert [i.label for i in answer.answers] == ["Cistern"]
    assert any("Orlick B kettle house" in h for h in answer.citations[0].heading)


def test_a_part_of_a_diagram_is_called_by_its_first_line(kb: KnowledgeBase) -> None:
    answer = kb.ask("Which component skims foam?")
    assert [i.label for i in answer.answers] == ["Splitter"]
    assert answer.answer.startswith("Splitter – ")


def test_another_part_is_not_the_one_asked_about(kb: KnowledgeBase) -> None:
    """The brewery is spoken of, but no heading over the diagram has the bank."""
    answer = kb.ask("Which vessel does the component that sorts worts connect to in the Tarn bank house?")
    assert answer.status == "abstained"


def test_what_is_asked_of_some_is_not_described_first(kb: KnowledgeBase) -> None:
    answer = kb.ask("Which of Tarn's loan rounds to the brewery was the largest?")
    assert answer.answer.startswith("1938 ($45,000)")
    assert len(answer.citations) == 3
    assert "3 entries" in answer.explanation


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What connects to the Splitter?", {"Boiler"}),
        ("What feeds the Cistern?", {"Splitter"}),
        ("What does the Splitter connect to?", {"Cistern"}),
        ("Where does the Splitter lead?", {"Cistern"}),
        ("What connects to the Boiler?", set()),
    ],
)
def test_what_flows_where_is_read_by_its_verb(kb: KnowledgeBase, question: str, said: set[str]) -> None:
    answer = kb.ask(question)
    assert {i.label.capitalize() for i in answer.answers} == said


def test_money_is_what_its_sign_says() -> None:
    assert [(n.text, n.noun) for n in numbers("First loan - $20,000 from Tarn, $5 million loans")] == [
        ("$20,000", "from Tarn"),
        ("$5 million", "loans"),
    ]


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("How many mules pulled barges in Tarn?", ["mules"]),
        ("How many people attended?", ["people"]),
        ("How many armed guards are there?", ["armed", "guards"]),
    ],
)
def test_what_is_counted_ends_before_what_it_did(question: str, focus: list[str]) -> None:
    assert [t.text for t in analyse(question).focus] == focus


def test_how_much_the_first_was_is_no_date(kb: KnowledgeBase) -> None:
    assert kb.ask("How much was the first loan?").answer.startswith("$20,000")
    assert kb.ask("When was the first loan?").answer.startswith("May 1931")

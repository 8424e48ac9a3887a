"""What a question asks for by its form: somebody, a time or a length, a day, before or after, all of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kg.ask.engine import Asker
from kg.ask.question import analyse
from kg.ask.question_kinds import shape_of_question
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

BALLOONS = """# The balloon school of Ostermoor

The school was founded by Hilde Marne in 1924. The school closed its field for 9 weeks after the storm of 1951.
Pilots learn three crafts: sewing, packing of the envelope, and navigation that is slow and careful.
On 4 May 1930 the school moved to Tarn Hill. In August 1932 the Kestrel made its maiden voyage.
The lift of the Kestrel was poor because its seams leaked.
The record of the Plover stands at 310 km.
The interview on the radio had Hilde Marne talk to three pilots:

- Ruben Falk — chief pilot
- Ada Quill — navigator
- Jonas Pell — engineer

## The Great Auk

The school's largest balloon before the war:

- 2,400 cubic metres of gas
- seams of silk

## Balloons

| Balloon | First flight | Kind of basket | Price | Tank | Seams |
|---|---|---|---|---|---|
| Kestrel | 1932-08-03 | willow basket | $4,100 | 7 GB | leaky |
| Plover | 1936-03-11 | cane basket | $9,800 | 3 GB | sound |
| Heron | 1938-06-21 | willow basket | $6,200 | 5 GB | sound |

## Figures of 1938

| Measure | Value |
|---|---|
| Towns visited | 41 |
| Passengers carried | 1,730 |

## The field's servers

The name servers of the field:

```
look up servers field.example
ns1.field.example.
ns2.field.example.
ns3.field.example.
```
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("balloons") / "kb", Settings(build={"ontology": ()}))
    kb.put(BALLOONS.encode(), "balloons.md")
    yield kb
    kb.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("For how long was the field closed after the storm?", "9 weeks"),
        ("In how many towns, by the figures of 1938, did they visit?", "41"),
        ("How many gigabytes has the tank of the Plover?", "3 GB"),
        ("How many kilometres is the record of the Plover?", "310 km"),
        ("When was the Heron first flown?", "1938-06-21"),
    ],
)
def test_what_is_asked_for_by_its_form(
    kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker], question: str, said: str
) -> None:
    answer = by_models(kb).ask(question)
    assert answer.status == "answered"
    assert said in answer.answer[:150]


@pytest.mark.parametrize(
    "question",
    [
        "Who wove the Kestrel?",  # a willow basket is nobody
        "What did Hilde Marne pay for the field?",  # no money is told
    ],
)
def test_another_kind_of_thing_is_no_answer(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).status == "abstained"


def test_a_reason_is_no_value_of_what_is_described(
    kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker]
) -> None:
    answer = by_models(kb).ask("Why was the Kestrel's lift poor?")
    assert answer.status == "answered"
    assert "seams leaked" in answer.answer


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("Which job board hosts the notices?", ["job", "board"]),
        ("Which brass instrument cracked at the concert?", ["brass", "instrument"]),
        ("Which estimated cost is the highest?", ["estimated", "cost"]),
        ("What makes bread a staple?", ["makes", "bread", "staple"]),
    ],
)
def test_the_noun_ends_before_its_verb(text: str, focus: list[str]) -> None:
    assert [t.text for t in analyse(text).focus] == focus


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Which tools are used?", True), ("What sorts of cheese are there?", True), ("What are the steps?", True),
        ("Which woods does the yard keep?", True), ("What tariffs has the EU?", True), ("List the crafts.", True),
        ("What is a KEP?", False), ("What does it hold?", False), ("What was the price?", False),
        ("What is kept in boats?", False),
        ("What has the council of towns decided?", False), ("Which process is used?", False),
        ("Which analysis was made?", False), ("What status has it?", False), ("Which lens is sharper?", False),
        ("What should the doctor's note say?", False), ("Which month was Bo released in?", False),
        ("Which of its parts is it?", False),
    ],
)  # fmt: skip
def test_several_things_are_asked_for_by_a_plural_alone(text: str, several: bool) -> None:
    assert shape_of_question(text)["several"] == several

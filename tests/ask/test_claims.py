"""Properties asked for in other words than their names, conditions by a value's words, and what has to be declined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.ask.graph import Written, run
from kg.ask.graph_leg import _most_said
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.reading import Trained
from kg.settings import Settings

ROPEWAYS = """# Ropeways of the Ulm valley

| Ropeway | Slope | Speed | Condition |
|---------|-------|-------|-----------|
| Falcon Lift | 47% | 5 m/s | under repair |
| Otter Lift | 31% | 6 m/s | in use |
| Heron Lift | 22% | 4 m/s | in use |

## Falcon Lift

- **Designer**: Halina Werth
- **Opening date**: May 1962
- **Cabin capacity**: 18
- **Ticket price**: $14
- **Length**: 1,240 m
- **Cable maker**: Orsova Works
- **Seats per cabin**: 12

## Otter Lift

- **Designer**: Teo Marsh
- **Year painted**: 1990
- **Ticket price**: $9

## Halina Werth

- **Birthplace**: Marrow Bay
"""
LETTER = """# The painter's letter

## Otter Lift

- **Year painted**: 1992
"""


@pytest.fixture(scope="module")
def ulm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder: Path = tmp_path_factory.mktemp("ropeways")
    docs = folder / "docs"
    docs.mkdir()
    for name, text in (("ropeways.md", ROPEWAYS), ("letter.md", LETTER)):
        (docs / name).write_text(text, encoding="utf-8")
    with KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()})) as knowledge_base:
        assert knowledge_base.add([docs]).failed == ()
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How long is the Falcon Lift?", "1,240 m"),
        ("Which ropeways are under repair?", "Falcon Lift"),
    ],
)
def test_a_property_is_found_by_what_is_meant(ulm: Asker, question: str, label: str) -> None:
    answer = ulm.ask(question)
    assert (answer.status, [a.label for a in answer.answers]) == ("answered", [label])
    assert answer.sparql is not None and ulm.view.store is not None
    assert run(ulm.view.store, answer.sparql) == Written(answer.sparql, answer.bindings or {})


def test_values_that_disagree_are_all_given_with_their_sources(ulm: Asker) -> None:
    answer = ulm.ask("In which year was the Otter Lift painted? The documents disagree.")
    assert [a.label for a in answer.answers] == ["1990", "1992"]
    assert {c.title for c in answer.citations} == {"Ropeways of the Ulm valley", "The painter's letter"}


def test_where_all_give_one_value_nothing_is_conflicting(ulm: Asker) -> None:
    assert ulm.graph is not None
    for question, kinds in (
        ("In which year was the Otter Lift painted? The documents disagree.", ["conflicting"]),
        ("What is the length of the Falcon Lift? The documents disagree.", []),
    ):
        assert [d.kind for d in ulm.graph.proposals(ulm.asking(question)) if d.kind == "conflicting"] == kinds


def test_what_most_passages_say_comes_first(ulm: Asker) -> None:
    assert ulm.graph is not None
    graph = ulm.graph.graph
    one = next(f for thing in graph.facts.first for f in graph.facts.of_subject(thing))
    told = [
        replace(one, passage=passage, stated=stated)
        for passage, stated in (("a", "red"), ("b", "blue"), ("c", "Blue"), ("d", "green"))
    ]
    assert [f.passage for f in _most_said(graph, told)] == ["b", "c", "a", "d"]


@pytest.mark.parametrize(
    "question",
    [
        "Who inspects the Falcon Lift?",
        "Which gearbox does the Otter Lift use?",
        "How many people work at the Otter Lift?",
    ],
)
def test_another_property_of_the_same_thing_is_no_answer(ulm: Asker, question: str) -> None:
    assert ulm.ask(question).status == "abstained"


def test_of_two_dates_one_is_given_and_the_other_set_against_it(ulm: Asker) -> None:
    answer = Asker(ulm.view, trained=Trained.load()).ask("When was the Otter Lift painted?")
    (conflict,) = answer.conflicts
    assert answer.answer.split(" – ")[0] in ("1990", "1992")
    assert sorted(value.value for value in conflict.values) == ["1990", "1992"]

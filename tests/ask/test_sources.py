"""Who says so, and questions of two parts: sources named or the document; what has no answer is said to have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.ask.sources import statement
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

SPRINGS = """---
title: Springs of the Orrin valley
author: Petra Munk
---
# Springs of the Orrin valley

The Blue Spring gives 40 litres a second. According to Ivar Holt, the Salt Spring gives 12 litres a second.
The Survey Office said that the Cold Spring dried up in 1954. The Blue Spring never froze.
The Blue Spring was walled by Sten Rask. The Blue Spring was opened in 1871.
"""

LOG = """# Log of the Orrin baths

| Property | Value |
|---|---|
| Source | the Warm Spring |
| Depth | 31 metres |
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("springs") / "kb", Settings(build={"ontology": ()}))
    kb.put(SPRINGS.encode(), "springs.md")
    kb.put(LOG.encode(), "log.md")
    return kb


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("Who said that the Salt Spring gives 12 litres a second?", "Ivar Holt"),
        ("According to whom does the Salt Spring give 12 litres a second?", "Ivar Holt"),
        ("Who says that the Cold Spring dried up in 1954?", "Survey Office"),
        ("Which document says that the Blue Spring gives 40 litres a second?", "Springs of the Orrin valley"),
        ("Who says that the Blue Spring gives 40 litres a second?", "Petra Munk"),
    ],
)
def test_who_says_so(kb: KnowledgeBase, question: str, source: str) -> None:
    answer = kb.ask(question)
    assert [a.label for a in answer.answers] == [source], answer.answer
    assert answer.citations[0].document.endswith("springs.md")


@pytest.mark.parametrize(
    "question",
    [
        "Who said that the Blue Spring gives 55 litres a second?",
        "Who said that the Cold Spring dried up in 1961?",
        "Who said that the Blue Spring froze?",
    ],
)
def test_what_nobody_says_has_no_source(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).status == "abstained"


def test_other_questions_ask_for_no_source() -> None:
    assert statement("Who wrote the report?") is None
    assert statement("Who said yes?") is None


def test_both_parts_are_answered(kb: KnowledgeBase) -> None:
    answer = kb.ask("Who walled the Blue Spring and when was it opened?")
    assert [a.label for a in answer.answers] == ["Sten Rask", "1871"]


def test_a_part_without_an_answer_is_said(kb: KnowledgeBase) -> None:
    answer = kb.ask("Who walled the Blue Spring and who painted it?")
    assert answer.answer.startswith("Sten Rask") and answer.answer.endswith("(The documents don't say who painted it.)")


def test_heads_that_say_nothing_are_left_out(kb: KnowledgeBase) -> None:
    answer = kb.ask("What is the depth of the Warm Spring?")
    assert "Property:" not in answer.answer


GAUGES = """@prefix : <https://example.org/springs#> .
@prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person a owl:Class ; rdfs:label "person" .
:Spring a owl:Class ; rdfs:label "spring" .
:gauges a owl:DatatypeProperty ; rdfs:label "gauges" ; rdfs:domain :Spring ; rdfs:range xsd:integer ;
    kg:phrase "{subject} has {object} gauges" .
"""
TALK = """# Talk on the Orrin springs

Ivar Holt wrote to the valley's council. He said that the Salt Spring has 12 gauges. The Blue Spring has 7 gauges.
"""


def test_a_speaker_whom_only_a_pronoun_names_comes_from_the_graph(tmp_path: Path) -> None:
    (tmp_path / "springs.ttl").write_text(GAUGES, encoding="utf-8")
    (tmp_path / "talk.md").write_text(TALK, encoding="utf-8")
    settings = Settings(build={"ontology": (tmp_path / "springs.ttl",)})
    KnowledgeBase.build(tmp_path / "kb", [tmp_path / "talk.md"], settings)
    kb = KnowledgeBase.open(tmp_path / "kb", settings)
    assert [a.label for a in kb.ask("Who said that the Salt Spring has 12 gauges?").answers] == ["Ivar Holt"]
    assert [a.label for a in kb.ask("Who said that the Blue Spring has 7 gauges?").answers] == [
        "Talk on the Orrin springs"
    ]

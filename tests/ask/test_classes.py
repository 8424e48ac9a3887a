"""Classes named in questions, yes and no that are said, what a thing is, and exact answers before loose ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

ONTOLOGY = """@prefix : <https://example.org/mills#> .
@prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Mill a owl:Class ; rdfs:label "mill" ; kg:namePattern "\\\\bMill$" .
:Watermill a owl:Class ; rdfs:subClassOf :Mill ; rdfs:label "watermill" .
:Windmill a owl:Class ; rdfs:subClassOf :Mill ; rdfs:label "windmill" .
:opened a owl:DatatypeProperty ; rdfs:label "opened" ; rdfs:domain :Mill ; rdfs:range xsd:date .
:Guild a owl:Class ; rdfs:label "guild" ; kg:namePattern "\\bGuild$" .
:grindsFor a owl:ObjectProperty ; rdfs:label "grinds for" ; rdfs:domain :Mill ; rdfs:range :Guild .
:grindsWith a owl:ObjectProperty ; rdfs:label "grinds with" ; rdfs:domain :Mill ; rdfs:range :Guild .
:workers a owl:DatatypeProperty ; rdfs:label "workers" ; rdfs:domain :Mill ; rdfs:range xsd:integer .
"""
MILLS = """# Mills

## Lind Mill

- **Type**: watermill
- **Opened**: 3 May 1811
- **Workers**: 14
- **Grinds for**: Bakers Guild

Work on Lind Mill began in March 1809.

## Sand Mill

- **Type**: watermill
- **Opened**: 9 June 1840
- **Workers**: 6
- **Grinds with**: Bakers Guild

People believe that Sand Mill never ground any rye.

## Orm Mill

- **Type**: windmill
- **Opened**: 1 April 1799
- **Workers**: not disclosed
- **Grinds for**: Bakers Guild

Orm Mill supplied flour to Sand Mill.

## Words

- **Watermill** – A mill that a stream drives with one wheel and one gear.
- **Windmill** – A mill with sails and a cap that turn with the wind.
"""


@pytest.fixture(scope="module")
def mills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("mills")
    (folder / "mills.ttl").write_text(ONTOLOGY)
    settings = Settings(build={"ontology": (str(folder / "mills.ttl"),)})
    with KnowledgeBase.create(folder / "kb", settings) as kb:
        kb.put(MILLS.encode(), "mills.md")
        yield kb


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("How many windmills are there?", {"1"}),
        ("How many watermills are there?", {"2"}),
        ("Which mills are watermills?", {"Lind Mill", "Sand Mill"}),
        ("Which mills are windmills?", {"Orm Mill"}),
        ("When did Lind Mill open?", {"3 May 1811"}),
        ("How many workers does Orm Mill have?", {"not disclosed"}),
    ],
)
def test_the_graphs_exact_answer_goes_before_a_passage(mills: KnowledgeBase, question: str, labels: set[str]) -> None:
    answer = mills.ask(question)
    assert answer.status == "answered"
    assert {item.label for item in answer.answers} == labels
    assert answer.sparql


@pytest.mark.parametrize(
    "question",
    ["Does Orm Mill own Sand Mill?", "Did Sand Mill grind rye?", "Did Orm Mill sell Sand Mill?"],
)
def test_neither_yes_nor_no_is_said_of_what_is_not_told(mills: KnowledgeBase, question: str) -> None:
    assert mills.ask(question).status == "abstained"


def test_a_definition_goes_before_a_description(mills: KnowledgeBase) -> None:
    assert "a stream drives" in mills.ask("What is a watermill?").answer

"""A name that two things share."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.model import Reason
from kg.settings import Settings

ONTOLOGY = """@prefix : <https://example.org/port#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Ferry a owl:Class ; rdfs:label "ferry" ; owl:disjointWith :Lighthouse .
:Lighthouse a owl:Class ; rdfs:label "lighthouse" .
:height a owl:DatatypeProperty ; rdfs:label "height" ; rdfs:range xsd:decimal .
"""
TEXT = """# Heights

## Ferries

| Ferry | Height |
|-------|--------|
| Petrel | 21 m |
| Gannet | 19 m |

## Lighthouses

| Lighthouse | Height |
|------------|--------|
| Petrel | 48 m |
| Skua | 35 m |
"""


def test_a_name_of_two_things_is_handed_back_unless_its_class_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KG_ASK__READER")  # the packaged models choose
    (tmp_path / "port.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "heights.md").write_text(TEXT, encoding="utf-8")
    settings = Settings(build={"ontology": (str(tmp_path / "port.ttl"),)})
    with KnowledgeBase.create(tmp_path / "kb", settings) as knowledge_base:
        assert knowledge_base.add([tmp_path / "heights.md"]).failed == ()
        answer = knowledge_base.ask("What is the height of the Petrel?")
        assert (answer.status, answer.reason) == ("abstained", Reason.AMBIGUOUS)
        assert "Petrel (ferry) or Petrel (lighthouse)" in answer.answer
        assert knowledge_base.ask("What is the height of the Gannet?").answers[0].label == "19 m"
        assert knowledge_base.ask("What is the height of the lighthouse Petrel?").answers[0].label == "48 m"

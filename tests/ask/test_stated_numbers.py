"""A number that the documents state goes before the count of what they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

ONTOLOGY = """
@prefix : <https://example.org/pottery#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Works a owl:Class ; rdfs:label "works" .
:Kiln a owl:Class ; rdfs:label "kiln" ; skos:altLabel "kilns" .
:fires a owl:ObjectProperty ; rdfs:label "kiln type" ; rdfs:domain :Works ; rdfs:range :Kiln .
:kilnCount a owl:DatatypeProperty ; rdfs:label "kiln count" ; skos:altLabel "number of kilns" ;
    rdfs:domain :Works ; rdfs:range xsd:integer .
"""
POTTERIES = """# Potteries

| Works | Kiln type | Kiln count |
|---|---|---|
| Brook Works | Bottle oven | 12 |
| Hill Works | Muffle kiln | 5 |

## Dale Works

- **Kiln type**: Bottle oven, Muffle kiln
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("potteries")
    (folder / "pottery.ttl").write_text(ONTOLOGY)
    kb = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": (Path(folder / "pottery.ttl"),)}))
    kb.put(POTTERIES.encode(), "potteries.md")
    return kb


def test_the_stated_number_is_the_answer(kb: KnowledgeBase) -> None:
    answer = kb.ask("How many kilns does Brook Works have?")
    assert answer.answer.startswith("12")
    assert answer.sparql is not None
    assert "kilnCount" in answer.sparql

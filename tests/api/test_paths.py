"""Paths between things, those that the ontology brings among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

ONTOLOGY = """@prefix : <https://pumps.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Firm a owl:Class ; rdfs:label "firm" . :Pump a owl:Class ; rdfs:label "pump" .
:maker a owl:ObjectProperty ; rdfs:label "maker" ; rdfs:range :Firm .
:fenwick a :Firm ; rdfs:label "Fenwick Works" .
"""
FIRM = "https://pumps.example/fenwick"
PUMPS = "# Pumps\n\n## Brook Pump\n\n- **Maker**: Fenwick Works\n\n## Dale Pump\n\n- **Maker**: Fenwick Works\n"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    root: Path = tmp_path_factory.mktemp("pumps")
    (root / "pumps.ttl").write_text(ONTOLOGY, encoding="utf-8")
    settings = Settings(
        kb=root / "kb", build={"ontology": (root / "pumps.ttl",)}, serve={"query_workers": 1, "log": "errors"}
    )
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    knowledge_base.change([("pumps.md", PUMPS.encode())])
    with TestClient(create_app(knowledge_base, settings)) as client:
        yield client


def test_things_of_the_ontology_are_found_by_iri(client: TestClient) -> None:
    found = client.get("/paths", params={"source": "Brook Pump", "target": FIRM}).json()
    (path,) = found["paths"]
    assert found["target"] == FIRM
    assert [[(t["s"] == found["source"], t["o"]) for t in step] for step in path] == [[(True, FIRM)]]


def test_paths_lead_through_them(client: TestClient) -> None:
    found = client.get("/paths", params={"source": "Brook Pump", "target": "Dale Pump"}).json()
    (path,) = found["paths"]
    assert [{t["o"] for t in step} for step in path] == [{FIRM}, {FIRM}]


def test_iris_that_nothing_is_known_of_are_told(client: TestClient) -> None:
    for unknown in ("https://pumps.example/nobody", "https://pumps.example/no body", "no://x"):
        assert client.get("/paths", params={"source": "Brook Pump", "target": unknown}).status_code == 404

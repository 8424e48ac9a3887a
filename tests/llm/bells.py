"""Invented bells: an ontology, a document, what a model may say of it, and how it is read with a model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kg.extract import extract
from kg.knowledge_base import KnowledgeBase
from kg.llm.extraction import ModelFacts
from kg.llm.model_client import Client
from kg.model import Claim, Extraction
from kg.ontology import parse
from kg.readers import read
from kg.reports import BuildReport
from kg.settings import LlmSettings, Settings
from kg.text.passages import split

ONTOLOGY = """
@prefix : <https://bells.example/> .
@prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Bell a owl:Class ; rdfs:label "bell" ; kg:namePattern "\\\\b(Tom|Mary|Gabriel)$" .
:Founder a owl:Class ; rdfs:label "bell founder" ; owl:disjointWith :Bell, :Tower .
:Tower a owl:Class ; rdfs:label "tower" ; kg:namePattern "\\\\bTower$" ; owl:disjointWith :Bell .
:castBy a owl:ObjectProperty ; rdfs:label "cast by" ; skos:definition "who cast it" ; rdfs:domain :Bell ;
    rdfs:range :Founder ; kg:phrase "{subject} was cast by {object}" .
:hangsIn a owl:ObjectProperty ; rdfs:label "hangs in" ; rdfs:domain :Bell ; rdfs:range :Tower .
:mass a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "mass" ; rdfs:domain :Bell ;
    rdfs:range xsd:decimal ; kg:canonicalUnit unit:KiloGM ; kg:phrase "{subject} weighs {object}" .
:castOn a owl:DatatypeProperty ; rdfs:label "cast on" ; rdfs:domain :Bell ; rdfs:range xsd:date .
:motto a owl:DatatypeProperty ; rdfs:label "motto" ; rdfs:domain :Bell ; rdfs:range xsd:string .
"""
DOCUMENT = """# Bells of Orrin

## Great Tom

Great Tom was cast by Ada Velt. Her foundry poured the  metal for
Great Tom on 4 May 1731. Great Tom weighs 5.2 t. It probably came to rest in North Tower after a fire.
The rim reads "I call the tide", and Great Tom was never recast at Hollin Works.
Nobody has heard Great Tom ring from Saint Odo Tower.

| Bell | Mass |
|---|---|
| Old Mary | 900 kg |
"""
EX = "https://bells.example/"


def fact(subject: str, name: str, value: str, quote: str) -> dict[str, str]:
    return {"subject": subject, "property": name, "object": value, "quote": quote}


POURED = "Her foundry poured the metal for Great Tom on 4 May 1731."
CAST = fact("Great Tom", "castOn", "4 May 1731", POURED)


def said(*facts: object) -> str:
    return json.dumps({"facts": list(facts)})


class Built:
    """A knowledge base built with the model, and its report."""

    def __init__(self, folder: Path, llm: LlmSettings | None, document: str = DOCUMENT) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "bells.ttl").write_text(ONTOLOGY, encoding="utf-8")
        (folder / "docs").mkdir(exist_ok=True)
        (folder / "docs" / "bells.md").write_text(document, encoding="utf-8")
        build = {"ontology": (folder / "bells.ttl",)}
        self.settings = Settings(build=build, llm=llm or LlmSettings())
        self.folder = folder
        self.report: BuildReport = KnowledgeBase.build(folder / "kb", [folder / "docs"], self.settings)

    def claims(self) -> list[Claim]:
        with KnowledgeBase.open(self.folder / "kb", self.settings) as kb:
            return list(kb.snapshot.record("bells.md").extraction.claims)

    def by_model(self) -> list[Claim]:
        return [c for c in self.claims() if any(n.startswith("llm ") for n in c.extractors)]

    def dropped(self) -> Counter[str]:
        with KnowledgeBase.open(self.folder / "kb", self.settings) as kb:
            rejected = kb.snapshot.record("bells.md").extraction.rejected
        return Counter(r.reason for r in rejected if r.extractor.startswith("llm "))


@dataclass(frozen=True)
class Found:
    """What is found in one document, with the model's part in it."""

    extraction: Extraction

    def by_model(self) -> list[Claim]:
        return [c for c in self.extraction.claims if any(n.startswith("llm ") for n in c.extractors)]

    def dropped(self) -> Counter[str]:
        return Counter(r.reason for r in self.extraction.rejected if r.extractor.startswith("llm "))


def reading(llm: LlmSettings | None, text: str = DOCUMENT) -> Found:
    """A document read by the rules and, given settings, by a model."""
    document = read(text.encode("utf-8", "surrogatepass"), "bells.md")
    model = ModelFacts(Client(llm), llm) if llm else None
    ontology = parse([("bells.ttl", ONTOLOGY.encode())])
    found = extract(document, "bells.md", split(document, "bells.md"), ontology, (model,) if model else ())
    assert model is None or not model.warnings()
    for claim in found.claims:
        assert all(document.text[e.start : e.end] == e.exact for e in claim.evidence)
    return Found(found)

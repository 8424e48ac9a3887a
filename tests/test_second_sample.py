"""The second sample, of mountain railways: sound in itself, and of use with its ontology and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.evaluation.questions import load_questions, score, summarise
from kg.knowledge_base import KnowledgeBase
from kg.ontology import OntologyClass, OntologyProperty, load
from kg.readers import read
from kg.settings import Settings
from kg.text import units

from .conftest import REPOSITORY

SAMPLE = REPOSITORY / "docs" / "samples" / "mountain-railways"
DOCUMENTS = SAMPLE / "documents"
ONTOLOGY = load([SAMPLE / "ontology.ttl"])
QUESTIONS = load_questions(SAMPLE / "questions.jsonl")
RAIL = "https://w3id.org/citegraph/samples/railways#"
NAMES = """PREFIX ent: <https://w3id.org/citegraph/id/entity/>
PREFIX rail: <https://w3id.org/citegraph/samples/railways#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""


def built(folder: Path, ontology: tuple[Path, ...]) -> KnowledgeBase:
    kb = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ontology}))
    assert kb.add([DOCUMENTS]).failed == ()
    return kb


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return built(tmp_path_factory.mktemp("with"), (SAMPLE / "ontology.ttl",))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return built(tmp_path_factory.mktemp("without"), ())


def values(kb: KnowledgeBase, pattern: str) -> list[str]:
    """The bindings of ``?x`` in a graph pattern, sorted."""
    return sorted(row["x"].value for row in kb.query(f"{NAMES} SELECT ?x WHERE {{ {pattern} }}"))


def test_six_documents_in_six_formats() -> None:
    assert sorted(p.suffix for p in DOCUMENTS.iterdir()) == [".csv", ".docx", ".html", ".md", ".pdf", ".txt"]


def test_forty_questions_about_a_quarter_without_an_answer() -> None:
    assert len(QUESTIONS) == len({q["id"] for q in QUESTIONS}) == 40
    unanswerable = [q for q in QUESTIONS if q["type"] == "unanswerable"]
    assert len(unanswerable) == 10
    assert {q["reason"] for q in unanswerable} == {"unknown_entity", "unknown_relation", "no_evidence"}
    assert all(not q["answers"] and not q["docs"] for q in unanswerable)
    assert len({q["type"] for q in QUESTIONS}) >= 10


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q["answers"]], ids=lambda q: str(q["id"]))
def test_evidence_stands_in_the_documents_named(question: dict[str, Any]) -> None:
    texts = [read((DOCUMENTS / name).read_bytes(), name).text for name in question["docs"]]
    plain = " ".join(" ".join(text.replace("**", "").split()) for text in texts)
    for evidence in question["evidence"]:
        assert evidence.replace("**", "") in plain or all(cell in plain for cell in evidence.strip("| ").split(" | "))


def test_every_term_of_the_ontology_is_described() -> None:
    assert 10 <= len(ONTOLOGY.classes) <= 20
    assert 30 <= len(ONTOLOGY.properties) <= 50
    terms: list[OntologyClass | OntologyProperty] = [*ONTOLOGY.classes.values(), *ONTOLOGY.properties.values()]
    for term in terms:
        assert term.iri.startswith(RAIL)
        assert term.label and term.alt_labels and term.definition.endswith(".")
    for property_ in ONTOLOGY.properties.values():
        assert property_.domains and set(property_.domains) <= set(ONTOLOGY.classes)
        assert set(property_.ranges) <= set(ONTOLOGY.classes)
        assert len(property_.phrases) >= 2 and len(property_.examples) == 2
        assert not property_.canonical_unit or units.known(property_.canonical_unit)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("ent:kranzberg-line rail:length ?x", ["11.8"]),
        ("ent:lauter-funicular rail:length ?x", ["0.64"]),
        ("ent:hohenspitz-railway rail:openingDate ?x", ["1898-06-14"]),
        ("ent:lauter-funicular rail:openingDate ?x", ["1911-05"]),
        ("ent:sattel-railway rail:ticketPrice ?x", ["29", "31"]),
        ("?l rail:builder/rdfs:label 'Alpina' ; rdfs:label ?x", ["Locomotive 11", "Locomotive 12", "Locomotive 9"]),
        ("?r rail:engineer/rdfs:label 'Emil Brandt' ; rdfs:label ?x", ["Hohenspitz Railway", "Kranzberg Line"]),
        ("ent:emil-brandt rail:birthDate ?x", ["1859"]),
        ("ent:hohenspitz-railway rail:speed ?x", ["12"]),
        ("ent:lauter-funicular rail:staffCount ?x", ["12"]),
        ("ent:hohenspitz-railway rail:revenue ?x", ["9400000"]),
        ("ent:sattel-railway rail:passengerCount ?x", []),
    ],
)
def test_facts_with_the_ontology(kb: KnowledgeBase, pattern: str, expected: list[str]) -> None:
    assert values(kb, pattern) == expected


def test_facts_without_an_ontology_go_to_open_properties(bare: KnowledgeBase) -> None:
    labelled = "?p rdfs:label 'Length' . ent:kranzberg-line ?p ?x"
    assert values(bare, labelled) == ["11.8"]
    assert values(bare, "?s rail:length ?x") == []


@pytest.mark.long
def test_questions_are_answered_better_with_the_ontology(kb: KnowledgeBase, bare: KnowledgeBase) -> None:
    # Floors somewhat below the figures in the sample's README.
    with_it, without = (summarise(score(QUESTIONS, k.ask)).shares for k in (kb, bare))
    assert with_it["right"] >= 0.6
    assert without["right"] >= 0.4
    assert with_it["right"] >= without["right"]

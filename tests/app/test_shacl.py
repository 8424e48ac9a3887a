"""Graphs against shapes: the vocabulary's, the sample domain's, and an ontology's own."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.app.check import validate, violations
from kg.errors import BadOntology
from kg.ontology import Ontology, parse, vocabulary
from tests.conftest import REPOSITORY

PREFIXES = """@prefix : <http://example.org/b#> . @prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix ai: <https://w3id.org/citegraph/ai#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
GRAPH = """
:d a kg:Document ; kg:name "b.md" ; dcterms:title "Bread" ; dcterms:format "text/markdown" ; kg:contentHash "HASH" .
:p a kg:Passage ; dcterms:isPartOf :d ; kg:text "Rye weighs 750 g." ; kg:start 0 ; kg:end 17 ; kg:order 0 .
:e a kg:Evidence ; kg:role kg:subjectRole ; kg:start 0 ; kg:end 3 ; kg:exact "Rye" .
:x a kg:Extractor ; rdfs:label "patterns" .
:c a kg:Claim ; rdf:subject :rye ; rdf:predicate :weight ; rdf:object 750 ; prov:wasDerivedFrom :p ; kg:evidence :e ;
    kg:extractor :x ; kg:confidence 0.9 ; kg:status kg:stated ; kg:polarity kg:affirmed ; kg:mood kg:factual ;
    kg:asserted true ; kg:quote "Rye weighs 750 g." ; kg:quoteStart 0 ; kg:quoteEnd 17 ; kg:statedValue "750 g" ;
    kg:lowerValue 750 ; kg:upperValue 750 ; kg:approximate false .
""".replace("HASH", "0" * 64)
SHAPES = [vocabulary("kg-shapes.ttl")]


def triples(turtle: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)]


def test_a_sound_graph_conforms() -> None:
    report = validate(triples(GRAPH), SHAPES)
    assert report == []


@pytest.mark.parametrize(
    ("old", "new", "focus", "path"),
    [
        ("kg:end 17", "kg:end 0", "p", "start"),
        ('kg:text "Rye weighs 750 g." ;', "", "p", "text"),
        ("kg:role kg:subjectRole", "kg:role kg:stated", "e", "role"),
        ("kg:confidence 0.9", "kg:confidence 1.2", "c", "confidence"),
        ("kg:confidence 0.9", 'kg:confidence "high"', "c", "confidence"),
        ("kg:status kg:stated", "kg:status kg:negated", "c", "status"),
        ("kg:evidence :e", "kg:evidence :d", "c", "evidence"),
        ("kg:upperValue 750", "kg:upperValue 700", "c", "lowerValue"),
        ("prov:wasDerivedFrom :p", "prov:wasDerivedFrom :p , :d", "c", "wasDerivedFrom"),
        ("rdf:object 750 ;", "", "c", ""),  # asserted without a value
        ("kg:status kg:stated", "kg:status kg:undisclosed", "c", ""),  # nothing to assert
        ("kg:polarity kg:affirmed", "kg:polarity kg:negated", "c", ""),
        ("0" * 64, "0" * 63, "d", "contentHash"),
    ],
)
def test_what_breaks_a_shape_is_reported(old: str, new: str, focus: str, path: str) -> None:
    assert old in GRAPH
    report = validate(triples(GRAPH.replace(old, new)), SHAPES)
    assert report
    assert {(v.focus, v.path.rsplit("#", 1)[-1].rsplit("/", 1)[-1]) for v in report} == {
        (f"http://example.org/b#{focus}", path)
    }
    assert all(v.message and v.severity == "Violation" for v in report)
    assert report == sorted(report)


def test_a_guess_that_is_only_a_claim_conforms() -> None:
    guess = GRAPH.replace("kg:status kg:stated", "kg:status kg:guessed").replace(
        "kg:asserted true", "kg:asserted false"
    )
    assert validate(triples(guess), SHAPES) == []


def test_the_sample_domain() -> None:
    shapes = [(REPOSITORY / "ontology" / "ai-infrastructure-shapes.ttl").read_bytes()]
    good = ":m a ai:Model ; ai:parameterCount 7 ; ai:trainingCost 1.5 ; ai:trainingStart '2020-02'^^xsd:gYearMonth ."
    assert validate(triples(good), shapes) == []
    bad = validate(
        triples(":m a ai:Model , ai:Person ; ai:parameterCount 0 ; ai:utilisation 130 ; ai:developer 'Bo' ."), shapes
    )
    assert [(v.path.rsplit("#", 1)[-1], v.severity) for v in bad] == [
        ("", "Warning"),
        ("developer", "Violation"),
        ("parameterCount", "Violation"),
        ("utilisation", "Violation"),
    ]


class Store:
    """As much of a store as the check reads: the default graph."""

    def __init__(self, turtle: str) -> None:
        self._store = ox.Store()
        self._store.extend(ox.Quad(t.subject, t.predicate, t.object) for t in triples(turtle))
        self._store.add(
            ox.Quad(ox.NamedNode("http://e/s"), ox.NamedNode("http://e/p"), ox.Literal("x"), ox.NamedNode("http://e/g"))
        )

    def quads(self, graph: ox.NamedNode | ox.DefaultGraph | None = None) -> list[ox.Quad]:
        return list(self._store.quads_for_pattern(None, None, None, graph))


def test_a_knowledge_base_is_checked_by_the_vocabularys_shapes_and_the_ontologys() -> None:
    assert violations(Store(GRAPH), Ontology.empty()) == []  # type: ignore[arg-type]
    path = "sh:path [ sh:inversePath rdf:subject ]"
    shape = f":S a sh:NodeShape ; sh:targetNode :rye ; sh:property [ {path} ; sh:maxCount 0 ] ."
    own = parse([("own.ttl", (PREFIXES + shape).encode())])
    (line,) = violations(Store(GRAPH), own)  # type: ignore[arg-type]
    assert line.startswith("http://example.org/b#rye ") and "0" in line


def test_shapes_that_are_none_are_refused() -> None:
    with pytest.raises(BadOntology, match="don't parse"):
        validate([], ["this is not Turtle"])
    with pytest.raises(BadOntology, match="can't be used"):
        validate(
            triples(GRAPH), [PREFIXES + ":S a sh:NodeShape ; sh:targetClass kg:Claim ; sh:property [ sh:minCount 1 ] ."]
        )


def test_the_checkouts_file_is_the_packages() -> None:
    assert vocabulary("kg-shapes.ttl") == (Path(REPOSITORY) / "ontology" / "kg-shapes.ttl").read_bytes()

from __future__ import annotations

from decimal import Decimal

import pytest

from kg.extract.build import declared
from kg.model import EntityName, EventName, Predicate, Quantity, Text, Value
from kg.ontology import Ontology, parse

EX = "https://harbour.example/"
HARBOUR = parse(
    [
        (
            "harbour.ttl",
            b"""@prefix : <https://harbour.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Ship a owl:Class ; rdfs:label "ship" ; owl:disjointWith :Pier . :Pier a owl:Class ; rdfs:label "pier" .
:Voyage a owl:Class ; rdfs:label "voyage" ; owl:disjointWith :Ship , :Pier .
:remark a owl:DatatypeProperty ; rdfs:label "remark" ; skos:altLabel "description" ; rdfs:domain :Ship ;
    rdfs:range xsd:string .
:happened a owl:ObjectProperty ; rdfs:label "event" ; rdfs:range :Voyage .
""",
        )
    ]
)
SHIP, PIER = EntityName("Gull", (EX + "Ship",)), EntityName("Pier 4", (EX + "Pier",))
VOYAGE = EventName(EX + "Voyage", "First voyage", (), "1931", "", "")


@pytest.mark.parametrize(
    ("word", "subject", "value", "iri"),
    [
        ("description", SHIP, Text("a red trawler"), EX + "remark"),
        ("description", EntityName("Gull"), Text("a red trawler"), EX + "remark"),
        ("description", SHIP, SHIP, EX + "remark"),
        ("Event", SHIP, VOYAGE, EX + "happened"),
        ("event", SHIP, EventName("https://other.example/Happening", "Launch", (), "1931", "", ""), EX + "happened"),
        ("description", PIER, Text("made of oak"), ""),
        ("description", SHIP, Quantity("3", Decimal(3), Decimal(3)), ""),
        ("event", SHIP, PIER, ""),
        ("event", SHIP, Text("Launch"), ""),
        ("detail", SHIP, Text("a red trawler"), ""),
        ("remark", SHIP, Text("a red trawler"), ""),
    ],
)
def test_a_declared_property_is_taken_where_it_fits(word: str, subject: EntityName, value: Value, iri: str) -> None:
    assert declared(HARBOUR, Predicate(word), subject, value).iri == iri
    assert declared(Ontology.empty(), Predicate(word), subject, value) == Predicate(word)


def test_a_predicate_that_is_declared_stays() -> None:
    known = Predicate("description", EX + "other")
    assert declared(HARBOUR, known, SHIP, Text("a red trawler")) is known

"""How far values are apart; times that two dates span; values that hang on nodes of their own; dates in full."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.semantics.graph import whole_years
from kg.semantics.sparql import between
from tests.semantics.world import answers, graph, parser

TRIPS = """
@prefix : <http://example.com/trips/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Balloon a owl:Class ; rdfs:label "balloon" . :Flight a owl:Class ; rdfs:label "flight" .
:Pilot a owl:Class ; rdfs:label "pilot" .
:volume a owl:ObjectProperty ; rdfs:label "volume" ; rdfs:domain :Balloon .
:value a owl:DatatypeProperty ; rdfs:label "value" . :unit a owl:DatatypeProperty ; rdfs:label "unit" .
:pilot a owl:ObjectProperty ; rdfs:label "pilot" ; rdfs:range :Pilot .
:begin a owl:DatatypeProperty ; rdfs:label "take-off date" . :end a owl:DatatypeProperty ; rdfs:label "landing date" .
:born a owl:DatatypeProperty ; rdfs:label "date of birth" . :died a owl:DatatypeProperty ; rdfs:label "date of death" .
:speaks a owl:DatatypeProperty ; rdfs:label "speaks" .
:b1 a :Balloon ; rdfs:label "Cirrus" ; :volume [ :value 9000 ; :unit "m3" ] .
:b2 a :Balloon ; rdfs:label "Nimbus" ; :volume [ :value 3000 ; :unit "m3" ] .
:b3 a :Balloon ; rdfs:label "Stratus" ; :volume [ :value 4500 ; :unit "m3" ] .
:p1 a :Pilot ; rdfs:label "Ada Roe" ; :born "1901-05-06"^^xsd:date ; :died "1980-05-05"^^xsd:date ; :speaks "Dutch" .
:p2 a :Pilot ; rdfs:label "Ben Foy" ; :born "1911-05-06"^^xsd:date ; :speaks "Dutch" , "Polish" .
:f1 a :Flight ; rdfs:label "Flight One" ; :pilot :p1 ; :begin "1931-06-01"^^xsd:date ; :end "1931-06-04"^^xsd:date .
:f2 a :Flight ; rdfs:label "Flight Two" ; :pilot :p2 ; :begin "1936-03-10"^^xsd:date ; :end "1936-03-31"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the volume of the Cirrus?", ["9000"]),
        ("Which balloon has the smallest volume?", ["Nimbus"]),
        ("By how much is the Cirrus larger than the Nimbus?", ["6000"]),
        ("What is the difference in volume between the Stratus and the Nimbus?", ["1500"]),
        ("How many times as large is the Cirrus as the Nimbus?", ["3"]),
        ("By how much is the Nimbus larger than the Cirrus?", None),  # it isn't
        ("How many days did Flight Two take?", ["21"]),
        ("Which flight was the longest?", ["Flight Two"]),
        ("How old was Ada Roe when she died?", ["78"]),
        ("How many years after Ada Roe was Ben Foy born?", ["10"]),
        ("Which flights began before 2 January 1935?", ["Flight One"]),
        ("Which pilots speak both Dutch and Polish?", ["Ben Foy"]),
        ("Which pilots have no date of death?", ["Ben Foy"]),
    ],
)
def test_answers(question: str, expected: list[str] | None) -> None:
    assert answers(question, TRIPS) == expected


def test_what_a_question_takes_for_granted_is_declined() -> None:
    parse = parser(TRIPS).parse("What is the date of death of Ben Foy?")
    assert (parse.rows, parse.reason) == (None, "no_evidence")
    assert parse.explanation == "the graph holds no “date of death” of Ben Foy"


def test_whole_years() -> None:
    assert whole_years("1901-05-06", "1980-05-05") == 78
    assert whole_years("1901-05-06", "1980-05-06") == 79
    assert whole_years("1988", "2001") == 13


@pytest.mark.parametrize(
    ("start", "end", "unit", "expected"),
    [
        ("2024-01-05", "2024-01-19", "days", "14"),
        ("2024-01-05", "2024-01-05", "days", "0"),
        ("2024-01-05T10:00:00", "2024-01-19T02:00:00", "weeks", "2"),
        ("2023-12-18", "2024-02-17", "months", "1"),
        ("1922-01-09", "1999-01-08", "years", "76"),
    ],
)
def test_the_expression_for_a_time_between(start: str, end: str, unit: str, expected: str) -> None:
    query = "SELECT (" + between(f'"{start}"', f'"{end}"', unit) + " AS ?n) {}"
    rows = list(ox.Store().query(query))  # type: ignore[arg-type, var-annotated]
    assert rows[0][0].value == expected


def test_computed_spans_and_the_graph_agree() -> None:
    known = graph(TRIPS)
    spans = [p for p in known.properties.values() if p.is_span]
    assert sorted(len(known.out[p.id]) for p in spans) == [1, 2]

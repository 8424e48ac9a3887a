"""Nodes that tie several things together, kinds that are things, and names said in other words than a graph has."""

from __future__ import annotations

import pytest

from tests.semantics.world import answers

ISLES = """
@prefix : <http://example.com/isles/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Isle a owl:Class ; rdfs:label "isle" . :Club a owl:Class ; rdfs:label "club" . :Coin a owl:Class ; rdfs:label "coin" .
:Person a owl:Class ; rdfs:label "person" . :Harbour a owl:Class ; rdfs:label "harbour" .
:Crossing a owl:Class ; rdfs:label "crossing" . :CoinUse a owl:Class ; rdfs:label "coin use" .
:dwellers a owl:DatatypeProperty ; rdfs:label "population" . :member a owl:ObjectProperty ; rdfs:label "member of" .
:tender a owl:ObjectProperty ; rdfs:label "legal tender" . :cents a owl:DatatypeProperty ; rdfs:label "decimals" .
:sea a owl:ObjectProperty ; rdfs:label "sea" . :in a owl:ObjectProperty ; rdfs:label "lies on" .
:sort a owl:ObjectProperty ; rdfs:label "sort" . :debt a owl:ObjectProperty ; rdfs:label "debt" .
:lender a owl:ObjectProperty ; rdfs:label "lender" . :sum a owl:DatatypeProperty ; rdfs:label "sum" .
:lighthouse a owl:DatatypeProperty ; rdfs:label "lighthouse" . :last a owl:ObjectProperty ; rdfs:label "last crossing" .
:day a owl:DatatypeProperty ; rdfs:label "date" . :rower a owl:ObjectProperty ; rdfs:label "rower" .
:north a :Sea ; rdfs:label "North Sound" . :Sea a owl:Class ; rdfs:label "sea" .
:cu a :Club ; rdfs:label "Corval Union" . :crown a :Coin ; rdfs:label "Crown of Vell" ; :cents 0 .
:pence a :Coin ; rdfs:label "Silver Penny" ; :cents 2 . :groat a :Coin ; rdfs:label "Silver Groat" ; :cents 0 .
:vell a :Isle ; rdfs:label "Vellia" ; :dwellers 30000000 ; :member :cu ; :tender :crown ; :sea :north ;
  :lighthouse "Old Tom" ; :last [ :day "1931-05-06"^^xsd:date ; :rower :ada ] .
:dorn a :Isle ; rdfs:label "South Dorna" ; :dwellers 2000000 ; :tender :crown ;
  :last [ :day "1936-02-01"^^xsd:date ; :rower :ben ] ;
  :debt [ :lender :vell ; :sum 70 ] , [ :lender :orn ; :sum 20 ] .
:orn a :Isle ; rdfs:label "Ornay" ; :dwellers 12 ; :member :cu ; :tender :pence .
:ada a :Person ; rdfs:label "Ada Roe" . :ben a :Person ; rdfs:label "Ben Foy" .
:quay a :Sort ; rdfs:label "quay" . :Sort a owl:Class ; rdfs:label "sort of harbour" .
:h1 a :Harbour ; rdfs:label "East Side" ; :sort :quay ; :in :vell .
:h2 a :Harbour ; rdfs:label "Gull" ; :sort :quay ; :in :vell .
:h3 a :Harbour ; rdfs:label "Sand" ; :sort :quay ; :in :dorn .
:h4 a :Harbour ; rdfs:label "Tern" ; :sort :quay ; :in :dorn .
:h5 a :Harbour ; rdfs:label "Wick" ; :sort :quay ; :in :orn . :h6 a :Harbour ; rdfs:label "Yarl" ; :in :vell .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which isles are Corval Union members?", ["Ornay", "Vellia"]),
        ("Which isles are in the CU?", ["Ornay", "Vellia"]),
        ("What is the legal tender of the Vellians?", ["Crown of Vell"]),
        ("What is the South Dornan population?", ["2000000"]),
        ("Which isles have more than 20 million people?", ["Vellia"]),
        ("Which isles have the Penny Silver as legal tender?", ["Ornay"]),
        ("What is the light house of Vellia?", ["Old Tom"]),
        ("How many people are there?", ["2"]),
        ("Name the quays of Vellia.", ["East Side", "Gull"]),
        ("Which coins have the word silver in their name?", ["Silver Groat", "Silver Penny"]),
        ("Which coins have no decimals?", ["Crown of Vell", "Silver Groat"]),
        ("By how much does Vellia's population exceed that of South Dorna?", ["28000000"]),
        ("What percentage of isles have the Crown of Vell as legal tender?", ["66.666666666666666666"]),
        ("Which lender has South Dorna debt with?", ["Ornay", "Vellia"]),
        ("When was the last crossing of South Dorna?", ["1936-02-01"]),
        ("Who made the last crossing of Vellia?", ["Ada Roe"]),
    ],
)
def test_answers(question: str, expected: list[str] | None) -> None:
    assert answers(question, ISLES) == expected

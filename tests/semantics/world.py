"""An invented world for the tests: ships, their harbours, captains and seas; and a shop's orders, for tables."""

from __future__ import annotations

from functools import cache

import pyoxigraph as ox

from kg.indexes.embedding import OnnxEncoder
from kg.semantics.engine import SemanticParser
from kg.semantics.graph import Graph
from kg.semantics.logic import Bound
from kg.semantics.operators import bounds_at

PREFIXES = """
@prefix : <http://example.com/ships/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
SHIPS = (
    PREFIXES
    + """
:Ship a owl:Class ; rdfs:label "ship" .
:Ferry a owl:Class ; rdfs:label "ferry" ; rdfs:subClassOf :Ship .
:Harbour a owl:Class ; rdfs:label "harbour" .
:Captain a owl:Class ; rdfs:label "captain" .
:Sea a owl:Class ; rdfs:label "sea" .
:registeredIn a owl:ObjectProperty ; rdfs:label "registered in" ; rdfs:domain :Ship ; rdfs:range :Harbour .
:commandedBy a owl:ObjectProperty ; rdfs:label "commanded by" ; rdfs:domain :Ship ; rdfs:range :Captain .
:birthplace a owl:ObjectProperty ; rdfs:label "birthplace" ; rdfs:domain :Captain ; rdfs:range :Harbour .
:liesOn a owl:ObjectProperty ; rdfs:label "lies on" ; rdfs:domain :Harbour ; rdfs:range :Sea .
:mentor a owl:ObjectProperty ; rdfs:label "mentor" ; rdfs:domain :Captain ; rdfs:range :Captain .
:tonnage a owl:DatatypeProperty ; rdfs:label "tonnage" ; rdfs:domain :Ship ; rdfs:range xsd:integer .
:length a owl:DatatypeProperty ; rdfs:label "length" ; rdfs:domain :Ship ; rdfs:range xsd:double .
:launched a owl:DatatypeProperty ; rdfs:label "launch date" ; rdfs:domain :Ship ; rdfs:range xsd:date .
:depth a owl:DatatypeProperty ; rdfs:label "depth" ; rdfs:domain :Sea ; rdfs:range xsd:integer .
:inhabitants a owl:DatatypeProperty ; rdfs:label "population" ; rdfs:domain :Harbour ; rdfs:range xsd:integer .
:brine a :Sea ; rdfs:label "Brine Sea" ; :depth 900 .
:amber a :Sea ; rdfs:label "Amber Sea" ; :depth 300 .
:veldport a :Harbour ; rdfs:label "Veldport" ; :liesOn :brine ; :inhabitants 52000 .
:oskar a :Harbour ; rdfs:label "Oskarhaven" ; :liesOn :brine ; :inhabitants 8000 .
:lume a :Harbour ; rdfs:label "Lume" ; :liesOn :amber ; :inhabitants 120000 .
:quill a :Harbour ; rdfs:label "Quill" ; :liesOn :amber ; :inhabitants 700 .
:ada a :Captain ; rdfs:label "Ada Thorne" ; :birthplace :lume .
:bo a :Captain ; rdfs:label "Bo Larkin" ; :birthplace :veldport ; :mentor :ada .
:cy a :Captain ; rdfs:label "Cy Marsh" ; :birthplace :veldport ; :mentor :bo .
:heron a :Ship ; rdfs:label "Heron" ; :registeredIn :veldport ; :commandedBy :ada ; :tonnage 4000 ; :length 120.5 ;
  :launched "1998-04-02"^^xsd:date .
:osprey a :Ship ; rdfs:label "Osprey" ; :registeredIn :veldport ; :commandedBy :bo ; :tonnage 9000 ; :length 210.0 ;
  :launched "2011-09-30"^^xsd:date .
:tern a :Ferry ; rdfs:label "Tern" ; :registeredIn :lume ; :commandedBy :cy ; :tonnage 1500 ; :length 60.0 ;
  :launched "2019-01-15"^^xsd:date .
:gannet a :Ferry ; rdfs:label "Gannet" ; :registeredIn :oskar ; :commandedBy :cy ; :tonnage 2500 ; :length 80.0 ;
  :launched "2004-06-01"^^xsd:date .
"""
)
SHOP = """
@prefix : <http://example.com/shop/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Customer a owl:Class ; rdfs:label "Customer" .
:Order a owl:Class ; rdfs:label "Order" .
:Invoice a owl:Class ; rdfs:label "Invoice" .
:customerNumber a owl:DatatypeProperty ; rdfs:label "Customer Number" ; rdfs:domain :Customer .
:orderNumber a owl:DatatypeProperty ; rdfs:label "Order Number" ; rdfs:domain :Order .
:orderDate a owl:DatatypeProperty ; rdfs:label "Order Date" ; rdfs:domain :Order .
:freightAmount a owl:DatatypeProperty ; rdfs:label "Freight Amount" ; rdfs:domain :Invoice .
:goodsAmount a owl:DatatypeProperty ; rdfs:label "Goods Amount" ; rdfs:domain :Invoice .
:placedBy a owl:ObjectProperty ; rdfs:label "placed by" ; rdfs:domain :Order ; rdfs:range :Customer .
:bills a owl:ObjectProperty ; rdfs:label "bills" ; rdfs:domain :Invoice ; rdfs:range :Order .
:c1 a :Customer ; :customerNumber "C-1" . :c2 a :Customer ; :customerNumber "C-2" .
:o1 a :Order ; :orderNumber "O-1" ; :orderDate "2020-01-05" ; :placedBy :c1 .
:o2 a :Order ; :orderNumber "O-2" ; :orderDate "2021-03-05" ; :placedBy :c1 .
:o3 a :Order ; :orderNumber "O-3" ; :orderDate "2021-08-05" ; :placedBy :c2 .
:i1 a :Invoice ; :bills :o1 ; :freightAmount 10 ; :goodsAmount 100 .
:i2 a :Invoice ; :bills :o2 ; :freightAmount 20 ; :goodsAmount 200 .
:i3 a :Invoice ; :bills :o3 ; :freightAmount 30 ; :goodsAmount 50 .
"""


def store(turtle: str) -> ox.Store:
    """A store that holds the text's triples."""
    made = ox.Store()
    made.load(turtle.encode(), ox.RdfFormat.TURTLE)
    return made


@cache
def encoder() -> OnnxEncoder:
    """The packaged text encoder."""
    return OnnxEncoder()


@cache
def parser(turtle: str = SHIPS) -> SemanticParser:
    """A parser over the text's triples."""
    return SemanticParser.over(store(turtle), encoder=encoder())


@cache
def graph(turtle: str = SHIPS) -> Graph:
    """The text's triples, indexed."""
    return parser(turtle).graph


def answers(question: str, turtle: str = SHIPS) -> list[str] | None:
    """The answer's rows as names, cells joined by " | ", sorted; None if it is declined."""
    parse = parser(turtle).parse(question)
    if parse.rows is None:
        return None
    known = graph(turtle)
    return sorted(
        " | ".join(known.name(known.ids[t]) if t in known.ids else getattr(t, "value", "") for t in row)
        for row in parse.rows
    )


def dated(*words: str) -> Bound:
    """The date or period that words say."""
    return next(bound for _, bound in bounds_at(words, 0) if bound.date)

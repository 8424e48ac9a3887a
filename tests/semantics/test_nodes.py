"""Nodes that tie several things together, kinds that are things, and names said in other words than a graph has."""

from __future__ import annotations

import re

import pytest

from kg.semantics.logic import Join, Things, Users
from kg.semantics.render import render
from kg.semantics.tallies import _having
from kg.text.tokens import tokens
from tests.semantics.world import answers, graph, parser

ISLES = """
@prefix : <http://example.com/isles/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:code a owl:DatatypeProperty ; rdfs:label "code" .
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
:keeper a owl:ObjectProperty ; rdfs:label "keeper" .
:north a :Sea ; rdfs:label "North Sound" . :Sea a owl:Class ; rdfs:label "sea" .
:cu a :Club ; rdfs:label "Corval Union" . :crown a :Coin ; rdfs:label "Crown of Vell" ; :cents 0 .
:pence a :Coin ; rdfs:label "Silver Penny" ; :cents 2 ; :code "Copper Unit" .
:use a :CoinUse ; rdfs:label "Toll" .
:groat a :Coin ; rdfs:label "Silver Groat" ; :cents 0 .
:vell a :Isle ; rdfs:label "Vellia" ; :dwellers 30000000 ; :member :cu ; :tender :crown ; :sea :north ;
  :lighthouse "Old Tom" ; :last [ :day "1931-05-06"^^xsd:date ; :rower :ada ] .
:dorn a :Isle ; rdfs:label "South Dorna" ; :dwellers 2000000 ; :tender :crown ;
  :last [ :day "1936-02-01"^^xsd:date ; :rower :ben ] ;
  :debt [ :lender :vell ; :sum 70 ; :keeper :ada ] , [ :lender :orn ; :sum 20 ; :keeper :ben ] .
:orn a :Isle ; rdfs:label "Ornay" ; :dwellers 2 ; :member :cu ; :tender :pence .
:ada a :Person ; rdfs:label "Ada Roe" . :ben a :Person ; rdfs:label "Ben Foy" .
:quay a :Sort ; rdfs:label "quay" . :Sort a owl:Class ; rdfs:label "sort of harbour" .
:h1 a :Harbour ; rdfs:label "East Side" ; :sort :quay ; :in :vell .
:h2 a :Harbour ; rdfs:label "Gull" ; :sort :quay ; :in :vell .
:h3 a :Harbour ; rdfs:label "Sand" ; :sort :quay ; :in :dorn .
:h4 a :Harbour ; rdfs:label "Tern" ; :sort :quay ; :in :dorn .
:pier a :Sort ; rdfs:label "pier" . :h7 a :Harbour ; rdfs:label "Eyot" ; :sort :pier ; :in :dorn .
:h8 a :Harbour ; rdfs:label "Fyn" ; :sort :pier ; :in :dorn .
:berths a owl:DatatypeProperty ; rdfs:label "number of berths" . :h1 :berths 9 . :h3 :berths 5 . :h5 :berths 2 .
:h9 a :Harbour ; rdfs:label "Hythe" ; :sort :pier ; :in :dorn .
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
        ("For what percentage of isles is the legal tender the Crown of Vell?", ["66.666666666666666666"]),
        ("What is the most common sort of harbour?", ["quay"]),
        ("What is the most common sort among harbours of South Dorna?", ["pier"]),
        ("What is the most common sort of harbour among the harbours of South Dorna?", ["pier"]),
        ("Which isle has the most harbours?", ["South Dorna"]),
        ("Which lender has South Dorna debt with?", ["Ornay", "Vellia"]),
        ("When was the last crossing of South Dorna?", ["1936-02-01"]),
        ("Who made the last crossing of Vellia?", ["Ada Roe"]),
    ],
)
def test_answers(question: str, expected: list[str] | None) -> None:
    assert answers(question, ISLES) == expected


def leaves(question: str, turtle: str = ISLES) -> set[tuple[str, str, str]]:
    """The words' own readings: category, the words, and what they mean."""
    said = tokens(question)
    known = parser(turtle)
    found = known._linker.items(said)
    return {
        (
            leaf.cat,
            " ".join(t.original for t in said[leaf.start : leaf.end]),
            render(known.graph, leaf.form) if leaf.form is not None else leaf.name,
        )
        for leaf in found
    }


def test_initials_are_a_name_in_capitals_only() -> None:
    assert ("S", "CU", "Corval Union") in leaves("Is Ornay in the CU?")
    assert not any(meaning == "Corval Union" for _, _, meaning in leaves("Is Ornay in the cu?"))
    found = [graph(ISLES).name(i) for named in parser(ISLES).lexicon.acronym("cu") for i in named.ids]
    assert found == ["Corval Union"]  # no text


def test_a_class_by_its_own_name_is_no_other_that_has_it_in_part() -> None:
    found = leaves("Which coins are there?")
    assert ("S", "coins", "every coin") in found
    assert "every coin use" not in {meaning for _, _, meaning in found}
    assert ("S", "coin use", "every coin use") in leaves("Which coin use is it?")


def test_nobody_asks_for_a_node() -> None:
    known = parser(ISLES)
    found = known.candidates("What is the last crossing of Vellia?")
    crossing = next(c for c in found if render(known.graph, c.form) == "“last crossing” of Vellia")
    assert crossing.features["focus"] == 1.0
    best = parser(ISLES).candidates("When was the last crossing of South Dorna?")[0]
    assert best.features["bridge"] == 1.0 and "focus" not in best.features


def test_who_of_a_node_that_may_be_two_is_not_told() -> None:
    known = parser(ISLES)
    debts, crossings = (
        next(p.id for p in known.graph.properties.values() if n in p.names) for n in ("debt", "last crossing")
    )
    assert known._told_of(Join((debts, True), Users((debts, True))), "who") is None  # who lent, or who keeps it
    told = known._told_of(Join((crossings, True), Users((crossings, True))), "who")
    assert told is not None and render(known.graph, told).startswith("“rower” of")


def test_two_that_are_named_are_no_answer() -> None:
    assert parser(ISLES).candidates("Vellia or Ornay?")[0].features["echo"] == 1.0


def test_names_written_otherwise() -> None:
    lexicon, known = parser(ISLES).lexicon, graph(ISLES)
    demonym = lexicon.demonyms(("south", "dornan"))
    assert [[known.name(i) for i in named.ids] for named in demonym] == [["South Dorna"]]
    assert [[known.name(i) for i in named.ids] for named in lexicon.demonyms(("vellians",))] == [["Vellia"]]
    assert lexicon.demonyms(("rower",)) == ()
    assert lexicon.properties(("light", "house"), dense=False)[0].score > 0.9
    assert lexicon.classes(("people",))[0].name == "person"
    turned = lexicon.things(("vell", "crown", "of"))
    assert [known.name(i) for i in turned[0].ids] == ["Crown of Vell"] and turned[0].score < 0.9


def test_a_node_that_ties_things_is_no_quantity() -> None:
    known = graph(ISLES)
    debt = known.iri("http://example.com/isles/debt")
    assert debt is not None and known.properties[debt].kind == "thing"
    measured = re.sub(r":lender :\w+ ; (:sum \d+) ; :keeper :\w+", r":unit :crown ; \1", ISLES)
    metre = ':metre a :Unit ; rdfs:label "metre" . :Unit a owl:Class ; rdfs:label "unit of length" .'
    typed = re.sub(r":lender :\w+ ; (:sum \d+) ; :keeper :\w+", r":of :metre ; \1", ISLES) + metre
    for held in (graph(measured), graph(typed)):
        assert [p.kind for p in held.properties.values() if "debt" in p.names] == ["number"]


def test_two_named_things_meet_in_a_node() -> None:
    met = [render(graph(ISLES), c.form) for c in parser(ISLES).candidates("South Dorna Vellia", 40)]
    assert "“debt” of South Dorna whose “lender” is Vellia" in met
    single = parser(ISLES).candidates("isles Vellia", 40)
    assert not any("debt" in render(graph(ISLES), c.form) and "isle" in c.item.name for c in single)


def test_a_share_of_one_things_values_is_of_these() -> None:
    whole = Join((0, True), Things((7,), "Vellia"))
    assert _having(Things((1,), "x"), whole) == (Things((1,), "x"), whole)


def test_a_bound_is_told_with_its_scale() -> None:
    assert "more than 20 million" in parser(ISLES).parse("Which isles have more than 20 million people?").explanation


def test_a_label_leaves_an_opaque_name_out() -> None:
    known = graph(ISLES.replace(":dwellers", ":P3"))
    assert [p.names for p in known.properties.values() if "population" in p.names] == [("population",)]


def test_what_nobody_named_finds_nothing_is_no_answer() -> None:
    for question in ("Which isles have the Silver Groat?", "How many isles have the Silver Groat?"):
        declined = parser(ISLES).parse(question)
        assert (declined.rows, declined.reason) == (None, "no_evidence")
        assert declined.explanation.endswith("whose “legal tender” is Silver Groat")
    assert answers("Which isles have the Silver Groat as legal tender?", ISLES) == []
    assert answers("How many isles have the Silver Penny?", ISLES) == ["1"]


def test_a_text_that_is_looked_for_in_names() -> None:
    coins = ["Silver Groat", "Silver Penny"]
    for asked in (
        "with silver in their name",
        "that have the word silver in their names",
        "with “silver” in the title",
    ):
        assert answers(f"Which coins are there {asked}?", ISLES) == coins
    assert ("TX", "with silver in their name", "silver") in leaves("Which coins with silver in their name are old?")
    assert ("TX", "word silver in their name", "silver") in leaves("Which coins are by the word silver in their name?")
    assert parser(ISLES).candidates("Which coins have the word in their name?")  # nothing is looked for
    assert not [leaf for leaf in leaves("Which isle has the most coins in its name?") if leaf[0] == "TX"]

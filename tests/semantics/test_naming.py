"""Names that comments and a graph's own properties give."""

from __future__ import annotations

import pytest

from kg.semantics.naming import holds_names, is_opaque, kinds, phrases
from tests.semantics.world import answers, graph


@pytest.mark.parametrize(
    ("comment", "about", "names"),
    [
        ("Weight of the sack in kilograms.", ["sack"], ("weight",)),
        ("Number of hives of the apiary.", ["apiary"], ("number of hives", "hives", "hives number")),
        ("The keeper who tends the hive.", ["hive"], ("keeper", "tends")),
        ("The date on which the hive was inspected.", ["hive"], ("inspected", "inspected date")),
        ("Whether the hive is dormant.", ["hive"], ("dormant",)),
        ("", (), ()),
    ],
)
def test_phrases_of_a_comment(comment: str, about: list[str], names: tuple[str, ...]) -> None:
    assert phrases(comment, about) == names


@pytest.mark.parametrize(
    ("comment", "names"),
    [
        ("A beekeeper of the valley.", ("beekeeper",)),
        ("A hive or other colony that is registered.", ("hive", "colony")),
        ("A member of staff.", ("member of staff", "staff")),
    ],
)
def test_kinds_of_a_comment(comment: str, names: tuple[str, ...]) -> None:
    assert kinds(comment) == names


@pytest.mark.parametrize(
    ("name", "opaque"), [("hv Wgt", True), ("P571", True), ("date of birth", False), ("weight", False)]
)
def test_opaque_names(name: str, opaque: bool) -> None:
    assert is_opaque(name) is opaque


def test_values_that_are_names() -> None:
    assert holds_names(["keeper name"], "", ["Ola Brandt", "Mia Tomm"])
    assert holds_names(["kp Nm"], "Full name of the keeper.", ["Ola Brandt", "Mia Tomm"])
    assert not holds_names(["first name"], "", ["Ola", "Mia"])
    assert not holds_names(["kp Cty"], "The town the keeper lives in.", ["Ulm", "Graz"])
    assert not holds_names(["brand name"], "", ["Ola", "Ola"])


APIARY = """
@prefix a: <http://example.com/apiary#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
a:Kpr a owl:Class ; rdfs:comment "A beekeeper." .
a:Hv a owl:Class ; rdfs:comment "A hive." .
a:kpNm a owl:DatatypeProperty ; rdfs:comment "Full name of the beekeeper." .
a:hvKp a owl:ObjectProperty ; rdfs:comment "The beekeeper who tends the hive." ; rdfs:domain a:Hv ; rdfs:range a:Kpr .
a:hvYld a owl:DatatypeProperty ; rdfs:comment "Yearly yield of honey." ; rdfs:domain a:Hv .
a:hvDrm a owl:DatatypeProperty ; rdfs:comment "Whether the hive is dormant." ; rdfs:domain a:Hv .
a:k1 a a:Kpr ; a:kpNm "Ola Brandt" . a:k2 a a:Kpr ; a:kpNm "Mia Tomm" . a:k3 a a:Kpr ; a:kpNm "Ivo Sand" .
a:h1 a a:Hv ; rdfs:label "Clover" ; a:hvKp a:k1 ; a:hvYld 31 ; a:hvDrm false .
a:h2 a a:Hv ; rdfs:label "Heather" ; a:hvKp a:k1 ; a:hvYld 12 ; a:hvDrm true .
a:h3 a a:Hv ; rdfs:label "Linden" ; a:hvKp a:k2 ; a:hvYld 24 ; a:hvDrm false .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who tends Heather?", ["Ola Brandt"]),
        ("Which hives does Ola Brandt tend?", ["Clover", "Heather"]),
        ("What is the yearly yield of the Linden?", ["24"]),
        ("Is Heather dormant?", ["true"]),
        ("Is Clover dormant?", ["false"]),
        ("Which hives are dormant?", ["Heather"]),
        ("Which beekeepers have no hive?", ["Ivo Sand"]),
        ("What is the vintage of Clover?", None),
    ],
)
def test_a_graph_whose_names_say_nothing(question: str, expected: list[str] | None) -> None:
    assert answers(question, APIARY) == expected


def test_people_are_shown_by_their_names() -> None:
    known = graph(APIARY)
    keeper = known.iri("http://example.com/apiary#k1")
    assert keeper is not None
    assert known.name(keeper) == "Ola Brandt"

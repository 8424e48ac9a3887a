"""Which phrases of an ontology are tried on a text: those of which every telling word stands in it in some form."""

from __future__ import annotations

import pytest

from kg.extract.phrases import phrases_in, phrases_of
from kg.ontology import Ontology
from tests.extract.reading import ontology


@pytest.fixture(scope="module")
def sea() -> Ontology:
    return ontology("""
    :builder a owl:ObjectProperty ; rdfs:label "builder" ; kg:phrase "{subject} was built by {object}" .
    :runs a owl:ObjectProperty ; rdfs:label "runs on" ; kg:phrase "{subject} runs on {object}" .
    :keeper a owl:ObjectProperty ; rdfs:label "keeper" ; kg:phrase "{object} is the head keeper of {subject}" .
    :planned a owl:ObjectProperty ; rdfs:label "planned by" ; kg:phrase "{subject} was planned with {object}" .
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Wren BUILDS lights.", {"builder"}),
        ("It was co-built.", {"builder"}),
        ("Ran on paraffin, running on oil.", {"runs"}),
        ("Corran Light's head keeper.", {"keeper"}),
        ("The keepers of the light.", set()),
        ("They headed home; no keeper stayed.", {"keeper"}),
        ("Planning it took a year.", {"planned"}),
        ("A rebuilt overrun.", set()),
        ("", set()),
    ],
)
def test_phrases_by_their_words(sea: Ontology, text: str, expected: set[str]) -> None:
    assert {phrase.iri.rpartition("#")[2].rpartition("/")[2] for phrase in phrases_in(sea, text)} == expected


def test_phrases_keep_their_order(sea: Ontology) -> None:
    found = phrases_in(sea, "Corran's head keeper planned, built and ran it.")
    assert found == list(phrases_of(sea))

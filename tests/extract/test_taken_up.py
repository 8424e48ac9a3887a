"""What a sentence leaves to the one before: an item's own name, and "the company" for what was just founded."""

from __future__ import annotations

import pytest

from kg.ontology import Ontology
from tests.extract.reading import facts, ontology


@pytest.fixture(scope="module")
def sea() -> Ontology:
    return ontology("""
    :Body a owl:Class ; rdfs:label "organisation" . :Person a owl:Class ; rdfs:label "person" .
    :Firm a owl:Class ; rdfs:subClassOf :Body ; rdfs:label "company" .
    :Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^(?:Orr|Kappa)-[0-9]$" .
    :Harbour a owl:Class ; rdfs:label "harbour" ; skos:altLabel "port" .
    :kiel a :Harbour ; rdfs:label "Kiel" . :lund a :Harbour ; rdfs:label "Lund" .
    :ada a :Person ; rdfs:label "Ada Wren" . :bo a :Person ; rdfs:label "Bo Ray" .
    :founder a owl:ObjectProperty ; rdfs:label "founder" ; rdfs:domain :Body ; rdfs:range :Person ;
      kg:phrase "{subject} was founded by {object}" .
    :painter a owl:ObjectProperty ; rdfs:label "painter" ; rdfs:domain :Body , :Harbour , :Lamp ;
      rdfs:range :Person ; kg:phrase "{subject} was painted by {object}" .
    :place a owl:ObjectProperty ; rdfs:label "place" ; rdfs:range :Harbour ;
      kg:phrase "{subject} works from {object}" , "{subject} to … lamps in {object}" .
    :fits a owl:ObjectProperty ; rdfs:label "spare for" ; rdfs:domain :Lamp ; rdfs:range :Lamp ;
      kg:phrase "{subject} became the spare for {object}" .
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SkarLund was founded by Ada Wren. The company works from Kiel.", ("SkarLund", "place", "Kiel")),
        ("- **Orr-3** for big towers, painted green. Also became the spare for Kappa-4.", ("Orr-3", "fits", "Kappa-4")),
        ("- **Kappa-4** is white. Later became the spare for Orr-3.", ("Kappa-4", "fits", "Orr-3")),
        ("Ada Wren brought SkarLund to 1,200+ small lamps in Kiel.", ("SkarLund", "place", "Kiel")),
    ],
)
def test_what_a_sentence_takes_up(sea: Ontology, text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(f"# Notes\n\n{text}\n", known=sea)


@pytest.mark.parametrize(
    "text",
    [
        "SkarLund was painted by Ada Wren. The company works from Kiel.",  # it may be a boat
        "SkarLund was founded by Ada Wren. The lamp works from Kiel.",
        "SkarLund was founded by Ada Wren. TornVik burns oil. The company works from Kiel.",
        "SkarLund was founded by Ada Wren. Another company works from Kiel.",
    ],
)
def test_a_noun_takes_up_only_what_was_told_to_be_such(sea: Ontology, text: str) -> None:
    assert not {f for f in facts(f"# Notes\n\n{text}\n", known=sea) if f[1] == "place"}


@pytest.mark.parametrize(
    "text",
    [
        "- Painted green near **Orr-3**. Also became the spare for Kappa-4.",  # not what the item begins with
        "- Orr-3 is green. Also became the spare for Kappa-4.",  # the items may tell of the section's thing
    ],
)
def test_an_item_without_a_name_of_its_own_is_about_the_section(sea: Ontology, text: str) -> None:
    found = facts(f"# Notes\n\n## Kappa-7\n\n{text}\n", known=sea)
    assert ("Orr-3", "fits", "Kappa-4") not in found

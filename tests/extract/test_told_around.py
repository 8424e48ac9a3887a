"""Things without a name of their own, clauses added behind a comma, what works say, figures of what stands around."""

from __future__ import annotations

import pytest

from tests.extract.reading import facts, ontology

KNOWN = ontology("""
:Agent a owl:Class ; rdfs:label "agent" .
:Firm a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "company" ; kg:namePattern " Works$" .
:Light a owl:Class ; rdfs:label "lighthouse" ; skos:altLabel "tower" ; kg:namePattern "(?:Light|Beacon)$" .
:Hall a owl:Class ; rdfs:label "boiler hall" ; skos:altLabel "hall" , "burn" .
:Oil a owl:Class ; rdfs:label "oil" ; kg:namePattern "^(?:Colza|Paraffin)$" .
:Tool a owl:Class ; rdfs:label "tool" .
:Work a owl:Class ; rdfs:label "work" .
:Survey a owl:Class ; rdfs:subClassOf :Work ; rdfs:label "survey" ; kg:namePattern " Survey$" .
:burns a owl:ObjectProperty ; rdfs:label "burns" ; rdfs:domain :Light ; rdfs:range :Oil ;
  kg:phrase "{subject} burns {object}" .
:fuel a owl:ObjectProperty ; rdfs:label "fuel" ; rdfs:domain :Light , :Firm , :Hall ; rdfs:range :Oil ;
  kg:phrase "{subject} was heated with {object}" .
:stands a owl:ObjectProperty ; rdfs:label "stands beside" ; rdfs:domain :Light ; rdfs:range :Hall , :Light ;
  kg:phrase "{subject} stands behind {object}" , "{subject} was rebuilt with {object}" .
:maker a owl:ObjectProperty ; rdfs:label "maker" ; rdfs:domain :Tool ; rdfs:range :Agent ;
  kg:phrase "{object} built {subject}" .
:builtIn a owl:DatatypeProperty ; rdfs:label "building time" ; rdfs:domain :Hall ; rdfs:range xsd:decimal ;
  kg:canonicalUnit unit:DAY ; kg:phrase "{subject} was built in {object}" .
:doubling a owl:DatatypeProperty ; rdfs:label "doubling time" ; skos:altLabel "doubling every" ; rdfs:domain :Work ;
  rdfs:range xsd:decimal ; kg:canonicalUnit unit:DAY .
:growth a owl:DatatypeProperty ; rdfs:label "growth" ; skos:altLabel "increase" ; rdfs:domain :Work ;
  rdfs:range xsd:decimal .
:closing a owl:DatatypeProperty ; rdfs:label "wind speed" ; rdfs:domain :Light ; rdfs:range xsd:decimal ;
  kg:canonicalUnit unit:KiloM-PER-HR .
""")


def told(text: str) -> set[tuple[str, str, str]]:
    return facts(text, known=KNOWN)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Corran Light stands behind Orr's old boiler hall.", ("Corran Light", "stands", "Orr's old boiler hall")),
        ("Rolf Works' boiler hall was built in 40 days.", ("Rolf Works' boiler hall", "builtIn", "40 DAY")),
        ("Rolf Works built `lamp-trim` for the keepers.", ("lamp-trim", "maker", "Rolf Works")),
    ],
)
def test_what_a_name_owns_and_what_is_code(sentence: str, expected: tuple[str, str, str]) -> None:
    found = {(s, p, v.replace(" D", " DAY") if v.endswith(" D") else v) for s, p, v in told(sentence + "\n")}
    assert expected in found


@pytest.mark.parametrize(
    "sentence",
    [
        "Corran Light stands behind Orr's hall of mirrors.",  # the noun is "hall of mirrors"
        "Corran Light stands behind Orr's hall lamp.",
        "Corran Light stands behind Orr's quarrel.",  # of no class
        "Orr's hall in Kiel stands behind the quarrel.",
        "Rolf Works built `trim` and `lamp trim`.",  # common words in code
    ],
)
def test_what_isnt_a_thing_owned(sentence: str) -> None:
    assert not [f for f in told(sentence + "\n") if f[1] in ("stands", "maker", "fuel")]


def test_a_clause_added_behind_a_comma_is_of_the_only_thing_that_can_have_it() -> None:
    found = told("Rolf Works showed the Orrnine tower at the fair of May 1901, burning Colza.\n")
    assert ("Orrnine", "burns", "Colza") in found and not [f for f in found if f[0] == "Rolf Works" and f[1] == "burns"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Rolf Works sold Corran Light and Skerry Light to Kiel, burning Colza.",  # which one?
        "Rolf Works told Kiel about the fair, burning Colza.",  # neither can
    ],
)
def test_a_clause_that_may_be_of_several_things_is_of_none(sentence: str) -> None:
    assert not [f for f in told(sentence + "\n") if f[1] == "burns"]


def test_a_participle_before_somebody_elses_clause_is_not_of_the_thing_before() -> None:
    text = "# Corran Light\n\nCorran Light is white. Rebuilt with Skerry Beacon in May 1901, Orr keeps the lamp.\n"
    assert not [f for f in told(text) if f[:2] == ("Corran Light", "stands")]
    alone = "# Corran Light\n\nCorran Light is white. Rebuilt with Skerry Beacon in May 1901.\n"
    assert ("Corran Light", "stands", "Skerry Beacon") in told(alone)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        (
            "Bo Lund published “The Lamps of the Outer Skerries,” showing that light carries farther",
            "The Lamps of the Outer Skerries",
        ),
        ("The Kiel Survey found that light carries farther", "Kiel Survey"),
    ],
)
def test_what_a_work_says(sentence: str, name: str) -> None:
    assert any(
        s == name and p == "description" and v.startswith("light carries farther")
        for s, p, v in told(f"{sentence} over cold water.\n")
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Rolf Works found that light carries farther over cold water.",  # no work
        "The Kiel Survey never showed that light carries farther over cold water.",
        "The Kiel Survey may have found that light carries farther over cold water.",
        "The Kiel Survey showed that.",
    ],
)
def test_what_no_work_says(sentence: str) -> None:
    assert not [f for f in told(sentence + "\n") if f[1] == "description"]


def test_figures_of_the_work_that_a_section_is_about() -> None:
    text = "# Notes\n\n## “Oil and Candles”\n\nBo wrote a survey showing {} doubling every 3 months, a 40x increase.\n"
    found = told(text.format("use of oil"))
    assert ("Oil and Candles", "growth", "40 UNITLESS") in found
    assert [f for f in found if f[:2] == ("Oil and Candles", "doubling")]
    other = told(text.replace("survey", "letter").format("use of oil"))  # no such work
    assert not [f for f in other if f[1] in ("growth", "doubling")]


def test_a_threshold_of_the_only_thing_named_before() -> None:
    one = "Corran Light stands alone. Rolf Works runs it. The gates were shut when wind speed exceeded 90 km/h.\n"
    assert [f for f in told(one) if f[:2] == ("Corran Light", "closing")]
    two = "Corran Light faces Skerry Light. The gates were shut when wind speed exceeded 90 km/h.\n"
    assert not [f for f in told(two) if f[1] == "closing"]

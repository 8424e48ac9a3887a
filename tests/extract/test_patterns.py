from __future__ import annotations

import pytest

from kg.model import Mood, Polarity, Status
from kg.ontology import Ontology
from tests.extract.reading import assertable, claims, extraction, facts, ontology


@pytest.fixture(scope="module")
def sea() -> Ontology:
    return ontology("""
    :Light a owl:Class ; rdfs:label "lighthouse" ; skos:altLabel "light" , "beacon" ; kg:namePattern "(Light|Beacon)$" .
    :Person a owl:Class ; rdfs:label "person" . :Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Kappa-\\\\d" .
    :Fuel a owl:Class ; rdfs:label "fuel" . :paraffin a :Fuel ;
      rdfs:label "Paraffin" . :ada a :Person ; rdfs:label "Ada Wren" .
    :Firm a owl:Class ; rdfs:label "company" . :rolf a :Firm ; rdfs:label "Rolf Works" .
    :builtBy a owl:ObjectProperty ; rdfs:label "builder" ; rdfs:domain :Light ; rdfs:range :Person , :Firm ;
      kg:phrase "{subject} was built by {object}" , "{object} built {subject}" .
    :uses a owl:ObjectProperty ; rdfs:label "uses" ; rdfs:domain :Light ; rdfs:range [ owl:unionOf ( :Lamp :Fuel ) ] ;
      kg:phrase "{subject} uses {object}" .
    :lamp a owl:ObjectProperty ; rdfs:label "lamp" ; rdfs:subPropertyOf :uses ; rdfs:domain :Light ; rdfs:range :Lamp ;
      kg:phrase "{subject} uses {object}" .
    :height a owl:DatatypeProperty ; rdfs:label "height" ;
      rdfs:domain :Light ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:M ;
      kg:phrase "{subject} rises to {object}" .
    :keepers a owl:DatatypeProperty ; rdfs:label "keeper count" ; rdfs:domain :Light ; rdfs:range xsd:integer ;
      kg:phrase "{subject} has {object} keepers" , "{subject} is kept by {object} keepers" .
    :lit a owl:DatatypeProperty ; rdfs:label "first lit" ; rdfs:domain :Light ; rdfs:range xsd:date ;
      kg:phrase "{subject} was lit in {object}" .
    """)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Corran Light was built by Ada Wren.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light had originally been built by the Rolf Works.", ("Corran Light", "builtBy", "Rolf Works")),
        ("In 1931 Ada Wren built Corran Light.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light rises to about 38 m.", ("Corran Light", "height", "38 M")),
        ("Corran Light had 3 keepers.", ("Corran Light", "keepers", "3")),
        ("Corran Light (the northern one) was first lit on 4 October 1871.", ("Corran Light", "lit", "1871-10-04")),
        ("Corran Light, which was built by Ada Wren, still stands.", ("Corran Light", "builtBy", "Ada Wren")),
    ],
)
def test_forms_of_a_phrase(sea: Ontology, sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(sentence + "\n", known=sea)


def test_lists_of_arguments(sea: Ontology) -> None:
    found = facts("Corran Light and Gannet Beacon were built by Ada Wren and Rolf Works.\n", known=sea)
    assert {(s, "builtBy", o) for s in ("Corran Light", "Gannet Beacon") for o in ("Ada Wren", "Rolf Works")} <= found


def test_the_objects_class_tells_which_property(sea: Ontology) -> None:
    found = facts("Corran Light uses Paraffin. Gannet Beacon uses Kappa-4.\n", known=sea)
    assert ("Corran Light", "uses", "Paraffin") in found and ("Corran Light", "lamp", "Paraffin") not in found
    assert {f[1] for f in found if f[0] == "Gannet Beacon"} & {"lamp", "uses"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Corran Light was never built by Ada Wren.",
        "Corran Light was not built by Ada Wren.",
        "Corran Light was probably built by Ada Wren.",
        "Corran Light will be built by Ada Wren.",
        "If the money comes, Corran Light would be built by Ada Wren.",
    ],
)
def test_denials_guesses_and_plans_are_not_asserted(sea: Ontology, sentence: str) -> None:
    found = claims(sentence + "\n", known=sea)
    claim = found["Corran Light", "builtBy", "Ada Wren"]
    assert not assertable(claim)


def test_what_exactly_a_denial_and_a_guess_say(sea: Ontology) -> None:
    denied = claims("Corran Light was never built by Ada Wren.\n", known=sea)["Corran Light", "builtBy", "Ada Wren"]
    assert denied.hedge.polarity is Polarity.NEGATED and denied.hedge.mood is Mood.FACTUAL
    guessed = claims("Corran Light was probably built by Ada Wren.\n", known=sea)["Corran Light", "builtBy", "Ada Wren"]
    assert guessed.hedge.status is Status.GUESSED


def test_this_but_not_that(sea: Ontology) -> None:
    found = claims("Corran Light was built by Rolf Works, not by Ada Wren.\n", known=sea)
    assert assertable(found["Corran Light", "builtBy", "Rolf Works"])
    assert found["Corran Light", "builtBy", "Ada Wren"].hedge.polarity is Polarity.NEGATED


def test_a_pronoun_takes_up_the_sentence_before_or_the_heading(sea: Ontology) -> None:
    text = (
        "# Coast\n\n## Gannet Beacon\n\nThe lighthouse was built by Ada Wren.\n\n"
        "## Corran Light\n\nCorran Light is old. It rises to 38 m.\n"
    )
    found = facts(text, known=sea)
    assert {("Gannet Beacon", "builtBy", "Ada Wren"), ("Corran Light", "height", "38 M")} <= found


def test_it_is_no_person(sea: Ontology) -> None:
    text = "# Coast\n\n## Corran Light\n\nThe tower is old. Ada Wren planned it. It rises to 38 m.\n"
    assert {f[0] for f in facts(text, known=sea) if f[1] == "height"} == {"Corran Light"}


def test_a_bullet_may_leave_its_subject_out(sea: Ontology) -> None:
    text = "# Coast\n\n## Corran Light\n\n- Built by Ada Wren\n- Rises to 38 m\n"
    found = facts(text, known=sea)
    assert {("Corran Light", "builtBy", "Ada Wren"), ("Corran Light", "height", "38 M")} <= found


def test_the_value_is_left_out_where_the_phrase_says_so(sea: Ontology) -> None:
    text = "## Crew\n\n- **Ada Wren** — Head keeper. Built Corran Light.\n"
    assert ("Corran Light", "builtBy", "Ada Wren") in facts(text, known=sea)


@pytest.mark.parametrize(
    "sentence",
    [
        "Was Corran Light built by Ada Wren?",
        "Corran Light was built by Ada Wren's cousin.",
        "Ada Wren was seen when Corran Light was painted.",
        "The lamp of Corran Light was sold to Rolf Works.",
    ],
)
def test_what_states_no_such_thing(sea: Ontology, sentence: str) -> None:
    assert not [f for f in facts(sentence + "\n", known=sea) if f[1] == "builtBy"]


def test_no_ontology_no_patterns() -> None:
    _, found = extraction("Corran Light was built by Ada Wren.\n")
    assert {c.extractors for c in found.claims} == {("propositions",)}
    assert {m.surface for m in found.mentions} >= {"Corran Light", "Ada Wren"}


def test_every_member_of_an_enumeration(sea: Ontology) -> None:
    sentence = "Corran Light was built by Ada Wren, Bo Lind, Ilse Krag, Emil Holm and others.\n"
    found = {o for s, p, o in facts(sentence, known=sea) if p == "builtBy"}
    assert found == {"Ada Wren", "Bo Lind", "Ilse Krag", "Emil Holm"}
    dated = facts("Corran Light was built in May 1815 by Ada Wren and Bo Lind.\n", known=sea)
    assert {o for s, p, o in dated if p == "builtBy"} == {"Ada Wren", "Bo Lind"}


def test_a_known_member_tells_the_property_of_the_others() -> None:
    known = ontology("""
    :Oven a owl:Class ; rdfs:label "oven" ; kg:namePattern "^Oven \\\\d" . :Fuel a owl:Class ; rdfs:label "fuel" .
    :Baker a owl:Class ; rdfs:label "baker" . :coke a :Fuel ; rdfs:label "Coke" .
    :fuel a owl:ObjectProperty ; rdfs:label "fuel" ; rdfs:domain :Oven ; rdfs:range :Fuel ;
      kg:phrase "{subject} was run on {object}" .
    :baker a owl:ObjectProperty ; rdfs:label "baker" ; rdfs:domain :Oven ; rdfs:range :Baker ;
      kg:phrase "{subject} was run on {object}" .
    """)
    found = facts("Oven 4 was run on Coke, Briquette2, Briquette3 and Peat.\n", known=known)
    assert {o for s, p, o in found if p == "fuel"} == {"Coke", "Briquette2", "Briquette3", "Peat"}
    assert not [f for f in found if f[1] == "baker"]


def test_names_with_and_in_them(sea: Ontology) -> None:
    assert {
        o for s, p, o in facts("Corran Light was built by Brandt and Sons in 1931.\n", known=sea) if p == "builtBy"
    } == {"Brandt and Sons"}
    rows = "| Corran Light | Brandt & Co |\n| Gannet Beacon | Ada Wren and Bo Lind |\n"
    table = f"# Lights\n\n| Light | Builder |\n|---|---|\n{rows}"
    found = {(s, o) for s, p, o in facts(table, known=sea) if p == "builtBy"}
    assert found == {("Corran Light", "Brandt & Co"), ("Gannet Beacon", "Ada Wren"), ("Gannet Beacon", "Bo Lind")}


def test_others_are_no_member() -> None:
    table = (
        "# Logs\n\n| Log | Author |\n|---|---|\n| Corran-1 | Ada Wren, Bo Lind and others |\n| Corran-2 | Bo Lind |\n"
    )
    assert not [f for f in facts(table) if "others" in f]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Corran Light was co-built by Ada Wren.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light was built on Drum Rock with great care by Ada Wren.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Ada Wren et al. built Corran Light.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light was built by Rolf Works men, Bo Lund and by Ada Wren.", ("Corran Light", "builtBy", "Bo Lund")),
    ],
)  # fmt: skip
def test_words_between_a_phrase_and_its_arguments(sea: Ontology, sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(sentence + "\n", known=sea)


def test_a_noun_before_a_comma_joins_no_subjects(sea: Ontology) -> None:
    found = facts("For the Gannet Beacon tooling, Ada Wren built Corran Light.\n", known=sea)
    assert not any(value == "Gannet Beacon" or subject == "Gannet Beacon" for subject, _, value in found)


RUNS = """
:Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern " Light$" . :Fuel a owl:Class ; rdfs:label "fuel" .
:Paraffin a :Fuel ; rdfs:label "Paraffin" . :Kerosene a :Fuel ; rdfs:label "Kerosene" .
:on a owl:ObjectProperty ; rdfs:label "runs on" ; rdfs:domain :Lamp ; rdfs:range :Fuel ;
  kg:phrase "{subject} runs on {object}" .
"""


def test_what_somebody_does_to_a_thing(sea: Ontology) -> None:
    text = "Bo Lund began running Corran Light and Gannet Light on Paraffin. He ran Drum Light without Kerosene.\n"
    found = {f for f in facts(text, known=ontology(RUNS)) if f[1] == "on"}
    assert found == {("Corran Light", "on", "Paraffin"), ("Gannet Light", "on", "Paraffin")}


def test_sentences_in_cells_are_about_the_thing_of_the_row(sea: Ontology) -> None:
    text = "| Light | Made of | Remarks |\n|---|---|---|\n| Corran Light | stone | Tall. Later built by Ada Wren. |\n"
    text += "| Gannet Beacon | wood | Bo Lund saw it. |\n"
    found = facts(text, known=sea)
    assert ("Corran Light", "builtBy", "Ada Wren") in found
    assert not any(subject == "Gannet Beacon" and predicate == "builtBy" for subject, predicate, _ in found)


COUNTED = """
:Light a owl:Class ; rdfs:label "light" ; kg:namePattern " Light$" .
:Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Kappa-[0-9]" .
:lampCount a owl:DatatypeProperty ; rdfs:label "lamp count" ; skos:altLabel "lamps" ; rdfs:domain :Light ;
  rdfs:range xsd:integer ; kg:phrase "{subject} has {object} lamps" .
:lampType a owl:ObjectProperty ; rdfs:label "lamp type" ; skos:altLabel "lamps" ; rdfs:domain :Light ;
  rdfs:range :Lamp .
"""


def test_a_bracket_behind_a_figure_tells_the_kinds() -> None:
    text = "Corran Light has 8 lamps (likely Kappa-3 or Kappa-4). Drum Light has 2 lamps (Kappa-5).\n"
    found = claims(text, known=ontology(COUNTED))
    guessed = found["Corran Light", "lampType", "Kappa-3"]
    assert guessed.hedge.status is Status.GUESSED and guessed.hedge.mood is Mood.ALTERNATIVE
    assert ("Corran Light", "lampType", "Kappa-4") in found and assertable(found["Drum Light", "lampType", "Kappa-5"])


def test_articles_and_the_nearest_preposition() -> None:
    known = ontology("""
    :Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern " Lamp$" .
    :spareFor a owl:ObjectProperty ; rdfs:label "spare for" ; rdfs:domain :Lamp ; rdfs:range :Lamp ;
      kg:phrase "{subject} is a spare for {object}" .
    :controlledBy a owl:ObjectProperty ; rdfs:label "controlled by" ; rdfs:domain :Lamp ;
      kg:phrase "{subject} is controlled by {object}" .
    """)
    text = "Drum Lamp was the spare for Corran Lamp. Drum Lamp is controlled by Ada Wren and held by the Old Rule.\n"
    found = facts(text, known=known)
    assert {("Drum Lamp", "spareFor", "Corran Lamp"), ("Drum Lamp", "controlledBy", "Ada Wren")} <= found
    assert not any(value == "Old Rule" for _, predicate, value in found if predicate == "controlledBy")


def test_a_verb_behind_and_is_about_who_begins_the_sentence(sea: Ontology) -> None:
    text = "Ada Wren left Kiel for good and later built Corran Light. Bo Lund met Ann Lee, and she built Drum Light.\n"
    found = facts(text, known=sea)
    assert ("Corran Light", "builtBy", "Ada Wren") in found
    assert not any(value == "Bo Lund" for _, predicate, value in found if predicate == "builtBy")


def test_what_is_said_of_the_things_counted_is_not_said_of_the_figure(sea: Ontology) -> None:
    found = claims("Corran Light had 3 keepers that were never named.\n", known=sea)
    assert assertable(found["Corran Light", "keepers", "3"])

"""Facts beside names, in dated sentences and in the other forms that sentences give a phrase."""

from __future__ import annotations

import pytest

from kg.model import Status
from kg.ontology import Ontology
from tests.extract.reading import assertable, claims, facts, ontology


@pytest.fixture(scope="module")
def sea() -> Ontology:
    return ontology("""
    :Agent a owl:Class ; rdfs:label "agent" .
    :Person a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "person" .
    :Firm a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "company" ; kg:namePattern " Works$" .
    :Light a owl:Class ; rdfs:label "lighthouse" ; skos:altLabel "tower" ; kg:namePattern "(?:Light|Beacon)$" .
    :Fleet a owl:Class ; rdfs:label "fleet" .
    :Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Kappa-[0-9]" .
    :Work a owl:Class ; rdfs:label "work" ; skos:altLabel "talk" .
    :ada a :Person ; rdfs:label "Ada Wren" . :rolf a :Firm ; rdfs:label "Rolf Works" .
    :uses a owl:ObjectProperty ; rdfs:label "uses" ; rdfs:domain :Agent , :Light , :Fleet ; rdfs:range :Lamp ;
      kg:phrase "{subject} uses {object}" .
    :servedBy a owl:ObjectProperty ; rdfs:label "served by" ; rdfs:domain :Light ; rdfs:range :Agent , :Fleet ;
      kg:phrase "{object} served {subject}" .
    :builtBy a owl:ObjectProperty ; rdfs:label "builder" ; rdfs:domain :Light ; rdfs:range :Agent ;
      kg:phrase "{subject} was built by {object}" , "{object} is the builder of {subject}" .
    :keeper a owl:ObjectProperty ; rdfs:label "keeper" ; rdfs:domain :Light ; rdfs:range :Person ;
      kg:phrase "{object} led … for {subject}" .
    :height a owl:DatatypeProperty ; rdfs:label "height" ; skos:altLabel "heights" ; rdfs:domain :Light ;
      rdfs:range xsd:decimal ; kg:canonicalUnit unit:M ; kg:phrase "{subject} rises to {object}" .
    :steps a owl:DatatypeProperty ; rdfs:label "step count" ; skos:altLabel "steps" ; rdfs:domain :Light ;
      rdfs:range xsd:integer ; kg:phrase "{subject} has {object} steps" .
    :lit a owl:DatatypeProperty ; rdfs:label "first lit" ; rdfs:domain :Light ; rdfs:range xsd:date ;
      kg:phrase "{subject} was lit on {object}" .
    :participant a owl:ObjectProperty ; rdfs:label "participant" ; rdfs:range :Agent .
    """)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rolf Works was already using Kappa-4.", ("Rolf Works", "uses", "Kappa-4")),
        ("Rolf Works began to use Kappa-4.", ("Rolf Works", "uses", "Kappa-4")),
        ("Ada Wren is Corran Light's only builder.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Ada Wren led the whole night watch for Corran Light.", ("Corran Light", "keeper", "Ada Wren")),
        ("Corran Light (lit May 3, 1871) is white.", ("Corran Light", "lit", "1871-05-03")),
        ("Corran Light, built by Ada Wren, is white.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light is a white tower built by Ada Wren.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light, a tower built by Ada Wren, is white.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Ada Wren built Corran Light.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Corran Light is rising to 38 m.", ("Corran Light", "height", "38 M")),
        ("Corran Light, which stands at Kiel, was built by Ada Wren.", ("Corran Light", "builtBy", "Ada Wren")),
        ("Rolf Works grew, and it uses Kappa-4.", ("Rolf Works", "uses", "Kappa-4")),
        ("Night crews use Kappa-4.", ("Night crews", "uses", "Kappa-4")),
        ("Rolf Works uses the Kappa-4 rotating lamps.", ("Rolf Works", "uses", "Kappa-4")),
        ("Rolf Works uses the Kappa-4 burning at Kiel.", ("Rolf Works", "uses", "Kappa-4")),
    ],
)
def test_forms_of_verbs_and_places_of_names(sea: Ontology, sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(sentence + "\n", known=sea)


@pytest.mark.parametrize(
    "sentence",
    [
        "The stairs of Corran Light, built by Ada Wren, are white.",  # of what leads to the name
        "Corran Light, the twin of Gannet Beacon built by Ada Wren, is white.",  # of the name in between
        "Corran Light, the smaller tower rises to 38 m.",  # an active verb has a subject of its own
    ],
)
def test_what_stands_beside_another_thing_is_not_told_of_a_name(sea: Ontology, sentence: str) -> None:
    assert not [fact for fact in facts(sentence + "\n", known=sea) if fact[0] == "Corran Light"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Wren praised Rolf Works, and it uses Kappa-4.",  # two things that "it" may be
        "All crews use Kappa-4.",
        "Would Rolf Works be using Kappa-4?",
        "Rolf Works uses the Kappa-4 testing bench.",  # the bench, which isn't a lamp
        "Built in stone by Ada Wren, the pier is still there.",
    ],
)
def test_what_states_nothing_of_a_named_thing(sea: Ontology, sentence: str) -> None:
    found = facts(f"# Corran Light\n\n{sentence}\n", known=sea)
    assert not {f for f in found if f[1] in ("uses", "builtBy")}


def test_a_name_with_the_noun_of_another_class_is_another_thing(sea: Ontology) -> None:
    text = "# Notes\n\nThe Rolf Works harbour fleet sailed in spring.\n\nThis fleet served Corran Light.\n"
    assert ("Corran Light", "servedBy", "Rolf Works harbour fleet") in facts(text, known=sea)


def test_what_nobody_named_does(sea: Ontology) -> None:
    found = facts("# Rolf Works\n\nKappa-4 is used as well, and Kappa-5 is used by Ada Wren.\n", known=sea)
    assert ("Rolf Works", "uses", "Kappa-4") in found and ("Rolf Works", "uses", "Kappa-5") not in found


def test_brackets_and_appositions_tell_of_the_name_before(sea: Ontology) -> None:
    text = "Corran Light (90 steps) is white. Drum Light, a tower of 40 steps, is red."
    found = facts(f"{text} Ann sat in Gannet Beacon (30 steps).\n", known=sea)
    assert {("Corran Light", "steps", "90"), ("Drum Light", "steps", "40")} <= found
    assert ("Drum Light", "definition", "a tower of 40 steps") in found
    assert not any(subject == "Gannet Beacon" for subject, _, _ in found)


def test_an_enumeration_defines_nothing(sea: Ontology) -> None:
    found = facts("They drew Corran Light, a small white boat, and a gull.\n", known=sea)
    assert not any(predicate == "definition" for _, predicate, _ in found)


def test_the_figure_that_a_line_compares_with_is_of_the_other_thing(sea: Ontology) -> None:
    found = facts("# Corran Light\n\n- **Height**: 50 m (compared to 30 m for Drum Light)\n", known=sea)
    assert {("Corran Light", "height", "50 M"), ("Drum Light", "height", "30 M")} <= found


def test_an_item_under_a_label_holds_its_figure(sea: Ontology) -> None:
    text = "# Corran Light\n\n**Heights** (not surveyed):\n\n- Other sources range from 30 m to 40 m by the tide\n"
    assert ("Corran Light", "height", "30..40 M") in facts(text, known=sea)


def test_sentences_that_begin_with_a_date_are_events(sea: Ontology) -> None:
    text = "On May 3, 1901, Rolf Works opened a yard for $2 million. In 1902, nobody asked what Rolf Works built.\n"
    found = facts(f"# Notes\n\n{text}", known=sea)
    event = "Rolf Works opened a yard for $2 million"
    assert {
        ("Rolf Works", "event", event),
        (event, "participant", "Rolf Works"),
        (event, "date", "1901-05-03"),
    } <= found
    assert (event, "amount", "2000000 CCY_USD") in found
    assert not any("1902" in part for fact in found for part in fact)


def test_items_that_end_with_a_date_are_events(sea: Ontology) -> None:
    text = (
        "# Notes\n\n- Rolf Works sold its yard (June 1903), ending a quarrel\n- Rolf Works kept the pier (until 1904)\n"
    )
    found = facts(text, known=sea)
    assert ("Rolf Works sold its yard", "date", "1903-06") in found
    assert not any(subject == "Rolf Works kept the pier" for subject, _, _ in found)


def test_items_name_what_a_thing_uses(sea: Ontology) -> None:
    text = "# Rolf Works\n\n- **Kappa-4** for the night watch (bought late)\n- **Kappa-5** was never bought for it\n"
    found = facts(text, known=sea)
    assert ("Rolf Works", "uses", "Kappa-4") in found and ("Rolf Works", "uses", "Kappa-5") not in found


def test_what_is_not_told_has_no_value(sea: Ontology) -> None:
    found = claims("# Corran Light\n\nThe note gives no details about the height, the paint, or similar.\n", known=sea)
    assert found["Corran Light", "height", "undisclosed"].hedge.status is Status.UNDISCLOSED
    assert ("Corran Light", "paint", "undisclosed") in found
    assert not assertable(found["Corran Light", "paint", "undisclosed"])


def test_the_gloss_of_a_work_names_its_people(sea: Ontology) -> None:
    known = ontology("""
    :Person a owl:Class ; rdfs:label "person" . :Talk a owl:Class ; rdfs:label "talk" .
    :author a owl:ObjectProperty ; rdfs:label "author" ; rdfs:range :Person .
    :featuring a owl:ObjectProperty ; rdfs:label "featuring" ; rdfs:range :Person .
    :duration a owl:DatatypeProperty ; rdfs:label "duration" ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:MIN .
    """)
    text = (
        "# Notes\n\n## References\n\n"
        "- [Lamps of the North](https://example.org/a) — a 40-minute talk with Ada Wren and Bo Lund\n"
        "- [Oil and Stone](https://example.org/b) — a survey (Ada Wren & Bo Lund, May 1901)\n"
    )
    found = facts(text, known=known)
    assert {("Lamps of the North", "featuring", "Ada Wren"), ("Lamps of the North", "featuring", "Bo Lund")} <= found
    assert ("Lamps of the North", "duration", "40 MIN") in found
    assert {("Oil and Stone", "author", "Ada Wren"), ("Oil and Stone", "author", "Bo Lund")} <= found


def test_from_when_to_when_something_went_on() -> None:
    known = ontology("""
    :Light a owl:Class ; rdfs:label "lighthouse" ; kg:namePattern "Light$" .
    :start a owl:DatatypeProperty ; rdfs:label "survey start" ; rdfs:domain :Light ; rdfs:range xsd:date .
    :end a owl:DatatypeProperty ; rdfs:label "survey end" ; rdfs:domain :Light ; rdfs:range xsd:date .
    """)
    text = "- One long survey run from May 3, 1901 to June 9, 1902 (~13 months)\n- Oil from Drum to Kiel\n"
    found = facts(f"# Corran Light\n\n{text}", known=known)
    assert {("Corran Light", "start", "1901-05-03"), ("Corran Light", "end", "1902-06-09")} <= found
    assert not any("Kiel" in value for _, _, value in found)


def test_the_period_of_a_section_is_not_the_end_of_what_a_sentence_says(sea: Ontology) -> None:
    text = "# Corran Light\n\n## The Early Years (1901-1905)\n\nCorran Light was built by Rolf Works.\n"
    built = claims(text, known=sea)["Corran Light", "builtBy", "Rolf Works"]
    assert built.valid_from is None and built.valid_until is None


def test_what_was_so_earlier_is_not_said_to_be_so(sea: Ontology) -> None:
    found = facts("# Rolf Works\n\nPreviously, Rolf Works uses Kappa-4. Rolf Works uses Kappa-5 now.\n", known=sea)
    assert ("Rolf Works", "uses", "Kappa-5") in found and ("Rolf Works", "uses", "Kappa-4") not in found


@pytest.fixture(scope="module")
def mill() -> Ontology:
    return ontology("""
    :Person a owl:Class ; rdfs:label "person" . :Firm a owl:Class ; rdfs:label "company" .
    :Mill a owl:Class ; rdfs:label "mill" ; kg:namePattern "Mill$" .
    :ada a :Person ; rdfs:label "Ada Wren" . :rolf a :Firm ; rdfs:label "Rolf Works" .
    :leads a owl:ObjectProperty ; rdfs:label "leads" ; rdfs:domain :Person ; rdfs:range :Mill , :Firm ;
      kg:phrase "{subject} led {object}" .
    :helped a owl:ObjectProperty ; rdfs:label "helped with" ; rdfs:domain :Person ; rdfs:range :Mill ;
      kg:phrase "{subject} led {object} rebuilding" .
    :looms a owl:DatatypeProperty ; rdfs:label "loom count" ; rdfs:domain :Mill ; rdfs:range xsd:integer ;
      kg:phrase "{subject} has {object} looms" , "enlarged {subject} to {object} looms" .
    """)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Wren led Varn Mill.", {("Ada Wren", "leads", "Varn Mill")}),
        ("Ada Wren led Varn Mill rebuilding.", {("Ada Wren", "helped", "Varn Mill")}),
        ("Ada Wren led Varn Mill planning.", set()),
        ("Ada Wren led Varn Mill restoration until 1904.", set()),
        ("Ada Wren led Rolf Works engineering.", {("Ada Wren", "leads", "Rolf Works")}),
    ],
)
def test_a_part_of_the_work_is_not_the_whole(
    mill: Ontology, sentence: str, expected: set[tuple[str, str, str]]
) -> None:
    assert {f for f in facts(sentence + "\n", known=mill) if f[1] in ("leads", "helped")} == expected


@pytest.mark.parametrize(
    ("sentence", "since"),
    [
        ("Varn Mill has 40 looms (May 1921).", "1921-05"),
        ("Rolf Works published a long post on how Varn Mill has 40 looms (May 1921).", None),
    ],
)
def test_the_date_of_a_publication_is_not_that_of_its_figures(mill: Ontology, sentence: str, since: str | None) -> None:
    found = claims(sentence + "\n", known=mill)["Varn Mill", "looms", "40"]
    assert (found.valid_from.earliest[:7] if found.valid_from and found.valid_from.earliest else None) == since

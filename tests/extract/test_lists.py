from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import EntityName, Role, Status, Text
from tests.extract.reading import assertable, claims, extraction, facts, ontology, value_span


def test_quantities_under_a_thing() -> None:
    text = (
        "# Ferries\n\n## Aurora-2 (May 1999)\n\n- 120 berths, 3 decks\n"
        "- **4 Kappa-7 engines** + **900 m of chain**\n- Sleeps well\n"
    )
    found = facts(text)
    assert {("Aurora-2", "berths", "120"), ("Aurora-2", "decks", "3"), ("Aurora-2", "engines", "4")} <= found
    assert not [f for f in found if "Sleeps" in f[2]]


def test_the_subject_is_evidence_in_the_heading() -> None:
    document, found = extraction("# Ferries\n\n## Aurora-2\n\n- 120 berths\n")
    claim = next(c for c in found.claims if c.predicate.label == "berths")
    subject = next(e for e in claim.evidence if e.role is Role.SUBJECT)
    assert subject.exact == "Aurora-2" and subject.start == document.text.index("Aurora-2")
    assert document.text[claim.quote_start : claim.quote_end].lstrip("- ") == "120 berths"


def test_of_two_things_in_a_heading_the_lead_sentence_tells_which() -> None:
    text = (
        "# Isles\n\n## The Corran Mill and the Gannet Beacon\n\n"
        "The board built one of the tallest beacons in the north:\n\n- 40 lamps\n"
    )
    assert ("Gannet Beacon", "lamps", "40") in facts(text)


def test_items_under_a_label_are_one_claim_each() -> None:
    text = (
        "# Hearth & Grain\n\nOur suppliers:\n\n- Millbrook Farm\n- Salt Road Ltd.\n\n"
        "Major problems:\n\n- **Damp flour** in the cellar\n- Slow ovens\n"
    )
    found = facts(text)
    assert ("Hearth & Grain", "Our suppliers", "Millbrook Farm") in found
    assert ("Hearth & Grain", "Major problems", "Damp flour in the cellar") in found


def test_items_under_a_heading_for_an_aspect() -> None:
    text = (
        "# Hearth & Grain\n\n## Key Lessons\n\n1. "
        "**Rest the dough** - A night is enough\n2. **Weigh salt** - Cups lie\n"
    )
    found = claims(text)
    claim = found["Hearth & Grain", "Key Lessons", "Weigh salt"]
    assert {e.exact for e in claim.evidence if e.role is Role.QUALIFIER} == {"2"}
    assert ("Weigh salt", "description", "Cups lie") in found


def test_items_of_what_is_not_disclosed() -> None:
    text = "# Corran Head Light\n\n## Not Publicly Disclosed\n\n- The name of the owner\n- Insurance value\n"
    for claim in claims(text).values():
        assert claim.object is None and claim.hedge.status is Status.UNDISCLOSED and not assertable(claim)
    assert ("Corran Head Light", "name of the owner", "undisclosed") in claims(text)


def test_a_sentence_that_ends_in_a_colon_is_no_property() -> None:
    text = "# Corran Head\n\nThe keeper walked up every night and wrote in his book:\n\n- Fog\n- Rain\n"
    assert facts(text) == set()


def test_nouns_through_the_ontology_with_and_without_names_in_them() -> None:
    known = ontology("""
    :Ship a owl:Class ; rdfs:label "ship" ; kg:namePattern "^Aurora" .
    :Engine a owl:Class ; rdfs:label "engine" ; kg:namePattern "^Kappa-\\\\d" .
    :engineCount a owl:DatatypeProperty ; rdfs:label "engine count" ; rdfs:domain :Ship ; rdfs:range xsd:integer .
    :engineType a owl:ObjectProperty ; rdfs:label "engine type" ; rdfs:domain :Ship ; rdfs:range :Engine .
    :tonnage a owl:DatatypeProperty ; rdfs:label "displacement" ;
      rdfs:domain :Ship ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:TONNE .
    """)
    found = facts("# Aurora\n\n- 4 Kappa-7 engines\n- 900 tonnes displacement\n", known=known)
    assert {
        ("Aurora", "engineCount", "4"),
        ("Aurora", "engineType", "Kappa-7"),
        ("Aurora", "tonnage", "900 TONNE"),
    } <= found


_counts = st.lists(
    st.tuples(st.integers(2, 9_999), st.sampled_from(["lamps", "horns", "boats"])), min_size=1, max_size=5
)


@settings(max_examples=40, deadline=None)
@given(_counts, st.sampled_from(["- {} {}", "- **{} {}**", "* about {} {}", "1. {} {} in all"]))
def test_every_counted_bullet_has_its_claim(counts: list[tuple[int, str]], shape: str) -> None:
    text = "# Gannet-4\n\n" + "\n".join(shape.format(n, noun) for n, noun in counts) + "\n"
    document, found = extraction(text)
    stated = [document.text[slice(*value_span(c))] for c in found.claims if "lists" in c.extractors]
    for number, _ in counts:
        assert any(str(number) in value for value in stated)


def test_a_sentence_with_commas_is_no_list_of_names() -> None:
    text = """# Ringwell Foundry

**Main products:**

- Church bells include bells under their `Alto`, `Bass`, `Bass Royal`, and `Dome` ranges.
- Ship bells, fog bells
"""
    assert facts(text) == {
        (
            "Ringwell Foundry",
            "Main products",
            "Church bells include bells under their Alto, Bass, Bass Royal, and Dome ranges",
        ),
        ("Ringwell Foundry", "Main products", "Ship bells, fog bells"),
        ("Church bells", "includes", "bells under their Alto, Bass, Bass Royal, and Dome ranges"),
    }


def test_a_sentence_that_ends_like_a_name_is_a_text() -> None:
    known = ontology(
        ':Line a owl:Class ; rdfs:label "line" ; kg:namePattern "\\bLine$" .'
        ':length a owl:DatatypeProperty ; rdfs:label "length" .'
    )
    text = "# Trams\n\n## House rules\n\n- Dogs ride free on the Hill Line.\n- Upper Hill Line\n"
    _, found = extraction(text, known=known)
    assert [c.object for c in found.claims if c.predicate.label == "House rules"] == [
        Text("Dogs ride free on the Hill Line"),
        EntityName("Upper Hill Line", ("https://example.org/sea#Line",)),
    ]


def test_ingredients_keep_amount_unit_and_what_they_are_of() -> None:
    found = facts("# Rye Loaf\n\n## Ingredients\n\n- 3 3/4 cups flour\n- 1 1/2 tsp salt\n- 2 eggs\n")
    assert {("Rye Loaf", "flour", "3.75 CUP"), ("Rye Loaf", "salt", "1.5 TSP"), ("Rye Loaf", "eggs", "2")} <= found


def test_steps_and_advice_are_no_facts_of_their_heading() -> None:
    steps = "- Press the green button\n- Wait for the bell to ring\n- Open both doors slowly\n"
    for heading in ("How to start the lamp", "Setup", "When the fog comes in"):
        assert not facts(f"# Corran Head Light\n\n## {heading}\n\n{steps}")
    assert not facts(f"# Corran Head Light\n\nIf, at night, the lamp burns:\n\n{steps}- encryption\n")


def test_dated_items_are_facts_of_what_their_heading_tells() -> None:
    text = "# Corran Head Light\n\n## Repair History\n\n- 2018-10-05 - Creation of the works\n- 2019-11-14 - New lamp\n"
    assert facts(text) == {
        ("Corran Head Light", "Repair History", "2018-10-05 - Creation of the works"),
        ("Corran Head Light", "Repair History", "2019-11-14 - New lamp"),
    }

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.decisions import Merge, Split
from kg.model import EntityName, EventName, Participant, Text
from kg.namespaces import SKOS, Namespaces
from kg.ontology import Ontology
from kg.records import Record
from kg.resolution.resolve import Entity, Resolution, resolve

from ..making import EMPTY, EX, MILLS, Said, libraries, mentioning, number, ontologies, record

NS = Namespaces("https://kb.example/")


def by_slug(
    records: Sequence[Record], ontology: Ontology = EMPTY, decisions: Sequence[Merge | Split] = ()
) -> dict[str, Entity]:
    found = resolve(records, ontology, decisions, NS)
    return {iri.removeprefix(NS.entity("")): entity for iri, entity in found.entities.items()}


def meant(found: Resolution, document: str, name: str, *classes: str) -> str:
    return found.iri(document, EntityName(name, tuple(EX + c for c in classes))).removeprefix(NS.entity(""))


def plain(subject: str, *objects: str) -> list[Said]:
    return [Said(subject, "Next to", obj) for obj in objects]


# --- spelling ---


def test_names_that_differ_in_spelling_are_one() -> None:
    found = by_slug(
        [record("a", plain("Corn Mill", "the corn-mill")), record("b", plain("Corn Mill", "M140s", "M140"))]
    )
    assert sorted(found) == ["corn-mill", "m140"]
    assert found["corn-mill"].label == "Corn Mill"
    assert found["corn-mill"].alt_labels == ("corn-mill",)
    assert found["corn-mill"].documents == ("a", "b")


def test_the_label_is_in_most_documents_then_longest_then_first() -> None:
    most = [
        record(n, [Said(s, "Wheels", number("2"))])
        for n, s in (("a", "Corn-Mill"), ("b", "corn mill"), ("c", "corn mill"))
    ]
    assert by_slug(most)["corn-mill"].label == "corn mill"
    tie = [record("a", [Said("Saw M140", "Wheels", number("2")), Said("SawM140", "Wheels", number("2"))])]
    assert by_slug(tie)["saw-m140"].alt_labels == ("SawM140",)
    code_points = [record("a", [Said("Millhop", "Wheels", number("2")), Said("MillHop", "Wheels", number("2"))])]
    assert by_slug(code_points)["millhop"].label == "MillHop"


def test_a_possessive_is_no_label_of_its_own() -> None:
    found = by_slug([record("a", plain("Corn Mill's", "Corn Mill"))])
    assert found["corn-mill"].label == "Corn Mill" and found["corn-mill"].alt_labels == ()
    assert by_slug([record("a", plain("Rook's", "Tarn"))])["rook-s"].label == "Rook's"


def test_different_names_of_one_slug_are_told_apart() -> None:
    records = [record("a", plain("C++", "C"))]
    found = by_slug(records)
    assert {entity.label for entity in found.values()} == {"C++", "C"}
    assert all(slug.startswith("c--") for slug in found) and len(found) == 2
    more = by_slug([*records, record("b", plain("C++", "Tarn"))])
    assert {s: e.label for s, e in more.items() if s.startswith("c--")} == {s: e.label for s, e in found.items()}


def test_names_that_no_claim_uses_are_no_entities() -> None:
    made = mentioning(record("a", plain("Corn Mill", "Tarn")), ["Fulling Mill", "corn mill"])
    found = resolve([made], EMPTY, (), NS)
    assert sorted(e.label for e in found.entities.values()) == ["Corn Mill", "Tarn"]
    assert found.find("a", EntityName("Fulling Mill")) is None
    assert found.find("elsewhere", EntityName("Tarn")) is None
    with pytest.raises(KeyError, match="Fulling Mill"):
        found.iri("a", EntityName("Fulling Mill"))


# --- aliases ---


def test_a_stated_alias_holds_everywhere() -> None:
    records = [record("a", plain("Corn Mill", "Tarn"), [("Corn Mill", "CM")]), record("b", plain("CM", "Tarn"))]
    found = by_slug(records)
    assert found["cm"].alt_labels == ("Corn Mill",), "the label is the name in most documents"
    assert resolve(records, EMPTY, (), NS).why(NS.entity("cm")) == (
        "“Corn Mill” and “CM”: the document gives both names (a)",
        "the same name in a, b",
    )


def test_an_alias_of_two_names_holds_where_it_is_stated() -> None:
    records = [
        record("a", plain("Corn Mill", "CM"), [("Corn Mill", "CM")]),
        record("b", plain("Cider Maker", "CM"), [("Cider Maker", "CM")]),
        record("c", plain("CM", "Tarn")),
    ]
    found = resolve(records, EMPTY, (), NS)
    assert meant(found, "a", "CM") == "corn-mill"
    assert meant(found, "b", "CM") == "cider-maker"
    assert meant(found, "c", "CM") == "cm"


def test_long_names_of_an_alias_that_differ_in_number_are_one() -> None:
    records = [
        record("a", plain("Model Mills Board", "Tarn"), [("Model Mills Board", "MMB")]),
        record("b", plain("Model Mill Board", "MMB"), [("Model Mill Board", "MMB")]),
    ]
    found = by_slug(records)
    assert sorted(found) == ["mmb", "tarn"]
    assert found["mmb"].alt_labels == ("Model Mill Board", "Model Mills Board")


def test_an_alias_that_is_no_name_holds_in_its_document() -> None:
    records = [
        record("a", plain("Rye", "the Works"), [("Rye", "the Works")]),
        record("b", plain("Oat", "the Works"), [("Oat", "the Works")]),
        record("c", plain("the works", "Tarn")),
    ]
    found = resolve(records, EMPTY, (), NS)
    assert (meant(found, "a", "the Works"), meant(found, "b", "the Works")) == ("rye", "oat")
    assert meant(found, "c", "the works") == "works"
    assert found.entities[NS.entity("rye")].alt_labels == ()


def test_an_alias_whose_classes_exclude_its_name_is_refused() -> None:
    said = [Said("Corn Mill", "Next to", "Tarn", subject_classes=("Mill",), object_classes=("River",))]
    assert sorted(by_slug([record("a", said, [("Corn Mill", "Tarn")])], MILLS)) == ["corn-mill", "tarn"]


# --- classes and homonyms ---


def classed(document: str, *claims: tuple[str, str]) -> Record:
    return record(document, [Said("Mercury", prop, value) for prop, value in claims])


MILL = classed("mill", ("stones", number("2")), ("height", number("9", unit="M")))  # type: ignore[arg-type]
RIVER = classed("river", ("length", number("9", unit="KiloM")), ("mouth", "Tarn"))  # type: ignore[arg-type]


def test_homonyms_all_get_their_class() -> None:
    found = by_slug([MILL, RIVER], MILLS)
    assert sorted(found) == ["mercury--mill", "mercury--river"]
    assert found["mercury--mill"].types == (EX + "Mill",)
    assert sorted(by_slug([MILL], MILLS)) == ["mercury"]


def test_a_use_that_no_class_tells_apart_stays_apart() -> None:
    unclear = record("c", plain("Mercury", "Tarn"))
    assert {"mercury--mill", "mercury--river", "mercury--thing"} < set(by_slug([MILL, RIVER, unclear], MILLS))
    assert set(by_slug([MILL, unclear], MILLS)) == {"mercury", "tarn"}


def test_one_claim_that_does_not_fit_makes_no_homonym() -> None:
    odd = record("odd", [Said("Mercury", "length", number("9", unit="KiloM"))])
    assert by_slug([MILL, odd], MILLS)["mercury"].types == (EX + "Mill",)
    assert sorted(by_slug([MILL, RIVER, odd], MILLS)) == ["mercury--mill", "mercury--river"]


def test_contexts_tell_homonyms_of_one_document_apart() -> None:
    said = [
        Said("Mercury", "Age", number("5"), subject_classes=("WaterMill",)),
        Said("Mercury", "Age", number("6"), subject_classes=("River",)),
        Said("Mercury", "Age", number("7"), subject_classes=("Mill",)),
    ]
    found = resolve([record("a", said)], MILLS, (), NS)
    assert meant(found, "a", "Mercury", "Mill") == meant(found, "a", "Mercury", "WaterMill") == "mercury--water-mill"
    assert meant(found, "a", "Mercury", "River") == "mercury--river"
    by_property = found.iri("a", EntityName("Mercury"), (EX + "River",))
    assert by_property == NS.entity("mercury--river")


def test_a_context_that_leaves_the_class_open_tells_nothing() -> None:
    said = [Said("Mercury", "Age", number("5"), subject_classes=("Mill", "River"))]
    assert by_slug([record("a", said)], MILLS)["mercury"].types == ()


def test_a_context_that_hardly_any_use_has_tells_nothing() -> None:
    said = [Said("Mercury", f"Age {n}", number("5"), subject_classes=("Mill",)) for n in range(6)]
    said.append(Said("Mercury", "Age", number("5"), subject_classes=("River",)))
    assert by_slug([record("a", said)], MILLS)["mercury"].types == (EX + "Mill",)


def test_types_are_voted_on() -> None:
    said = [
        Said("Mercury", "stones", number("2")),
        Said("Mercury", "Age", number("5"), subject_classes=("WaterMill",)),
        Said("Ada Rook", "Age", number("5"), subject_classes=("Agent",)),
        Said("Corn Mill", "miller", "Ada Rook"),
        Said("Mill 7", "Age", number("5"), subject_classes=("River",)),
    ]
    found = by_slug([record("a", said)], MILLS)
    assert found["mercury"].types == (EX + "WaterMill",)
    assert found["ada-rook"].types == (EX + "Person",)
    assert found["corn-mill"].types == (EX + "Mill",)
    assert found["mill-7"].types == (EX + "Mill",), "the form of the name outweighs the context"


def test_a_row_that_says_the_kind_types_its_subject_and_not_its_value() -> None:
    said = [
        Said("Mercury", "Type", "water mill", object_classes=("Mill",)),
        Said("Corn Mill", "Kind", Text("water mill")),
        Said("Tarn", "Colour", Text("water mill")),
    ]
    found = by_slug([record("a", said)], MILLS)
    assert found["mercury"].types == found["corn-mill"].types == (EX + "WaterMill",)
    assert found["water-mill"].types == () and found["tarn"].types == ()


def test_what_is_called_as_a_class_is_none_of_its_members() -> None:
    said = [Said("Water mill", "Age", number("5"), subject_classes=("Mill",)), Said("Mill 7", "Age", number("5"))]
    found = by_slug([record("a", said)], MILLS)
    assert found["water-mill"].types == () and found["mill-7"].types == (EX + "Mill",)


def test_a_defined_word_that_is_no_thing_is_a_concept() -> None:
    said = [
        Said("Leat", SKOS + "definition", Text("a ditch that feeds a wheel")),
        Said("Mill 7", SKOS + "definition", Text("a mill at the weir")),
        Said("Mercury", "Age", number("5")),
    ]
    found = by_slug([record("a", said)], MILLS)
    assert found["leat"].types == (SKOS + "Concept",)
    assert found["mill-7"].types == (EX + "Mill",) and found["mercury"].types == ()


# --- the ontology's individuals ---


def test_declared_names_are_one_thing() -> None:
    records = [record("a", plain("Weir Water", "Tarn")), record("b", plain("WW", "the Weir"))]
    found = resolve(records, MILLS, (), NS)
    entity = found.entities[EX + "weir"]
    assert (entity.label, entity.types, entity.declared) == ("Weir Water", (EX + "River",), True)
    assert entity.alt_labels == ("WW", "Weir", "the Weir")
    assert meant(found, "b", "WW") == EX + "weir"


def test_a_homonym_of_a_declared_thing_is_another() -> None:
    records = [
        record("a", [Said("WW", "Age", number("5"), subject_classes=("Guild",))]),
        record("b", plain("WW", "Tarn")),
    ]
    found = resolve(records, MILLS, (), NS)
    assert meant(found, "a", "WW") == "ww"
    assert meant(found, "b", "WW") == EX + "weir"


# --- people ---


def person(name: str) -> Said:
    return Said(name, "Age", number("50"), subject_classes=("Person",))


def test_a_last_name_is_the_one_person_of_that_name_in_the_document() -> None:
    records = [
        record("a", [person("Ada Rook"), *plain("Rook", "Tarn")]),
        record("b", plain("Rook", "Tarn")),
        record("c", [person("Ada Rook"), person("Tom Rook"), *plain("Rook", "Tarn")]),
        record("d", [Said("Ada Rook", "Age", number("50")), *plain("Rook", "Tarn")]),
    ]
    found = resolve(records, MILLS, (), NS)
    assert [meant(found, d, "Rook") for d in "abcd"] == ["ada-rook", "rook", "rook", "ada-rook"]
    assert "the last name of the only one so called there (a)" in " ".join(found.why(NS.entity("ada-rook")))


def test_a_last_name_of_another_class_stays_apart() -> None:
    said = [person("Ada Rook"), Said("Rook", "Age", number("5"), subject_classes=("River",))]
    assert sorted(by_slug([record("a", said)], MILLS)) == ["ada-rook", "rook"]


def test_names_of_places_have_no_last_names() -> None:
    said = [Said("West Corn Mill", "Age", number("5"), subject_classes=("Mill",)), *plain("Mill", "Tarn")]
    assert sorted(by_slug([record("a", said)], MILLS)) == ["mill", "tarn", "west-corn-mill"]


# --- reviewers ---


def test_reviewers_join_and_part_names() -> None:
    records = [record("a", plain("Rye", "Tarn")), record("b", plain("Rye Bakery", "RYE"))]
    assert sorted(by_slug(records, EMPTY, [Merge("Rye", "Rye Bakery")])) == ["rye-bakery", "tarn"]
    assert sorted(by_slug(records, EMPTY, [Split("Rye", "rye", "a", "b")]))[0].startswith("rye--")
    joined = resolve(records, EMPTY, [Merge("Rye", "Rye Bakery")], NS)
    assert any("a reviewer said so" in why for why in joined.why(NS.entity("rye-bakery")))


def test_a_split_holds_against_an_alias() -> None:
    records = [record("a", plain("Corn Mill", "CM"), [("Corn Mill", "CM")])]
    assert sorted(by_slug(records)) == ["corn-mill"]
    assert sorted(by_slug(records, EMPTY, [Split("CM", "Corn Mill")])) == ["cm", "corn-mill"]


# --- events ---


def sale(*parts: tuple[str, str], label: str = "Sale", local: str = "", year: str = "1931") -> EventName:
    return EventName(EX + "Sale", label, tuple(Participant(EX + r, EntityName(n)) for r, n in parts), year, "", local)


def test_an_event_of_two_parts_is_the_same_in_two_documents() -> None:
    one = sale(("seller", "Rye"), ("buyer", "CM"), label="The sale")
    other = sale(("buyer", "Corn Mill"), ("seller", "rye"), local="row 3")
    records = [
        record("a", [Said(one, "price", number("5"))], [("Corn Mill", "CM")]),
        record("b", [Said(other, "price", number("5"))]),
    ]
    found = resolve(records, MILLS, (), NS)
    assert found.event("a", one) == found.event("b", other)
    later = sale(("seller", "Rye"), ("buyer", "CM"), year="1932")
    assert found.event("a", later) != found.event("a", one)


def test_an_event_of_one_part_is_its_documents_own() -> None:
    one, other = sale(("seller", "Rye"), local="row 1"), sale(("seller", "Rye"), local="row 2")
    records = [record(d, [Said(e, "price", number("5")) for e in (one, other)]) for d in ("a", "b")]
    found = resolve(records, MILLS, (), NS)
    assert len({found.event(d, e) for d in ("a", "b") for e in (one, other)}) == 4


# --- order ---


def test_nobody_is_joined_for_no_reason() -> None:
    found = resolve([record("a", plain("Corn Mill", "Tarn"), [("Corn Mill", "CM")])], EMPTY, (), NS)
    assert found.why(NS.entity("nobody")) == ()


@given(libraries(min_size=2), ontologies, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_order_of_documents_does_not_matter(records: list[Record], ontology: Ontology, random: object) -> None:
    entities = resolve(records, ontology, (), NS).entities
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled, ontology, (), NS).entities == entities


@given(libraries(), ontologies)
@settings(max_examples=60, deadline=None)
def test_every_name_in_a_claim_has_an_entity_of_compatible_classes(records: list[Record], ontology: Ontology) -> None:
    found = resolve(records, ontology, (), NS)
    assert len({e.iri for e in found.entities.values()}) == len(found.entities)
    for made in records:
        for claim in made.extraction.claims:
            if isinstance(claim.subject, EntityName):
                entity = found.entities[found.iri(made.document.id, claim.subject)]
                assert made.document.id in entity.documents
    for entity in found.entities.values():
        assert entity.label not in entity.alt_labels
        assert all(ontology.compatible(a, b) for a, b in itertools.combinations(entity.types, 2))

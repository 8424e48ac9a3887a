"""Names of one document that are ways of writing one: joined where one thing fits, apart where several might."""

from __future__ import annotations

import itertools

import pytest

from kg.model import EntityName
from kg.namespaces import Namespaces
from kg.ontology import Ontology, parse
from kg.records import Record
from kg.resolution.resolve import Resolution, resolve

from ..making import MILLS, Said, mentioning, number, record

NS = Namespaces("https://kb.example/")


def of(*names: str, cls: str = "Person") -> list[Said]:
    return [Said(name, "Age", number("50"), subject_classes=(cls,) if cls else ()) for name in names]


def together(records: Record | list[Record], ontology: Ontology = MILLS) -> list[set[str]]:
    """The names of each entity, sorted by their first; for one document or several."""
    found = resolve(records if isinstance(records, list) else [records], ontology, (), NS)
    sets = [{e.label, *e.alt_labels} for e in found.entities.values() if not e.declared]
    return sorted(sets, key=min)


def test_initials_middle_names_titles_and_order_are_one_person() -> None:
    names = ("Ada Rook", "A. M. Rook", "Ada Marie Rook", "Prof. Ada Rook", "Rook, Ada M")
    assert together(record("a", of(*names))) == [set(names)]


def test_who_might_be_either_stays_apart() -> None:
    assert together(record("a", of("A. Rook", "Ada Rook", "Alma Rook"))) == [{"A. Rook"}, {"Ada Rook"}, {"Alma Rook"}]
    bushes = ("Tom Rook", "Tom W. Rook", "Tom H. W. Rook")
    assert together(record("a", of(*bushes))) == [{n} for n in sorted(bushes)]
    kin = ("Tom Rook", "Tom Rook Jr.", "Tom Rook Sr.")
    assert together(record("a", of(*kin))) == [{n} for n in kin]


def test_full_names_are_joined_within_a_document_only() -> None:
    assert together([record("a", of("Ada Rook")), record("b", of("A. Rook"))]) == [{"A. Rook"}, {"Ada Rook"}]


def test_what_documents_call_by_initials_is_their_own() -> None:
    records = [
        record("a", of("Ada Rook", "A. Rook")),
        record("b", of("Alma Rook", "A. Rook")),
        record("c", of("A. Rook")),
    ]
    for order in itertools.permutations(records):
        assert together(list(order)) == [{"A. Rook"}, {"A. Rook", "Ada Rook"}, {"A. Rook", "Alma Rook"}]


def test_names_that_contradict_in_another_document_are_not_joined_through_a_third() -> None:
    records = [record("a", of("Ada Rook", "Ada Marie Rook")), record("b", of("Ada Rook", "Ada Lena Rook"))]
    for order in itertools.permutations(records):
        assert not [names for names in together(list(order)) if {"Ada Marie Rook", "Ada Lena Rook"} <= names]


def test_a_last_name_is_that_of_all_ways_to_write_one_person() -> None:
    assert together(record("a", of("J. H. Rook", "John Henry Rook", "Rook"))) == [
        {"J. H. Rook", "John Henry Rook", "Rook"}
    ]
    assert together(record("a", of("Ada Rook", "Dr Rook"))) == [{"Ada Rook", "Dr Rook"}]
    assert together(record("a", of('Ada "Rye" Rook', "Rook"))) == [{'Ada "Rye" Rook', "Rook"}]
    assert together(record("a", of("Jan van der Meer", "van der Meer", "Meer"))) == [
        {"Jan van der Meer", "Meer", "van der Meer"}
    ]


def test_a_second_name_is_the_persons_if_a_person_is_meant() -> None:
    assert together(record("a", of("Luis Rook Finch", "Rook"))) == [{"Luis Rook Finch", "Rook"}]
    assert together(record("a", [*of("Luis Rook Finch"), *of("Rook", cls="")])) == [{"Luis Rook Finch"}, {"Rook"}]
    assert together(record("a", of("Luis Rook Finch", "Ada Rook", "Rook"))) == [
        {"Ada Rook", "Rook"},
        {"Luis Rook Finch"},
    ]


def test_a_first_name_may_be_anybodys() -> None:
    assert together(record("a", of("Ada Rook", "Ada"))) == [{"Ada"}, {"Ada Rook"}]


def test_rulers_of_one_name_stay_apart() -> None:
    assert together(record("a", of("Olaf", "Olaf I", "Olaf II", "Knut Olaf"))) == [
        {"Knut Olaf", "Olaf"},
        {"Olaf I"},
        {"Olaf II"},
    ]


def test_an_abbreviation_is_the_only_name_with_its_initials() -> None:
    guild = of("Royal Society of Rye Bakers", "RSRB", cls="Guild")
    found = resolve([record("a", guild)], MILLS, (), NS)
    assert together(record("a", guild)) == [{"RSRB", "Royal Society of Rye Bakers"}]
    assert "the letters are the initials of the only such name there" in " ".join(
        why for iri in found.entities for why in found.why(iri)
    )
    two = of("Royal Society of Rye Bakers", "Rural School of River Boats", "RSRB", cls="Guild")
    assert {"RSRB"} in together(record("a", two))


def test_three_letters_need_a_class_of_both() -> None:
    names = ("Rye Bakers Union", "RBU")
    assert together(record("a", of(*names, cls="Guild"))) == [set(names)]
    assert together(record("a", of(*names, cls=""))) == [{"RBU"}, {"Rye Bakers Union"}]
    assert together(record("a", [*of("RBU", cls="River"), *of("Rye Bakers Union", cls="Guild")])) == [
        {"RBU"},
        {"Rye Bakers Union"},
    ]


def test_what_a_document_states_comes_before_initials() -> None:
    said = of("Royal Society of Rye Bakers", "RSRB", "Rook Finch", cls="Guild")
    assert together(record("a", said, [("Rook Finch", "RSRB")])) == [
        {"RSRB", "Rook Finch"},
        {"Royal Society of Rye Bakers"},
    ]


def test_initials_that_mean_two_things_in_two_documents_are_each_documents_own() -> None:
    first = record("a", of("Royal Society of Rye Bakers", "RSRB", cls="Guild"))
    second = record("b", of("Rural School of River Boats", "RSRB", cls="Guild"))
    for records in itertools.permutations([first, second]):
        assert together(list(records)) == [
            {"RSRB", "Royal Society of Rye Bakers"},
            {"RSRB", "Rural School of River Boats"},
        ]


def test_a_legal_form_is_left_out_where_both_are_known() -> None:
    names = ("Rook Bakers", "Rook Bakers, Inc.")
    assert together(record("a", of(*names, cls="Guild"))) == [set(names)]
    assert together(record("a", [*of(names[0], cls=""), *of(names[1], cls="Guild")])) == [{n} for n in names]
    assert together(record("a", [*of(names[0], cls="Mill"), *of(names[1], cls="Guild")])) == [{n} for n in names]
    assert together(record("a", of("Rook", "Rook LLC", cls="Guild"))) == [{"Rook"}, {"Rook LLC"}]
    assert len(together(record("a", of("Rye", "Rye Inc.", "Rye GmbH", cls="Guild")))) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [("R.S.B.", "RSB"), ("J. H. Rook", "J.H. Rook"), ("Röokstad", "Rookstad"), ("U.R. Mint", "UR Mint")],
)
def test_full_stops_of_initials_and_accents_part_no_names(one: str, other: str) -> None:
    assert together(record("a", of(one, other, cls=""))) == [{one, other}]


def test_other_scripts_keep_their_marks() -> None:
    assert len(together(record("a", of("कि", "क", cls="")))) == 2


def test_without_people_in_the_ontology_nobody_has_a_last_name() -> None:
    ontology = parse(
        [("x.ttl", b"@prefix owl: <http://www.w3.org/2002/07/owl#> . <https://x.example/T> a owl:Class .")]
    )
    assert together(record("a", of("Ada Rook", "Rook", cls="")), ontology) == [{"Ada Rook"}, {"Rook"}]


def test_the_order_of_documents_changes_nothing() -> None:
    records = [
        mentioning(record("a", of("Ada Rook", "A. Rook", "Rook")), ["Alma Finch"], ("https://mills.example/Person",)),
        record("b", of("Alma Rook", "A. Rook", "Rook")),
        record("c", of("Royal Society of Rye Bakers", "RSRB", cls="Guild")),
    ]
    first: Resolution | None = None
    for order in itertools.permutations(records):
        found = resolve(list(order), MILLS, (), NS)
        first = first or found
        assert found.entities == first.entities
        assert found.iri("a", EntityName("Rook")) != found.iri("b", EntityName("Rook"))

"""Ontologies of many habits read into the same frozen terms."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadOntology
from kg.namespaces import RDFS, SKOS, XSD
from kg.ontology import Ontology, load, parse
from tests.conftest import SHARED

E = "http://example.org/sea#"
HEAD = """@prefix : <http://example.org/sea#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix kg: <https://w3id.org/citegraph/kg#> . @prefix unit: <http://qudt.org/vocab/unit/> .
@prefix schema: <https://schema.org/> .
"""
LIGHTHOUSES = (
    HEAD
    + """
:Structure a owl:Class ; rdfs:label "structure" .
:Lighthouse a owl:Class ; rdfs:subClassOf :Structure ; rdfs:label "lighthouse"@en , "Leuchtturm"@de ;
    skos:altLabel "light station" ; skos:definition "A tower that carries a light." ;
    kg:namePattern "(?i) light(house)?$" .
:Keeper a owl:Class ; rdfs:label "keeper" ; owl:disjointWith :Structure .
:Head_Keeper a owl:Class ; rdfs:subClassOf :Keeper .
:height a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :Structure ; rdfs:range xsd:decimal ;
    rdfs:label "height" ; skos:altLabel "tower height" ; kg:canonicalUnit unit:M ;
    kg:phrase "{subject} is {object} tall" ; kg:example "{subject:Old Head} is {object:30 m} tall." .
:lampCount a owl:DatatypeProperty ; rdfs:domain :Lighthouse ; rdfs:range xsd:integer ; rdfs:label "number of lamps" .
:keptBy a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Keeper ; owl:inverseOf :keeps ;
    rdfs:label "kept by" .
:keeps a owl:ObjectProperty ; rdfs:label "keeps" .
:plannedHeight rdfs:subPropertyOf :height ; kg:aboutPlans true .
:north a :Lighthouse ; rdfs:label "North Light" ; skos:altLabel "The North" .
"""
)


def read(turtle: str, name: str = "a.ttl") -> Ontology:
    return parse([(name, turtle.encode())])


SEA = read(LIGHTHOUSES)


def test_classes() -> None:
    lighthouse = SEA.classes[E + "Lighthouse"]
    assert lighthouse.label == "lighthouse"
    assert lighthouse.alt_labels == ("Leuchtturm", "light station")
    assert lighthouse.definition == "A tower that carries a light."
    assert lighthouse.parents == (E + "Structure",)
    assert lighthouse.matches("Fastnet Light") and not lighthouse.matches("Lightship")
    assert SEA.classes[E + "Head_Keeper"].label == "head keeper"
    assert list(SEA.classes) == sorted(SEA.classes)


def test_properties() -> None:
    height = SEA.properties[E + "height"]
    assert (height.datatype, height.values, height.canonical_unit) == (XSD + "decimal", "literal", "M")
    assert height.functional and height.max_cardinality == 1 and not height.about_plans
    assert height.phrases == ("{subject} is {object} tall",)
    assert height.examples[0].text == "Old Head is 30 m tall."
    kept = SEA.properties[E + "keptBy"]
    assert (kept.domains, kept.ranges) == ((E + "Lighthouse",), (E + "Keeper",))


def test_a_subproperty_takes_what_it_lacks_from_above() -> None:
    planned = SEA.properties[E + "plannedHeight"]
    assert planned.label == "planned height"
    assert (planned.domains, planned.datatype, planned.canonical_unit) == ((E + "Structure",), XSD + "decimal", "M")
    assert planned.about_plans and planned.values == "literal"
    assert not planned.functional  # a property below a functional one is, but nobody says so of the planned one
    assert SEA.superproperties(E + "plannedHeight") == {E + "plannedHeight", E + "height"}


def test_individuals() -> None:
    north = SEA.individuals[E + "north"]
    assert (north.label, north.alt_labels, north.types) == ("North Light", ("The North",), (E + "Lighthouse",))
    assert list(SEA.individuals) == [E + "north"]


def test_hierarchy_and_disjointness() -> None:
    assert SEA.superclasses(E + "Lighthouse") == {E + "Lighthouse", E + "Structure"}
    assert SEA.subclasses(E + "Structure") == {E + "Lighthouse", E + "Structure"}
    assert SEA.superclasses("http://elsewhere/X") == {"http://elsewhere/X"}
    assert not SEA.compatible(E + "Lighthouse", E + "Head_Keeper")
    assert not SEA.compatible(E + "Head_Keeper", E + "Lighthouse")
    assert SEA.compatible(E + "Lighthouse", E + "Structure")
    assert SEA.compatible(E + "Keeper", "http://elsewhere/X")
    assert SEA.most_specific([E + "Structure", E + "Lighthouse", E + "Keeper"]) == (E + "Keeper", E + "Lighthouse")


@pytest.mark.parametrize(
    ("text", "kind", "iri"),
    [
        ("Lighthouses", "class", "Lighthouse"),
        ("LIGHT STATION", "class", "Lighthouse"),
        ("lamp count", "property", "lampCount"),
        ("No. of lamps", "property", "lampCount"),
        ("Tower Height (m)", "property", "height"),
        ("the north", "individual", "north"),
        ("Kept-by", "property", "keptBy"),
    ],
)
def test_by_label(text: str, kind: str, iri: str) -> None:
    (found,) = SEA.by_label(text)
    assert (found.kind, found.iri) == (kind, E + iri)


def test_by_label_prefers_labels_to_alternatives_and_keeps_kinds_apart() -> None:
    sea = read(
        HEAD + ':a a owl:ObjectProperty ; rdfs:label "watch" ; skos:altLabel "lookout" . '
        ':b a owl:ObjectProperty ; rdfs:label "lookout" . :C a owl:Class ; rdfs:label "watch" .'
    )
    assert [c.iri for c in sea.by_label("lookouts")] == [E + "b", E + "a"]
    assert [c.iri for c in sea.by_label("watches")] == [E + "a", E + "C"]
    assert [c.iri for c in sea.by_label("watch", "class")] == [E + "C"]
    assert sea.by_label("foghorn") == () == sea.by_label("")


# --- other people's habits -----------------------------------------------------------------------


def test_rdfs_and_schema_habits() -> None:
    sea = read(
        HEAD
        + """:Boat a rdfs:Class . :Crew rdfs:subClassOf schema:Person . :note a rdf:Property .
        :tows a rdf:Property ; rdfs:domain :Boat , :Tug ; rdfs:range :Barge .
        :length schema:domainIncludes :Boat ; schema:rangeIncludes schema:Number ."""
    )
    assert set(sea.classes) == {E + n for n in ("Boat", "Crew", "Tug", "Barge")}
    assert sea.superclasses(E + "Crew") == {E + "Crew", "https://schema.org/Person"}
    assert sea.properties[E + "tows"].domains == (E + "Boat", E + "Tug")
    assert sea.properties[E + "tows"].values == "entity"
    assert sea.properties[E + "note"].values == "any"
    assert sea.properties[E + "length"].datatype == XSD + "decimal"


def test_class_expressions() -> None:
    sea = read(
        HEAD
        + """:p a owl:ObjectProperty ; rdfs:domain [ a owl:Class ; owl:unionOf ( :A [ owl:unionOf ( :B :C ) ] ) ] .
        :D a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :A [ a owl:Restriction ;
            owl:onProperty :p ; owl:maxCardinality "3"^^xsd:nonNegativeInteger ] ) ] .
        :S a owl:Class ; owl:disjointUnionOf ( :A :B ) .
        [] a owl:AllDisjointClasses ; owl:members ( :B :C :X ) ."""
    )
    assert sea.properties[E + "p"].domains == (E + "A", E + "B", E + "C")
    assert sea.properties[E + "p"].max_cardinality == 3
    assert sea.classes[E + "D"].parents == (E + "A",)
    assert sea.classes[E + "A"].parents == (E + "S",)
    assert not sea.compatible(E + "D", E + "B")
    assert not sea.compatible(E + "X", E + "C")
    assert sea.compatible(E + "A", E + "C")


@pytest.mark.parametrize(
    ("range_", "datatype"),
    [
        ("xsd:gYear , xsd:date", "date"),
        ("[ a rdfs:Datatype ; owl:unionOf ( xsd:gYear xsd:gYearMonth ) ]", "date"),
        (
            "[ a rdfs:Datatype ; owl:onDatatype xsd:integer ; owl:withRestrictions ( [ xsd:minInclusive 1 ] ) ]",
            "integer",
        ),
        ('[ a rdfs:Datatype ; owl:oneOf ( "red" "green" ) ]', "string"),
        ("[ a rdfs:Datatype ; owl:unionOf ( xsd:integer xsd:double ) ]", "decimal"),
        ("rdf:langString", "string"),
    ],
)
def test_data_ranges(range_: str, datatype: str) -> None:
    sea = read(HEAD + f":p a owl:DatatypeProperty ; rdfs:range {range_} .")
    assert sea.properties[E + "p"].datatype == XSD + datatype
    assert sea.properties[E + "p"].ranges == ()


def test_a_data_property_without_range_takes_any_literal() -> None:
    property_ = read(HEAD + ":p a owl:DatatypeProperty .").properties[E + "p"]
    assert (property_.datatype, property_.values) == (RDFS + "Literal", "literal")


def test_skos_concepts_are_individuals() -> None:
    sea = read(
        HEAD
        + """:signals a skos:ConceptScheme .
        :fog a skos:Concept ; skos:inScheme :signals ; skos:prefLabel "fog signal" ; skos:altLabel "foghorn" .
        :fog skos:broader :sound . :sound a skos:Concept , :Signal ; skos:prefLabel "sound"@en , "Ton"@de ."""
    )
    assert set(sea.individuals) == {E + "fog", E + "sound"}
    assert sea.individuals[E + "fog"].types == (SKOS + "Concept",)
    assert sea.individuals[E + "sound"].types == (E + "Signal", SKOS + "Concept")
    assert sea.individuals[E + "sound"].alt_labels == ("Ton",)
    assert sea.by_label("Foghorns")[0].iri == E + "fog"
    assert set(sea.classes) == {SKOS + "Concept"}


def test_labels_fall_back_on_other_languages_then_on_the_local_name() -> None:
    sea = read(
        HEAD
        + """:Phare a owl:Class ; rdfs:label "phare"@fr , "lighthouse"@en-GB .
        :hasGPUCount a rdf:Property . :Tour a owl:Class ."""
    )
    assert sea.classes[E + "Phare"].label == "lighthouse"
    assert sea.properties[E + "hasGPUCount"].label == "has GPU count"
    assert sea.by_label("Number of GPUs")[0].iri == E + "hasGPUCount"
    assert sea.classes[E + "Tour"].label == "tour"


def test_annotation_properties_and_the_languages_of_ontologies_declare_nothing() -> None:
    sea = read(
        HEAD + ":note a owl:AnnotationProperty ; rdfs:range xsd:string . :A rdfs:subClassOf owl:Thing . "
        "<http://example.org/sea> a owl:Ontology . :shape a <http://www.w3.org/ns/shacl#NodeShape> ."
    )
    assert (dict(sea.properties), dict(sea.individuals), list(sea.classes)) == ({}, {}, [E + "A"])
    assert sea.classes[E + "A"].parents == ()


def test_cycles_end() -> None:
    sea = read(
        HEAD + ":A rdfs:subClassOf :B . :B rdfs:subClassOf :A . :p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :p ."
    )
    assert sea.superclasses(E + "A") == {E + "A", E + "B"} == sea.superclasses(E + "B")
    assert sea.superproperties(E + "p") == {E + "p", E + "q"}
    assert sea.most_specific([E + "A", E + "B"]) == (E + "A", E + "B")


def test_other_formats(tmp_path: Path) -> None:
    triples = list(ox.parse(LIGHTHOUSES.encode(), format=ox.RdfFormat.TURTLE))
    formats = {
        "a.nt": ox.RdfFormat.N_TRIPLES,
        "a.rdf": ox.RdfFormat.RDF_XML,
        "a.owl": ox.RdfFormat.RDF_XML,
        "a.jsonld": ox.RdfFormat.JSON_LD,
    }
    for name, format_ in formats.items():
        path = tmp_path / name
        path.write_bytes(ox.serialize(triples, format=format_) or b"")
        assert load([path]).hash == SEA.hash, name
    turtle = tmp_path / "b.owl"
    turtle.write_text(LIGHTHOUSES, encoding="utf-8-sig")
    assert load([turtle]).hash == SEA.hash


# --- hash, source, triples -----------------------------------------------------------------------

UNION = (
    HEAD
    + """:p a owl:ObjectProperty ; rdfs:domain [ a owl:Class ; owl:unionOf ( :A :B ) ] ;
    rdfs:range [ a owl:Class ; owl:unionOf ( :C :D ) ] ."""
)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_hash_and_triples_depend_on_neither_order_nor_blank_node_names(rng: random.Random) -> None:
    triples = list(ox.parse((LIGHTHOUSES + UNION).encode(), format=ox.RdfFormat.TURTLE, rename_blank_nodes=True))
    rng.shuffle(triples)
    half = rng.randrange(len(triples))
    # A blank node that both files mention would be two: keep all of them in the first.
    first = [
        t
        for i, t in enumerate(triples)
        if i < half or isinstance(t.subject, ox.BlankNode) or isinstance(t.object, ox.BlankNode)
    ]
    second = [t for t in triples if t not in first]
    files = [
        (f"{i}.nt", ox.serialize(part, format=ox.RdfFormat.N_TRIPLES) or b"") for i, part in enumerate((first, second))
    ]
    rng.shuffle(files)
    shuffled, plain = parse(files), read(LIGHTHOUSES + UNION)
    assert shuffled.hash == plain.hash
    assert shuffled.triples == plain.triples
    assert dict(shuffled.properties) == dict(plain.properties)


def test_the_same_contents_are_read_once_whatever_the_file_is_called() -> None:
    data = LIGHTHOUSES.encode()
    first = parse([("a.ttl", data)])
    assert parse([("elsewhere/b.ttl", data)]) is first
    assert parse([("a.ttl", data)], base="http://example.org/other/") is not first
    with pytest.raises(BadOntology, match=r"the ontology a\.nt"):  # a suffix tells a format
        parse([("a.nt", data)])
    for name in ("one.ttl", "two.ttl"):  # what can't be read is told under its own name
        with pytest.raises(BadOntology, match=name):
            parse([(name, b"no turtle")])


def test_any_change_changes_the_hash() -> None:
    assert read(LIGHTHOUSES.replace("30 m", "31 m")).hash != SEA.hash
    assert read(LIGHTHOUSES + "# a comment\n@prefix z: <http://z/> .").hash == SEA.hash


def test_triples_have_no_blank_nodes_and_are_the_same_everywhere() -> None:
    sea = read(UNION)
    assert not any(isinstance(n, ox.BlankNode) for t in sea.triples for n in (t.subject, t.object))
    assert len(sea.triples) == 15
    other = parse([("a.ttl", UNION.encode())], base="https://example.org/")
    assert any("<https://example.org/graph/ontology/" in str(t.subject) for t in other.triples)


def test_the_source_reads_back_as_the_same_ontology() -> None:
    again = read(SEA.source)
    assert (again.hash, again.source, again.triples) == (SEA.hash, SEA.source, SEA.triples)
    assert dict(again.prefixes) == dict(SEA.prefixes)
    assert dict(again.classes) == dict(SEA.classes)


def test_a_file_given_twice_counts_once(tmp_path: Path) -> None:
    for name in ("a.ttl", "b.ttl"):
        (tmp_path / name).write_text(UNION)
    assert load([tmp_path / "a.ttl", tmp_path / "b.ttl"]).hash == load([tmp_path / "a.ttl"]).hash


def test_empty() -> None:
    empty = Ontology.empty()
    assert not empty and SEA
    assert (len(empty.classes), empty.triples, empty.source, empty.by_label("x")) == (0, (), "", ())
    assert empty.compatible("http://a", "http://b")


# --- refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ttl", ":x a :y .", "a.ttl, line 1"),
        ("a.ttl", HEAD + "\n:x a owl:Class", "line 7"),
        ("a.txt", "", "unknown format"),
        ("a.jsonld", '{"@context": "http://example.org/c.jsonld", "@id": "http://e/a", "b": 1}', "remote contexts"),
        ("a.rdf", '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><r/>', "document type declaration"),
        ("a.owl", '<!doctype r [<!entity a "b">]><r/>', "document type declaration"),
        ("a.ttl", HEAD + ':p kg:phrase "is tall" ; a owl:ObjectProperty .', "{subject}"),
        ("a.ttl", HEAD + ':p kg:example "{subject:X} is tall." ; a owl:ObjectProperty .', "one subject and one object"),
        ("a.ttl", HEAD + ':C kg:namePattern "(" ; a owl:Class .', "not a regular expression"),
    ],
)
def test_refused(name: str, content: str, said: str) -> None:
    with pytest.raises(BadOntology) as caught:
        parse([(name, content.encode())])
    assert said in caught.value.message
    assert caught.value.hint


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOntology, match="No such file"):
        load([tmp_path / "missing.ttl"])
    (tmp_path / "latin.ttl").write_bytes("# a\n# caf\xe9".encode("latin-1"))
    with pytest.raises(BadOntology, match=r"latin.ttl is not UTF-8 \(line 2\)"):
        load([tmp_path / "latin.ttl"])
    with pytest.raises(BadOntology, match="can't be read"):
        load([tmp_path])


def test_reading_an_ontology_loads_no_slow_library() -> None:
    code = "import sys, kg.ontology; print([m for m in ('rdflib', 'pyshacl', 'torch') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": "src"},
        cwd=Path(__file__).parent.parent.parent,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("path", "sizes"), [("acme/insurance.ttl", (11, 28, 0)), ("geoquery/geo.ttl", (7, 13, 674))])
def test_ontologies_of_others(path: str, sizes: tuple[int, int, int]) -> None:
    file = SHARED / "bench" / path
    if not file.exists():
        pytest.skip("the shared benchmarks are not at hand")
    found = load([file])
    assert (len(found.classes), len(found.properties), len(found.individuals)) == sizes
    assert read(found.source).hash == found.hash

"""The ontology of the sample domain: complete, consistent, and in step with its shapes and with the units."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest

from kg.namespaces import RDF, XSD
from kg.ontology import Ontology, OntologyClass, OntologyProperty, load
from kg.text import units
from tests.conftest import REPOSITORY

AI = "https://w3id.org/citegraph/ai#"
FOLDER = REPOSITORY / "ontology"
ONTOLOGY = load([FOLDER / "ai-infrastructure.ttl"])
PROPERTIES = [pytest.param(p, id=iri.removeprefix(AI)) for iri, p in ONTOLOGY.properties.items()]


def test_size() -> None:
    assert 35 <= len(ONTOLOGY.classes) <= 65
    assert 80 <= len(ONTOLOGY.properties) <= 165
    assert len(ONTOLOGY.individuals) <= 24  # an ontology, not a copy of what documents say


def test_every_term_is_its_own_and_described() -> None:
    terms: list[OntologyClass | OntologyProperty] = [*ONTOLOGY.classes.values(), *ONTOLOGY.properties.values()]
    for term in terms:
        assert term.iri.startswith(AI)
        assert term.label and term.definition.endswith("."), term.iri
        assert term.alt_labels, term.iri
    labels = [p.label for p in ONTOLOGY.properties.values()]
    assert len(labels) == len(set(labels))


OF_ANYTHING = {"description", "hasEvent"}  # without a domain, as their superterms


@pytest.mark.parametrize("property_", PROPERTIES)
def test_properties_are_complete(property_: OntologyProperty) -> None:
    assert bool(property_.domains) != (property_.iri.removeprefix(AI) in OF_ANYTHING)
    assert set(property_.domains) <= set(ONTOLOGY.classes)
    assert set(property_.ranges) <= set(ONTOLOGY.classes)
    assert property_.values == ("entity" if property_.ranges else "literal")
    # English has a dozen ways to say where something is; more would be a property that means too much.
    assert 2 <= len(property_.phrases) <= 12 and len(property_.examples) == 2
    if property_.canonical_unit:
        assert property_.datatype == XSD + "decimal" and units.known(property_.canonical_unit)
    for example in property_.examples:
        assert example.text[slice(*example.subject)] != example.text[slice(*example.object)]


@pytest.mark.parametrize("property_", PROPERTIES)
def test_a_subproperty_stays_within_the_property_above(property_: OntologyProperty) -> None:
    for above in (ONTOLOGY.properties[p] for p in property_.parents if p in ONTOLOGY.properties):
        for narrow, wide in ((property_.domains, above.domains), (property_.ranges, above.ranges)):
            assert all(ONTOLOGY.superclasses(cls).intersection(wide) for cls in narrow) or not wide
        assert property_.values == above.values


def test_inverses_mirror_each_other() -> None:
    inverse = ox.NamedNode("http://www.w3.org/2002/07/owl#inverseOf")
    pairs = [(t.subject.value, t.object.value) for t in ONTOLOGY.triples if t.predicate == inverse]
    assert pairs
    for one, other in ((ONTOLOGY.properties[a], ONTOLOGY.properties[b]) for a, b in pairs):
        assert (other.domains, other.ranges) == (one.ranges, one.domains)


def test_classes_can_have_members() -> None:
    for iri in ONTOLOGY.classes:
        assert ONTOLOGY.compatible(iri, iri), iri
        assert all(ONTOLOGY.compatible(iri, above) for above in ONTOLOGY.superclasses(iri)), iri


def test_homonyms_are_told_apart() -> None:
    for one, other in [
        ("Person", "Cluster"),
        ("LanguageModel", "Company"),
        ("GPU", "Place"),
        ("Software", "Team"),
        ("TPU", "GPU"),
    ]:
        assert not ONTOLOGY.compatible(AI + one, AI + other), (one, other)
    for one, other in [("Model", "Software"), ("CloudPlatform", "Company"), ("Project", "Organisation")]:
        assert ONTOLOGY.compatible(AI + one, AI + other), (one, other)


def test_nothing_is_both_a_class_and_a_value() -> None:
    kinds = [set(ONTOLOGY.classes), set(ONTOLOGY.properties), set(ONTOLOGY.individuals)]
    assert not kinds[0] & kinds[1] and not kinds[0] & kinds[2] and not kinds[1] & kinds[2]
    for triple in ONTOLOGY.triples:
        if triple.predicate.value.startswith(AI):
            raise AssertionError(f"a fact in the ontology: {triple}")
        if triple.predicate.value == RDF + "type" and getattr(triple.object, "value", "") in ONTOLOGY.classes:
            assert triple.subject.value in ONTOLOGY.individuals  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wording", "name"),
    [
        ("Number of Parameters", "parameterCount"),
        ("Total parameters", "parameterCount"),
        ("GPU Count", "acceleratorCount"),
        ("GPU Type", "usesAccelerator"),
        ("Estimated Cost", "trainingCost"),
        ("Training time", "trainingDuration"),
        ("Manufacturer", "manufacturer"),
        ("Released", "releaseDate"),
        ("Data centers", "site"),
        ("Licence", "licence"),
        ("License", "licence"),
        ("Job Title", "jobTitle"),
        ("MX records", "mailServer"),
    ],
)
def test_headers_find_their_property(wording: str, name: str) -> None:
    assert ONTOLOGY.by_label(wording, "property")[0].iri == AI + name


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("GPT-9", "LanguageModel"),
        ("Gemini 7", "LanguageModel"),
        ("NVIDIA B300", "GPU"),
        ("H100s", "GPU"),
        ("TPU v9", "TPU"),
        ("DGX-5", "Server"),
        ("Storage Systems Team", "Team"),
        ("mx3.example.net.", "InternetHost"),
        ("Harbour Labs", "ResearchLaboratory"),
        ("University of Bergen", "University"),
        ("Orange County", "Place"),
        ("Phase 7", "Phase"),
        ("Nordic Compute LLC", "Company"),
        ("Narvik cluster", "Cluster"),
    ],
)
def test_names_show_their_class(name: str, cls: str) -> None:
    assert [c.iri.removeprefix(AI) for c in ONTOLOGY.classes.values() if c.matches(name)] == [cls]


@pytest.mark.parametrize("name", ["John Smith", "Norway", "numpy.sum", "notes.md", "A16", "A320", "Model T"])
def test_other_names_show_none_of_these(name: str) -> None:
    shown = {c.iri.removeprefix(AI) for c in ONTOLOGY.classes.values() if c.matches(name)}
    assert shown <= ({"GPU"} if name == "A320" else set())


def test_shapes_speak_of_declared_terms_only() -> None:
    text = (FOLDER / "ai-infrastructure-shapes.ttl").read_text(encoding="utf-8")
    used = set(re.findall(r"\bai:(\w+)", text))
    declared = {iri.removeprefix(AI) for iri in (*ONTOLOGY.classes, *ONTOLOGY.properties)}
    assert used <= declared
    assert {iri.removeprefix(AI) for iri in ONTOLOGY.properties} <= used


def test_ontology_and_shapes_load_together() -> None:
    both = load([FOLDER / "ai-infrastructure.ttl", FOLDER / "ai-infrastructure-shapes.ttl"])
    assert isinstance(both, Ontology)
    assert dict(both.classes) == dict(ONTOLOGY.classes) and dict(both.properties) == dict(ONTOLOGY.properties)
    assert dict(both.individuals) == dict(ONTOLOGY.individuals)

"""The sample ontology is consistent: reasoned over by OWL 2 RL, with the axioms of the vocabularies above it."""

from __future__ import annotations

import owlrl  # type: ignore[import-untyped]
import pytest
from rdflib import Graph, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import OWL, PROV, RDF, RDFS

from tests.conftest import REPOSITORY

AI = Namespace("https://w3id.org/citegraph/ai#")
EX = Namespace("https://example.org/")
ERROR = URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
# Axioms of PROV-O, ORG and FOAF about terms above ours (W3C Recommendations of 2013 and 2014; FOAF 0.99).
ABOVE = """
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix org: <http://www.w3.org/ns/org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
prov:Entity owl:disjointWith prov:Activity .
prov:Person rdfs:subClassOf prov:Agent . prov:Organization rdfs:subClassOf prov:Agent .
prov:used rdfs:domain prov:Activity ; rdfs:range prov:Entity .
prov:startedAtTime rdfs:domain prov:Activity . prov:endedAtTime rdfs:domain prov:Activity .
prov:wasDerivedFrom rdfs:domain prov:Entity ; rdfs:range prov:Entity .
prov:wasAttributedTo rdfs:domain prov:Entity ; rdfs:range prov:Agent .
prov:atLocation rdfs:range prov:Location .
org:Organization rdfs:subClassOf foaf:Agent . org:OrganizationalUnit rdfs:subClassOf org:Organization .
org:OrganizationalCollaboration rdfs:subClassOf org:Organization .
org:memberOf rdfs:domain foaf:Agent ; rdfs:range org:Organization ; owl:inverseOf org:hasMember .
org:subOrganizationOf rdfs:domain org:Organization ; rdfs:range org:Organization .
org:organization rdfs:domain org:Membership ; rdfs:range org:Organization .
foaf:Person rdfs:subClassOf foaf:Agent ; owl:disjointWith foaf:Document , foaf:Project , foaf:Organization .
foaf:Document owl:disjointWith foaf:Organization , foaf:Project .
"""
LOGIC = {
    RDF.type, RDF.first, RDF.rest, RDFS.subClassOf, RDFS.subPropertyOf, RDFS.domain, RDFS.range, OWL.unionOf,
    OWL.inverseOf, OWL.disjointWith, OWL.members,
}  # fmt: skip
KINDS = {OWL.Class, OWL.AllDisjointClasses, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.TransitiveProperty}


def axioms() -> Graph:
    """Classes, properties and what holds between them, without annotations, individuals and functional properties.

    That a property is functional is about the world: a graph that shows what sources say may hold several values.
    """
    source = Graph().parse(REPOSITORY / "ontology" / "ai-infrastructure.ttl")
    graph = Graph().parse(data=ABOVE, format="turtle")
    for s, p, o in source:
        if p in LOGIC and (p != RDF.type or o in KINDS):
            graph.add((s, p, o))
    return graph


AXIOMS = axioms()
PROPERTIES = sorted(p for p in AXIOMS.subjects(RDF.type, OWL.ObjectProperty) if isinstance(p, URIRef))
CLASSES = sorted(c for c in AXIOMS.subjects(RDF.type, OWL.Class) if isinstance(c, URIRef))


def alternatives(property_: URIRef, side: URIRef) -> list[URIRef]:
    """The classes that a property's domain or range names, one or a union."""
    found: list[URIRef] = []
    for named in AXIOMS.objects(property_, side):
        union = AXIOMS.value(named, OWL.unionOf)
        found += Collection(AXIOMS, union) if union is not None else [named]  # type: ignore[arg-type, list-item]
    return sorted(c for c in found if isinstance(c, URIRef) and c.startswith(AI))


def closure(data: Graph) -> Graph:
    """The data and the axioms with all that OWL 2 RL infers from them."""
    graph = Graph()
    for triple in (*AXIOMS, *data):
        graph.add(triple)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return graph


def errors(inferred: Graph) -> list[str]:
    """What OWL 2 RL found wrong with what was reasoned over."""
    return sorted(str(o) for o in inferred.objects(None, ERROR))


def each_used() -> Graph:
    """A member of every class; statements with every property, from each class of its domain, to each of its range."""
    data = Graph()
    for cls in CLASSES:
        data.add((EX[cls.split("#")[-1]], RDF.type, cls))
    for n, property_ in enumerate(PROPERTIES):
        starts, ends = alternatives(property_, RDFS.domain), alternatives(property_, RDFS.range)
        for i, start in enumerate(starts):
            for one, cls in ((EX[f"s{n}-{i}"], start), (EX[f"o{n}-{i}"], ends[i % len(ends)])):
                data.add((one, RDF.type, cls))
            data.add((EX[f"s{n}-{i}"], property_, EX[f"o{n}-{i}"]))
        for i, end in enumerate(ends[len(starts) :]):
            data.add((EX[f"p{n}-{i}"], property_, EX[f"q{n}-{i}"]))
            data.add((EX[f"p{n}-{i}"], RDF.type, starts[0] if starts else AI.Model))
            data.add((EX[f"q{n}-{i}"], RDF.type, end))
    return data


@pytest.mark.long
def test_every_class_can_have_members_and_every_property_can_be_used() -> None:
    assert len(CLASSES) > 50 and len(PROPERTIES) > 50
    assert errors(closure(each_used())) == []


WRONG = {
    "person-and-cluster": (AI.Person, AI.Cluster),
    "place-and-paper": (AI.CloudRegion, AI.Paper),
    "entity-and-activity": (AI.Model, AI.TrainingRun),
    "gpu-and-tpu": (AI.GPU, AI.TPU),
}


@pytest.fixture(scope="module")
def inferred() -> Graph:
    """What follows from things of two kinds and others of none, reasoned over once."""
    data = Graph()
    for name, classes in WRONG.items():
        for cls in classes:
            data.add((EX[name], RDF.type, cls))
    data.add((EX["model-that-used"], RDF.type, AI.Model))
    data.add((EX["model-that-used"], PROV.used, EX["data"]))
    data.add((EX["led"], AI.leads, EX["right"]))
    data.add((EX["right"], RDF.type, AI.Project))
    data.add((EX["led"], RDF.type, AI.Person))
    data.add((EX["part"], AI.partOf, EX["whole"]))
    data.add((EX.ines, AI.worksFor, EX.alder))
    data.add((EX.a, AI.partOf, EX.b))
    data.add((EX.b, AI.partOf, EX.c))
    data.add((EX.tomas, AI.memberOf, EX.team))
    return closure(data)


def test_contradictions_are_found(inferred: Graph) -> None:
    """Things of two kinds, and superterms that would contradict: a model would be an activity, and hence no entity."""
    found = errors(inferred)
    assert all(any(name in message for message in found) for name in (*WRONG, "model-that-used"))
    assert not any(EX[name] in message for message in found for name in ("led", "right", "part", "whole"))


def test_subject_of_a_statement_is_classified(inferred: Graph) -> None:
    """What RL infers from single domains and ranges, inverses and transitivity."""
    graph = inferred
    assert (EX.ines, RDF.type, AI.Person) in graph and (EX.alder, RDF.type, AI.Agent) in graph
    assert (EX.a, AI.partOf, EX.c) in graph
    assert (EX.team, AI.hasMember, EX.tomas) in graph

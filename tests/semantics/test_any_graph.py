"""No graph breaks a question: generated graphs, a few here, by the thousand in benchmarks/any_graph.py."""

from __future__ import annotations

from random import Random

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.indexes.embedding import OnnxEncoder
from kg.semantics.engine import SemanticParser
from kg.semantics.graph import Graph
from tests.semantics.any_graph import LABEL, OWL, RDFS, SUBCLASS, TYPE, XSD, asked, generated, store_of

ENCODER = OnnxEncoder()
EX = "http://x.example/"


def iri(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


@given(st.randoms(use_true_random=False))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_generated_graph_breaks_a_question(random: Random) -> None:
    for answer in asked(generated(random), random, 3, ENCODER):
        assert answer.status in ("answered", "abstained")
        assert answer.answer


def ask(question: str, *triples: tuple[object, object, object]) -> list[str] | None:
    parser = SemanticParser.over(store_of(triples), encoder=ENCODER)
    rows = parser.parse(question).rows
    return None if rows is None else sorted(parser.graph.name(parser.graph.ids[row[0]]) for row in rows)  # type: ignore[index]


def test_a_declared_property_without_a_triple() -> None:
    kiln, potter = iri("Kiln"), iri("Potter")
    triples = [
        (kiln, TYPE, ox.NamedNode(f"{OWL}Class")),
        (potter, TYPE, ox.NamedNode(f"{OWL}Class")),
        (iri("ownedBy"), TYPE, ox.NamedNode(f"{OWL}ObjectProperty")),
        (iri("ownedBy"), ox.NamedNode(f"{RDFS}domain"), kiln),
        (iri("ownedBy"), ox.NamedNode(f"{RDFS}range"), potter),
        (iri("k1"), TYPE, kiln),
        (iri("k1"), LABEL, ox.Literal("Old Kiln")),
    ]
    assert not ask("Who is the Old Kiln owned by?", *triples)
    assert ask("List the kilns.", *triples) == ["Old Kiln"]


def test_a_circle_and_a_long_chain_of_classes() -> None:
    chain = [(iri(f"C{n}"), SUBCLASS, iri(f"C{(n + 1) % 3000}")) for n in range(3000)]
    graph = Graph(store_of([*chain, (iri("x"), TYPE, iri("C5"))]).quads_for_pattern(None, None, None, None))
    assert len(graph.superclasses[graph.ids[iri("C0")]]) == 3000  # type: ignore[index]
    assert len(graph.classes[graph.ids[iri("C2999")]]) == 1  # type: ignore[index]


def test_blank_nodes_are_asked_by_their_names() -> None:
    kiln, owner = ox.BlankNode("k"), iri("owner")
    triples = [
        (kiln, LABEL, ox.Literal("Old Kiln")),
        (kiln, owner, iri("mara")),
        (iri("mara"), LABEL, ox.Literal("Mara")),
    ]
    assert ask("Who is the owner of the Old Kiln?", *triples) == ["Mara"]


@pytest.mark.parametrize("text", ["1e400", "NaN", "-INF", "twelve", ""])
def test_a_number_that_is_none_is_no_value(text: str) -> None:
    store = store_of([(iri("k"), iri("width"), ox.Literal(text, datatype=ox.NamedNode(f"{XSD}double")))])
    graph = Graph(store.quads_for_pattern(None, None, None, None))
    assert graph.properties[graph.ids[iri("width")]].kind == "text"  # type: ignore[index]


def test_a_class_that_is_a_thing_too() -> None:
    oak, tree = iri("Oak"), iri("Tree")
    triples = [
        (tree, TYPE, ox.NamedNode(f"{OWL}Class")),
        (oak, TYPE, ox.NamedNode(f"{OWL}Class")),
        (oak, SUBCLASS, tree),
        (oak, LABEL, ox.Literal("oak")),
        (oak, iri("growthRate"), ox.Literal("slow")),
        (iri("t1"), TYPE, oak),
        (iri("t1"), LABEL, ox.Literal("Old Jack")),
    ]
    assert ask("What is the growth rate of the oak?", *triples) == ["slow"]
    assert ask("Which trees are oaks?", *triples) == ["Old Jack"]


def test_nothing_at_all() -> None:
    assert ask("How many kilns are there?") is None

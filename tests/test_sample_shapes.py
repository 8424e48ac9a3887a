"""The sample domain's shapes: every property's shape takes a value as it should be and refuses one that can't be."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.app.check import validate
from kg.namespaces import RDF, XSD
from kg.ontology import OntologyProperty, load
from tests.conftest import REPOSITORY

AI = "https://w3id.org/citegraph/ai#"
EX = "https://example.org/"
FOLDER = REPOSITORY / "ontology"
PROPERTIES = load([FOLDER / "ai-infrastructure.ttl"]).properties
SHAPES = [(FOLDER / "ai-infrastructure-shapes.ttl").read_bytes()]
Node = ox.NamedNode | ox.Literal


def literal(value: str, datatype: str) -> ox.Literal:
    return ox.Literal(value, datatype=ox.NamedNode(XSD + datatype))


def right(property_: OntologyProperty) -> list[Node]:
    """Values in the forms in which the graph holds those of a property."""
    if property_.values == "entity":
        return [ox.NamedNode(EX + "thing")]
    match (property_.datatype or "").removeprefix(XSD):
        case "integer":
            return [literal("5", "integer")]
        case "decimal":
            return [literal("5", "integer"), literal("1.5", "decimal"), literal("2.0E1", "double")]
        case "boolean":
            return [literal("true", "boolean")]
        case "anyURI":
            return [literal("https://example.org/", "anyURI")]
        case "string":
            return [ox.Literal("192.0.2.10" if property_.iri == AI + "ipAddress" else "in words")]
    return [literal("2020", "gYear"), literal("2020-05", "gYearMonth"), literal("2020-05-01", "date")]


def wrong(property_: OntologyProperty) -> list[Node]:
    """A value of another kind; of a figure also words."""
    if property_.values == "entity":
        return [ox.Literal("a name that is no node")]
    if (property_.datatype or "").removeprefix(XSD) in ("string", "anyURI"):
        return [ox.NamedNode(EX + "thing")]
    return [ox.NamedNode(EX + "thing"), ox.Literal("about five")]


def refused(values: list[tuple[str, Node]]) -> list[str]:
    """Which of the statements, each of a subject of its own, break a shape: positions in the list, sorted."""
    data = [ox.Triple(ox.NamedNode(f"{EX}s{i}"), ox.NamedNode(p), v) for i, (p, v) in enumerate(values)]
    report = validate(data, SHAPES)
    broken = {result.focus.removeprefix(EX + "s") for result in report}
    return [values[int(i)][0].removeprefix(AI) for i in sorted(broken, key=int)]


def test_values_as_they_should_be_conform() -> None:
    assert refused([(iri, v) for iri, p in PROPERTIES.items() for v in right(p)[:1]]) == []
    assert refused([(iri, v) for iri, p in PROPERTIES.items() for v in right(p)[1:]]) == []


def test_every_property_refuses_what_it_cannot_have() -> None:
    values = [(iri, v) for iri, p in PROPERTIES.items() for v in wrong(p)]
    assert refused(values) == [iri.removeprefix(AI) for iri, _ in values]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("acceleratorCount", literal("-8", "integer")),
        ("acceleratorCount", literal("8.5", "decimal")),
        ("trainingCost", literal("-1", "integer")),
        ("activeExpertCount", literal("0", "integer")),
        ("utilisation", literal("140", "integer")),
        ("waterShare", literal("-2", "integer")),
        ("rank", literal("0", "integer")),
        ("priority", literal("-1", "integer")),
        ("trainingStart", literal("2022", "integer")),
        ("description", ox.Literal("x")),
    ],
)
def test_impossible_figures_are_refused(name: str, value: ox.Literal) -> None:
    assert refused([(AI + name, value)]) == [name]


def test_one_name_for_two_things_is_reported() -> None:
    data = [
        ox.Triple(ox.NamedNode(EX + name), ox.NamedNode(RDF + "type"), ox.NamedNode(AI + cls))
        for name, classes in {
            "mark": ("Person", "Place"),
            "delta": ("Organisation", "Model"),
            "oslo": ("Place",),
        }.items()
        for cls in classes
    ]
    assert {r.focus.removeprefix(EX) for r in validate(data, SHAPES)} == {"mark", "delta"}

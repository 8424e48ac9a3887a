"""SHACL: a graph against shapes, by pySHACL; slow to load and to run, so only ``kg check`` does.

Shapes come from the vocabulary (``kg-shapes.ttl``) and from whatever shapes the ontology's files hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.errors import BadOntology
from kg.namespaces import SH
from kg.ontology import vocabulary

if TYPE_CHECKING:
    from rdflib import Graph

    from kg.ontology import Ontology
    from kg.protocols import GraphStore


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A node that breaks a constraint; ``path`` and ``value`` are empty where the constraint is about the node itself.

    ``severity`` is ``Violation``, ``Warning`` or ``Info``.
    """

    focus: str
    path: str
    value: str
    message: str
    severity: str

    def __str__(self) -> str:
        about = f"{self.focus} {_short(self.path)}".strip()
        return f"{about}: {self.message}" + (f" (value: {self.value})" if self.value else "")


@dataclass(frozen=True, slots=True)
class Report:
    """What a validation found, sorted. ``conforms`` is false with any result, of whatever severity."""

    conforms: bool
    results: tuple[Violation, ...]


def validate(triples: Iterable[ox.Triple | ox.Quad], shapes: Sequence[str | bytes]) -> Report:
    """The triples (graph names are ignored) against shapes in Turtle. Raises BadOntology for invalid shapes."""
    import pyshacl
    from pyshacl.errors import ReportableRuntimeError, ShapeLoadError

    shapes_graph = _turtle(shapes)
    try:
        conforms, report, _ = pyshacl.validate(
            _rdflib_graph(triples), shacl_graph=shapes_graph, inference="none", advanced=False, meta_shacl=False
        )
    except (ShapeLoadError, ReportableRuntimeError) as error:
        raise BadOntology(f"the shapes can't be used: {error}", "see https://www.w3.org/TR/shacl/") from error
    return Report(bool(conforms), tuple(sorted(set(_results(report)))))


def violations(store: GraphStore, ontology: Ontology) -> list[str]:
    """One line for every constraint that the default graph breaks, of the vocabulary's shapes and the ontology's."""
    shapes: list[str | bytes] = [vocabulary("kg-shapes.ttl")]
    if any(triple.predicate.value.startswith(SH) for triple in ontology.triples):
        shapes.append(ontology.source)
    return [str(found) for found in validate(store.quads(ox.DefaultGraph()), shapes).results]


def _turtle(files: Sequence[str | bytes]) -> Graph:
    from rdflib import Graph

    graph = Graph(bind_namespaces="none")
    for data in files:
        try:
            graph.parse(data=data, format="turtle")
        except Exception as error:  # rdflib's parsers raise whatever they stumble over
            raise BadOntology(f"the shapes don't parse: {error}", "write them in Turtle") from error
    return graph


def _rdflib_graph(triples: Iterable[ox.Triple | ox.Quad]) -> Graph:
    from rdflib import BNode, Graph, Literal, URIRef

    def term(node: Any) -> URIRef | BNode | Literal:
        if isinstance(node, ox.NamedNode):
            return URIRef(node.value)
        if isinstance(node, ox.BlankNode):
            return BNode(node.value)
        datatype = None if node.language else URIRef(node.datatype.value)
        return Literal(node.value, lang=node.language, datatype=datatype, normalize=False)

    graph = Graph(bind_namespaces="none")
    for triple in triples:
        graph.add((term(triple.subject), term(triple.predicate), term(triple.object)))
    return graph


def _results(report: Graph) -> Iterable[Violation]:
    from rdflib import RDF, URIRef

    def one(result: Any, name: str) -> str:
        return str(next(iter(report.objects(result, URIRef(SH + name))), ""))

    for result in report.subjects(RDF.type, URIRef(SH + "ValidationResult")):
        messages = sorted(str(m) for m in report.objects(result, URIRef(SH + "resultMessage")))
        yield Violation(
            focus=one(result, "focusNode"),
            path=one(result, "resultPath"),
            value=one(result, "value"),
            message="; ".join(messages),
            severity=one(result, "resultSeverity").removeprefix(SH),
        )


def _short(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]

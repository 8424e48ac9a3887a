"""``kg check``: is everything in a knowledge base what it says it is?

SHACL: a graph against shapes, by pySHACL; slow to load and to run, so only ``kg check`` does.

Shapes come from the vocabulary (``kg-shapes.ttl``) and from whatever shapes the ontology's files hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.base.snapshot import Snapshot
from kg.errors import BadOntology, CorruptKnowledgeBase
from kg.extract.build import unquotable
from kg.graph.conflicts import conflicts
from kg.indexes.segments import intact
from kg.namespaces import SH
from kg.ontology import vocabulary
from kg.reports import CheckReport

if TYPE_CHECKING:
    from rdflib import Graph

    from kg.ontology import Ontology
    from kg.protocols import GraphStore
    from kg.records import Record


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
        path = self.path.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
        about = f"{self.focus} {path}".strip()
        return f"{about}: {self.message}" + (f" (value: {self.value})" if self.value else "")


def validate(triples: Iterable[ox.Triple | ox.Quad], shapes: Sequence[str | bytes]) -> list[Violation]:
    """What in the triples (graph names are ignored) breaks shapes in Turtle, of whatever severity, sorted.

    Raises BadOntology for invalid shapes.
    """
    import pyshacl
    from pyshacl.errors import ReportableRuntimeError, ShapeLoadError

    shapes_graph = _turtle(shapes)
    try:
        _, report, _ = pyshacl.validate(
            _rdflib_graph(triples), shacl_graph=shapes_graph, inference="none", advanced=False, meta_shacl=False
        )
    except (ShapeLoadError, ReportableRuntimeError) as error:
        raise BadOntology(f"the shapes can't be used: {error}", "see https://www.w3.org/TR/shacl/") from error
    return sorted(set(_results(report)))


def violations(store: GraphStore, ontology: Ontology) -> list[str]:
    """One line for every constraint that the default graph breaks, of the vocabulary's shapes and the ontology's."""
    shapes: list[str | bytes] = [vocabulary("kg-shapes.ttl")]
    if any(triple.predicate.value.startswith(SH) for triple in ontology.triples):
        shapes.append(ontology.source)
    return [str(found) for found in validate(store.quads(ox.DefaultGraph()), shapes)]


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


def check(snapshot: Snapshot) -> CheckReport:
    """Verifies file hashes, every offset and quotation, the store against the records, and the shapes."""
    problems: list[str] = []
    counted = {"documents": 0, "passages": 0, "quotations": 0, "evidence": 0, "quads": 0}
    for id_ in snapshot.manifest.documents:
        try:
            record = snapshot.passing_record(id_)
            snapshot.source(id_)
        except CorruptKnowledgeBase as error:
            problems.append(f"{id_}: {error.message}")
            continue
        counted["documents"] += 1
        counted["passages"] += len(record.passages)
        counted["quotations"] += sum(len(p.units) for p in record.passages) + len(record.extraction.claims)
        counted["evidence"] += sum(len(c.evidence) for c in record.extraction.claims)
        problems.extend(f"{id_}: {problem}" for problem in misplaced(record))
    for id_, entry in snapshot.manifest.documents.items():
        if not intact(snapshot.folder, entry.segment):
            problems.append(f"{id_}: its index is missing or altered")
    counted["quads"] = len(snapshot.store)
    if problems:
        return CheckReport(tuple(problems), (), (), counted)
    problems = _graph_problems(snapshot)
    shapes = violations(snapshot.store, snapshot.ontology)
    return CheckReport(tuple(problems), tuple(shapes), tuple(map(str, conflicts(snapshot.store))), counted)


def misplaced(record: Record) -> Iterator[str]:
    """Passages, quotations and evidence whose offsets don't give the text that they claim."""
    text = record.document.text
    passages = {p.id: p for p in record.passages}
    end = 0
    for passage in record.passages:
        if text[passage.start : passage.end] != passage.text:
            yield f"passage {passage.id} isn't the text at {passage.start}:{passage.end}"
        if passage.start < end:
            yield f"passage {passage.id} overlaps the one before it"
        end = passage.end
        for unit in passage.units:
            if not passage.start <= unit.start < unit.end <= passage.end:
                yield f"a quotation at {unit.start}:{unit.end} lies outside its passage"
    for claim in record.extraction.claims:
        yield from unquotable(claim, passages.get(claim.passage), text)


def _graph_problems(snapshot: Snapshot) -> list[str]:
    """Whether the store holds what the records give: both stores are read side by side, in the order of their keys."""
    with snapshot.rebuilt_graph() as rebuilt:
        if all(one == other for one, other in zip_longest(snapshot.store.quads(), rebuilt.quads())):
            return []
        stored, computed = set(snapshot.store.quads()), set(rebuilt.quads())
    told = (
        (stored - computed, "the store holds {} quads that the records don't give"),
        (computed - stored, "the store lacks {} quads that the records give"),
    )
    return [sentence.format(len(quads)) for quads, sentence in told if quads]

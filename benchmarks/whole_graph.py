"""The graph of records at once, without a knowledge base: what builds in place are held to."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from kg.decisions import Decision
from kg.graph.document_graph import Plan, shared_quads
from kg.namespaces import Namespaces
from kg.ontology import Ontology
from kg.records import Record
from kg.resolution.contributions import Sums, contribution
from kg.resolution.openproperties import named
from kg.resolution.resolve import named_whole


def build(
    records: Iterable[Record],
    ontology: Ontology,
    decisions: Iterable[Decision] = (),
    namespaces: Namespaces | None = None,
) -> frozenset[ox.Quad]:
    """Every quad of the graph of these records; without blank nodes, literals in the form that Oxigraph keeps."""
    records = sorted(records, key=lambda r: r.document.id)
    namespaces = namespaces or Namespaces()
    brought = {record.document.id: contribution(record, ontology) for record in records}
    decisions, sums = tuple(decisions), Sums()
    for one in brought.values():
        sums.bring(one)
    names = named_whole(brought.values(), ontology, decisions, namespaces)
    plan = Plan(brought, names, named(sums.wordings), decisions)
    quads: set[ox.Quad] = set()
    for record in records:
        part = plan.part(record)
        quads.update(part.quads())
        sums.tell(part.told)
    quads.update(shared_quads(plan.shared(sums), ontology, namespaces))
    return frozenset(quads)

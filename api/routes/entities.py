"""``/entities/{id}``: one entity, as a page, as JSON with its claims and sources or as RDF."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from kg.errors import CitegraphError
from kg.reports import Explanation

from ..live import Knowledge
from ..protocol import GRAPHS, require
from ..schemas import Disagreement, Disagreements, as_json
from .page import shell, shell_or

router = APIRouter(tags=["graph"])
_GRAPHS = {name: format_ for name, format_ in GRAPHS.items() if name != "application/json"}


@router.get("/entities/{id}", response_model=Explanation, summary="An entity")
def entity(id: str, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """Names, types and claims of an entity; in an RDF format the triples that it is the subject or object of."""
    chosen = require(accept, ["application/json", "text/html", *_GRAPHS])
    try:
        found = knowledge_base.explain(id)
    except CitegraphError as error:
        return shell_or(error, accept)
    if chosen == "text/html":
        return shell()
    if chosen == "application/json":
        return as_json(found, headers={"Vary": "Accept"})
    return _as_rdf(knowledge_base, found.iri, chosen)


@router.get("/entities/{id}/conflicts", summary="What documents disagree on about an entity")
def conflicts(id: str, knowledge_base: Knowledge) -> Disagreements:
    """Properties of an entity on which sources differ: claims in groups, those of a group agreeing."""
    from kg.app.overview import find as named
    from kg.graph.conflicts import conflicts as find

    subject = named(knowledge_base.snapshot, id)
    found = find(knowledge_base.snapshot.store, subject)
    return Disagreements(
        conflicts=[
            Disagreement(
                property=each.property,
                label=each.property_label,
                sides=[[value.claim for value in side] for side in each.sides],
            )
            for each in found
        ]
    )


def _as_rdf(knowledge_base: Knowledge, iri: str, media_type: str) -> Response:
    import pyoxigraph as ox

    node, store = ox.NamedNode(iri), knowledge_base.snapshot.store
    triples = set()
    for variable in ("s", "o"):
        rows = store.query("SELECT * { ?s ?p ?o }", {variable: node})
        assert isinstance(rows, ox.QuerySolutions)
        triples |= {ox.Triple(row["s"], row["p"], row["o"]) for row in rows}
    format_ = getattr(ox.RdfFormat, _GRAPHS[media_type])
    prefixes = knowledge_base.snapshot.namespaces.prefixes()
    body = ox.serialize(sorted(triples, key=str), format=format_, prefixes=prefixes)
    return Response(body, headers={"Content-Type": media_type, "Vary": "Accept"})

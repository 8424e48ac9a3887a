"""``/entities/{id}``: one entity, as JSON with its claims and sources or as RDF."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import JSONResponse
from starlette.responses import Response

from ..dependencies import Knowledge
from ..negotiation import GRAPHS, require
from ..schemas import Entity

router = APIRouter(tags=["graph"])
_GRAPHS = {name: format_ for name, format_ in GRAPHS.items() if name != "application/json"}


@router.get("/entities/{id}", response_model=Entity, summary="An entity")
def entity(id: str, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """Names, types and claims of an entity; in an RDF format the triples that it is the subject or object of."""
    chosen = require(accept, ["application/json", *_GRAPHS])
    found = knowledge_base.explain(id)
    if chosen == "application/json":
        body = Entity.model_validate(found).model_dump(mode="json")
        return JSONResponse(body, headers={"Vary": "Accept"})
    return _as_rdf(knowledge_base, found.iri, chosen)


def _as_rdf(knowledge_base: Knowledge, iri: str, media_type: str) -> Response:
    import pyoxigraph as ox

    node, subject, object_ = ox.NamedNode(iri), ox.Variable("s"), ox.Variable("o")
    store = knowledge_base.snapshot.store
    triples = []
    for query, fixed in (("SELECT ?p ?o { ?s ?p ?o }", subject), ("SELECT ?s ?p { ?s ?p ?o }", object_)):
        rows = store.query(query, {fixed.value: node})
        assert isinstance(rows, ox.QuerySolutions)
        for row in rows:
            triples.append(
                ox.Triple(node, row["p"], row["o"]) if fixed is subject else ox.Triple(row["s"], row["p"], node)
            )
    format_ = getattr(ox.RdfFormat, _GRAPHS[media_type])
    prefixes = knowledge_base.snapshot.namespaces.prefixes()
    body = ox.serialize(sorted(set(triples), key=str), format=format_, prefixes=prefixes)
    return Response(body, headers={"Content-Type": media_type, "Vary": "Accept"})

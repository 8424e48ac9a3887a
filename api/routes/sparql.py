"""``/sparql``: the SPARQL 1.1 Protocol – queries for everyone, updates for holders of a write key."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kg.errors import BadQuery, QueryRefused, UnsupportedBody

from ..access import may_write
from ..live import live
from ..protocol import (
    GRAPHS,
    ROWS,
    Pairs,
    choose,
    content_type,
    graph_iris,
    in_thread,
    pairs,
    require,
    result,
    utf8,
    values,
)
from ..sandbox import Dataset
from .description import describe_service

router = APIRouter(tags=["graph"])
_FORM, _QUERY, _UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
_RESULTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {name: {} for name in [*ROWS, *GRAPHS]}, "description": "The result in the format asked for."},
    204: {"description": "The update is done."},
}
_STRING: dict[str, Any] = {"schema": {"type": "string"}}
_QUERY_GRAPHS = ("default-graph-uri", "named-graph-uri")
_UPDATE_GRAPHS = ("using-graph-uri", "using-named-graph-uri")


def _parameters(*names: str) -> list[dict[str, Any]]:
    schema = {"type": "array", "items": {"type": "string"}}
    return [{"name": n, "in": "query", "description": "A graph of the dataset.", "schema": schema} for n in names]


_GET_DOCS = {
    "parameters": [
        {"name": "query", "in": "query", "description": "A SPARQL 1.1 query; without it: what is offered.", **_STRING},
        *_parameters(*_QUERY_GRAPHS),
    ]
}
_FIELDS = {"query": {"type": "string"}, "update": {"type": "string"}}
_POST_DOCS = {
    "parameters": _parameters(*_QUERY_GRAPHS, *_UPDATE_GRAPHS),
    "requestBody": {
        "content": {
            _FORM: {"schema": {"type": "object", "properties": _FIELDS}},
            _QUERY: _STRING,
            _UPDATE: _STRING,
        }
    },
}


def _one(found: Pairs, name: str) -> str:
    given = values(found, name)
    if len(given) != 1:
        raise BadQuery(f"{len(given)} parameters {name} came, one is needed", f"send one parameter {name}")
    return given[0]


async def _query(request: Request, query: str, found: Pairs, accept: str | None) -> Response:
    dataset = Dataset(*(graph_iris(values(found, name)) for name in _QUERY_GRAPHS))
    rows, graph = _formats(accept)
    sandbox = live(request).sandbox_now()
    if sandbox is None:
        sandbox = await in_thread(request, live(request).sandbox)
    done = await sandbox.run_soon(query, rows and ROWS[rows], graph and GRAPHS[graph], dataset)
    return result(done.body, (graph if done.graph else rows) or "")


@lru_cache(maxsize=256)
def _formats(accept: str | None) -> tuple[str | None, str | None]:
    """Media types for rows and for graphs; None where the client takes none. Raises Unsupported without either."""
    require(accept, [*ROWS, *GRAPHS])
    return choose(accept, ROWS), choose(accept, GRAPHS)


async def _update(request: Request, update: str, found: Pairs) -> Response:
    may_write(request)
    using, named = (graph_iris(values(found, name)) for name in _UPDATE_GRAPHS)
    await in_thread(request, lambda: live(request).update(update, using, named))
    return Response(status_code=204)


async def respond(request: Request) -> Response:
    """The answer to a request by GET, HEAD or POST. Raises what refuses it."""
    accept = request.headers.get("accept")
    query_string = request.scope["query_string"].decode("latin-1")
    if request.method == "POST":
        return await _by_post(request, pairs(query_string), accept)
    found = pairs(query_string)
    names = {name for name, _ in found}
    if "update" in names:
        raise QueryRefused("updates are not accepted by GET", "send it by POST")
    if names.isdisjoint(["query", *_QUERY_GRAPHS]):
        return describe_service(request, accept)
    return await _query(request, _one(found, "query"), found, accept)


async def _by_post(request: Request, beside: Pairs, accept: str | None) -> Response:
    kind, _ = content_type(request.headers.get("content-type", ""))
    if kind == _FORM:
        found = pairs(utf8(await request.body()))
        graphs = [pair for pair in beside if pair[0] in (*_QUERY_GRAPHS, *_UPDATE_GRAPHS)]
        if not values(found, "update"):
            return await _query(request, _one(found, "query"), found + graphs, accept)
        if values(found, "query"):
            raise BadQuery("a query and an update came, one is needed", "send them one after the other")
        return await _update(request, _one(found, "update"), found + graphs)
    if kind in (_QUERY, _UPDATE):
        text = utf8(await request.body())
        run = _query(request, text, beside, accept) if kind == _QUERY else _update(request, text, beside)
        return await run
    raise UnsupportedBody(f"a body of type {kind or 'unknown'} can't be read", f"send {_QUERY}, {_UPDATE} or {_FORM}")


# Requests are answered by kg.api.front, which calls respond() itself; the routes are what describes it to programs.
@router.head("/sparql", include_in_schema=False)
@router.get("/sparql", responses=_RESULTS, openapi_extra=_GET_DOCS, summary="Query the graph")
async def query_by_get(request: Request) -> Response:
    """Runs a SPARQL query given in the address; without one describes the service (SPARQL 1.1 Service Description)."""
    return await respond(request)


@router.post("/sparql", responses=_RESULTS, openapi_extra=_POST_DOCS, summary="Query or update the graph")
async def query_by_post(request: Request) -> Response:
    """Runs a query or an update sent as a form or as the body itself. Updates take a write key."""
    return await respond(request)

"""``/sparql``: the query operation of the SPARQL 1.1 Protocol (§2.1), read-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import parse_qsl

from anyio import to_thread
from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from kg.errors import BadQuery, QueryRefused, UnreadableDocument

from ..dependencies import live
from ..negotiation import GRAPHS, ROWS, choose, require
from ..sandbox import Dataset, QueryResult

router = APIRouter(tags=["graph"])
_FORM, _DIRECT, _UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
_RESULTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {name: {} for name in [*ROWS, *GRAPHS]}, "description": "The result in the format asked for."}
}
_STRING: dict[str, Any] = {"schema": {"type": "string"}}
_PARAMETERS: list[dict[str, Any]] = [
    {"name": "query", "in": "query", "required": True, "description": "A SPARQL 1.1 query.", **_STRING},
    *(
        {
            "name": name,
            "in": "query",
            "description": "A graph of the dataset.",
            "schema": {"type": "array", "items": {"type": "string"}},
        }
        for name in ("default-graph-uri", "named-graph-uri")
    ),
]
_BODY = {
    "content": {_FORM: {"schema": {"type": "object", "properties": {"query": {"type": "string"}}}}, _DIRECT: _STRING}
}


class _UnsupportedBody(UnreadableDocument):
    """A request body of a type that the protocol doesn't know."""

    slug = "unsupported-media-type"


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadQuery("the query isn't UTF-8", "send it in UTF-8") from error


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=1000)
    except ValueError as error:
        raise BadQuery("the parameters can't be read", "encode them as UTF-8, percent-encoded") from error


def _one_query(pairs: Sequence[tuple[str, str]]) -> str:
    if any(name == "update" for name, _ in pairs):
        raise QueryRefused("updates are not accepted here", "send a query")
    queries = [value for name, value in pairs if name == "query"]
    if len(queries) != 1:
        raise BadQuery(f"{len(queries)} queries came, one is needed", "send it as the parameter query")
    return queries[0]


def _dataset(pairs: Sequence[tuple[str, str]]) -> Dataset:
    graphs = [tuple(v for name, v in pairs if name == wanted) for wanted in ("default-graph-uri", "named-graph-uri")]
    return Dataset(*graphs)


async def _run(request: Request, query: str, dataset: Dataset, accept: str | None) -> Response:
    def run() -> QueryResult:
        require(accept, [*ROWS, *GRAPHS])
        rows, graph = choose(accept, ROWS), choose(accept, GRAPHS)
        found = live(request).sandbox().run(query, rows and ROWS[rows], graph and GRAPHS[graph], dataset)
        media_types.append((graph if found.graph else rows) or "")
        return found

    media_types: list[str] = []
    result = await to_thread.run_sync(run, limiter=request.app.state.query_threads)
    text = media_types[0].startswith("text/") or media_types[0] == "application/xml"
    media_type = media_types[0] + ("; charset=utf-8" if text else "")
    return Response(result.body, headers={"Content-Type": media_type, "Vary": "Accept"})


@router.get("/sparql", responses=_RESULTS, openapi_extra={"parameters": _PARAMETERS}, summary="Query the graph")
async def query_by_get(request: Request, accept: Annotated[str | None, Header()] = None) -> Response:
    """Runs a SPARQL query given in the address."""
    pairs = _pairs(request.url.query)
    return await _run(request, _one_query(pairs), _dataset(pairs), accept)


@router.post("/sparql", responses=_RESULTS, openapi_extra={"requestBody": _BODY}, summary="Query the graph")
async def query_by_post(request: Request, accept: Annotated[str | None, Header()] = None) -> Response:
    """Runs a SPARQL query sent as a form or as the body itself."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == _FORM:
        pairs = _pairs(_text(await request.body()))
        return await _run(request, _one_query(pairs), _dataset(pairs), accept)
    if kind == _DIRECT:
        query = _text(await request.body())
        return await _run(request, query, _dataset(_pairs(request.url.query)), accept)
    if kind == _UPDATE:
        raise QueryRefused("updates are not accepted here", "send a query")
    raise _UnsupportedBody(f"a body of type {kind or 'unknown'} can't be read", f"send {_DIRECT} or {_FORM}")

"""``/graphs``: the SPARQL 1.1 Graph Store HTTP Protocol.

A graph is named by its IRI (``/graphs?graph=IRI``, ``/graphs?default``) or by its place: ``/graphs/NAME`` is the graph
``…/graph/user/NAME`` of the knowledge base. Everyone may read all graphs; holders of a write key change those under
``…/graph/user/``.
"""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import Message
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from kg.base.user_graphs import writable
from kg.errors import BadInput, NotFound, QueryRefused, UnsupportedBody
from kg.namespaces import digest
from kg.storage import sha256

from ..access import Writer
from ..live import Live, live
from ..protocol import GRAPHS, content_type, graph_iris, in_thread, pairs, require, result, values
from ..sandbox import Dataset, GraphChange
from ..worker import FORMATS

router = APIRouter(tags=["graph"])
_MULTIPART = "multipart/form-data"
_MAX_PARTS = 100
_PARAMETERS: list[dict[str, Any]] = [
    {"name": "graph", "in": "query", "description": "The graph's IRI.", "schema": {"type": "string"}},
    {"name": "default", "in": "query", "description": "The default graph.", "schema": {"type": "string"}},
]
_BODY: dict[str, Any] = {
    "content": {name: {"schema": {} if name.endswith("json") else {"type": "string"}} for name in FORMATS}
}
_INDIRECT, _INDIRECT_BODY = {"parameters": _PARAMETERS}, {"parameters": _PARAMETERS, "requestBody": _BODY}
_RDF: dict[int | str, dict[str, Any]] = {200: {"content": {name: {} for name in GRAPHS}, "description": "The graph."}}
_DONE: dict[int | str, dict[str, Any]] = {201: {"description": "It is new."}, 204: {"description": "It was there."}}
Accept = Annotated[str | None, Header()]


def _place(request: Request, name: str) -> str:
    """The IRI of the graph at ``/graphs/NAME``."""
    at = live(request)
    if at.current().snapshot.manifest.plain:
        return graph_iris([f"{request.base_url}graphs/{name}"])[0]
    return graph_iris([at.current().snapshot.namespaces.user_graphs + name])[0]


def _named(request: Request) -> str | None:
    """The graph that the parameters name; None for the default graph. Raises BadInput."""
    found = pairs(request.url.query)
    graphs, default = values(found, "graph"), values(found, "default")
    if len(graphs) + len(default) != 1:
        raise BadInput("one graph has to be named", "add ?graph=IRI or ?default to the address")
    if default:
        return None
    here = f"{request.base_url}graphs/"
    own = graphs[0].startswith(here) and len(graphs[0]) > len(here)
    return _place(request, graphs[0].removeprefix(here)) if own else graph_iris(graphs)[0]


async def _read(request: Request, graph: str | None, accept: str | None) -> Response:
    media_type = require(accept, GRAPHS)
    dataset = Dataset() if graph is None else Dataset(default=(graph,))

    def run() -> bytes:
        queries = live(request).sandbox()
        if graph is not None and b"true" not in queries.run("ASK { ?s ?p ?o }", "JSON", None, dataset).body:
            raise NotFound(f"there is no graph {graph}")
        if request.method == "HEAD":
            return b""
        return queries.run("CONSTRUCT WHERE { ?s ?p ?o }", None, GRAPHS[media_type], dataset).body

    return result(await in_thread(request, run), media_type)


async def _write(request: Request, at: Live, graph: str | None) -> Response:
    """Applies the request's method to a graph."""
    _check_writable(at, graph)
    parts = () if request.method == "DELETE" else await _parts(request)
    base = graph or at.current().snapshot.namespaces.base
    change = GraphChange(request.method, graph, parts, base)
    existed = await in_thread(request, lambda: at.change_graph(change))
    if request.method == "DELETE" and graph is not None and not existed:
        raise NotFound(f"there is no graph {graph}")
    return Response(status_code=204 if existed or request.method == "DELETE" else 201)


def _check_writable(at: Live, graph: str | None) -> None:
    import pyoxigraph as ox

    prefix = at.current().snapshot.writable_graphs
    if not writable(ox.DefaultGraph() if graph is None else ox.NamedNode(graph), prefix):
        raise QueryRefused("this graph is derived from documents", f"write to graphs that begin with {prefix}")


async def _parts(request: Request) -> tuple[tuple[str, bytes], ...]:
    """Media types and payloads of the body. Raises UnsupportedBody, BadInput."""
    header = request.headers.get("content-type", "")
    kind, parameters = content_type(header)
    body = await request.body()
    if kind != _MULTIPART:
        return ((_format(kind), body),)
    if not parameters.get_param("boundary"):
        raise BadInput("the parts of the body can't be told apart", "name their boundary in Content-Type")
    whole = message_from_bytes(f"Content-Type: {header}\r\n\r\n".encode() + body, policy=policy.HTTP)
    parts: list[Message] = list(whole.get_payload()) if whole.is_multipart() else []  # type: ignore[arg-type]
    if not 0 < len(parts) <= _MAX_PARTS or any(part.is_multipart() for part in parts):
        raise BadInput(f"the body has no parts, or more than {_MAX_PARTS}", "send each graph as a part")
    return tuple((_format(content_type(part.get("content-type", ""))[0]), _payload(part)) for part in parts)


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _format(media_type: str) -> str:
    if media_type not in FORMATS:
        raise UnsupportedBody(f"a graph in {media_type or 'an unknown format'} can't be read", ", ".join(FORMATS))
    return media_type


@router.head("/graphs", include_in_schema=False)
@router.get("/graphs", responses=_RDF, openapi_extra=_INDIRECT, summary="A graph by its IRI")
async def read_graph(request: Request, accept: Accept = None) -> Response:
    """The triples of a graph in an RDF format."""
    return await _read(request, _named(request), accept)


@router.put("/graphs", responses=_DONE, openapi_extra=_INDIRECT_BODY, summary="Replace a graph of your own")
async def put_graph(request: Request, at: Writer) -> Response:
    """Makes the payload the graph's content. Takes a write key."""
    return await _write(request, at, _named(request))


@router.post("/graphs", responses=_DONE, openapi_extra=_INDIRECT_BODY, summary="Add to a graph of your own")
async def post_graph(request: Request, at: Writer) -> Response:
    """Adds the payload to the graph that is named; without a name makes a new one and tells its Location."""
    if request.url.query:
        return await _write(request, at, _named(request))
    state = sha256(at.current().snapshot.user_data)
    name = digest("graph", state, *(sha256(data) for _, data in await _parts(request)))
    response = await _write(request, at, _place(request, name))
    response.headers["Location"] = f"{request.base_url}graphs/{name}"
    return response


@router.delete("/graphs", responses=_DONE, openapi_extra=_INDIRECT, summary="Remove a graph of your own")
async def delete_graph(request: Request, at: Writer) -> Response:
    """Removes the graph's triples. Takes a write key."""
    return await _write(request, at, _named(request))


@router.head("/graphs/{name:path}", include_in_schema=False)
@router.get("/graphs/{name:path}", responses=_RDF, summary="A graph of people's own by its place")
async def read_graph_here(request: Request, name: str, accept: Accept = None) -> Response:
    """The triples of a graph in an RDF format."""
    return await _read(request, _place(request, name), accept)


@router.put("/graphs/{name:path}", responses=_DONE, openapi_extra={"requestBody": _BODY}, summary="Replace the graph")
async def put_graph_here(request: Request, name: str, at: Writer) -> Response:
    """Makes the payload the graph's content. Takes a write key."""
    return await _write(request, at, _place(request, name))


@router.post("/graphs/{name:path}", responses=_DONE, openapi_extra={"requestBody": _BODY}, summary="Add to the graph")
async def post_graph_here(request: Request, name: str, at: Writer) -> Response:
    """Adds the payload to the graph. Takes a write key."""
    return await _write(request, at, _place(request, name))


@router.delete("/graphs/{name:path}", responses=_DONE, summary="Remove the graph")
async def delete_graph_here(request: Request, name: str, at: Writer) -> Response:
    """Removes the graph's triples. Takes a write key."""
    return await _write(request, at, _place(request, name))

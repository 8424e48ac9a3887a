"""``/export``: the graph as a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO, Annotated, Literal

from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from ..dependencies import Knowledge
from ..negotiation import require

router = APIRouter(tags=["graph"])
_MEDIA_TYPES = {
    "turtle": "text/turtle",
    "trig": "application/trig",
    "nt": "application/n-triples",
    "nq": "application/n-quads",
    "jsonld": "application/ld+json",
    "rdfxml": "application/rdf+xml",
}
_NAMES = {media_type: name for name, media_type in _MEDIA_TYPES.items()}
_SUFFIXES = {"turtle": "ttl", "rdfxml": "rdf"}
# Smaller exports never touch the disk.
_IN_MEMORY = 16_000_000


@router.get("/export", response_class=StreamingResponse, summary="The graph as RDF")
def export(
    knowledge_base: Knowledge,
    format: Annotated[str | None, Query(description="turtle, trig, nt, nq, jsonld or rdfxml.")] = None,
    provenance: Annotated[Literal["none", "full"], Query(description="none: the facts alone.")] = "full",
    accept: Annotated[str | None, Header()] = None,
) -> Response:
    """The whole graph, the same bytes for the same documents; the format by ``format`` or by Accept."""
    name = format or _NAMES[require(accept, _NAMES)]
    spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    try:
        knowledge_base.export(spool, name, provenance)
    except BaseException:
        spool.close()
        raise
    headers = {
        "Content-Type": _MEDIA_TYPES[name],
        "Content-Length": str(spool.tell()),
        "Content-Disposition": f'inline; filename="graph.{_SUFFIXES.get(name, name)}"',
        "Vary": "Accept",
    }
    return StreamingResponse(pieces(spool), headers=headers)


def pieces(spool: tempfile.SpooledTemporaryFile[bytes] | IO[bytes]) -> Iterator[bytes]:
    """The file from its beginning, closed in the end."""
    with spool:
        spool.seek(0)
        while piece := spool.read(1 << 18):
            yield piece

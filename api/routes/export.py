"""``/export``: the graph as a file; ``/backup``: the generation in force as one, for ``kg restore``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from kg.app.backup import write_backup
from kg.storage import Folder

from ..access import Administrator
from ..live import Knowledge
from ..protocol import require

router = APIRouter()
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
_TAR = "application/x-tar"
_BACKUP: dict[int | str, dict[str, Any]] = {200: {"content": {_TAR: {}}, "description": "The archive."}}
# Smaller exports never touch the disk.
_IN_MEMORY = 16_000_000


@router.get("/export", tags=["graph"], response_class=StreamingResponse, summary="The graph as RDF")
def export(
    knowledge_base: Knowledge,
    format: Annotated[str | None, Query(description="turtle, trig, nt, nq, jsonld or rdfxml.")] = None,
    provenance: Annotated[Literal["none", "full"], Query(description="none: the facts alone.")] = "full",
    accept: Annotated[str | None, Header()] = None,
) -> Response:
    """The whole graph, the same bytes for the same documents; the format by ``format`` or by Accept."""
    name = format or _NAMES[require(accept, _NAMES)]
    headers = {
        "Content-Type": _MEDIA_TYPES.get(name, ""),
        "Content-Disposition": f'inline; filename="graph.{_SUFFIXES.get(name, name)}"',
        "Vary": "Accept",
    }
    return _file(lambda stream: knowledge_base.export(stream, name, provenance), headers)


def _file(write: Callable[[IO[bytes]], object], headers: Mapping[str, str]) -> Response:
    """What is written, sent once it is whole."""
    spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    try:
        write(spool)
    except BaseException:
        spool.close()
        raise
    return StreamingResponse(_pieces(spool), headers={**headers, "Content-Length": str(spool.tell())})


def _pieces(spool: IO[bytes]) -> Iterator[bytes]:
    """The file from its beginning, closed in the end."""
    with spool:
        spool.seek(0)
        while piece := spool.read(1 << 18):
            yield piece


@router.get("/backup", tags=["operation"], response_class=StreamingResponse, responses=_BACKUP, summary="A backup")
def backup(at: Administrator) -> Response:
    """Documents, records, decisions, people's own graphs and indexes as a tar archive. Takes an admin key."""
    headers = {"Content-Type": _TAR, "Content-Disposition": 'attachment; filename="citegraph.tar"'}
    return _file(lambda stream: write_backup(Folder(at.current().path), stream), headers)

"""Documents added, replaced and removed over HTTP. All of a request is seen at once, or nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kg.errors import BadInput, UnsupportedBody
from kg.namespaces import document_slug
from kg.reports import BuildReport

from ..access import Writer
from ..events import MEDIA_TYPE as EVENTS
from ..events import Tell, stream
from ..live import Live
from ..negotiation import require
from ..protocol import content_type
from ..reports import Report
from ..uploads import BadName, document_name, read_something

router = APIRouter(tags=["documents"])
_MULTIPART = "multipart/form-data"
_MOST_FILES = 1000
_EVENT_DOCS = "With `Accept: text/event-stream` events: progress (what, done, total), then report or problem."
_DONE: dict[int | str, dict[str, Any]] = {
    200: {"model": Report, "description": f"What was found, and what failed. {_EVENT_DOCS}", "content": {EVENTS: {}}},
}
_MADE: dict[int | str, dict[str, Any]] = {
    **_DONE,
    201: {"model": Report, "description": "The document is new."},
}
_FILES = {
    "required": True,
    "content": {
        _MULTIPART: {
            "schema": {
                "type": "object",
                "required": ["files"],
                "properties": {"files": {"type": "array", "items": {"type": "string", "format": "binary"}}},
            }
        }
    },
}
_FILE = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
Accept = Annotated[str | None, Header()]
Files = Sequence[tuple[str, bytes]]


def _status(report: BuildReport) -> int:
    return 201 if report.added else 200


def _check_place(name: str) -> None:
    """Refuses what is only there to be read: a document's text as blocks, its original."""
    if name.endswith(("/structure", "/original")):
        raise HTTPException(405, headers={"Allow": "GET"})


async def _change(
    at: Live, accept: str | None, files: Files, remove: Sequence[str], status: Callable[[BuildReport], int]
) -> Response:
    """Makes the change; the response is the report, or what goes on as events."""
    if require(accept, ["application/json", EVENTS]) == EVENTS:

        def work(tell: Tell) -> None:
            def progress(what: str, done: int, total: int) -> None:
                tell("progress", {"what": what, "done": done, "total": total})

            tell("report", _json(read_something(at.change_documents(files, remove, progress))))

        return stream(work)
    report = read_something(await to_thread.run_sync(at.change_documents, files, remove))
    return JSONResponse(_json(report), status(report))


def _json(report: BuildReport) -> dict[str, Any]:
    return Report.model_validate(asdict(report)).model_dump(mode="json")


@router.post("/documents", responses=_MADE, openapi_extra={"requestBody": _FILES}, summary="Add documents")
async def add(request: Request, at: Writer, accept: Accept = None) -> Response:
    """Adds or replaces the documents of a form's files, named as the files are. Takes a write key."""
    if content_type(request.headers.get("content-type", ""))[0] != _MULTIPART:
        raise UnsupportedBody("documents come as the files of a form", f"send {_MULTIPART}, or PUT /documents/NAME")
    try:
        async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FILES) as form:
            parts = [part for _, part in form.multi_items()]
            files = [(document_name(p.filename or ""), await p.read()) for p in parts if isinstance(p, UploadFile)]
    except HTTPException as error:
        if error.status_code != 400:
            raise
        raise BadInput(f"the form can't be read: {error.detail}", "send multipart/form-data with files") from None
    if not files:
        raise BadInput("the form holds no files", "send each document as a file")
    identifiers = [document_slug(name) for name, _ in files]
    if len(set(identifiers)) < len(identifiers):
        raise BadInput("two of the files would be the same document", "rename one of the two")
    return await _change(at, accept, files, (), _status)


@router.put("/documents/{id:path}", responses=_MADE, openapi_extra={"requestBody": _FILE}, summary="Put a document")
async def put(request: Request, id: str, at: Writer, accept: Accept = None) -> Response:
    """Makes the body the document of that name (`reports/2024.md`) or identifier. Takes a write key."""
    _check_place(id)
    known = at.current().snapshot.manifest.documents
    named = known[id].name if id in known else document_name(id)
    data = await request.body()
    if not data:
        raise BadInput("the body is empty", "send the document's bytes")
    return await _change(at, accept, [(named, data)], (), _status)


@router.delete("/documents/{id:path}", responses=_DONE, summary="Remove a document")
async def remove(id: str, at: Writer, accept: Accept = None) -> Response:
    """Removes a document, by name or identifier, and all that only it stated. Takes a write key."""
    _check_place(id)
    if not id:
        raise BadName("no document is named", "DELETE /documents/NAME")
    return await _change(at, accept, (), [id], lambda report: 200)

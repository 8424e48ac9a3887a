"""Documents added, replaced and removed over HTTP. All of a request is seen at once, or nothing of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kg.errors import BadInput, UnreadableDocument, UnsupportedBody
from kg.namespaces import document_slug
from kg.readers import reader_for
from kg.reports import BuildReport, Failure

from ..access import Writer
from ..events import MEDIA_TYPE, Tell, stream
from ..live import Live
from ..protocol import content_type, require
from ..schemas import Report

router = APIRouter(tags=["documents"])
_MULTIPART = "multipart/form-data"
_MOST_FILES = 1000
_EVENT_DOCS = "With `Accept: text/event-stream` events: progress (what, done, total), then report or problem."
_DONE: dict[int | str, dict[str, Any]] = {
    200: {
        "model": Report,
        "description": f"What was found, and what failed. {_EVENT_DOCS}",
        "content": {MEDIA_TYPE: {}},
    },
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
_MOST_BYTES, _MOST_PARTS, _MOST_NAME = 255, 16, 1000
# Names that Windows gives to devices, with any suffix.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*\\]')


class BadName(BadInput):
    """A document's name that could mean another place, or nothing at all."""

    slug = "bad-document-name"


def document_name(name: str) -> str:
    """The name, if it is a relative path that is harmless on every system. Raises BadName, UnreadableDocument.

    It is never used as a path here – files are kept under their hash –, but people's tools may.
    """
    _check(bool(name), "it is empty")
    _check(len(name.encode("utf-8", "surrogatepass")) <= _MOST_NAME, f"it has more than {_MOST_NAME} bytes")
    odd = next((c for c in name if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")), "")
    _check(not odd, f"it holds the character U+{ord(odd or 'x'):04X}")
    _check(not name.startswith("/"), "it is absolute")
    _check(not _FORBIDDEN.search(name), "it holds a backslash or another character that is no part of a file's name")
    parts = name.split("/")
    _check(len(parts) <= _MOST_PARTS, f"it has more than {_MOST_PARTS} parts")
    for part in parts:
        _check(bool(part), "one of its parts is empty")
        _check(part.strip(".") != "", "it points to a folder above")
        _check(
            part == part.strip() and not part.endswith("."), "a part begins or ends with a space, or ends with a dot"
        )
        _check(len(part.encode()) <= _MOST_BYTES, f"a part has more than {_MOST_BYTES} bytes")
        _check(not _DEVICES.fullmatch(part), f"{part} is reserved")
    reader_for(parts[-1])
    return name


def _check(fine: bool, reason: str) -> None:
    if not fine:
        raise BadName(
            f"the document's name can't be used: {reason}", "use a plain relative path such as reports/2024.md"
        )


class NothingRead(UnreadableDocument):
    """An upload of which no document could be read; ``failed`` says why of each."""

    def __init__(self, failed: Sequence[Failure]) -> None:
        first = failed[0]
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        super().__init__(first.message + more, first.hint)
        self.failed = failed


def read_something(report: BuildReport) -> BuildReport:
    """The report, unless all that was sent failed. Raises NothingRead."""
    if report.failed and not (report.added or report.changed or report.unchanged or report.removed):
        raise NothingRead(report.failed)
    return report


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
    if require(accept, ["application/json", MEDIA_TYPE]) == MEDIA_TYPE:

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

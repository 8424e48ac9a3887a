"""``/backup``: the generation in force as one file, for ``kg restore``."""

from __future__ import annotations

import tempfile
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from kg.app.backup import write_backup
from kg.storage import Folder

from ..access import Administrator
from .export import pieces

router = APIRouter(tags=["operation"])
_MEDIA_TYPE = "application/x-tar"
_IN_MEMORY = 16_000_000
_DOCS: dict[int | str, dict[str, Any]] = {200: {"content": {_MEDIA_TYPE: {}}, "description": "The archive."}}


@router.get("/backup", response_class=StreamingResponse, responses=_DOCS, summary="A backup")
def backup(at: Administrator) -> Response:
    """Documents, records, decisions, people's own graphs and indexes as a tar archive. Takes an admin key."""
    spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    try:
        write_backup(Folder(at.current().path), spool)
    except BaseException:
        spool.close()
        raise
    headers = {"Content-Length": str(spool.tell()), "Content-Disposition": 'attachment; filename="citegraph.tar"'}
    return StreamingResponse(pieces(spool), headers=headers, media_type=_MEDIA_TYPE)

"""Logs: one JSON object a line on standard error, each with the identifier of its request."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import logging
import os
import re
import sys
import time
import traceback
from contextvars import ContextVar

_GATHER_S = 0.1
_GIVEN = re.compile(rb"[A-Za-z0-9._-]{1,64}")
REQUEST_ID: ContextVar[str] = ContextVar("request id", default="")
"""Identifier of the request that is being answered."""


def request_id(given: bytes | None) -> str:
    """The identifier that a request came with, where it is a harmless one; else a new one."""
    if given is not None and _GIVEN.fullmatch(given):
        return given.decode("ascii")
    return os.urandom(8).hex()


class Lines(logging.Formatter):
    """A record of the standard library's logging as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {"time": _stamp(record.created), "level": record.levelname.lower(), "message": record.getMessage()}
        if identifier := REQUEST_ID.get():
            line["request_id"] = identifier
        if record.exc_info and record.exc_info[1] is not None:
            line["traceback"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False)


def _stamp(seconds: float) -> str:
    whole, milliseconds = divmod(int(seconds * 1000), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{milliseconds:03}Z"


def set_up() -> None:
    """Makes warnings and errors lines of JSON: the server's, uvicorn's and those of all libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    handler.setLevel(logging.WARNING)
    # Libraries that set up logging of their own leave it as it is where somebody has.
    logging.getLogger().handlers = [handler]
    logging.getLogger().setLevel(logging.WARNING)
    for name in ("kg.api", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = ([handler] if name != "uvicorn.error" else []), name == "uvicorn.error"
        logger.setLevel(logging.WARNING)


class Requests:
    """Writes a line for each request. Neither queries nor keys are in it: only method, path, status, time, size."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._lines: list[str] = []
        if wanted:
            atexit.register(self._write)

    def __call__(self, identifier: str, method: str, path: str, status: int, seconds: float, visitor: str) -> None:
        """Tells of one that has been answered."""
        if not self._wanted:
            return
        # Gathered, since a line at a time would take a fifth of the time of a look-up; none waits for long.
        if not self._lines:
            asyncio.get_running_loop().call_later(_GATHER_S, self._write)
        self._lines.append(
            f'{{"time": "{_stamp(time.time())}", "level": "info", "message": "request", "request_id": "{identifier}", '
            f'"method": {json.dumps(method)}, "path": {json.dumps(path)}, "status": {status}, '
            f'"milliseconds": {seconds * 1000:.2f}, "visitor": {json.dumps(visitor)}}}\n'
        )

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        if lines:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write("".join(lines))
                sys.stderr.flush()

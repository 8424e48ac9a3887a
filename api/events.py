"""Server-sent events: what work in a thread tells while it goes on, one event after the other."""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.responses import StreamingResponse

from kg.errors import CitegraphError

from .problems import body_of

MEDIA_TYPE = "text/event-stream"
Tell = Callable[[str, object], None]
"""Sends an event: its name and its data, which JSON can hold."""
_log = logging.getLogger("kg.api")


def event(name: str, data: object) -> str:
    """An event as it is sent."""
    # JSON has no bare newlines, so one data line holds it.
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def stream(work: Callable[[Tell], None]) -> StreamingResponse:
    """A response of the events that ``work`` tells as it goes, in a thread; a refusal becomes the event "problem".

    Work that has begun is done to its end, even where nobody listens any more.
    """
    return StreamingResponse(_events(work), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-cache"})


async def _events(work: Callable[[Tell], None]) -> AsyncIterator[str]:
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def put(item: str | None) -> None:
        # A loop that is closed is one whose server has stopped: nobody listens.
        if not loop.is_closed():
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def run() -> None:
        try:
            work(lambda name, data: put(event(name, data)))
        except CitegraphError as error:
            put(event("problem", body_of(error)))
        except Exception as error:
            _log.error("a stream of events broke off", exc_info=error)
            failed: dict[str, Any] = {"status": 500, "title": "Internal Server Error"}
            put(event("problem", {"type": "about:blank", **failed, "detail": "something went wrong in the server"}))
        finally:
            put(None)

    context = contextvars.copy_context()
    done = loop.run_in_executor(None, context.run, run)
    while (item := await queue.get()) is not None:
        yield item
    await done

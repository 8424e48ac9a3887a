"""Middleware: bodies of a bounded size, and headers that every response carries."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import problem

MAX_BODY = 2_000_000


class BodyLimit:
    """Refuses bodies of more than ``limit`` bytes with 413, whether or not they announce their length."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY) -> None:
        self._app = app
        self._limit = limit
        self._sentence = f"the body has more than {limit:,} bytes"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) > self._limit:
            await self._refuse(scope, receive, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > self._limit:
                # Of the exceptions of whoever reads the body this is the one that FastAPI lets through.
                raise HTTPException(413, self._sentence)
            return message

        await self._app(scope, counted, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = problem(413, self._sentence, slug="body-too-large")
        await response(scope, receive, send)


class SafeHeaders:
    """Tells browsers not to guess types; everything else about framing and scripts is on the pages themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        await self._app(scope, receive, add if scope["type"] == "http" else send)

"""Middleware: bodies of a bounded size, requests of a bounded rate, and headers that every response carries."""

from __future__ import annotations

import time

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


class RateLimit:
    """Answers 429 to clients (by address) that send more than ``per_minute`` requests; bursts of a sixth go through."""

    _MOST_CLIENTS = 10_000

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._per_second = per_minute / 60
        self._burst = max(1.0, per_minute / 6)
        # By client: requests that it may still send, and when that was counted.
        self._left: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or self._may((scope.get("client") or ("",))[0]):
            await self._app(scope, receive, send)
            return
        wait = str(max(1, round(1 / self._per_second)))
        response = problem(429, "too many requests", slug="too-many-requests", headers={"Retry-After": wait})
        await response(scope, receive, send)

    def _may(self, client: str) -> bool:
        now = time.monotonic()
        left, then = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_second)
        if len(self._left) >= self._MOST_CLIENTS:
            # The one that has been quiet for longest.
            self._left.pop(next(iter(self._left)))
        self._left[client] = (max(0.0, left - 1) if left >= 1 else left, now)
        return left >= 1


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

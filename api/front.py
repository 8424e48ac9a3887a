"""What every request passes first: identifier, host, key, limits; then its route; then metrics and the log.

One piece of plain ASGI instead of a stack of middleware, and ``/sparql`` is answered right behind it, without
FastAPI's machinery: a look-up takes a tenth of a millisecond, so that each layer would show.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.app.keys import Role
from kg.errors import CitegraphError
from kg.settings import ServeSettings

from .access import MAX_BODY, Keys, Rate, Visitor, check_host, limited, require
from .problems import http_problem, problem, refusal
from .telemetry import REQUEST_ID, Metrics, Requests, request_id

_log = logging.getLogger("kg.api")
# Nothing of the knowledge base is in these.
_OPEN = ("/livez", "/readyz", "/", "/query", "/browse", "/graph", "/curate", "/docs", "/openapi.json")
_OPEN_FOLDER = "/static/"
_UPLOADS = "/documents"
Endpoint = Callable[[Request], Awaitable[Response]]
"""Answers a request, raising what FastAPI's routes raise."""


@dataclass(slots=True)
class _Visit:
    """A request as it goes by: what is known of it, and the status that was answered."""

    identifier: str
    started: float
    visitor: str = ""
    status: int = 0


class Front:
    """ASGI: admits a request, has it answered, counts it and writes it down."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        direct: Mapping[str, Endpoint],
        allowed: Callable[[str], str],
        keys: Keys,
        metrics: Metrics,
        settings: ServeSettings,
        local: bool,
        open_dataset: bool,
    ) -> None:
        """``direct``: endpoints by path; ``allowed``: methods of a path.

        ``local``: the server listens on loopback; ``open_dataset``: it is one for tests.
        """
        self._app, self._direct, self._keys, self._metrics = app, direct, keys, metrics
        self._allowed = allowed
        self._hosts = settings.hosts
        self._local, self._open_dataset = local, open_dataset
        self._rate = Rate(settings.requests_per_minute, settings.requests_at_once)
        self._upload = int(settings.max_upload_mb * 1_000_000)
        self._log = Requests(settings.log == "requests")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        visit = _Visit(request_id(headers.get(b"x-request-id")), time.perf_counter())
        REQUEST_ID.set(visit.identifier)
        extra = [(b"x-request-id", visit.identifier.encode()), (b"x-content-type-options", b"nosniff")]

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.status = message["status"]
                message["headers"] = [*message.get("headers", ()), *extra]
                if visit.status == 405:
                    message["headers"] = self._with_allow(message["headers"], scope["path"])
            await send(message)

        try:
            await self._admit(scope, receive, watch, headers, visit)
        except CitegraphError as error:
            await refusal(error)(scope, receive, watch)
        except HTTPException as error:
            await http_problem(scope["method"], scope["path"], error)(scope, receive, watch)
        except Exception as error:
            _log.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
            if visit.status:
                raise
            await problem(500, "something went wrong in the server", hint="its log says more")(scope, receive, watch)
        finally:
            seconds = time.perf_counter() - visit.started
            self._metrics.count(scope["method"], _route(scope), visit.status, seconds)
            self._log(visit.identifier, scope["method"], scope["path"], visit.status, seconds, visit.visitor)

    def _with_allow(self, headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
        """The headers with all methods that the address takes: its first route knows only its own."""
        kept = [(name, value) for name, value in headers if name != b"allow"]
        methods = self._allowed(path)
        return [*kept, (b"allow", methods.encode())] if methods else list(headers)

    async def _admit(
        self, scope: Scope, receive: Receive, send: Send, headers: Mapping[bytes, bytes], visit: _Visit
    ) -> None:
        """Lets the request through to its route. Raises what refuses it."""
        address = (scope.get("client") or ("",))[0]
        visit.visitor = address
        if self._local and (host := headers.get(b"host")):
            _known_host(host.decode("latin-1"), self._hosts)
        visitor = Visitor(Role.ADMIN, address)
        if not self._open_dataset:
            visitor = self._keys.visitor(headers.get(b"authorization", b"").decode("latin-1"), address)
            if scope["path"] not in _OPEN and not scope["path"].startswith(_OPEN_FOLDER):
                require(visitor, Role.READ, self._keys)
        visit.visitor = visitor.name
        scope["citegraph.visitor"] = visitor
        uploads = scope["path"].startswith(_UPLOADS) and visitor.role >= Role.WRITE
        receive = limited(scope, receive, self._upload if uploads else MAX_BODY)
        self._rate.enter(visitor.name)
        self._metrics.under_way.inc()
        try:
            await self._answer(scope, receive, send)
        finally:
            self._metrics.under_way.dec()
            self._rate.leave(visitor.name)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._direct.get(scope["path"])
        if endpoint is None or scope["method"] not in ("GET", "HEAD", "POST"):
            await self._app(scope, receive, send)
            return
        response = await endpoint(Request(scope, receive))
        await response(scope, receive, send)


@lru_cache(maxsize=64)
def _known_host(host: str, known: tuple[str, ...]) -> None:
    check_host(host, known)


def _route(scope: Scope) -> str:
    """The template of the route, of which there are few; never the address."""
    if scope["path"] == "/sparql":
        return "/sparql"
    return str(getattr(scope.get("route"), "path", "none"))

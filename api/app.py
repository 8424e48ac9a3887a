"""The HTTP application, built by a function that receives what it needs; ``/mcp`` where the MCP SDK is installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import anyio
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from kg import __version__
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from . import problems
from .access import Keys
from .front import Front
from .live import Live
from .openapi import Allowed, described
from .routes import ask, changes, chat, description, documents, entities, export, graphs, page, review, sparql, views
from .telemetry import Metrics, traced

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .live import Live

PATH = "/mcp"


class AgentRoutes:
    """The routes, none without the SDK (``pip install 'citegraph[agents]'``), and what has to run behind them.

    Loading the SDK costs as much as loading all else that a server needs, so servers that no agent asks do without.
    """

    def __init__(self, live: Live) -> None:
        self._live = live
        self.routes: list[BaseRoute] = [Route(PATH, endpoint=self)] if find_spec("mcp") else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: a request of an agent."""
        self._wanted.set()
        await self._ready.wait()
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While this is open, requests are answered."""
        self._wanted, self._ready = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._serve)
            yield
            tasks.cancel_scope.cancel()

    async def _serve(self) -> None:
        await self._wanted.wait()
        server, self._app = await run_sync(self._made)
        async with server.session_manager.run():
            self._ready.set()
            await anyio.sleep_forever()

    def _made(self) -> tuple[MCPServer, ASGIApp]:
        from mcp.server.transport_security import TransportSecuritySettings

        from .agents import agent_server

        server = agent_server(self._live)
        # Which hosts are answered to is decided before any route. Each request stands alone: nothing has to be kept
        # for clients that went away.
        trusting = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        found = server.streamable_http_app(
            streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=trusting
        )
        return server, found


_RESOURCES = (ask, chat, sparql, graphs, description, export, documents, changes, review, entities, views, page)
_QUERY_THREADS = 16
_CORS: dict[str, Any] = {
    "allow_methods": ["GET", "HEAD", "POST", "PUT", "DELETE"],
    "allow_headers": ["Accept", "Authorization", "Content-Type", "X-Request-Id"],
    "expose_headers": ["Location", "Retry-After", "X-Request-Id"],
}


class Application(FastAPI):
    """FastAPI behind a front that answers the most frequent requests itself."""

    front: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] == "http":
            scope["app"] = self
            await self.front(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI, past the front."""
        await super().__call__(scope, receive, send)


def _front(app: Application, settings: Settings, local: bool, open_dataset: bool) -> ASGIApp:
    front: ASGIApp = Front(
        app.routed,
        direct={"/sparql": sparql.respond},
        allowed=Allowed(app),
        keys=app.state.keys,
        metrics=app.state.metrics,
        settings=settings.serve,
        local=local,
        open_dataset=open_dataset,
    )
    if settings.serve.cors_origins:
        front = CORSMiddleware(front, allow_origins=settings.serve.cors_origins, **_CORS)
    return traced(front) if settings.serve.traces else front


def create_app(
    knowledge_base: KnowledgeBase, settings: Settings, *, local: bool = False, open_dataset: bool = False
) -> Application:
    """An application that serves a knowledge base and follows it as it is rebuilt on disk.

    ``local``: it is for this machine alone, and answers only to its names. ``open_dataset``: anyone may do everything.
    """
    live = Live(knowledge_base, settings)
    agents = AgentRoutes(live)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await run_in_threadpool(live.warm_up)
            async with agents.running():
                yield
        finally:
            live.close()

    app = Application(
        title="Citegraph",
        version=__version__,
        description="Questions and SPARQL over a knowledge graph in which every fact has its evidence.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.live = live
    app.state.metrics = Metrics()
    app.state.keys = Keys(settings.serve, knowledge_base.path)
    app.state.open_dataset = open_dataset
    # Queries wait for their workers in threads of their own, so that they never hold up questions.
    app.state.query_threads = CapacityLimiter(_QUERY_THREADS)
    for resource in _RESOURCES:
        app.include_router(resource.router)
    app.router.routes.extend(agents.routes)
    app.mount("/static", StaticFiles(directory=page.STATIC), name="static")
    app.front = _front(app, settings, local, open_dataset)
    problems.install(app)
    app.openapi = described(app)  # type: ignore[method-assign]
    return app

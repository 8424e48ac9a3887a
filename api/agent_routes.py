"""``/mcp``: the agents' server over streamable HTTP, where the MCP SDK is installed; made when it is first asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync
from starlette.routing import BaseRoute, Route

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

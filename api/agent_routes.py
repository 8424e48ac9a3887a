"""``/mcp``: the agents' server over streamable HTTP, where the MCP SDK is installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from .live import Live

PATH = "/mcp"


class AgentRoutes:
    """The routes, none without the SDK (``pip install 'citegraph[agents]'``), and what has to run behind them."""

    def __init__(self, live: Live) -> None:
        self._server: MCPServer | None = None
        self.routes: list[BaseRoute] = []
        if find_spec("mcp") is None:
            return
        from mcp.server.transport_security import TransportSecuritySettings

        from .agents import agent_server

        self._server = agent_server(live)
        # Which hosts are answered to is decided before any route. Each request stands alone: nothing has to be kept
        # for clients that went away.
        trusting = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        found = self._server.streamable_http_app(
            streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=trusting
        )
        self.routes = list(found.routes)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While this is open, requests are answered."""
        if self._server is None:
            yield
            return
        async with self._server.session_manager.run():
            yield

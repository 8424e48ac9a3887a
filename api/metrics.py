"""Counters for Prometheus, one registry an application."""

from __future__ import annotations

import time
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Metrics:
    """Requests by method, route and status; seconds by route; counts of the knowledge base."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "citegraph_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self.seconds = Histogram("citegraph_request_seconds", "Time to answer.", ["route"], registry=self._registry)
        self._holds = Gauge("citegraph_holds", "What the knowledge base holds.", ["what"], registry=self._registry)

    def text(self, stats: Mapping[str, int]) -> tuple[bytes, str]:
        """The exposition and its media type."""
        for name, count in stats.items():
            self._holds.labels(name).set(count)
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class Measured:
    """Middleware that counts and times requests under their route's template, never under their address."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.requests.labels(scope["method"], route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(time.perf_counter() - started)

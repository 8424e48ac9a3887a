"""Counters for Prometheus, one registry an application."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})


class Metrics:
    """Requests by method, route and status; seconds by route; counts of the knowledge base."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "citegraph_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self.seconds = Histogram("citegraph_request_seconds", "Time to answer.", ["route"], registry=self._registry)
        self._holds = Gauge("citegraph_holds", "What the knowledge base holds.", ["what"], registry=self._registry)

        self.under_way = Gauge("citegraph_requests_under_way", "Requests being answered.", registry=self._registry)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts a request; ``route`` is one of the application's templates, or "none"."""
        # Clients may make up methods: each label has few values, whatever they send.
        self.requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self, stats: Mapping[str, int]) -> tuple[bytes, str]:
        """The exposition and its media type."""
        for name, count in stats.items():
            self._holds.labels(name).set(count)
        return generate_latest(self._registry), CONTENT_TYPE_LATEST

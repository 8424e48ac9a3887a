"""What the server tells whoever runs it: log lines, counters for Prometheus, traces.

Logs are one JSON object a line on standard error, each with the identifier of its request. Traces go where the
standard's own variables say (``OTEL_EXPORTER_OTLP_ENDPOINT``, ``OTEL_EXPORTER_OTLP_HEADERS``, ``OTEL_SERVICE_NAME``,
``OTEL_TRACES_SAMPLER``; OpenTelemetry specification, "Environment Variable Specification"), and a ``traceparent`` that
comes with a request is carried on (W3C Trace Context).
"""

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
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.types import ASGIApp

from kg.errors import BadInput

if TYPE_CHECKING:
    from opentelemetry.trace import Span

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


def log_as_json() -> None:
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


# Asked for by machines every few seconds; nobody looks for them in a trace.
_LEFT_OUT = "livez,readyz,metrics"
# Attributes that hold an address with its query, in the old and the new semantic conventions for HTTP.
_ADDRESSES = frozenset(("http.url", "http.target", "url.full"))


def traced(app: ASGIApp) -> ASGIApp:
    """The application with one span for each request, sent in the background to an OTLP collector over HTTP.

    Raises BadInput where the packages for it aren't installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise BadInput(
            "traces need packages that are not installed", "pip install 'citegraph[telemetry]', or set traces to false"
        ) from error
    name = os.environ.get("OTEL_SERVICE_NAME", "citegraph")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return OpenTelemetryMiddleware(
        app,
        excluded_urls=_LEFT_OUT,
        server_request_hook=_without_question,
        tracer_provider=provider,
        exclude_spans=["receive", "send"],
    )


def _without_question(span: Span, scope: Mapping[str, Any]) -> None:
    """Takes what is asked out of the span: questions and queries stand in addresses, and are nobody's business."""
    attributes: Mapping[str, Any] = getattr(span, "attributes", None) or {}
    for name, value in dict(attributes).items():
        if name == "url.query":
            span.set_attribute(name, "")
        elif isinstance(value, str) and name in _ADDRESSES:
            span.set_attribute(name, value.partition("?")[0])

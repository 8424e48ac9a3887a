"""Requests as OpenTelemetry traces, where the operator asks for them.

The standard's own variables say where they go (``OTEL_EXPORTER_OTLP_ENDPOINT``, ``OTEL_EXPORTER_OTLP_HEADERS``,
``OTEL_SERVICE_NAME``, ``OTEL_TRACES_SAMPLER``; OpenTelemetry specification, "Environment Variable Specification"), and
a ``traceparent`` that comes with a request is carried on (W3C Trace Context).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp

from kg.errors import BadInput

if TYPE_CHECKING:
    from opentelemetry.trace import Span

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

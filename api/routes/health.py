"""``/livez``, ``/readyz``, ``/metrics``: for whoever runs the server."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from ..dependencies import live

router = APIRouter(tags=["operation"])


@router.get("/livez", response_class=PlainTextResponse, summary="Whether the process runs")
async def livez() -> str:
    """Always ``ok``."""
    return "ok"


@router.get("/readyz", response_class=PlainTextResponse, summary="Whether questions can be answered")
def readyz(request: Request) -> str:
    """``ok`` once the knowledge base is open and a query worker answers; otherwise a problem (503)."""
    live(request).sandbox().run("ASK {}", "JSON", None)
    return "ok"


@router.get("/metrics", response_class=PlainTextResponse, summary="Counters for Prometheus")
def metrics(request: Request) -> Response:
    """Requests and their durations by route, and what the knowledge base holds."""
    body, media_type = request.app.state.metrics.text(live(request).current().stats())
    return Response(body, headers={"Content-Type": media_type})

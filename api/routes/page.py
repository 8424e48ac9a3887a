"""``/`` and ``/docs``: pages for people, plain HTML with scripts of their own and nothing from elsewhere."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, Response

STATIC = Path(__file__).resolve().parent.parent / "static"
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
router = APIRouter(include_in_schema=False)
_HEADERS = {"Content-Security-Policy": CONTENT_POLICY, "Referrer-Policy": "no-referrer"}


@router.get("/")
async def page() -> Response:
    """The question page."""
    return FileResponse(STATIC / "index.html", headers=_HEADERS)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """What the server offers, from its OpenAPI description."""
    openapi: dict[str, Any] = request.app.openapi()
    rows = "".join(
        f"<tr><td><code>{escape(method.upper())}</code></td><td><code>{escape(path)}</code></td>"
        f"<td>{escape(operation.get('summary', ''))}<br>"
        f"<small>{escape(operation.get('description', ''))}</small></td></tr>"
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
    )
    title = escape(openapi["info"]["title"])
    html = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: HTTP interface</title>'
        '<link rel="stylesheet" href="/static/style.css"></head><body><main>'
        f'<h1>{title}</h1><p>The description for programs is <a href="/openapi.json">/openapi.json</a>.</p>'
        f"<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead><tbody>{rows}</tbody></table>"
        "</main></body></html>"
    )
    return HTMLResponse(html, headers=_HEADERS)

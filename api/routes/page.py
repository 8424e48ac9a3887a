"""The web page: one shell of HTML whose scripts, all of them our own, show every view; and ``/docs``."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from kg.errors import CitegraphError

from ..live import Knowledge
from ..protocol import choose
from ..schemas import Prefixes

STATIC = Path(__file__).resolve().parent.parent / "static"
# No markup is ever made from strings, so no policy of trusted types is needed.
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
router = APIRouter()
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Referrer-Policy": "no-referrer",
    # An address may hold a page and data: caches and the back button must tell them apart.
    "Vary": "Accept",
    "Cache-Control": "no-cache",
}


def shell(status: int = 200) -> Response:
    """The page; its scripts show the view that the address names."""
    return FileResponse(STATIC / "index.html", status, headers=_HEADERS)


def wants_page(accept: str | None) -> bool:
    """Whether a client likes HTML better than the data at the same address."""
    return choose(accept, ["application/json", "text/html"]) == "text/html"


def shell_or(error: CitegraphError, accept: str | None) -> Response:
    """The page with the error's status for people, which then tells what is wrong; raises the error for programs."""
    if not wants_page(accept):
        raise error
    return shell(error.http_status)


@router.get("/", include_in_schema=False)
@router.get("/query", include_in_schema=False)
@router.get("/browse", include_in_schema=False)
@router.get("/graph", include_in_schema=False)
@router.get("/curate", include_in_schema=False)
async def page() -> Response:
    """Asking, the query editor, classes and properties, the graph, what there is to review."""
    return shell()


@router.get("/prefixes", tags=["graph"], summary="Prefixes for queries")
def prefixes(knowledge_base: Knowledge) -> Prefixes:
    """Prefixes that queries needn't declare, by name."""
    snapshot = knowledge_base.snapshot
    return Prefixes(base=snapshot.namespaces.base, prefixes=snapshot.prefixes)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """What the server offers, from its OpenAPI description."""
    openapi: dict[str, Any] = request.app.openapi()
    rows = "".join(
        f"<tr><td><code>{escape(method.upper())}</code> <code>{escape(path)}</code></td>"
        f"<td>{_inline(operation.get('summary', ''))}<br>"
        f"<small>{_inline(operation.get('description', ''))}</small></td></tr>"
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
    )
    title = escape(openapi["info"]["title"])
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>HTTP interface – {title}</title>"
        '<link rel="icon" href="/static/favicon.svg"><script src="/static/theme.js"></script>'
        f'<link rel="stylesheet" href="/static/style.css"></head><body>{_bar()}<main class="page">'
        '<h1>HTTP interface</h1><p>The description for programs is <a href="/openapi.json">/openapi.json</a>.</p>'
        '<div class="scroll"><table class="rows routes"><thead><tr><th>Request</th><th>What it does</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div></main></body></html>"
    )
    return HTMLResponse(html, headers=_HEADERS)


def _bar() -> str:
    """The page's own head bar, without what its scripts would have to serve."""
    bar = re.search(r"<header.*?</header>", (STATIC / "index.html").read_text(encoding="utf-8"), re.DOTALL)
    assert bar is not None
    return re.sub(r"<button.*?</button>", "", bar[0], flags=re.DOTALL)


def _inline(text: str) -> str:
    """Text with ``code`` as HTML."""
    return re.sub(r"``(.+?)``", r"<code>\1</code>", escape(text))

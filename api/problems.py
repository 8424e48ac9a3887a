"""Every error as an RFC 9457 problem detail (``application/problem+json``)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kg.errors import CitegraphError

from .routes.page import shell, wants_page

MEDIA_TYPE = "application/problem+json"
_TYPES = "https://w3id.org/citegraph/problems/"
_HEADERS: Mapping[int, Mapping[str, str]] = {503: {"Retry-After": "1"}, 401: {"WWW-Authenticate": "Bearer"}}


def problem(
    status: int, detail: str, *, slug: str = "", hint: str = "", headers: Mapping[str, str] | None = None, **more: Any
) -> JSONResponse:
    """A response; ``slug`` names the kind of problem, ``hint`` says what to do about it."""
    body = _body(status, detail, slug, hint, more)
    return JSONResponse(body, status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def _body(status: int, detail: str, slug: str, hint: str, more: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": _TYPES + slug if slug else "about:blank",
        "title": slug.replace("-", " ").capitalize() if slug else HTTPStatus(status).phrase,
        "status": status,
        # Names may hold what UTF-8 has no bytes for.
        "detail": detail.encode("utf-8", "replace").decode(),
        **({"hint": hint.encode("utf-8", "replace").decode()} if hint else {}),
        **more,
    }


def body_of(error: CitegraphError) -> dict[str, Any]:
    """The problem detail of a refusal; of an upload, with each document that failed."""
    failed = [{"name": f.name, "message": f.message, "hint": f.hint} for f in getattr(error, "failed", ())]
    more = {"failed": failed} if failed else {}
    return _body(error.http_status, error.message, error.slug, error.hint, more)


def refusal(error: CitegraphError) -> JSONResponse:
    """The response to a request that was refused."""
    headers = dict(_HEADERS.get(error.http_status, {}))
    if wait := getattr(error, "wait_s", 0):
        headers["Retry-After"] = str(wait)
    return JSONResponse(body_of(error), error.http_status, headers=headers, media_type=MEDIA_TYPE)


def http_problem(method: str, path: str, error: HTTPException) -> JSONResponse:
    """The response to what the web framework refuses."""
    if error.status_code == HTTPStatus.NOT_FOUND:
        return problem(404, f"there is nothing at {path}", hint="see /docs")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return problem(405, f"{method} is not possible at {path}", headers=error.headers)
    slug = "body-too-large" if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else ""
    return problem(error.status_code, str(error.detail), slug=slug, headers=error.headers)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CitegraphError)
    return refusal(error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [{"place": [str(p) for p in e["loc"]], "message": e["msg"]} for e in error.errors()]
    where = "; ".join(f"{'.'.join(e['place'])}: {e['message']}" for e in errors)
    return problem(422, f"the request doesn't fit: {where}", slug="invalid-request", errors=errors)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    nowhere = error.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
    if nowhere and request.method == "GET" and wants_page(request.headers.get("accept")):
        return shell(HTTPStatus.NOT_FOUND)  # to people the page says so
    return http_problem(request.method, request.url.path, error)


def install(app: FastAPI) -> None:
    """Makes an application tell its errors this way; what nobody expected is told by :mod:`kg.api.front`."""
    app.add_exception_handler(CitegraphError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)

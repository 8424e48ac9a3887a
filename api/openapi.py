"""The OpenAPI description, with every refusal as what it is: a problem detail (RFC 9457)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from .problems import MEDIA_TYPE
from .schemas import Problem, tell_all_fields

_SCHEMA = {"$ref": "#/components/schemas/Problem"}
_RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
# What the front refuses, whatever the route.
_ANY = {
    "401": "The server wants a key, or doesn't know this one.",
    "413": "The body is too large.",
    "421": "The server doesn't answer for the host in this request.",
    "4XX": "Something else is wrong with the request; the problem says what.",
}
_WRITING = {"403": "The server is read-only, or the key's role or the graph doesn't allow this."}


def _problem(description: str, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"description": description, "content": {MEDIA_TYPE: {"schema": _SCHEMA}}}
    return {**found, "headers": headers} if headers else found


def _responses(operation: dict[str, Any]) -> dict[str, Any]:
    made = operation["responses"]
    told = {status: r for status, r in made.items() if status.startswith(("1", "2", "3"))}
    known = {**_ANY, **(_WRITING if "security" in operation else {})}
    told |= {status: _problem(description) for status, description in known.items()}
    for status in sorted({"400", "404"} & set(made)):
        # A route's own refusals, in the words of another API, beside the front's.
        content = {**made[status]["content"], **told["4XX"]["content"]}
        told[status] = {**made[status], "content": content}
    told["429"] = _problem("Too many requests came from this key or address.", _RETRY)
    told["503"] = _problem("A deadline passed, or other changes are under way.", _RETRY)
    told["500"] = _problem("A fault of the server.")
    return dict(sorted(told.items()))


def described(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """A replacement for ``app.openapi``: the same, but for errors."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is not None:
            return app.openapi_schema
        found = make()
        for operations in found["paths"].values():
            for operation in operations.values():
                operation["responses"] = _responses(operation)
        schemas = found["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        tell_all_fields(schemas)
        schemas["Problem"] = Problem.model_json_schema()
        app.openapi_schema = found
        return found

    return openapi


class Allowed:
    """The methods that an address takes, as ``Allow`` tells them."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._methods: list[tuple[re.Pattern[str], frozenset[str]]] = []

    def __call__(self, path: str) -> str:
        """Of all routes that fit; empty where none does."""
        if not self._methods:
            templates = {path: frozenset(map(str.upper, told)) for path, told in self._app.openapi()["paths"].items()}
            self._methods = [(_pattern(template), methods) for template, methods in sorted(templates.items())]
        found = [methods for pattern, methods in self._methods if pattern.fullmatch(path)]
        return ", ".join(sorted(frozenset().union(*found)))


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("[^/]+".join(map(re.escape, re.split(r"\{[^}]*\}", template))))

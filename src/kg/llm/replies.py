"""What a model's reply holds, read strictly: JSON and nothing else, each line for itself where there are several."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n(?P<body>.*)\n?```\Z", re.DOTALL)
NOT_JSON = object()
"""Stands for a line that is not the JSON asked for."""


def unfenced(text: str) -> str:
    """The reply without the code fence that may stand around the whole of it."""
    text = text.strip()
    fenced = _FENCE.match(text)
    return fenced["body"].strip() if fenced else text


def parsed(text: str) -> Any:
    """The JSON of a whole text, or NOT_JSON: prose around it, a cut, too deep a nest, NaN."""
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return NOT_JSON


def _refused(name: str) -> Any:
    raise ValueError(name)


def one(text: str) -> Mapping[str, Any] | None:
    """The reply's single JSON object, or None."""
    found = parsed(unfenced(text))
    return found if isinstance(found, dict) else None


def items(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """The members of ``{name: […]}``, of a bare array or of JSON lines, each with its text; NOT_JSON for what is none.

    A reply that isn't JSON as a whole is read line by line, so that prose or a cut costs its own lines only.
    """
    whole = unfenced(text)
    found = parsed(whole)
    for line in [whole] if found is not NOT_JSON else whole.splitlines():
        if not line.strip():
            continue
        value = found if found is not NOT_JSON else parsed(line.strip())
        members = _members(value, name)
        for member in members if members is not None else [value]:
            yield member, line.strip() if members is None else _shown(member)


def _members(value: Any, name: str) -> list[Any] | None:
    if isinstance(value, list):
        return value
    inner = value.get(name) if isinstance(value, dict) else None
    return inner if isinstance(inner, list) else None


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

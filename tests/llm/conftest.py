"""The endpoint, and settings that point at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.settings import LlmSettings

from . import server


@pytest.fixture
def endpoint() -> Iterator[server.Endpoint]:
    with server.running() as running:
        yield running


@pytest.fixture
def settings(endpoint: server.Endpoint, tmp_path: Path) -> Callable[..., LlmSettings]:
    """Settings for the endpoint, with a cache of the test's own; arguments override."""

    def made(**more: Any) -> LlmSettings:
        own = {"url": endpoint.url, "model": "tiny", "key": "sk-orchid", "cache": tmp_path / "replies", "timeout_s": 5}
        return LlmSettings(**{**own, **more})

    return made

"""Queries over a graph that a SPARQL server keeps: they are sent there, with what is refused here refused as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kg.knowledge_base import KnowledgeBase
from kg.workers.process import Reply

from .asked import Limits
from .sandbox import Sandbox
from .worker import evaluate


class Forwarding(Sandbox):
    """A sandbox whose workers compute changes only. How long a query may take is the server's to say.

    ``knowledge_base`` gives the newest generation. Queries raise StoreMoved, StoreUnavailable and StoreRefused too.
    """

    def __init__(self, limits: Limits, knowledge_base: Callable[[], KnowledgeBase]) -> None:
        super().__init__(limits)
        self._knowledge_base = knowledge_base
        self._shared: dict[str, Any] = {}

    def use(self, checkpoint: Callable[[Path], None], prefixes: Mapping[str, str], base: str = "") -> None:
        """Turns to another generation, of which nothing is copied."""
        self._shared = {"prefixes": dict(prefixes), "base": base or None, "max_bytes": self.limits.max_bytes}
        super().use(_nothing, prefixes, base)

    def _ask(self, request: Mapping[str, Any], body: bytes = b"") -> Reply:
        if request["op"] != "query":
            return super()._ask(request, body)
        knowledge_base = self._knowledge_base()
        whole = {**self._shared, **request}
        return knowledge_base.steadily(lambda: evaluate(_Asked(knowledge_base), whole))

    async def _ask_soon(self, request: Mapping[str, Any]) -> Reply:
        return await asyncio.to_thread(self._ask, request)


class _Asked:
    """A knowledge base's store, called as pyoxigraph's is."""

    def __init__(self, knowledge_base: KnowledgeBase) -> None:
        self._knowledge_base = knowledge_base

    def query(self, query: str, **parameters: Any) -> Any:
        """Results of a query. Raises as the store does."""
        return self._knowledge_base.snapshot.store.evaluate(query, **parameters)


def _nothing(folder: Path) -> None:
    """An empty store in a folder."""
    import pyoxigraph as ox

    ox.Store(str(folder)).flush()

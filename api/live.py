"""The knowledge base that requests see: always the newest generation on disk, each request one of them whole."""

from __future__ import annotations

import logging
import os
import threading

from kg.errors import CitegraphError
from kg.knowledge_base import KnowledgeBase
from kg.queries import query_prefixes
from kg.settings import Settings

from .sandbox import Limits, Sandbox

_log = logging.getLogger("kg.api")
_Signature = tuple[int, int, int]


class Live:
    """Follows the manifest of a knowledge base; readers of an older generation finish on it undisturbed."""

    def __init__(self, knowledge_base: KnowledgeBase, settings: Settings) -> None:
        serve = settings.serve
        limits = Limits(
            serve.query_timeout_s, serve.query_workers, serve.max_rows, serve.max_bytes, serve.query_memory_mb
        )
        self.settings = settings
        self._lock = threading.Lock()
        self._seen = _signature(knowledge_base)
        self._current = knowledge_base
        self._sandbox = Sandbox(limits)
        self._in_sandbox = ""

    def current(self) -> KnowledgeBase:
        """The knowledge base as it is on disk now."""
        if _signature(self._current) != self._seen:
            with self._lock:
                self._follow()
        return self._current

    def _follow(self) -> None:
        signature = _signature(self._current)
        if signature == self._seen:
            return
        try:
            newest = KnowledgeBase.open(self._current.path, self.settings)
        except CitegraphError as error:
            _log.error("the knowledge base on disk can't be read, serving the one before: %s", error.message)
            return
        self._seen = signature
        if newest.generation != self._current.generation:
            # The old one is not closed: requests that are under way hold it until they are done.
            self._current = newest

    def sandbox(self) -> Sandbox:
        """Where SPARQL queries run, on the graph as it is on disk now."""
        knowledge_base = self.current()
        if self._in_sandbox != knowledge_base.generation:
            with self._lock:
                if self._in_sandbox != knowledge_base.generation:
                    self._sandbox.use(knowledge_base.checkpoint, query_prefixes(knowledge_base))
                    self._in_sandbox = knowledge_base.generation
        return self._sandbox

    def warm_up(self) -> None:
        """Loads what the first question and query would otherwise wait for."""
        self.sandbox().run("ASK {}", "JSON", None)
        self.current().ask("What is this about?")

    def close(self) -> None:
        """Ends the workers."""
        self._sandbox.close()


def _signature(knowledge_base: KnowledgeBase) -> _Signature:
    try:
        found = os.stat(knowledge_base.path / "manifest.json")
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_ino, found.st_size)

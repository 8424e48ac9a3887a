"""The knowledge base that requests see: always the newest generation on disk, each request one of them whole."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request

from kg.app.writer import documents_key, no_progress
from kg.base.generations import Progress
from kg.base.snapshot import Snapshot
from kg.decisions import Decision
from kg.errors import CitegraphError, StoreLocked
from kg.knowledge_base import KnowledgeBase
from kg.reports import BuildReport
from kg.settings import Settings
from kg.stores.guard import with_dataset
from kg.workers.process import Reply
from kg.workers.reading import Documents

from .sandbox import GraphChange, Limits, Sandbox
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
        return knowledge_base.steadily(lambda: evaluate(knowledge_base.snapshot.store.evaluate, whole))

    async def _ask_soon(self, request: Mapping[str, Any]) -> Reply:
        return await asyncio.to_thread(self._ask, request)


def _nothing(folder: Path) -> None:
    """An empty store in a folder."""
    import pyoxigraph as ox

    ox.Store(str(folder)).flush()


_log = logging.getLogger("kg.api")
P = ParamSpec("P")
T = TypeVar("T")
_Signature = tuple[int, int, int]


class Live:
    """Follows the manifest of a knowledge base; readers of an older generation finish on it undisturbed."""

    def __init__(self, knowledge_base: KnowledgeBase, settings: Settings) -> None:
        serve = settings.serve
        limits = Limits(
            serve.query_timeout_s,
            serve.query_workers,
            serve.max_rows,
            serve.max_bytes,
            serve.query_memory_mb,
            int(serve.cache_mb * 1_000_000),
        )
        self.settings = settings
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        # The hash over all graphs that people can't write, by what they are made from.
        self._rest = ("", "")
        self._manifest = str(knowledge_base.path / "manifest.json")
        self._seen = _signature(self._manifest)
        # Writers come and go; what a request has begun to read from is to be there until it is done.
        self._current = KnowledgeBase.open_pinned(knowledge_base.path, settings)
        kept_elsewhere = self._current.snapshot.manifest.store
        self._sandbox = Forwarding(limits, self.current) if kept_elsewhere else Sandbox(limits)
        self._in_sandbox = ""
        self._reader: Documents | None = None

    def current(self) -> KnowledgeBase:
        """The knowledge base as it is on disk now."""
        if _signature(self._manifest) != self._seen:
            with self._lock:
                self._follow()
        return self._current

    def _follow(self) -> None:
        signature = _signature(self._manifest)
        if signature == self._seen:
            return
        try:
            newest = KnowledgeBase.open_pinned(self._current.path, self.settings)
            newest.snapshot.take_over(self._current.snapshot)
            _ = newest.snapshot.store
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
                    base = knowledge_base.snapshot.namespaces.base
                    self._sandbox.use(knowledge_base.checkpoint, knowledge_base.snapshot.prefixes, base)
                    self._in_sandbox = knowledge_base.generation
        return self._sandbox

    def sandbox_now(self) -> Sandbox | None:
        """The same without waiting: None where the graph has just changed or nobody has asked for it before."""
        current = self._current
        fresh = _signature(self._manifest) == self._seen and self._in_sandbox == current.generation
        return self._sandbox if fresh else None

    def update(self, update: str, using: Sequence[str] = (), using_named: Sequence[str] = ()) -> None:
        """Runs a SPARQL update on people's own graphs, all of it or nothing.

        Raises BadQuery, QueryRefused (SERVICE, LOAD, other graphs), QueryTimeout, QueryCrashed, StoreLocked.
        """
        text = with_dataset(update, using, using_named)

        def change(snapshot: Snapshot) -> bytes:
            key = documents_key(snapshot.manifest)
            rest = self._rest[1] if self._rest[0] == key else ""
            data, rest = self._sandbox.update(text, snapshot.store.checkpoint, snapshot.writable_graphs, rest)
            self._rest = (key, rest)
            return data

        self._write(change)

    def change_graph(self, change: GraphChange) -> bool:
        """Puts, adds to or removes one of people's own graphs; whether it was there before. Raises as above."""
        existed: list[bool] = []

        def apply(snapshot: Snapshot) -> bytes:
            data, before = self._sandbox.change_graph(change, snapshot.user_data)
            existed.append(before)
            return data

        self._write(apply)
        return existed[0]

    def change_documents(
        self, files: Sequence[tuple[str, bytes]], remove: Sequence[str] = (), progress: Progress = no_progress
    ) -> BuildReport:
        """Adds, replaces and removes documents, all at once; files are read where they can do no harm.

        Raises NotFound for one to remove that isn't there, DocumentClash, StoreLocked.
        """
        with self._writer() as writer:
            report = writer.change(files, remove, reading=self._reading, progress=progress)
        self.sandbox()
        return report

    @contextmanager
    def _reading(self, snapshot: Snapshot) -> Iterator[Documents]:
        yield self._documents(snapshot)

    def structure(self, knowledge_base: KnowledgeBase, document_id: str) -> dict[str, Any]:
        """A stored document as its reader makes it now, as JSON. Raises NotFound, UnreadableDocument, QueryTimeout."""
        snapshot = knowledge_base.snapshot
        name = snapshot.record(document_id).document.name
        return self._documents(snapshot).structure(snapshot.source(document_id), name)

    def _documents(self, snapshot: Snapshot) -> Documents:
        with self._lock:
            if self._reader is None or not self._reader.fits(snapshot):
                if self._reader is not None:
                    self._reader.close()
                self._reader = Documents.uploaded(snapshot, self.settings)
            return self._reader

    def decide(self, decisions: Sequence[Decision], undo: bool = False) -> tuple[Decision, ...]:
        """Puts reviewers' decisions in force, or takes them back; gives all that are in force then."""
        with self._writer() as writer:
            (writer.undo if undo else writer.decide)(*decisions)
            found = writer.snapshot.decisions
        self.sandbox()
        return found

    def _write(self, change: Callable[[Snapshot], bytes]) -> None:
        with self._writer() as writer:
            writer.update_user_graphs(change)
        self.sandbox()

    @contextmanager
    def _writer(self) -> Iterator[KnowledgeBase]:
        """A handle of its own, one at a time: closing its old generation must not disturb readers."""
        if not self._writing.acquire(timeout=self.settings.serve.query_timeout_s):
            raise StoreLocked("other changes are under way", "try again shortly")
        try:
            with KnowledgeBase.open(self._current.path, self.settings) as writer:
                yield writer
        finally:
            self._writing.release()

    def warm_up(self) -> None:
        """Loads what the first question and query would otherwise wait for."""
        self.sandbox().run("ASK {}", "JSON", None)
        current = self.current()
        current.ask("What is this about?")
        current.asker.warm()

    def close(self) -> None:
        """Ends the workers."""
        self._sandbox.close()
        if self._reader is not None:
            self._reader.close()


def _signature(manifest: str) -> _Signature:
    try:
        found = os.stat(manifest)
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_ino, found.st_size)


# --- what routes get handed -----------------------------------------------------------------------


def live(request: Request) -> Live:
    """The application's :class:`Live`."""
    found: Live = request.app.state.live
    return found


def knowledge_base(live: Annotated[Live, Depends(live)]) -> KnowledgeBase:
    """The newest generation."""
    return live.current()


Knowledge = Annotated[KnowledgeBase, Depends(knowledge_base)]


def of_newest(make: Callable[Concatenate[KnowledgeBase, P], T]) -> Callable[Concatenate[KnowledgeBase, P], T]:
    """Decorates what is made of a knowledge base: that of the newest generation is made once and kept.

    Nothing is kept of the knowledge base itself, which would not be closed.
    """
    known: dict[str, T] = {}
    making = threading.Lock()

    def get(knowledge_base: KnowledgeBase, /, *arguments: P.args, **named: P.kwargs) -> T:
        place = f"{knowledge_base.path} {knowledge_base.generation}"
        with making:
            if place not in known:
                made = make(knowledge_base, *arguments, **named)
                known.clear()
                known[place] = made
            return known[place]

    return get

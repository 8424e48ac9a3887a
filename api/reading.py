"""Reads uploaded documents in a process of their own: no network, so much memory, so much time.

What a document does to that process it does to nobody else: at its deadline, or when it runs out of memory, the
process goes, the document is refused with the reason, and the next one gets another.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

from kg.errors import QueryTimeout, UnreadableDocument
from kg.records import Record, from_json
from kg.settings import Settings
from kg.snapshot import Snapshot

from .processes import START_S, Died, Late, Process

_HINT = "send less, or several smaller documents"
# Processes side by side: one for who writes, one for who looks at a document meanwhile.
_AT_ONCE = 2


class _Reader(Process):
    """A process that reads documents, and whether it has the ontology that it takes facts out with."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__("kg.api.reader", arguments)
        self._prepared = False

    def prepare(self) -> None:
        """Has it load the ontology; that takes seconds, which no document is to blame for. Raises Late, Died."""
        if not self._prepared:
            self.ask({"op": "prepare", "cpu_s": START_S}, b"", START_S)
            self._prepared = True


class Documents:
    """Reads documents for one ontology. Safe to use from several threads.

    Its process starts when there is something to read and is kept: it takes seconds to start. A second one is
    started where two read at once, and ended afterwards.
    """

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        folder, files = snapshot.folder.path / "ontology", snapshot.manifest.ontology
        self._arguments = [
            str(settings.serve.document_memory_mb),
            *(str((folder / (file.sha256 + file.suffix)).resolve()) for file in files),
        ]
        self._ontology = snapshot.manifest.ontology
        self._timeout_s = settings.serve.document_timeout_s
        self._max_bytes = int(settings.build.max_file_mb * 1_000_000)
        self._kept: _Reader | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(_AT_ONCE)

    def fits(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot's documents are read with the same ontology."""
        return self._ontology == snapshot.manifest.ontology

    def record(self, data: bytes, name: str) -> Record:
        """The extraction record of a document. Raises UnreadableDocument, QueryTimeout where others are being read."""
        return from_json(self._ask("record", data, name))

    def structure(self, data: bytes, name: str) -> dict[str, Any]:
        """The document that a reader makes of a file, as JSON. Raises as above."""
        document: dict[str, Any] = json.loads(self._ask("blocks", data, name))
        return document

    def _ask(self, op: str, data: bytes, name: str) -> bytes:
        if len(data) > self._max_bytes:
            raise UnreadableDocument(f"{name} has {len(data):,} bytes, the limit is {self._max_bytes:,}", _HINT)
        request = {"op": op, "name": name, "max_bytes": self._max_bytes, "cpu_s": 2 * self._timeout_s + 2}
        if not self._places.acquire(timeout=self._timeout_s):
            raise QueryTimeout("other documents are being read", "try again shortly")
        try:
            reply, body = self._reply(request, data, name)
        finally:
            self._places.release()
        if "fault" in reply:
            raise UnreadableDocument(f"{name} can't be read: {reply['fault']}", "this may be a fault in Citegraph")
        if "error" in reply:
            raise UnreadableDocument(reply["error"], reply["hint"])
        return body

    def _reply(self, request: dict[str, Any], data: bytes, name: str) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            process, self._kept = self._kept or _Reader(self._arguments), None
        try:
            process.wait_until_ready()
            if request["op"] == "record":
                process.prepare()
            found = process.ask(request, data, self._timeout_s)
        except Late:
            process.end()
            raise UnreadableDocument(f"{name} takes more than {self._timeout_s:g} seconds to read", _HINT) from None
        except Died:
            process.end()
            raise UnreadableDocument(f"{name} takes more memory or depth to read than it may", _HINT) from None
        except BaseException:
            process.end()
            raise
        self._keep(process)
        return found

    def _keep(self, process: _Reader) -> None:
        with self._lock:
            if self._kept is None and not self._closed:
                self._kept = process
                return
        process.end()

    def close(self) -> None:
        """Ends the process; one that is reading now ends when it is done."""
        with self._lock:
            process, self._kept, self._closed = self._kept, None, True
        if process is not None:
            process.end()

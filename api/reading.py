"""Reads uploaded documents in a process of their own: no network, so much memory, so much time.

What a document does to that process it does to nobody else: at its deadline, or when it runs out of memory, the
process goes, the document is refused with the reason, and the next one gets another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kg.errors import UnreadableDocument
from kg.records import Record, from_json
from kg.settings import Settings
from kg.snapshot import Snapshot

from .processes import Died, Late, Process

_HINT = "send less, or several smaller documents"


class Documents:
    """Reads documents for one knowledge base; starts its process when there is something to read."""

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        folder, files = snapshot.folder.path / "ontology", snapshot.manifest.ontology
        self._arguments = [
            str(settings.serve.document_memory_mb),
            *(str((folder / (file.sha256 + file.suffix)).resolve()) for file in files),
        ]
        self._timeout_s = settings.serve.document_timeout_s
        self._max_bytes = int(settings.build.max_file_mb * 1_000_000)
        self._process: Process | None = None

    def record(self, data: bytes, name: str) -> Record:
        """The extraction record of a document. Raises UnreadableDocument."""
        return from_json(self._ask("record", data, name))

    def structure(self, data: bytes, name: str) -> dict[str, Any]:
        """The document that a reader makes of a file, as JSON. Raises UnreadableDocument."""
        document: dict[str, Any] = json.loads(self._ask("blocks", data, name))
        return document

    def _ask(self, op: str, data: bytes, name: str) -> bytes:
        if len(data) > self._max_bytes:
            raise UnreadableDocument(f"{name} has {len(data):,} bytes, the limit is {self._max_bytes:,}", _HINT)
        request = {"op": op, "name": name, "max_bytes": self._max_bytes, "cpu_s": 2 * self._timeout_s + 2}
        process, self._process = self._process or Process("kg.api.reader", self._arguments), None
        try:
            process.wait_until_ready()
            reply, body = process.ask(request, data, self._timeout_s)
        except Late:
            process.end()
            raise UnreadableDocument(f"{name} takes more than {self._timeout_s:g} seconds to read", _HINT) from None
        except Died:
            process.end()
            raise UnreadableDocument(f"{name} takes more memory or depth to read than it may", _HINT) from None
        except BaseException:
            process.end()
            raise
        self._process = process
        if "fault" in reply:
            raise UnreadableDocument(f"{name} can't be read: {reply['fault']}", "this may be a fault in Citegraph")
        if "error" in reply:
            raise UnreadableDocument(reply["error"], reply["hint"])
        return body

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.end()
            self._process = None


@contextmanager
def documents(snapshot: Snapshot, settings: Settings) -> Iterator[Documents]:
    """A reader that ends its process in the end."""
    found = Documents(snapshot, settings)
    try:
        yield found
    finally:
        found.close()

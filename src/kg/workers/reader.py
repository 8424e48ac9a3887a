"""A process that reads strangers' documents, one after the other, until it is killed.

``python -m kg.workers.reader``; :class:`kg.workers.reading.Documents` starts it and sends :mod:`kg.workers.process`.
``op`` "record" answers with a document's extraction record, "blocks" with its structure; "prepare" loads what the
first record would otherwise wait for. ``cpu_s`` and ``memory`` are what a request may take; ``ontology`` are files.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter

import kg.extract  # noqa: F401 - before rights are taken away
from kg.errors import CitegraphError
from kg.model import Document
from kg.ontology import Ontology, load
from kg.readers import read
from kg.records import to_json
from kg.workers import confine
from kg.workers.pipeline import make_record
from kg.workers.process import read_message, write_message

# Deep nesting is to be refused by the readers, not to end the process.
_STACK = 256 * 1024 * 1024
_WATCH_S = 0.5
_ANYTHING = b"# Anything\n\nThis is a sentence.\n"


def _blocks(data: bytes, name: str, max_bytes: int) -> bytes:
    document = read(data, name, max_bytes=max_bytes)
    return json.dumps(TypeAdapter(Document).dump_python(document, mode="json")).encode("utf-8", "surrogatepass")


def answer(request: Mapping[str, Any], data: bytes, ontology: Callable[[], Ontology]) -> tuple[dict[str, Any], bytes]:
    """The reply to a request and its body; refusals are told in ``error`` and ``hint``, faults in ``fault``."""

    try:
        if request["op"] == "blocks":
            return {}, _blocks(data, request["name"], request["max_bytes"])
        if request["op"] == "prepare":
            make_record(_ANYTHING, "anything.md", ontology(), len(_ANYTHING))
            return {}, b""
        return {}, to_json(make_record(data, request["name"], ontology(), request["max_bytes"]))
    except CitegraphError as error:
        return {"error": error.message, "hint": error.hint}, b""
    except (MemoryError, RecursionError):
        return {"error": f"{request['name']} takes more memory or depth to read than it may", "hint": ""}, b""
    except Exception as error:
        return {"fault": f"{type(error).__name__}: {error}"[:500]}, b""


class _Ontologies:
    """The ontology that was asked for last: its files are named by their hashes."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._known: Ontology | None = None

    def get(self, files: Sequence[str]) -> Ontology:
        """The ontology in these files, the empty one where there are none."""

        names = tuple(Path(file).name for file in files)
        if self._known is None or names != self._names:
            self._known = load([Path(file) for file in files]) if files else Ontology.empty()
            self._names = names
        return self._known


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answers requests until their stream ends. ``worn``: too much memory is held to read others in."""
    ontologies = _Ontologies()
    confine.no_core()
    write_message(replies, {"ready": True, "no_network": confine.no_network()})
    prepared = 0
    while (request := read_message(requests)) is not None:
        data = requests.read(request["body"])
        confine.limit_cpu(request["cpu_s"])
        confine.limit_memory(request["memory"] + _STACK)
        files = request["ontology"]
        reply, body = answer(request, data, lambda: ontologies.get(files))  # noqa: B023 - called at once
        if request["op"] == "prepare":
            prepared = confine.address_space()
        held = confine.address_space() - prepared
        write_message(replies, {**reply, "worn": bool(prepared) and held > request["memory"] // 2}, body)


def _serve_and_exit() -> None:
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, MemoryError):
        os._exit(1)
    os._exit(0)


def main() -> None:
    """Serves in a thread with a deep stack, for as long as whoever started it is there."""
    started_by = os.getppid()
    threading.stack_size(_STACK)
    thread = threading.Thread(target=_serve_and_exit)
    thread.start()
    # A main thread that has ended is a shutdown to Python: what is imported then can't use threads of its own.
    while thread.is_alive():
        thread.join(_WATCH_S)
        if os.getppid() != started_by:
            os._exit(1)


if __name__ == "__main__":
    main()

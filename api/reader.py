"""A process that reads strangers' documents, one after the other, until it is killed.

``python -m kg.api.reader MEGABYTES ONTOLOGY…``; :class:`kg.api.reading.Documents` starts it. Messages are those of
:mod:`kg.api.worker`: ``op`` "record" answers with a document's extraction record, "blocks" with its structure;
"prepare" loads what the first record would otherwise wait for.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

from . import confine
from .worker import read_message, write_message

# Deep nesting is to be refused by the readers, not to end the process.
_STACK = 256 * 1024 * 1024
_ANYTHING = b"# Anything\n\nThis is a sentence.\n"


def _record(data: bytes, name: str, ontology: Any, max_bytes: int) -> bytes:
    from kg.pipeline import make_record
    from kg.records import to_json

    return to_json(make_record(data, name, ontology, max_bytes))


def _blocks(data: bytes, name: str, max_bytes: int) -> bytes:
    from pydantic import TypeAdapter

    from kg.model import Document
    from kg.readers import read

    document = read(data, name, max_bytes=max_bytes)
    return json.dumps(TypeAdapter(Document).dump_python(document, mode="json")).encode("utf-8", "surrogatepass")


def answer(request: Mapping[str, Any], data: bytes, ontology: Callable[[], Any]) -> tuple[dict[str, Any], bytes]:
    """The reply to a request and its body; refusals are told in ``error`` and ``hint``, faults in ``fault``."""
    from kg.errors import CitegraphError

    try:
        if request["op"] == "blocks":
            return {}, _blocks(data, request["name"], request["max_bytes"])
        if request["op"] == "prepare":
            _record(_ANYTHING, "anything.md", ontology(), len(_ANYTHING))
            return {}, b""
        return {}, _record(data, request["name"], ontology(), request["max_bytes"])
    except CitegraphError as error:
        return {"error": error.message, "hint": error.hint}, b""
    except (MemoryError, RecursionError):
        return {"error": f"{request['name']} takes more memory or depth to read than it may", "hint": ""}, b""
    except Exception as error:
        return {"fault": f"{type(error).__name__}: {error}"[:500]}, b""


def _ontology(files: Sequence[str]) -> Any:
    from kg.ontology import Ontology, load

    return load([Path(file) for file in files]) if files else Ontology.empty()


def serve(megabytes: int, ontology: Sequence[str], requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answers requests until their stream ends."""
    import kg.extract
    import kg.readers  # noqa: F401 - before rights are taken away

    known = cache(lambda: _ontology(ontology))
    confined = confine.no_network()
    confine.limit_memory(megabytes * 1024 * 1024 + _STACK)
    write_message(replies, {"ready": True, "no_network": confined})
    while (request := read_message(requests)) is not None:
        data = requests.read(request["body"])
        confine.limit_cpu(request["cpu_s"])
        write_message(replies, *answer(request, data, known))


def _serve_and_exit(megabytes: int, ontology: Sequence[str]) -> None:
    try:
        serve(megabytes, ontology, sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, MemoryError):
        os._exit(1)
    os._exit(0)


def main() -> None:
    """Serves in a thread with a deep stack."""
    threading.stack_size(_STACK)
    thread = threading.Thread(target=_serve_and_exit, args=(int(sys.argv[1]), sys.argv[2:]))
    thread.start()
    # A main thread that has ended is a shutdown to Python: what is imported then can't use threads of its own.
    thread.join()


if __name__ == "__main__":
    main()

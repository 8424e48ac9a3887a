"""Documents are read and extracted in processes of their own: no network, so much memory, so much time.

What a document does to its process it does to nobody else: at its deadline, or when it runs out of memory, the
process goes, the document is refused with the reason, and the next one gets another.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kg.errors import CitegraphError, QueryTimeout, UnreadableDocument
from kg.workers.process import START_S, Died, Late, Process, Reply, inherited

if TYPE_CHECKING:
    from kg.base.snapshot import Snapshot
    from kg.settings import Settings

_BYTES_A_SECOND = 20_000
_MEMORY_A_BYTE = 100
# Starting another process costs what reading so much text does.
_PAYS = 100_000
# Documents that are read before it is the first one's turn to be taken.
_AHEAD = 32
_START_MEMORY = 4 << 30
# Where models are looked for, and which.
_MODELS = ("HOME", "XDG_CACHE_HOME", "KG_MODEL_CACHE", "KG_RELATION_MODEL", "KG_RELATION_PRECISION")
_DEATHS = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS}
_TOO_MUCH = "takes more memory or depth to read than it may"


@dataclass(frozen=True, slots=True)
class Budget:
    """What reading a document may take.

    ``patience``: seconds on the clock for each of processor time. ``grows``: larger documents may take more.
    """

    seconds: float
    megabytes: int
    hint: str
    patience: float = 1.0
    grows: bool = False

    def seconds_for(self, size: int) -> float:
        """Seconds of processor time for a document of so many bytes."""
        return self.seconds + (size / _BYTES_A_SECOND if self.grows else 0)

    def memory_for(self, size: int) -> int:
        """Bytes of memory for a document of so many bytes."""
        return (self.megabytes << 20) + (size * _MEMORY_A_BYTE if self.grows else 0)


@dataclass(frozen=True, slots=True)
class Job:
    """A document to be read: its name, its size in bytes, and where the bytes come from."""

    name: str
    size: int
    load: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Made:
    """A document's extraction record, as JSON; with it, perhaps, its index segment and whose vectors that has."""

    record: bytes
    segment: bytes = b""
    model_hash: str = ""


class Workers(Protocol):
    """Processes that read the documents of a build, here or elsewhere."""

    def records(self, jobs: Sequence[Job]) -> Generator[Made | CitegraphError]:
        """What was made of each document, or why nothing was, in their order; they are read side by side."""
        ...


class _Reader(Process):
    """A process that reads documents, and which ontologies it has loaded."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__("kg.workers.reader", environment=environment)
        self.environment = environment
        self._prepared: tuple[str, ...] | None = None

    def prepare(self, ontology: tuple[str, ...]) -> None:
        """Has it load the ontology; that takes seconds, which no document is to blame for. Raises Late, Died."""
        if self._prepared != ontology:
            request = {"op": "prepare", "cpu_s": START_S, "memory": _START_MEMORY, "ontology": ontology}
            self.ask(request, b"", 5 * START_S)
            self._prepared = ontology


def _environment() -> dict[str, str]:
    """What a process that reads gets to know: where code is, which models; one thread each, since there are several."""
    found = inherited()
    found.update({name: os.environ[name] for name in _MODELS if name in os.environ})
    path = os.pathsep.join(os.path.abspath(place) for place in sys.path if place)
    return {**found, "PWD": os.getcwd(), "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Documents:
    """Reads documents for one ontology. Safe to use from several threads.

    A process starts when there is something to read and is kept, ``workers`` of them at most: it takes seconds to
    start. Where more read at once, one more is started, and ended afterwards.
    """

    def __init__(
        self, ontology: Sequence[Path], budget: Budget, max_bytes: int, workers: int = 1, some: bool = False
    ) -> None:
        """``ontology``: files that are named by their hashes. ``some``: as many of the workers as pay."""
        self._files = tuple(str(path.resolve()) for path in ontology)
        self._budget, self._max_bytes = budget, max_bytes
        self._workers, self._some = workers, some
        self._kept: list[_Reader] = []
        self._busy: set[_Reader] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(workers + 1)

    @classmethod
    def uploaded(cls, snapshot: Snapshot, settings: Settings) -> Documents:
        """Reads what strangers send to a server, one after the other: one for who writes, one for who looks."""
        serve, hint = settings.serve, "send less, or several smaller documents"
        budget = Budget(serve.document_timeout_s, serve.document_memory_mb, hint)
        return cls(snapshot.ontology_files, budget, int(settings.build.max_file_mb * 1_000_000))

    def fits(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot's documents are read with the same ontology."""
        return self._files == tuple(str(path.resolve()) for path in snapshot.ontology_files)

    def record(self, data: bytes, name: str) -> bytes:
        """The extraction record of a document, as JSON. Raises UnreadableDocument, QueryTimeout while others wait."""
        return self._ask("record", data, name)

    def structure(self, data: bytes, name: str) -> dict[str, Any]:
        """The document that a reader makes of a file, as JSON. Raises as above."""
        document: dict[str, Any] = json.loads(self._ask("blocks", data, name))
        return document

    def records(self, jobs: Sequence[Job]) -> Generator[Made | CitegraphError]:
        """See :class:`Workers`."""
        count = min(self._workers, len(jobs))
        if self._some:
            count = min(count, 1 + sum(job.size for job in jobs) // _PAYS)
        if not count:
            return
        rest = iter(jobs)
        threads = ThreadPoolExecutor(count)
        ahead = deque(threads.submit(self._outcome, job) for job in islice(rest, _AHEAD))
        try:
            while ahead:
                found = ahead[0].result()
                ahead.popleft()
                ahead.extend(threads.submit(self._outcome, job) for job in islice(rest, 1))
                yield found
        finally:
            if ahead:  # nobody waits for the others any more
                threads.shutdown(wait=False, cancel_futures=True)
                self.stop()
            threads.shutdown()

    def _outcome(self, job: Job) -> Made | CitegraphError:
        try:
            return Made(self.record(job.load(), job.name))
        except CitegraphError as error:
            return error

    def _ask(self, op: str, data: bytes, name: str) -> bytes:
        hint = self._budget.hint
        if len(data) > self._max_bytes:
            raise UnreadableDocument(f"{name} has {len(data):,} bytes, the limit is {self._max_bytes:,}", hint)
        seconds, memory = self._budget.seconds_for(len(data)), self._budget.memory_for(len(data))
        request = {"op": op, "name": name, "max_bytes": self._max_bytes, "cpu_s": seconds, "memory": memory}
        if not self._places.acquire(timeout=self._budget.seconds):
            raise QueryTimeout("other documents are being read", "try again shortly")
        try:
            reply, body = self._reply({**request, "ontology": self._files}, data, name)
        finally:
            self._places.release()
        if "fault" in reply:
            raise UnreadableDocument(f"{name} can't be read: {reply['fault']}", "this may be a fault in Citegraph")
        if "error" in reply:
            raise UnreadableDocument(reply["error"], reply["hint"] or hint)
        return body

    def _reply(self, request: dict[str, Any], data: bytes, name: str) -> Reply:
        process = self._taken()
        try:
            self._ready(process, request["op"])
            found = process.ask(request, data, request["cpu_s"] * self._budget.patience)
        except Late:
            self._gone(process)
            raise UnreadableDocument(self._too_long(name, request), self._budget.hint) from None
        except Died:
            raise UnreadableDocument(self._why(name, request, self._gone(process)), self._budget.hint) from None
        except BaseException:
            self._gone(process)
            raise
        self._keep(process, found[0]["worn"])
        return found

    def _ready(self, process: _Reader, op: str) -> None:
        try:
            process.wait_until_ready()
            if op == "record":
                process.prepare(self._files)
        except (Late, Died):
            raise UnreadableDocument(
                "the process that reads documents doesn't start", "look for packages that are broken: pip check"
            ) from None

    def _too_long(self, name: str, request: Mapping[str, Any]) -> str:
        seconds = round(request["cpu_s"]) or request["cpu_s"]
        return f"{name} takes more than {seconds:,} seconds to read"

    def _why(self, name: str, request: Mapping[str, Any], status: int) -> str:
        """Why a process has died of a document, from the status that it ended with."""
        if status == -signal.SIGXCPU:
            return self._too_long(name, request)
        if status == 1 or -status in _DEATHS:
            return f"{name} {_TOO_MUCH}"
        ended = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{name} can't be read: the process that read it {ended}"

    def _taken(self) -> _Reader:
        with self._lock:
            if self._closed:
                raise QueryTimeout("documents are no longer read", "try again")
            process = self._kept.pop() if self._kept else _Reader(_environment())
            self._busy.add(process)
            return process

    def _gone(self, process: _Reader) -> int:
        with self._lock:
            self._busy.discard(process)
        return process.end()

    def _keep(self, process: _Reader, worn: bool) -> None:
        with self._lock:
            self._busy.discard(process)
            if not worn and not self._closed and len(self._kept) < self._workers:
                self._kept.append(process)
                return
        process.end()

    def adopt(self, process: _Reader) -> None:
        """Has a process that was started before go on here."""
        self._kept.append(process)

    def release(self) -> _Reader | None:
        """One of the processes that are kept, to go on elsewhere."""
        with self._lock:
            return self._kept.pop() if self._kept else None

    def close(self) -> None:
        """Ends the processes; one that is reading now ends when it is done."""
        with self._lock:
            kept, self._kept, self._closed = self._kept, [], True
        for process in kept:
            process.end()

    def stop(self) -> None:
        """Ends the processes at once, those that are reading too."""
        self.close()
        with self._lock:
            for process in self._busy:
                process.kill()


# The process of the last build, for the next one in this process.
_spare: list[_Reader] = []
_spare_lock = threading.Lock()


def _take_spare() -> _Reader | None:
    with _spare_lock:
        found = _spare.pop() if _spare else None
    if found is not None and found.environment != _environment():
        found.end()
        return None
    return found


def _put_spare(process: _Reader) -> None:
    with _spare_lock:
        if not _spare:
            _spare.append(process)
            return
    process.end()


@atexit.register
def _end_spare() -> None:
    while _spare:
        _spare.pop().end()


if hasattr(os, "register_at_fork"):  # a child's messages would meet its parent's
    os.register_at_fork(after_in_child=_spare.clear)


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def here(snapshot: Snapshot, budget: Budget, max_bytes: int, workers: int) -> Iterator[Documents]:
    """Reads on this machine; one of the processes is kept for the next build of this process."""
    documents = Documents(snapshot.ontology_files, budget, max_bytes, workers or cores(), some=not workers)
    if spare := _take_spare():
        documents.adopt(spare)
    try:
        yield documents
    finally:
        if kept := documents.release():
            _put_spare(kept)
        documents.stop()

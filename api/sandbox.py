"""Runs strangers' SPARQL queries in worker processes that can be killed, on a copy of the graph.

Nothing stops a query inside Oxigraph, so the process that runs it is ended at the deadline and another takes
its place. Workers have no network, limited memory, and a checkpoint of their own that nobody writes to.
Updates and payloads are strangers' input too: a worker computes what they lead to, on a copy of its own.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from kg.errors import (
    BadInput,
    QueryCrashed,
    QueryRefused,
    QueryTimeout,
    ResultTooLarge,
    Unsupported,
    UpdateFailed,
)
from kg.guard import QueryForm, check_query
from kg.queries import bad_query

from .worker import read_message, write_message

# A query that has waited for a worker may run at least so long.
_LEAST_S = 0.5
# Starting a process and opening the store; not counted against a query.
_START_S = 60.0
_INHERITED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take: seconds, processes side by side, rows, bytes of the result, megabytes of memory."""

    timeout_s: float = 10
    workers: int = 2
    max_rows: int = 100_000
    max_bytes: int = 100_000_000
    memory_mb: int = 2_000


@dataclass(frozen=True, slots=True)
class Dataset:
    """Graphs that the protocol's ``default-graph-uri`` and ``named-graph-uri`` name; none: the store's own."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphChange:
    """A request of the Graph Store Protocol: ``graph`` is None for the default graph.

    ``method``: PUT, POST or DELETE. ``parts``: media types and payloads. ``base`` resolves their relative IRIs.
    """

    method: str
    graph: str | None
    parts: tuple[tuple[str, bytes], ...]
    base: str


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A serialised result; ``format`` is pyoxigraph's name of the format (``JSON``, ``TURTLE``)."""

    body: bytes
    format: str
    graph: bool


class _Stopped(QueryTimeout):
    """A query that ran into its deadline, unlike one that no worker was free for."""


class _Late(Exception):
    """The deadline passed."""


class _Died(Exception):
    """The process ended by itself."""


class _Pipe:
    """The reading side of a worker, as a stream that gives up at a deadline."""

    def __init__(self, file: IO[bytes]) -> None:
        self._fd = file.fileno()
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN | select.POLLHUP)
        self.deadline = 0.0

    def read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            left = self.deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1000):
                raise _Late
            piece = os.read(self._fd, min(size - len(data), 1 << 20))
            if not piece:
                raise _Died
            data += piece
        return bytes(data)


@dataclass(slots=True)
class _Generation:
    """A checkpoint of the graph and how many workers are on it; its folder goes with the last of them."""

    folder: Path
    prefixes: Mapping[str, str]
    base: str
    workers: int = 0


class _Worker:
    """One process. It starts at once; its first query waits until it is ready."""

    def __init__(self, generation: _Generation, memory_mb: int) -> None:
        self.generation = generation
        generation.workers += 1
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "kg.api.worker", str(generation.folder / "store"), str(memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A session of its own: ctrl-C in a terminal is for the server, which then ends its workers.
            start_new_session=True,
            env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, _Pipe(self._process.stdout)
        self._ready = False

    def ask(self, request: Mapping[str, Any], body: bytes, timeout_s: float) -> tuple[dict[str, Any], bytes]:
        """The reply to a request and its body. Raises _Late, _Died."""
        try:
            write_message(self._requests, request, body)
        except OSError:
            raise _Died from None
        return self._receive(timeout_s)

    def _receive(self, timeout_s: float) -> tuple[dict[str, Any], bytes]:
        self._replies.deadline = time.monotonic() + timeout_s
        reply = read_message(self._replies)
        if reply is None:
            raise _Died
        return reply, self._replies.read(reply["body"])

    def wait_until_ready(self) -> None:
        """Returns once the process has opened its store. Raises _Late, _Died."""
        if not self._ready:
            self._receive(_START_S)
            self._ready = True

    def turn(self, generation: _Generation) -> bool:
        """Goes over to another generation; whether it did."""
        try:
            self.wait_until_ready()
            self.ask({"op": "open", "folder": str(generation.folder / "store"), "cpu_s": _START_S}, b"", _START_S)
        except (_Late, _Died):
            return False
        self.generation = generation
        return True

    def end(self) -> None:
        """Kills the process and waits for it."""
        self._process.kill()
        self._process.wait()
        self._requests.close()
        if self._process.stdout is not None:
            self._process.stdout.close()


@dataclass(slots=True)
class _State:
    """What the sandbox's lock guards."""

    generation: _Generation | None = None
    idle: list[_Worker] = field(default_factory=list)
    closed: bool = False


class Sandbox:
    """A small pool of workers on the newest checkpoint. Safe to use from several threads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._root = Path(tempfile.mkdtemp(prefix="citegraph-queries-"))
        self._count = 0
        self._state = _State()
        self._changed = threading.Condition()

    def use(self, checkpoint: Callable[[Path], None], prefixes: Mapping[str, str], base: str = "") -> None:
        """Turns to another state of the graph: ``checkpoint`` writes a store to the path that it is given.

        ``prefixes`` and ``base`` are offered to every query, as if it declared them.
        """
        generation = _Generation(self._folder(), dict(prefixes), base)
        checkpoint(generation.folder / "store")
        with self._changed:
            before, self._state.generation = self._state.generation, generation
            idle, self._state.idle = self._state.idle, []
            if before is None:
                idle = [_Worker(generation, self.limits.memory_mb) for _ in range(self.limits.workers)]
        for worker in idle:
            self._give(worker, True)

    def _folder(self) -> Path:
        with self._changed:
            self._count += 1
            folder = self._root / str(self._count)
        folder.mkdir()
        return folder

    def run(
        self, query: str, rows_format: str | None, graph_format: str | None, dataset: Dataset | None = None
    ) -> QueryResult:
        """The result, serialised in ``rows_format`` or, of CONSTRUCT and DESCRIBE, in ``graph_format``.

        Formats are pyoxigraph's names; None where the caller takes no such result.
        Raises QueryRefused, BadQuery, Unsupported, QueryTimeout, QueryCrashed, ResultTooLarge.
        """
        form = check_query(query)
        _check_format(form, rows_format, graph_format)
        dataset = dataset or Dataset()
        request = {
            "op": "query",
            "query": query,
            "rows_format": rows_format,
            "graph_format": graph_format,
            "default_graph": dataset.default,
            "named_graph": dataset.named,
            "max_rows": self.limits.max_rows,
        }
        reply, body = self._ask(request)
        if "error" in reply:
            raise self._error(reply, query)
        return QueryResult(body, reply["format"], reply["graph"])

    def update(self, update: str, checkpoint: Callable[[Path], None], writable: str, rest: str) -> tuple[bytes, str]:
        """What the graphs named under ``writable`` hold after an update, and a hash over all others.

        ``checkpoint`` writes the store that it starts from; ``rest`` is that hash, empty where it isn't known yet.
        Raises what :meth:`run` raises; QueryRefused for an update that changes anything else.
        """
        folder = self._folder()
        try:
            checkpoint(folder / "store")
            own = {"op": "update", "update": update, "folder": str(folder / "store"), "writable": writable}
            reply, body = self._ask({**own, "rest": rest})
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if "error" in reply:
            raise self._error(reply, update)
        return body, reply.get("rest", rest)

    def change_graph(self, change: GraphChange, user: bytes) -> tuple[bytes, bool]:
        """What people's graphs hold after a change of one of them, and whether that one was there before.

        ``user`` is what they hold now. Raises BadInput for payloads that can't be read, and as :meth:`run` does.
        """
        request = {
            "op": "graph",
            "method": change.method,
            "graph": change.graph,
            "base": change.base,
            "parts": [(media_type, len(data)) for media_type, data in change.parts],
            "user": len(user),
        }
        try:
            reply, body = self._ask(request, b"".join([user, *(data for _, data in change.parts)]))
        except (_Stopped, QueryCrashed):
            raise BadInput("the payload takes too long or too much memory to read", "send less, nest less") from None
        if "error" in reply:
            raise self._error(reply, "")
        return body, reply["existed"]

    def _ask(self, request: Mapping[str, Any], body: bytes = b"") -> tuple[dict[str, Any], bytes]:
        came = time.monotonic()
        worker = self._take()
        healthy = False
        own = {
            "prefixes": worker.generation.prefixes,
            "base": worker.generation.base or None,
            "max_bytes": self.limits.max_bytes,
            "cpu_s": self.limits.timeout_s + 2,
        }
        try:
            worker.wait_until_ready()
            # Waiting for a worker counts: under load, too, nobody waits much longer than the deadline.
            left = max(self.limits.timeout_s - (time.monotonic() - came), min(_LEAST_S, self.limits.timeout_s))
            answer = worker.ask({**own, **request}, body, left)
            healthy = True
            return answer
        except _Late:
            raise _Stopped(
                f"the query was stopped after {self.limits.timeout_s:g} seconds", "make it more selective"
            ) from None
        except _Died:
            raise QueryCrashed("the query needed more memory or depth than it may take", "make it simpler") from None
        finally:
            self._give(worker, healthy)

    def _take(self) -> _Worker:
        with self._changed:
            if not self._changed.wait_for(lambda: self._state.idle or self._state.closed, self.limits.timeout_s):
                raise QueryTimeout("all query workers are busy", "try again shortly")
            if self._state.closed:
                raise QueryTimeout("the server is shutting down", "try again shortly")
            return self._state.idle.pop()

    def _give(self, worker: _Worker, healthy: bool) -> None:
        """Puts a worker back to work on the newest generation, or another one in its place."""
        while True:
            with self._changed:
                newest = None if self._state.closed else self._state.generation
                if newest is None:
                    break
                if healthy and worker.generation is newest:
                    self._state.idle.append(worker)
                    self._changed.notify()
                    return
                left = worker.generation
                fresh = None if healthy else _Worker(newest, self.limits.memory_mb)
                newest.workers += fresh is None
            if fresh is not None:
                self._end(worker)
                worker, healthy = fresh, True
            else:
                healthy = worker.turn(newest)
                self._leave(left if healthy else newest)
        self._end(worker)

    def _end(self, worker: _Worker) -> None:
        worker.end()
        self._leave(worker.generation)

    def _leave(self, generation: _Generation) -> None:
        """One worker fewer on a generation; its folder goes with the last of them."""
        with self._changed:
            generation.workers -= 1
            last = not generation.workers and generation is not self._state.generation
        if last:
            shutil.rmtree(generation.folder, ignore_errors=True)

    def _error(self, reply: Mapping[str, Any], query: str) -> Exception:
        kind = reply["error"]
        if kind == "rows":
            return ResultTooLarge(f"the result has more than {self.limits.max_rows:,} rows", "add a LIMIT")
        if kind == "bytes":
            return ResultTooLarge(f"the result has more than {self.limits.max_bytes:,} bytes", "add a LIMIT")
        if kind == "forbidden":
            return QueryRefused("the update changes graphs that are derived from documents", "write to your own graphs")
        if kind == "conflict":
            return UpdateFailed(f"the update can't be done: {reply['message']}", "SILENT passes over what isn't there")
        if kind == "payload":
            return BadInput(f"the payload can't be read: {reply['message']}", "send one RDF graph in UTF-8")
        if kind == "format":
            return Unsupported("the result can't be given in the format asked for", "ask for another format")
        return bad_query(reply["message"], query)

    def close(self) -> None:
        """Ends all workers and removes the checkpoints."""
        with self._changed:
            self._state.closed = True
            self._state.generation = None
            idle, self._state.idle = self._state.idle, []
            self._changed.notify_all()
        for worker in idle:
            self._end(worker)
        shutil.rmtree(self._root, ignore_errors=True)


def _check_format(form: QueryForm | None, rows_format: str | None, graph_format: str | None) -> None:
    if form is not None and (graph_format if form.gives_graph else rows_format) is None:
        kinds: Sequence[str] = ("JSON, XML, CSV or TSV", "Turtle, N-Triples, RDF/XML or JSON-LD")
        raise Unsupported(
            f"a {form} result can't be given in the format asked for", f"ask for {kinds[form.gives_graph]}"
        )

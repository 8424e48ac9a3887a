"""Runs strangers' SPARQL queries in worker processes that can be killed, on a copy of the graph.

Nothing stops a query inside Oxigraph, so the process that runs it is ended at the deadline and another takes
its place. Workers have no network, limited memory, and a checkpoint of their own that nobody writes to.
Updates and payloads are strangers' input too: a worker computes what they lead to, on a copy of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import struct
import tempfile
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from kg.app.queries import bad_query
from kg.errors import (
    BadInput,
    QueryCrashed,
    QueryRefused,
    QueryTimeout,
    ResultTooLarge,
    Unsupported,
    UpdateFailed,
)
from kg.stores.guard import QueryForm, check_query
from kg.workers.process import PIECE, START_S, Died, Late, Process, Reply, write_message

_JUDGED = 2_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take: seconds, processes side by side, rows, bytes of the result, memory, cache."""

    timeout_s: float = 10
    workers: int = 2
    max_rows: int = 100_000
    max_bytes: int = 100_000_000
    memory_mb: int = 2_000
    cache_bytes: int = 0


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


@lru_cache(maxsize=512)
def _judged(query: str) -> QueryForm | None:
    return check_query(query)


def judged(query: str) -> QueryForm | None:
    """:func:`kg.stores.guard.check_query`, short queries' verdicts being remembered. Raises as it does."""
    return _judged(query) if len(query) <= _JUDGED else check_query(query)


def check_format(form: QueryForm | None, rows_format: str | None, graph_format: str | None) -> None:
    """Raises Unsupported for a form whose result none of the formats can hold."""
    if form is not None and (graph_format if form.gives_graph else rows_format) is None:
        kinds: Sequence[str] = ("JSON, XML, CSV or TSV", "Turtle, N-Triples, RDF/XML or JSON-LD")
        raise Unsupported(
            f"a {form} result can't be given in the format asked for", f"ask for {kinds[form.gives_graph]}"
        )


# Functions that give something else each time; escapes could hide their names.
_CHANGING = re.compile(r"now|rand|uuid|bnode|\\u", re.IGNORECASE)


class Cache:
    """Results by what was asked of which generation; the one that wasn't asked for longest goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._generation: object = None
        self._results: OrderedDict[Hashable, tuple[QueryResult, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, generation: object, key: Hashable) -> QueryResult | None:
        """The result, if it is known of this generation."""
        with self._lock:
            found = self._results.get(key) if generation is self._generation else None
            if found is None:
                return None
            self._results.move_to_end(key)
            return found[0]

    def put(self, generation: object, key: Hashable, query: str, result: QueryResult) -> None:
        """Keeps a result, unless it is large or differs from time to time."""
        size = len(result.body) + len(query)
        if size > self._most // 16 or _CHANGING.search(query):
            return
        with self._lock:
            if generation is not self._generation:
                self._generation, self._held = generation, 0
                self._results.clear()
            self._held += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = result, size
            while self._held > self._most:
                self._held -= self._results.popitem(last=False)[1][1]


_HEAD = 4
# A message that surely fits into a pipe's buffer, so that writing it never waits.
_FITS = 16_000


class _Incoming:
    """A reply that comes in pieces while the event loop does other things."""

    def __init__(self, fd: int, done: asyncio.Future[Reply]) -> None:
        self._fd, self._done, self._data = fd, done, bytearray()
        self._reply: dict[str, Any] | None = None
        self._needs = _HEAD

    def readable(self) -> None:
        """Takes what has come; called by the event loop."""
        try:
            piece = os.read(self._fd, PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if self._done.done():
            return
        if not piece:
            self._done.set_exception(Died())
            return
        self._data += piece
        if len(self._data) >= self._needs:
            self._parse()

    def _parse(self) -> None:
        data = self._data
        if self._reply is None:
            self._needs = _HEAD + struct.unpack_from(">I", data)[0]
            if len(data) < self._needs:
                return
            self._reply = json.loads(bytes(data[_HEAD : self._needs]))
            del data[: self._needs]
            self._needs = self._reply["body"]
        if len(data) >= self._needs:
            self._done.set_result((self._reply, bytes(data)))


def _expire(done: asyncio.Future[Reply]) -> None:
    if not done.done():
        done.set_exception(Late())


@dataclass(slots=True)
class Generation:
    """A checkpoint of the graph and how many workers are on it; its folder goes with the last of them."""

    folder: Path
    prefixes: Mapping[str, str]
    base: str
    workers: int = 0


def fits_a_pipe(query: str) -> bool:
    """Whether writing a request with this text never waits for whoever reads it."""
    return len(query) <= _FITS // 4


class Worker(Process):
    """A process on a checkpoint of the graph."""

    def __init__(self, generation: Generation, memory_mb: int) -> None:
        self.generation = generation
        self.told: Generation | None = None
        generation.workers += 1
        super().__init__("kg.api.worker", [str(generation.folder / "store"), str(memory_mb)])

    def turn(self, generation: Generation) -> bool:
        """Goes over to another generation; whether it did."""
        try:
            self.wait_until_ready()
            self.ask({"op": "open", "folder": str(generation.folder / "store"), "cpu_s": START_S}, b"", START_S)
        except (Late, Died):
            return False
        self.generation = generation
        return True

    async def ask_soon(self, request: Mapping[str, Any], timeout_s: float) -> Reply:
        """The same on the event loop, of a process that is ready. Raises Late, Died."""
        loop, fd = asyncio.get_running_loop(), self._replies.fd
        done: asyncio.Future[Reply] = loop.create_future()
        try:
            write_message(self._requests, request)
        except OSError:
            raise Died from None
        loop.add_reader(fd, _Incoming(fd, done).readable)
        late = loop.call_later(timeout_s, _expire, done)
        try:
            return await done
        finally:
            loop.remove_reader(fd)
            late.cancel()


# A query that has waited for a worker may run at least so long.
_LEAST_S = 0.5


class _Stopped(QueryTimeout):
    """A query that ran into its deadline, unlike one that no worker was free for."""


@dataclass(slots=True)
class _State:
    """What the sandbox's lock guards."""

    generation: Generation | None = None
    idle: list[Worker] = field(default_factory=list)
    # Requests on the event loop that wait for a worker, the longest first.
    waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = field(default_factory=deque)
    closed: bool = False


class Sandbox:
    """A small pool of workers on the newest checkpoint. Safe to use from several threads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._root = Path(tempfile.mkdtemp(prefix="citegraph-queries-"))
        self._count = 0
        self._state = _State()
        self._changed = threading.Condition()
        self._known = Cache(limits.cache_bytes)

    def use(self, checkpoint: Callable[[Path], None], prefixes: Mapping[str, str], base: str = "") -> None:
        """Turns to another state of the graph: ``checkpoint`` writes a store to the path that it is given.

        ``prefixes`` and ``base`` are offered to every query, as if it declared them.
        """
        generation = Generation(self._folder(), dict(prefixes), base)
        checkpoint(generation.folder / "store")
        with self._changed:
            before, self._state.generation = self._state.generation, generation
            idle, self._state.idle = self._state.idle, []
            if before is None:
                idle = [Worker(generation, self.limits.memory_mb) for _ in range(self.limits.workers)]
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
        request = self._request(query, rows_format, graph_format, dataset)
        return self._result(*self._ask(request), query)

    async def run_soon(
        self, query: str, rows_format: str | None, graph_format: str | None, dataset: Dataset | None = None
    ) -> QueryResult:
        """The same on the event loop, without a thread as long as a worker stays healthy and the graph the same."""
        key, generation = (query, rows_format, graph_format, dataset), self._state.generation
        if known := self._known.get(generation, key):
            return known
        request = self._request(query, rows_format, graph_format, dataset)
        ask = self._ask_soon(request) if fits_a_pipe(query) else asyncio.to_thread(self._ask, request)
        result = self._result(*await ask, query)
        if generation is self._state.generation:
            self._known.put(generation, key, query, result)
        return result

    def _request(
        self, query: str, rows_format: str | None, graph_format: str | None, dataset: Dataset | None
    ) -> dict[str, Any]:
        check_format(judged(query), rows_format, graph_format)
        dataset = dataset or Dataset()
        return {
            "op": "query",
            "query": query,
            "rows_format": rows_format,
            "graph_format": graph_format,
            "default_graph": dataset.default,
            "named_graph": dataset.named,
            "max_rows": self.limits.max_rows,
        }

    def _result(self, reply: Mapping[str, Any], body: bytes, query: str) -> QueryResult:
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

    def _ask(self, request: Mapping[str, Any], body: bytes = b"") -> Reply:
        came = time.monotonic()
        worker = self._take()
        healthy = False
        try:
            worker.wait_until_ready()
            answer = worker.ask(self._whole(request, worker), body, self._left(came))
            healthy = True
            return answer
        except (Late, Died) as error:
            raise self._stopped(error) from None
        finally:
            self._give(worker, healthy)

    async def _ask_soon(self, request: Mapping[str, Any]) -> Reply:
        came = time.monotonic()
        worker = await self._take_soon()
        healthy = False
        try:
            if not worker.ready:
                await asyncio.to_thread(worker.wait_until_ready)
            answer = await worker.ask_soon(self._whole(request, worker), self._left(came))
            healthy = True
            return answer
        except (Late, Died) as error:
            raise self._stopped(error) from None
        finally:
            if not (healthy and self._back(worker)):
                # Another process, or another generation: that waits, and goes on should this request be given up.
                threading.Thread(target=self._give, args=(worker, healthy)).start()

    def _whole(self, request: Mapping[str, Any], worker: Worker) -> Mapping[str, Any]:
        """The request, with what all requests of a generation share if the worker hasn't been told that yet."""
        if worker.told is worker.generation:
            return request
        worker.told = worker.generation
        shared = {
            "prefixes": worker.generation.prefixes,
            "base": worker.generation.base or None,
            "max_bytes": self.limits.max_bytes,
            "cpu_s": self.limits.timeout_s + 2,
        }
        return {"shared": shared, **request}

    def _left(self, came: float) -> float:
        """Seconds: waiting for a worker counts, so that under load, too, nobody waits much longer than the deadline."""
        return max(self.limits.timeout_s - (time.monotonic() - came), min(_LEAST_S, self.limits.timeout_s))

    def _stopped(self, error: Late | Died) -> QueryTimeout | QueryCrashed:
        if isinstance(error, Late):
            return _Stopped(f"the query was stopped after {self.limits.timeout_s:g} seconds", "make it more selective")
        return QueryCrashed("the query needed more memory or depth than it may take", "make it simpler")

    def _take(self) -> Worker:
        with self._changed:
            if not self._changed.wait_for(lambda: self._state.idle or self._state.closed, self.limits.timeout_s):
                raise QueryTimeout("all query workers are busy", "try again shortly")
            return self._popped()

    def _popped(self) -> Worker:
        if self._state.closed:
            raise QueryTimeout("the server is shutting down", "try again shortly")
        return self._state.idle.pop()

    async def _take_soon(self) -> Worker:
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.timeout_s
        while True:
            with self._changed:
                if self._state.idle or self._state.closed:
                    return self._popped()
                told = loop.create_future()
                self._state.waiting.append((loop, told))
            try:
                async with asyncio.timeout_at(until):
                    await told
            except TimeoutError:
                raise QueryTimeout("all query workers are busy", "try again shortly") from None
            except asyncio.CancelledError:
                with self._changed:
                    # Whoever gives up just when it is told lets the next one know.
                    self._tell()
                raise

    def _tell(self) -> None:
        """Wakes who waits for a worker, in a thread or on the event loop. The caller holds the lock."""
        self._changed.notify()
        while self._state.waiting:
            loop, told = self._state.waiting.popleft()
            if not told.done():
                loop.call_soon_threadsafe(_set, told)
                return

    def _back(self, worker: Worker) -> bool:
        """Puts a healthy worker back if nothing has changed meanwhile; whether it did."""
        with self._changed:
            if self._state.closed or worker.generation is not self._state.generation:
                return False
            self._state.idle.append(worker)
            self._tell()
            return True

    def _give(self, worker: Worker, healthy: bool) -> None:
        """Puts a worker back to work on the newest generation, or another one in its place."""
        while True:
            with self._changed:
                newest = None if self._state.closed else self._state.generation
                if newest is None:
                    break
                if healthy and worker.generation is newest:
                    self._state.idle.append(worker)
                    self._tell()
                    return
                left = worker.generation
                fresh = None if healthy else Worker(newest, self.limits.memory_mb)
                newest.workers += fresh is None
            if fresh is not None:
                self._end(worker)
                worker, healthy = fresh, True
            else:
                healthy = worker.turn(newest)
                self._leave(left if healthy else newest)
        self._end(worker)

    def _end(self, worker: Worker) -> None:
        worker.end()
        self._leave(worker.generation)

    def _leave(self, generation: Generation) -> None:
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
            while self._state.waiting:
                self._tell()
        for worker in idle:
            self._end(worker)
        shutil.rmtree(self._root, ignore_errors=True)


def _set(told: asyncio.Future[None]) -> None:
    if not told.done():
        told.set_result(None)

"""Child processes that do strangers' work and are killed when they take too long.

Both ways of waiting for one are here: in a thread that may wait (:meth:`Worker.ask`), and on the event loop, which
then costs no hop to a thread and back (:meth:`Worker.ask_soon`).
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .worker import read_message, write_message

Reply = tuple[dict[str, Any], bytes]
# Starting a process and opening the store; not counted against a query.
START_S = 60.0
_INHERITED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "OMP_NUM_THREADS")
_PIECE = 1 << 20
_HEAD = 4
# A message that surely fits into a pipe's buffer, so that writing it never waits.
_FITS = 16_000


class Late(Exception):
    """The deadline passed."""


class Died(Exception):
    """The process ended by itself."""


class _Pipe:
    """The reading side of a worker, as a stream that gives up at a deadline."""

    def __init__(self, file: IO[bytes]) -> None:
        self.fd = file.fileno()
        os.set_blocking(self.fd, False)
        self._poll = select.poll()
        self._poll.register(self.fd, select.POLLIN | select.POLLHUP)
        self.deadline = 0.0

    def read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            left = self.deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1000):
                raise Late
            piece = os.read(self.fd, min(size - len(data), _PIECE))
            if not piece:
                raise Died
            data += piece
        return bytes(data)


class _Incoming:
    """A reply that comes in pieces while the event loop does other things."""

    def __init__(self, fd: int, done: asyncio.Future[Reply]) -> None:
        self._fd, self._done, self._data = fd, done, bytearray()
        self._reply: dict[str, Any] | None = None
        self._needs = _HEAD

    def readable(self) -> None:
        """Takes what has come; called by the event loop."""
        try:
            piece = os.read(self._fd, _PIECE)
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


class Process:
    """A child that speaks :mod:`kg.api.worker`'s messages. It starts at once; its first job waits until it is ready."""

    def __init__(self, module: str, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A session of its own: ctrl-C in a terminal is for the server, which then ends its workers.
            start_new_session=True,
            env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, _Pipe(self._process.stdout)
        self.ready = False

    def ask(self, request: Mapping[str, Any], body: bytes, timeout_s: float) -> Reply:
        """The reply to a request and its body. Raises Late, Died."""
        try:
            write_message(self._requests, request, body)
        except OSError:
            raise Died from None
        return self._receive(timeout_s)

    def _receive(self, timeout_s: float) -> Reply:
        self._replies.deadline = time.monotonic() + timeout_s
        reply = read_message(self._replies)
        if reply is None:
            raise Died
        return reply, self._replies.read(reply["body"])

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

    def wait_until_ready(self) -> None:
        """Returns once the process has begun to listen. Raises Late, Died."""
        if not self.ready:
            self._receive(START_S)
            self.ready = True

    def end(self) -> None:
        """Kills the process and waits for it."""
        self._process.kill()
        self._process.wait()
        self._requests.close()
        if self._process.stdout is not None:
            self._process.stdout.close()


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

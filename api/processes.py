"""Processes that run strangers' queries and are killed when they take too long.

One can be waited for in a thread that may wait (:meth:`Worker.ask`), and on the event loop, which then costs no hop
to a thread and back (:meth:`Worker.ask_soon`).
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.workers.process import PIECE, START_S, Died, Late, Process, Reply, write_message

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

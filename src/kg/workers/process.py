"""Child processes that are sent one message after another and are killed when they take too long.

Messages between a process and those that it started.

A message is four bytes of length (big endian), that many bytes of JSON, and ``body`` bytes more.
"""

from __future__ import annotations

import json
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any

# A body that is sent in one piece with its head.
_SMALL = 1 << 16


def read_message(stream: IO[bytes] | _Pipe) -> dict[str, Any] | None:
    """The next message's JSON; None at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    data = stream.read(struct.unpack(">I", head)[0])
    message: dict[str, Any] = json.loads(data)
    return message


def write_message(stream: IO[bytes], message: Mapping[str, Any], body: bytes = b"") -> None:
    """Writes a message and its body."""
    data = json.dumps({**message, "body": len(body)}).encode()
    whole = struct.pack(">I", len(data)) + data
    if len(body) < _SMALL:
        stream.write(whole + body)
    else:
        stream.write(whole)
        stream.write(body)
    stream.flush()


Reply = tuple[dict[str, Any], bytes]
# Starting a process and loading what it needs; not counted against its jobs.
START_S = 60.0
PIECE = 1 << 20
_INHERITED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "OMP_NUM_THREADS")


def inherited() -> dict[str, str]:
    """What a worker gets to know of this process's environment."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


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
            piece = os.read(self.fd, min(size - len(data), PIECE))
            if not piece:
                raise Died
            data += piece
        return bytes(data)


class Process:
    """A child that is sent messages. It starts at once; its first job waits until it is ready."""

    def __init__(
        self, module: str, arguments: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # A session of its own: ctrl-C in a terminal is for this process, which then ends its workers.
            start_new_session=True,
            env=dict(inherited() if environment is None else environment),
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

    def wait_until_ready(self) -> None:
        """Returns once the process has begun to listen. Raises Late, Died."""
        if not self.ready:
            self._receive(START_S)
            self.ready = True

    def kill(self) -> None:
        """Kills the process; whoever waits for its reply gets Died."""
        self._process.kill()

    def end(self) -> int:
        """Kills the process and waits for it; the status that it ended with (negative: the signal)."""
        self._process.kill()
        status = self._process.wait()
        self._requests.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status

"""Messages between a process and those that it started.

A message is four bytes of length (big endian), that many bytes of JSON, and ``body`` bytes more.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any, Protocol

# A body that is sent in one piece with its head.
_SMALL = 1 << 16


class Readable(Protocol):
    """Something that bytes can be read from: all that were asked for, fewer only at its end."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes."""
        ...


def read_message(stream: Readable) -> dict[str, Any] | None:
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

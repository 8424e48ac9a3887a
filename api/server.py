"""Runs the application on uvicorn: says when it is ready, ends quietly on SIGTERM and ctrl-C."""

from __future__ import annotations

import errno
import math
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn

from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from .access import is_loopback
from .app import create_app
from .telemetry import log_as_json


@contextmanager
def throwaway(settings: Settings) -> Iterator[KnowledgeBase]:
    """A knowledge base without documents in a temporary folder, removed in the end."""
    with (
        tempfile.TemporaryDirectory(prefix="citegraph-test-") as folder,
        KnowledgeBase.create(Path(folder) / "kb", settings, plain=True) as knowledge_base,
    ):
        yield knowledge_base


# Requests that are under way when the server is told to stop get so much longer than they may take (seconds).
_GRACE_S = 2


class _Server(uvicorn.Server):
    """A server that tells when it has begun to listen."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to listen, then tells."""
        await super().startup(sockets)
        if self.started:
            self._tell()


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises BadInput with the reason in one sentence."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # The protocol is named because asyncio only then turns off Nagle's algorithm, which costs 40 ms a reply.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BadInput(
                f"port {port} is in use", "stop what listens there, or choose another with --port"
            ) from error
        raise BadInput(
            f"{host}:{port} can't be listened on: {error.strerror}", "choose another --host or --port"
        ) from error
    return listener


def _address(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _grace(settings: Settings) -> int:
    """Seconds that requests get to finish: as long as a query or the reading of a document may take."""
    return math.ceil(max(settings.serve.query_timeout_s, settings.serve.document_timeout_s)) + _GRACE_S


def _stop(number: int, frame: FrameType | None) -> None:
    # uvicorn raises the signal again once it has shut down: then this ends the process in peace.
    sys.exit(0)


def serve(
    knowledge_base: KnowledgeBase,
    settings: Settings,
    ready: Callable[[str], None],
    listening: socket.socket | None = None,
    open_dataset: bool = False,
) -> None:
    """Serves until SIGTERM or ctrl-C, then exits with 0. ``ready`` is called with the address.

    ``open_dataset``: anyone who reaches the server may write, without a key; it has to be on loopback then.

    Raises BadInput where the port is taken.
    """
    host = settings.serve.host
    if open_dataset and not is_loopback(host):
        raise BadInput(f"a dataset for tests is open to writing: it isn't served on {host}", "use 127.0.0.1")
    listener = listening or _listen(host, settings.serve.port)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    log_as_json()
    config = uvicorn.Config(
        create_app(knowledge_base, settings, local=is_loopback(host), open_dataset=open_dataset),
        log_config=None,
        log_level="warning",
        access_log=False,
        # Whoever is next to this server may not make up the address that its requests are counted by.
        proxy_headers=False,
        timeout_graceful_shutdown=_grace(settings),
        server_header=False,
        lifespan="on",
    )
    server = _Server(config, lambda: ready(_address(listener, host)))
    with listener:
        server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)

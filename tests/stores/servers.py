"""SPARQL servers that tests start on loopback, in a folder of their own, and may kill and start again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from kg.settings import StoreSettings

_STARTS_WITHIN_S = 60
_TRIES = 4


def free_port() -> int:
    """A port that nothing listens at, below those that outgoing connections are given while the server starts."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as listening:
            try:
                listening.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Server:
    """A server of one kind. Skips the test, in one line, where it isn't installed."""

    name = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        for left in reversed(range(_TRIES)):
            self.port = free_port()
            try:
                return self.start()
            except AssertionError:  # somebody else took the port meanwhile
                self.kill()
                if not left:
                    raise

    @property
    def url(self) -> str:
        raise NotImplementedError

    def settings(self, **more: object) -> StoreSettings:
        return StoreSettings(url=self.url, timeout_s=30, **more)  # type: ignore[arg-type]

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        with (self.folder / "output").open("ab") as output:
            # In a group of its own, so that what it starts goes with it.
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=output, stderr=output, start_new_session=True
            )
        until = time.monotonic() + _STARTS_WITHIN_S
        while not self._answers():
            assert self.process.poll() is None and time.monotonic() < until, (self.folder / "output").read_text()[-500:]
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}?query=ASK%20%7B%7D", timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """Ends it as a power cut would."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


class Oxigraph(Server):
    name = "oxigraph"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/query"

    def command(self) -> list[str]:
        beside = Path(sys.executable).with_name("oxigraph")
        binary = str(beside) if beside.exists() else shutil.which("oxigraph")
        if binary is None:
            pytest.skip("oxigraph isn't installed: pip install 'citegraph[engines]'")
        return [binary, "serve", "--location", str(self.folder / "data"), "--bind", f"127.0.0.1:{self.port}"]


_VIRTUOSO = """[Database]
DatabaseFile = {0}/virtuoso.db
ErrorLogFile = {0}/virtuoso.log
LockFile = {0}/virtuoso.lck
TransactionFile = {0}/virtuoso.trx
xa_persistent_file = {0}/virtuoso.pxa
MaxCheckpointRemap = 2000
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {0}/temporary.db
TransactionFile = {0}/temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{1}
DisableUnixSocket = 1
CheckpointInterval = 60
NumberOfBuffers = 10000
CaseMode = 2
[HTTPServer]
ServerPort = 127.0.0.1:{2}
ServerRoot = {0}
ServerThreads = 8
MaxKeepAlives = 10
KeepAliveTimeout = 10
"""


class Virtuoso(Server):
    name = "virtuoso"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"

    def settings(self, **more: object) -> StoreSettings:
        return super().settings(**{"user": "dba", "password": "dba", **more})

    def command(self) -> list[str]:
        binary = shutil.which("virtuoso-t")
        if binary is None:
            pytest.skip("virtuoso-t isn't installed: apt-get install virtuoso-opensource")
        (self.folder / "virtuoso.lck").unlink(missing_ok=True)
        (self.folder / "virtuoso.ini").write_text(_VIRTUOSO.format(self.folder, free_port(), self.port))
        return [binary, "+configfile", "virtuoso.ini", "+foreground"]


SERVERS: dict[str, type[Server]] = {server.name: server for server in (Oxigraph, Virtuoso)}

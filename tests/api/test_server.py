"""The socket that the server listens on, and how the server ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from kg.api.server import _address, _listen

from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..hostile.bombs import BOMBS, PREFIX, data
from ..hostile.description import KEY, lighthouses
from ..w3c.server import Client, Reply, serving


def test_the_socket_names_its_protocol() -> None:
    # asyncio turns off Nagle's algorithm only on such sockets; with it every reply takes 40 ms more.
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert _address(listener, "127.0.0.1") == f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert _address(listener, "::1").startswith("http://[::1]:")


def test_addresses_that_can_not_be_listened_on() -> None:
    with _listen("127.0.0.1", 0) as listener, pytest.raises(BadInput, match="in use"):
        _listen("127.0.0.1", listener.getsockname()[1])
    with pytest.raises(BadInput, match="can't be listened on"):
        _listen("192.0.2.1", 0)
    with pytest.raises(BadInput, match="can't be listened on"):
        _listen("no such host", 0)


def _finishing(address: str, path: str, headers: dict[str, str], body: bytes = b"") -> Future[Reply]:
    pool = ThreadPoolExecutor(1)
    reply = pool.submit(Client(address).send, "POST" if body else "GET", path, headers, body)
    pool.shutdown(wait=False)
    return reply


def _under_way(client: Client) -> float:
    text = client.send("GET", "/metrics").body.decode()
    return float(next(line for line in text.splitlines() if line.startswith("citegraph_requests_under_way")).split()[1])


def test_what_is_under_way_finishes_and_nothing_new_begins() -> None:
    with serving(settings={"KG_SERVE__QUERY_TIMEOUT_S": "3", "KG_SERVE__LOG": "errors"}) as client:
        assert client.update(PREFIX + data()).status == 204
        bomb = _finishing(client.address, f"/sparql?query={quote(PREFIX + BOMBS['cross join'])}", {})
        while _under_way(client) < 2:
            assert not bomb.done()
        os.kill(client.pid, signal.SIGTERM)
        refused = False
        while not bomb.done():
            try:
                socket.create_connection(("127.0.0.1", int(client.address.rpartition(":")[2])), 1).close()
            except ConnectionRefusedError:
                refused = True
            time.sleep(0.05)
        assert refused
        reply = bomb.result()
        assert reply.status == 503 and "stopped after 3 seconds" in json.loads(reply.body)["detail"]


def test_a_change_under_way_is_made_before_the_server_ends(tmp_path: Path) -> None:
    with lighthouses(tmp_path) as client:
        form = (
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="bell.md"\r\n\r\n'
            b"# Bells\n\n## Drum Bell\n\n- **Height**: 7 m\n\r\n--x--\r\n"
        )
        typed = {"Authorization": f"Bearer {KEY}", "Content-Type": "multipart/form-data; boundary=x"}
        change = _finishing(client.address, "/documents", typed, form)
        while _under_way(client) < 2:
            assert not change.done()
        os.kill(client.pid, signal.SIGTERM)
        assert change.result().status == 201
    with KnowledgeBase.open(tmp_path / "kb", Settings(kb=tmp_path / "kb")) as knowledge_base:
        assert {document.name for document in knowledge_base.documents()} == {"bell.md", "keepers.md", "lights.md"}

"""The socket that the server listens on."""

from __future__ import annotations

import socket

import pytest
from kg.api.server import _address, _listen

from kg.errors import BadInput


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

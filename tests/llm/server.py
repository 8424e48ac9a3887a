"""A server on loopback that speaks chat completions, and misbehaves as it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Messages = list[dict[str, str]]
Answering = Callable[[Messages], "str | Reply"]


@dataclass(frozen=True)
class Reply:
    """A response as it goes over the wire; ``drip``: seconds between its bytes."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0
    wait: float = 0.0


def completion(text: object, **more: Any) -> Reply:
    """A well-formed completion with such a content."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **more}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    return Reply(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode())


def failure(status: int, message: str = "no", **headers: str) -> Reply:
    """An error as endpoints give it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": {"message": message}}).encode(), status, named)


@dataclass
class Endpoint:
    """The server's address, the requests that came, and what it answers: a text or reply, one each or by the messages.

    ``first`` replies are given before all others, each once. ``formats``: types of ``response_format`` that it takes;
    another is refused with ``status``.
    """

    url: str = ""
    answer: str | Reply | Answering = '{"facts": []}'
    first: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    formats: tuple[str, ...] = ("json_schema", "json_object")
    status: int = 400
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, request: dict[str, Any]) -> Reply:
        with self.lock:
            self.requests.append(request)
            if self.first:
                return self.first.pop(0)
        if "response_format" in request and request["response_format"]["type"] not in self.formats:
            return failure(self.status, "validation error: {'loc': ('body', 'response_format', 'type')}")
        found = self.answer(request["messages"]) if callable(self.answer) else self.answer
        return completion(found) if isinstance(found, str) else found


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.headers.append({k.lower(): v for k, v in self.headers.items()} | {"path": self.path})
            reply = endpoint.reply(json.loads(data))
            time.sleep(reply.wait)
            try:
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                if not reply.drip:
                    self.wfile.write(reply.body)
                    return
                for byte in reply.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(reply.drip)
            except OSError:
                pass  # the client has given up

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def running() -> Iterator[Endpoint]:
    """The server, as long as the block lasts."""
    endpoint = Endpoint()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(endpoint))
    server.daemon_threads = True
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()

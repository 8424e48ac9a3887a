"""Queries a second over HTTP against the bare store in this process. `python benchmarks/sparql_http.py [FOLDER]`.

The knowledge base is built from FOLDER (default: corpus). Two loads: the sample domain's own example queries, and one
look-up of twenty labels, for which HTTP is all that counts; both without and with results kept in memory. Bare and
HTTP are measured by turns, the median of the rounds is printed. Last figures: sparql_http.md.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.knowledge_base import KnowledgeBase

ROOT = Path(__file__).resolve().parent.parent
KG = [sys.executable, "-m", "kg.cli"]
LOOK_UP = "SELECT ?label ?type { ?x rdfs:label ?label ; a ?type } LIMIT 20"
ROUNDS = 5


def examples() -> list[str]:
    texts = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "ontology" / "queries").glob("*.rq"))]
    return [text for text in texts if re.search(r"\bSELECT\b", text) and "CONSTRUCT" not in text]


def bare(store: ox.Store, queries: Sequence[str], prefixes: dict[str, str], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        for query in queries:
            results = store.query(query, prefixes=prefixes)
            assert isinstance(results, ox.QuerySolutions)
            results.serialize(format=ox.QueryResultsFormat.JSON)
    return times * len(queries) / (time.perf_counter() - start)


def with_library(address: str, queries: Sequence[str], times: int) -> float:
    """One connection of the standard library's client, which itself takes longer than a look-up."""
    connection = http.client.HTTPConnection(address)
    start = time.perf_counter()
    for _ in range(times):
        for query in queries:
            connection.request("GET", "/sparql?" + urlencode({"query": query}))
            response = connection.getresponse()
            response.read()
            assert response.status == 200, response.status
    connection.close()
    return times * len(queries) / (time.perf_counter() - start)


def _receive(connection: socket.socket) -> None:
    """Reads one response whole, without understanding more of it than its length."""
    data = connection.recv(1 << 18)
    while (head := data.find(b"\r\n\r\n")) < 0:
        data += connection.recv(1 << 18)
    assert data.startswith(b"HTTP/1.1 200"), data[:200]
    length = re.search(rb"content-length: (\d+)", data[:head], re.IGNORECASE)
    assert length is not None
    left = int(length[1]) - (len(data) - head - 4)
    while left > 0:
        left -= len(connection.recv(1 << 18))


def over_sockets(address: str, queries: Sequence[str], times: int, clients: int) -> float:
    """``clients`` connections side by side, of a client that costs next to nothing."""
    host, port = address.rsplit(":", 1)
    requests = [f"GET /sparql?{urlencode({'query': q})} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode() for q in queries]

    def ask() -> None:
        with socket.create_connection((host, int(port))) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(times // clients):
                for request in requests:
                    connection.sendall(request)
                    _receive(connection)

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times // clients * clients * len(queries) / (time.perf_counter() - start)


def measure(name: str, address: str, folder: str, queries: Sequence[str], times: int) -> None:
    with KnowledgeBase.open(folder) as knowledge_base:
        prefixes = knowledge_base.snapshot.prefixes
        store = ox.Store.read_only(str(knowledge_base.path / "graphs" / knowledge_base.snapshot.manifest.graph))
        over_sockets(address, queries, 4, 1)
        rows = [
            (
                bare(store, queries, prefixes, times),
                with_library(address, queries, times),
                *(over_sockets(address, queries, times, n) for n in (1, 4)),
            )
            for _ in range(ROUNDS)
        ]
    alone = statistics.median(row[0] for row in rows)
    # Of each round the ratio: what else goes on on the machine slows both sides of it.
    ratios = [statistics.median(row[i] / row[0] for row in rows) for i in range(1, len(rows[0]))]
    rates = [statistics.median(row[i] for row in rows) for i in range(1, len(rows[0]))]
    cells = [f"{rate:,.0f} ({ratio:.2f})" for rate, ratio in zip(rates, ratios, strict=True)]
    print(f"| {name} | {alone:,.0f} | {' | '.join(cells)} |")


@contextmanager
def serving(folder: str, cache_mb: int) -> Iterator[str]:
    """The address of a server that keeps so many megabytes of results."""
    command = [*KG, "serve", "--kb", folder, "--port", "0"]
    environment = {**os.environ, "KG_SERVE__CACHE_MB": str(cache_mb)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        address = re.search(r"http://(\S+)", server.stdout.readline())
        assert address is not None
        try:
            yield address[1]
        finally:
            server.terminate()


def main() -> None:
    documents = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "corpus")
    with tempfile.TemporaryDirectory() as scratch:
        folder = f"{scratch}/kb"
        subprocess.run([*KG, "build", documents, "--kb", folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        # With 0 every query runs; else all but the first of each kind come from memory.
        for cache_mb in (0, 16):
            print(f"\ncache_mb = {cache_mb}\n")
            print("| load | bare store, queries/s | http.client | a socket | four sockets |\n|---|---|---|---|---|")
            with serving(folder, cache_mb) as address:
                measure("example queries", address, folder, examples(), 12)
                measure("look-up of 20 labels", address, folder, [LOOK_UP], 400)


if __name__ == "__main__":
    main()

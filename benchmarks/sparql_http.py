"""Queries a second over HTTP against the bare store in this process. `python benchmarks/sparql_http.py [FOLDER]`.

The knowledge base is built from FOLDER (default: corpus). Two loads: the sample domain's own example queries, and one
look-up of twenty labels, for which HTTP is all that counts. Bare and HTTP are measured by turns, the median of the
rounds is printed. Last figures: sparql_http.md.
"""

from __future__ import annotations

import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.knowledge_base import KnowledgeBase
from kg.queries import query_prefixes

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


def over_http(address: str, queries: Sequence[str], times: int, clients: int) -> float:
    def ask() -> None:
        connection = http.client.HTTPConnection(address)
        for _ in range(times // clients):
            for query in queries:
                connection.request("GET", "/sparql?" + urlencode({"query": query}))
                response = connection.getresponse()
                response.read()
                assert response.status == 200, response.status
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times // clients * clients * len(queries) / (time.perf_counter() - start)


def measure(name: str, address: str, folder: str, queries: Sequence[str], times: int) -> None:
    with KnowledgeBase.open(folder) as knowledge_base:
        prefixes = query_prefixes(knowledge_base)
        store = ox.Store.read_only(str(knowledge_base.snapshot.graph_path))
        over_http(address, queries, 4, 1)
        rows = [
            (bare(store, queries, prefixes, times), *(over_http(address, queries, times, n) for n in (1, 4)))
            for _ in range(ROUNDS)
        ]
    alone, one, four = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"| {name} | {alone:,.0f} | {one:,.0f} ({one / alone:.2f}) | {four:,.0f} ({four / alone:.2f}) |")


def main() -> None:
    documents = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "corpus")
    with tempfile.TemporaryDirectory() as scratch:
        folder = f"{scratch}/kb"
        subprocess.run([*KG, "build", documents, "--kb", folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        command = [*KG, "serve", "--kb", folder, "--port", "0"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = re.search(r"http://(\S+)", server.stdout.readline())
            assert address is not None
            try:
                print("| load | bare store, queries/s | HTTP, one client | HTTP, four clients |\n|---|---|---|---|")
                measure("example queries", address[1], folder, examples(), 12)
                measure("look-up of 20 labels", address[1], folder, [LOOK_UP], 400)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()

"""Readers while documents and graphs change: nobody sees an error or half a change.

``python -m tests.api.test_together`` does it with twenty readers and a hundred changes.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

from ..hostile.description import KEY, lighthouses
from ..w3c.server import Client

READERS, WRITES = 20, 100
BEARER = {"Authorization": f"Bearer {KEY}"}
NOTES = "https://w3id.org/citegraph/id/graph/user/notes"
# Whole changes leave as many of the one as of the other.
BELLS = "SELECT ?name ?height { ?x rel:rings ?name ; rel:height ?height }"
BALANCE = f"SELECT (COUNT(?a) AS ?n) {{ GRAPH <{NOTES}> {{ ?a <urn:p> ?b }} }}"


def bells(number: int) -> bytes:
    """A document of two bells, both as high as the number says."""
    parts = [f"## Bell {name}\n\n- **Height**: {number} m\n- **Rings**: {name}\n" for name in ("Alpha", "Omega")]
    return ("# Bells\n\n" + "\n".join(parts)).encode()


class Reader:
    """Asks one thing after another until it is told to stop, and counts what it saw."""

    def __init__(self, address: str, number: int, stop: threading.Event) -> None:
        self.client, self.number, self.stop = Client(address), number, stop
        self.seen: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        turn = self.number
        while not self.stop.is_set():
            (self.facts, self.notes, self.export, self.pages)[turn % 4]()
            turn += 1
            time.sleep(0.4)  # else the writer hardly gets a turn
        self.client.close()
        return self.seen

    def get(self, path: str, accept: str = "application/json") -> bytes:
        reply = self.client.send("GET", path, {"Accept": accept})
        assert reply.status == 200, (path, reply.status, reply.body[:300])
        self.seen["requests"] += 1
        return reply.body

    def rows(self, query: str) -> list[dict[str, dict[str, str]]]:
        found: list[dict[str, dict[str, str]]] = json.loads(self.get(f"/sparql?query={quote(query)}"))["results"][
            "bindings"
        ]
        return found

    def facts(self) -> None:
        rows = self.rows(BELLS)
        assert len(rows) in (0, 2), rows
        assert len({row["height"]["value"] for row in rows}) <= 1, rows
        self.seen["heights " + (rows[0]["height"]["value"] if rows else "none")] += 1

    def notes(self) -> None:
        count = int(self.rows(BALANCE)[0]["n"]["value"])
        assert count % 3 == 0, count
        self.seen[f"notes {count}"] += 1

    def export(self) -> None:
        quads = list(ox.parse(self.get("/export?format=nq", "*/*"), ox.RdfFormat.N_QUADS))
        assert len(quads) > 100
        self.seen["exports"] += 1

    def pages(self) -> None:
        documents = json.loads(self.get("/documents"))["documents"]
        assert {"lights.md", "keepers.md"} <= {document["name"] for document in documents}
        assert json.loads(self.get("/search?q=bell"))["hits"]


def write_all(address: str, writes: int) -> Counter[int]:
    """So many changes by turns: documents put, replaced and removed, graphs updated."""
    client, statuses = Client(address), Counter[int]()
    for number in range(writes):
        kind = number % 12
        if kind in (0, 5):
            reply = client.send("PUT", "/documents/bells.md", BEARER, bells(10 + number))
        elif kind == 9:
            reply = client.send("DELETE", "/documents/bells.md", BEARER)
        else:
            triples = " ".join(f"<urn:{number}:{part}> <urn:p> {part} ." for part in range(3))
            update = f"INSERT DATA {{ GRAPH <{NOTES}> {{ {triples} }} }}"
            typed = {**BEARER, "Content-Type": "application/sparql-update"}
            reply = client.send("POST", "/sparql", typed, update.encode())
        statuses[reply.status] += 1
        assert reply.status in (200, 201, 204), (number, reply.status, reply.body[:300])
    client.close()
    return statuses


def together(folder: Path, readers: int, writes: int) -> tuple[Counter[str], str]:
    """What the readers saw while all was written, and that in a sentence. Raises AssertionError for what may not be."""
    with lighthouses(folder) as server:
        stop, started = threading.Event(), time.monotonic()
        with ThreadPoolExecutor(readers) as pool:
            running = [pool.submit(Reader(server.address, number, stop).run) for number in range(readers)]
            try:
                write_all(server.address, writes)
            finally:
                stop.set()
            seen: Counter[str] = sum((reader.result() for reader in running), Counter())
    states = len([kind for kind in seen if kind.startswith(("heights", "notes"))])
    told = (
        f"{writes} writes beside {readers} readers: {seen['requests']} requests, {seen['exports']} exports whole, "
        f"{states} states seen, no error, no half of a change, {time.monotonic() - started:.0f} s"
    )
    return seen, told


def test_readers_see_the_old_or_the_new(tmp_path: Path) -> None:
    seen, told = together(tmp_path, 4, 10)
    assert "no error" in told
    assert len([kind for kind in seen if kind.startswith("heights")]) > 1
    assert len([kind for kind in seen if kind.startswith("notes")]) > 1
    assert seen["exports"] >= 4


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        print(together(Path(scratch), READERS, WRITES)[1])

"""Readers and writers at one server for hours, in steps that are taken up where they were left.

    python benchmarks/soak.py [--hours 8] [--step 30] [--folder DIR]     make soak

Six readers ask questions, query, export, list and search while documents are put, replaced and removed and people's
own graphs are written and cleared, so that what is kept stays as large as it was. A step is a server's life of so many
minutes; a line of JSON in DIR/steps.jsonl says what it saw. Steps that are done count towards the hours when the
command is given again. Last it says what the hours together gave: requests, failures, and memory, open files and bytes
on disk at the end over the end of the first hour. Last figures: soak.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gathering import ROOT
from measuring import family, pss_mb, run

sys.path.insert(0, str(ROOT))

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from tests.api import test_together
from tests.hostile.description import served
from tests.lighthouses import write as documents
from tests.w3c.server import Client

READERS = 6
_EVERY_S = 10.0
_QUESTIONS = ("Who built Corran Head Light?", "How many keepers does Gannet Rock Light have?", "Who rings the bell?")


class Reader(test_together.Reader):
    """One that goes on when something fails, and asks questions too."""

    def run(self) -> Counter[str]:
        turn = self.number
        kinds = (self.facts, self.notes, self.export, self.pages, self.questions)
        while not self.stop.is_set():
            try:
                kinds[turn % len(kinds)]()
            except (AssertionError, OSError) as error:
                self.seen["failed"] += 1
                self.seen[f"failed: {str(error)[:200]}"] += 1
                self.client.close()
            turn += 1
            time.sleep(0.1)
        return self.seen

    def questions(self) -> None:
        """Asks one: whatever is known of it just now, there is an answer or it is said that there is none."""
        question = _QUESTIONS[self.seen["questions"] % len(_QUESTIONS)]
        sent = json.dumps({"question": question}).encode()
        reply = self.client.send("POST", "/ask", {"Content-Type": "application/json"}, sent)
        assert reply.status == 200, (question, reply.status, reply.body[:300])
        self.seen["requests"] += 1
        self.seen["questions"] += 1


def write(address: str, stop: threading.Event) -> Counter[str]:
    """Changes by turns until told to stop; thirteen leave what was there before."""
    seen = Counter[str]()
    while not stop.is_set():
        try:
            test_together.write_all(address, 12)
            reply = Client(address).send(
                "POST",
                "/sparql",
                {**test_together.BEARER, "Content-Type": "application/sparql-update"},
                f"CLEAR SILENT GRAPH <{test_together.NOTES}>".encode(),
            )
            assert reply.status == 204, reply.body[:300]
            seen["writes"] += 13
        except (AssertionError, OSError) as error:
            seen["failed"] += 1
            seen[f"failed: {str(error)[:200]}"] += 1
    return seen


def step(folder: Path, minutes: float) -> dict[str, Any]:
    """One server's life; what it took and gave."""
    stop, samples = threading.Event(), []
    with served(folder) as server, ThreadPoolExecutor(READERS + 1) as pool:
        readers = [pool.submit(Reader(server.address, number, stop).run) for number in range(READERS)]
        writer = pool.submit(write, server.address, stop)
        until = time.monotonic() + 60 * minutes
        while time.monotonic() < until and not writer.done():
            time.sleep(_EVERY_S)
            tree = family(server.pid)
            samples.append((sum(map(pss_mb, tree)), sum(map(_handles, tree))))
        stop.set()
        seen = sum((reader.result() for reader in readers), Counter(writer.result()))
    checked = run([sys.executable, "-m", "kg.cli", "check", "--kb", folder / "kb"], folder)
    middle = samples[len(samples) // 2 :]
    return {
        "minutes": minutes,
        "requests": seen["requests"] + seen["writes"],
        "questions": seen["questions"],
        "writes": seen["writes"],
        "failed": seen["failed"],
        "why": sorted(why for why in seen if why.startswith("failed: "))[:5],
        "memory_mb": round(max(memory for memory, _ in middle)),
        "handles": max(handles for _, handles in middle),
        "disk_bytes": sum(path.stat().st_size for path in (folder / "kb").rglob("*") if path.is_file()),
        "sound": checked.status == 0,
        "found": "" if checked.status == 0 else (checked.out + checked.err)[-500:],
    }


def _handles(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def together(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """What steps of equal length gave, the last over those of the first hour."""
    first, minutes = [], 0.0
    for one in steps:
        if minutes < 60:
            first.append(one)
        minutes += one["minutes"]
    ratio = {
        key: round(steps[-1][key] / max(one[key] for one in first), 3) for key in ("memory_mb", "handles", "disk_bytes")
    }
    sums = {key: sum(one[key] for one in steps) for key in ("requests", "questions", "writes", "failed")}
    return {
        "hours": round(minutes / 60, 2),
        **sums,
        "sound": all(one["sound"] for one in steps),
        "last_over_first": ratio,
    }


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--step", type=float, default=30.0, help="minutes")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "soak")
    options = parser.parse_args()
    options.folder = options.folder.resolve()  # commands run elsewhere
    options.folder.mkdir(parents=True, exist_ok=True)
    log = options.folder / "steps.jsonl"
    if not (options.folder / "kb").exists():
        log.unlink(missing_ok=True)
        settings = Settings(kb=options.folder / "kb")
        KnowledgeBase.build(settings.kb, [documents(options.folder / "docs")], settings)
    steps = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    while sum(one["minutes"] for one in steps) < 60 * options.hours:
        steps.append(step(options.folder, options.step))
        with log.open("a") as file:
            file.write(json.dumps(steps[-1]) + "\n")
        print(json.dumps(steps[-1]), flush=True)
    found = together(steps)
    print(json.dumps(found))
    sys.exit(found["failed"] > 0 or not found["sound"])


if __name__ == "__main__":
    main()

"""Damaged files by the thousand, in every format, read one after the other in a process that can be killed.

    python benchmarks/mutated_files.py [--count 2000] [--format md …] [--seed 1] [--seconds 20] [--megabytes 1500]

Prints how many were read, refused (by cause), crashed, hung or took too much memory; exits 1 on any of the last three.
How the files are damaged: tests/readers/mutated.py. Last figures: mutated_files.md.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.readers.mutated import FORMATS, Mutated, mutated  # noqa: E402

_BAD = ("crash", "hang", "memory")
_SPAWN = multiprocessing.get_context("spawn")


def _serve(pipe: Connection, megabytes: int) -> None:
    """Reads what comes through the pipe and answers with the outcome, until the pipe is closed."""
    from kg.errors import UnreadableDocument
    from kg.readers import read
    from tests.readers.invariants import check

    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    while True:
        try:
            name, data = pipe.recv()
        except EOFError:
            return
        try:
            check(read(data, name))
            outcome = "read"
        except UnreadableDocument as error:
            plain = bool(error.hint) and "\n" not in error.message and name in error.message
            cause = re.sub(r"\d[\d,.]*", "N", error.message.replace(name, "it"))
            outcome = f"refused: {cause}" if plain else f"crash: refused without a hint: {cause}"
        except MemoryError:
            outcome = "memory"
        except BaseException as error:  # whatever it is, it is what is looked for
            outcome = f"crash: {type(error).__name__}: {error}"[:200]
        pipe.send((outcome, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024))


class Pool:
    """One reading process, replaced when it dies or has to be killed."""

    def __init__(self, seconds: float, megabytes: int) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self.process: BaseProcess | None = None
        self.peak = 0

    def outcome(self, file: Mutated) -> str:
        """What came of reading a file."""
        if self.process is None:
            self.pipe, inner = _SPAWN.Pipe()
            self.process = _SPAWN.Process(target=_serve, args=(inner, self.megabytes), daemon=True)
            self.process.start()
            inner.close()
        try:
            self.pipe.send((file.name, file.data))
            if not self.pipe.poll(self.seconds):
                self.stop()
                return "hang"
            outcome, peak = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            self.stop()
            return f"crash: the process ended with {code}"
        self.peak = max(self.peak, peak)
        return str(outcome)

    def stop(self) -> None:
        """Kills the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _outcomes(pool: Pool, format: str, count: int, seed: int) -> Iterator[tuple[Mutated, str, float]]:
    for file in mutated(format, count, seed):
        start = time.perf_counter()
        yield file, pool.outcome(file), time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2_000, help="files of each format")
    parser.add_argument("--format", nargs="*", choices=FORMATS, default=FORMATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="longer is a hang")
    parser.add_argument("--megabytes", type=int, default=1_500, help="address space of the reading process")
    options = parser.parse_args()
    failed = False
    for format in options.format:
        pool = Pool(options.seconds, options.megabytes)
        found: Counter[str] = Counter()
        slowest = 0.0, ""
        for file, outcome, seconds in _outcomes(pool, format, options.count, options.seed):
            found[outcome] += 1
            slowest = max(slowest, (seconds, f"{file.name} ({file.way})"))
            if outcome.startswith(_BAD):
                print(f"{outcome} – {file.name} ({file.way})", file=sys.stderr)
        pool.stop()
        failed = _report(format, found, slowest, pool.peak) or failed
    sys.exit(failed)


def _report(format: str, found: Counter[str], slowest: tuple[float, str], peak: int) -> bool:
    """Prints a format's figures; whether anything was worse than refused."""
    kinds = Counter({kind: 0 for kind in ("read", "refused", *_BAD)})
    for outcome, count in found.items():
        kinds[outcome.split(":")[0]] += count
    print(f"{format}: {found.total():,} files; " + ", ".join(f"{kind} {kinds[kind]:,}" for kind in kinds))
    print(f"  slowest {slowest[0]:.1f} s: {slowest[1]}; memory at most {peak} MB")
    for outcome, count in sorted(found.items(), key=lambda f: (-f[1], f[0])):
        if outcome != "read":
            print(f"  {count:5,}  {outcome}", flush=True)
    return any(kinds[kind] for kind in _BAD)


if __name__ == "__main__":
    main()

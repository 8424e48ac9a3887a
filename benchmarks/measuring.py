"""Runs a command and says what it took: processor time of it and of all that it started, wall time, memory at its peak.

Nothing here is timed by the clock alone: other work on the machine doesn't change what a figure means.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a command. ``rss_mb`` counts memory that processes share for each; ``pss_mb`` counts it once."""

    status: int
    late: bool
    cpu_s: float
    wall_s: float
    rss_mb: float
    pss_mb: float
    out: str
    err: str


def run(
    command: Sequence[str | Path],
    folder: Path,
    timeout_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    every_s: float = 0.25,
) -> Run:
    """Runs a command in ``folder``; past ``timeout_s`` seconds on the clock it is killed with all that it started."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=clean_environment() | dict(environment or {}),
            start_new_session=True,
        )
        late, rss, pss = False, 0.0, 0.0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            tree = family(process.pid)
            rss, pss = max(rss, sum(map(_rss_mb, tree))), max(pss, sum(map(pss_mb, tree)))
            if timeout_s is not None and time.monotonic() - started > timeout_s and not late:
                late = True
                end(process.pid)
            time.sleep(every_s)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - started
        return Run(process.returncode, late, usage.ru_utime + usage.ru_stime, wall, rss, pss, _text(out), _text(err))


def clean_environment() -> dict[str, str]:
    """This process's environment without settings of Citegraph."""
    return {name: value for name, value in os.environ.items() if not name.startswith("KG_")}


def end(pid: int) -> None:
    """Kills a process and all that it started."""
    for one in (*family(pid), pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)


def family(pid: int) -> list[int]:
    """A process and its descendants, those alive."""
    children: dict[int, list[int]] = {}
    for one, parent in _parents():
        children.setdefault(parent, []).append(one)
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def _parents() -> Iterator[tuple[int, int]]:
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                data = Path(entry.path, "stat").read_text()
                yield int(entry.name), int(data[data.rindex(")") + 2 :].split()[1])


def _rss_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_MB
    except (OSError, IndexError):
        return 0.0


def pss_mb(pid: int) -> float:
    """Megabytes of memory that a process holds, what it shares with others by halves; 0 where it is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def _text(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return str(file.read().decode("utf-8", "replace"))  # type: ignore[attr-defined]

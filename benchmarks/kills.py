"""Kills, full disks and torn writes at every moment of a change: is anything lost, is what is left sound?

    python benchmarks/kills.py [--kills 200] [--seed 1] [--only SCENARIO…] [--ways call delay torn full] [--json FILE]

Each trial copies a small knowledge base, makes one change to it (build, add, change, remove, prune, another ontology,
a SPARQL update of people's own graph, a reviewer's decision; all clear what earlier generations left) and ends it:

    call   SIGKILL right before the n-th of its calls that change the folder (open for writing, rename, fsync, remove …)
    delay  SIGKILL after a part of the time that the change takes, of the process alone or with all that it started
    torn   as "call" or after the change is done, then files that weren't flushed to disk are cut short or emptied, and
           those that the manifest doesn't name are altered or lost
    full   the disk is full after so many bytes

Then a new process opens the folder: `check` must find it sound and its export must be that before or after the change,
byte for byte (after, where the change had returned). The change is made again: the export must be that of a knowledge
base built from nothing, nothing temporary may be left, and no process that was started may still run. Exits 1 where any
of this fails. Last figures: kills.md.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kill_scenarios import SCENARIOS, Scenario, prepare
from measuring import family

WAYS = ("call", "delay", "torn", "full")
_ABSENT = "absent"
_REFUSED = 3
_FAULT = 4
_WRITES = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.truncate", "os.fsync")
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Template:
    """A scenario measured: its folder before, exports before and after, seconds and calls that the change takes."""

    scenario: Scenario
    folder: Path
    before: str
    after: str
    seconds: float
    calls: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child process ended: its status (negative: the signal), seconds, calls that changed the folder."""

    status: int
    seconds: float
    calls: int
    synced: dict[tuple[int, int], int]
    said: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=[s.name for s in SCENARIOS], default=[s.name for s in SCENARIOS])
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=WAYS)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--json", type=Path, help="a line for each trial")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become this process's children
    with tempfile.TemporaryDirectory(prefix="citegraph-kills-", dir=options.folder) as scratch:
        os.chdir(scratch)  # where no kg.toml is
        _import()
        sys.exit(_trials(options, Path(scratch)))


def _trials(options: argparse.Namespace, scratch: Path) -> bool:
    prepare(scratch / "documents")
    templates = [_template(scenario, scratch) for scenario in SCENARIOS if scenario.name in options.only]
    for template in templates:
        print(f"{template.scenario.name}: {template.calls} calls, {template.seconds:.1f} s, {template.bytes:,} bytes")
    chance = random.Random(options.seed)
    counts: Counter[str] = Counter()
    bad = 0
    for number in range(options.kills):
        template = templates[number % len(templates)]
        way = options.ways[number // len(templates) % len(options.ways)]
        row = _trial(template, way, scratch, random.Random(chance.random()))
        counts[f"{way}: {row['state']}"] += 1
        if row["problems"]:
            bad += 1
            print(f"BAD {number}: {json.dumps(row)}", flush=True)
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps({"number": number, **row}) + "\n")
    ended = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
    print(f"{options.kills:,} trials, {bad:,} with a state lost or unsound ({ended})", flush=True)
    return bool(bad)


def _template(scenario: Scenario, scratch: Path) -> Template:
    """Makes the folder before the change, and all that is expected of it."""
    folder, copy, fresh = (scratch / f"{scenario.name}-{part}" for part in ("before", "copy", "fresh"))
    documents = scratch / "documents"
    _must(_child(lambda: scenario.before(folder, documents), folder))
    before, problems = _look(folder)
    _copy(folder, copy)
    done = _must(_child(lambda: scenario.change(copy, documents), copy))
    after, further = _look(copy)
    _must(_child(lambda: scenario.fresh(fresh, documents), fresh))
    from_nothing, more = _look(fresh)
    if problems or further or more:
        sys.exit(f"{scenario.name} is unsound before anything is killed: {[*problems, *further, *more]}")
    if after != from_nothing or after == before:
        sys.exit(f"{scenario.name}: the change doesn't end as a build from nothing, or changes nothing")
    size = sum(p.stat().st_size for p in copy.rglob("*") if p.is_file())
    for path in (copy, fresh):
        shutil.rmtree(path)
    return Template(scenario, folder, before, after, done.seconds, done.calls, size)


def _trial(template: Template, way: str, scratch: Path, chance: random.Random) -> dict[str, Any]:
    """One change that is ended, and what is found afterwards."""
    base, documents = scratch / "trial", scratch / "documents"
    point: dict[str, Any] = {}
    with _disk(base if way == "full" else None) as resize:
        _copy(template.folder, base)

        def change() -> None:
            template.scenario.change(base, documents)

        if way == "call" or (way == "torn" and chance.random() < 0.7):
            point = {"call": chance.randint(1, template.calls)}
            ended = _child(change, base, at=point["call"])
        elif way == "delay":
            point = {"after_s": round(chance.uniform(0, 1.1 * template.seconds), 3), "alone": chance.random() < 0.5}
            ended = _child(change, base, after_s=point["after_s"], alone=point["alone"])
        elif way == "full":
            used = sum(p.stat().st_size + 4096 for p in base.rglob("*"))
            point = {"bytes": used + int(chance.uniform(0, 1.2) * template.bytes)}
            resize(point["bytes"])
            ended = _child(change, base)
            resize(1 << 30)
        else:
            ended = _child(change, base)
        if way == "torn":
            point["torn"] = _tear(base, ended, chance)
        state, problems = _afterwards(template, base, documents, ended)
    row = {"scenario": template.scenario.name, "way": way, **point, "status": ended.status, "state": state}
    if ended.status == _FAULT or (way != "full" and ended.status == _REFUSED):
        problems.append(f"the change ended with a fault: {ended.said[-300:]}")
    return {**row, "problems": problems}


def _afterwards(template: Template, base: Path, documents: Path, ended: Ended) -> tuple[str, list[str]]:
    """Which state is found, and what is wrong, before the change is made again and then."""
    problems = _orphans()
    found, unsound = _look(base)
    problems += unsound
    state = {template.before: "before", template.after: "after"}.get(found, "another")
    empty_build = template.before == _ABSENT and state == "another"
    if empty_build:
        state = "empty" if not _documents(base) else "another"
    if state == "another" or (ended.status == 0 and state != "after"):
        problems.append(f"the state is {state}")
    again = _child(lambda: template.scenario.change(base, documents), base)
    if again.status and not (template.scenario.once and state == "after"):
        problems.append(f"made again, the change ends with {again.status}: {again.said[-300:]}")
    found, unsound = _look(base)
    problems += [f"made again: {problem}" for problem in unsound]
    if found != template.after:
        problems.append("made again, it isn't what a build from nothing gives")
    problems += [f"left behind: {p.relative_to(base)}" for p in base.rglob("*") if p.name.endswith(".tmp")]
    return state, problems


def _look(base: Path) -> tuple[str, list[str]]:
    """SHA-256 of a knowledge base's export, and its problems, as a process of its own finds them."""
    if not (base / "manifest.json").exists():
        return _ABSENT, []
    result = base.parent / "looked.json"
    result.unlink(missing_ok=True)
    ended = _child(lambda: _check(base, result), None)
    if ended.status:
        return "unreadable", [f"it doesn't open: {ended.said[-300:]}"]
    found = json.loads(result.read_text())
    return found["export"], found["problems"]


def _check(base: Path, result: Path) -> None:
    from kg.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(base) as knowledge_base:
        report = knowledge_base.check()
        stream = io.BytesIO()
        knowledge_base.export(stream, "nq")
        problems = [*report.problems, *report.shacl]
    digest = hashlib.sha256(stream.getvalue()).hexdigest()
    result.write_text(json.dumps({"export": digest, "problems": problems}))


def _documents(base: Path) -> list[str]:
    return list(json.loads((base / "manifest.json").read_text())["documents"])


# --- child processes ------------------------------------------------------------------------------


def _import() -> None:
    """Loads what every child would load: they are forked from this process, which opens no store, starts no thread."""


def _child(
    action: Callable[[], None],
    base: Path | None,
    at: int | None = None,
    after_s: float | None = None,
    alone: bool = False,
) -> Ended:
    """Runs an action in a forked process; SIGKILL at a call that changes ``base``, or after some seconds."""
    with tempfile.NamedTemporaryFile(dir=Path.cwd(), suffix=".log") as log:
        started = time.monotonic()
        pid = os.fork()
        if not pid:
            _be_child(action, base, at, Path(log.name))
        if after_s is not None:
            status = _kill_later(pid, after_s, alone)
        else:
            _, status = os.waitpid(pid, 0)
        seconds = time.monotonic() - started
        lines = Path(log.name).read_text().splitlines()
    calls = sum(1 for line in lines if line == "call")
    synced = {(int(d), int(i)): int(size) for _, d, i, size in (x.split() for x in lines if x.startswith("synced "))}
    said = "\n".join(line for line in lines if line != "call" and not line.startswith("synced "))
    return Ended(os.waitstatus_to_exitcode(status), seconds, calls, synced, said)


def _kill_later(pid: int, after_s: float, alone: bool) -> int:
    """Kills the process, or it with all that it started, unless it ends before; its status."""
    deadline = time.monotonic() + after_s
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(min(0.005, max(0.0, deadline - time.monotonic())))
    for one in [pid] if alone else reversed(family(pid)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def _be_child(action: Callable[[], None], base: Path | None, at: int | None, log: Path) -> None:
    status = _FAULT
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND)
    try:
        os.setsid()
        if base is not None:
            _watch(str(base), at, descriptor)
        action()
        status = 0
    except BaseException as error:
        from kg.errors import CitegraphError

        status = _REFUSED if isinstance(error, CitegraphError | OSError) else _FAULT
        os.write(descriptor, "".join(traceback.format_exception(error)[-3:]).encode())
    finally:
        os._exit(status)


def _watch(base: str, at: int | None, log: int) -> None:
    """Notes the calls of this process that change the folder, and what it flushes; kills it at one of them."""
    calls = 0

    def call() -> None:
        nonlocal calls
        calls += 1
        os.write(log, b"call\n")
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                return
        elif event in _WRITES:
            path = arguments[0]
        else:
            return
        if isinstance(path, str | os.PathLike) and os.fspath(path).startswith(base):
            call()

    flush = os.fsync

    def fsync(file: Any) -> None:
        number = file if isinstance(file, int) else file.fileno()
        if os.readlink(f"/proc/self/fd/{number}").startswith(base):
            call()
            flush(number)
            found = os.fstat(number)
            os.write(log, f"synced {found.st_dev} {found.st_ino} {found.st_size}\n".encode())
        else:
            flush(number)

    os.fsync = fsync
    sys.addaudithook(hook)


def _orphans() -> list[str]:
    """Processes that still run 20 seconds after the one that started them is gone; they are killed."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        left = family(os.getpid())[1:]
        if not left:
            return []
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"{len(left)} processes still run"]


def _must(ended: Ended) -> Ended:
    if ended.status:
        sys.exit(f"a child ended with {ended.status}: {ended.said}")
    return ended


# --- folders --------------------------------------------------------------------------------------


def _copy(source: Path, target: Path) -> None:
    """A copy of a folder, in place of what is there."""
    if target.is_mount():
        for path in target.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    else:
        shutil.rmtree(target, ignore_errors=True)
    if source.exists():
        shutil.copytree(source, target, dirs_exist_ok=True)


@contextlib.contextmanager
def _disk(folder: Path | None) -> Iterator[Callable[[int], None]]:
    """A small disk of its own mounted at the folder, and what sets its size in bytes; needs the right to mount."""
    if folder is None:
        yield lambda size: None
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={1 << 30}", "tmpfs", str(folder)], check=True)
    try:
        yield lambda size: _remount(folder, size)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _remount(folder: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


def _tear(base: Path, ended: Ended, chance: random.Random) -> list[str]:
    """Does to the files what a power cut may: what wasn't flushed is cut short or emptied, and what the manifest in
    force doesn't name is altered or lost as well. Oxigraph flushes its own files before their folder is named."""
    named = (base / "manifest.json").read_bytes().decode() if (base / "manifest.json").exists() else ""
    torn: list[str] = []
    for path in sorted(p for p in base.rglob("*") if p.is_file() and p.name not in ("manifest.json", "lock")):
        relative = path.relative_to(base)
        in_force = any(part.split(".")[0] in named for part in relative.parts[1:2] if part.split(".")[0])
        found = path.stat()
        if in_force and (relative.parts[0] == "graphs" or not _fresh(found, ended)):
            continue
        if chance.random() < 0.4:
            torn.append(f"{relative} {_torn(path, chance, lost=not in_force)}")
    return torn


def _fresh(found: os.stat_result, ended: Ended) -> bool:
    """Whether a file was made by the change that ended and isn't on disk as it is: others were there for long."""
    flushed = ended.synced.get((found.st_dev, found.st_ino))
    return time.time() - found.st_mtime < ended.seconds + 5 and flushed != found.st_size


def _torn(path: Path, chance: random.Random, lost: bool) -> str:
    data = path.read_bytes()
    way = chance.choice(("cut", "emptied", "zeros", *(("lost", "altered") if lost else ())))
    at = chance.randrange(len(data) + 1)
    path.unlink()  # a hard link to a file of another generation stays whole
    if way == "cut":
        path.write_bytes(data[:at])
    elif way == "emptied":
        path.write_bytes(b"")
    elif way == "zeros":
        path.write_bytes(data[:at] + bytes(len(data) - at))
    elif way == "altered":
        path.write_bytes(data[:at] + chance.randbytes(min(20, len(data) - at)) + data[at + 20 :])
    return way


if __name__ == "__main__":
    main()

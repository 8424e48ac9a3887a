"""Reads, splits and extracts documents in a process that is killed when one takes more than it may."""

from __future__ import annotations

import multiprocessing
import os
import re
import resource
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

BAD = ("crash", "hang", "memory", "misplaced")
MAX_BYTES = 50_000_000
_SPAWN = multiprocessing.get_context("spawn")
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a document: "read", "refused: …", or one of ``BAD``, with processor time and counts."""

    outcome: str
    cpu_s: float = 0.0
    peak_mb: int = 0
    passages: int = 0
    claims: int = 0

    @property
    def bad(self) -> bool:
        """Whether it is worse than refused."""
        return self.outcome.startswith(BAD)


def _serve(pipe: Connection, megabytes: int, ontology_files: Sequence[Path]) -> None:
    """Makes records of what comes through the pipe and answers with the outcomes, until the pipe is closed."""
    from kg.ontology import Ontology, load

    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    ontology = load(list(ontology_files)) if ontology_files else Ontology.empty()
    _outcome(
        b"# Anything\n\nThis is a sentence.\n", "anything.md", ontology
    )  # what is loaded once is no document's cost
    pipe.send(None)
    while True:
        try:
            name, data = pipe.recv()
        except EOFError:
            return
        before = _used()
        outcome, passages, claims = _outcome(data, name, ontology)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        pipe.send(Outcome(outcome, _used() - before, peak, passages, claims))


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _outcome(data: bytes, name: str, ontology: object) -> tuple[str, int, int]:
    from kg.app.check import misplaced
    from kg.errors import UnreadableDocument
    from kg.records import from_json, to_json
    from kg.text.passages import HARD_LIMIT
    from kg.workers.pipeline import make_record

    try:
        record = make_record(data, name, ontology, MAX_BYTES)  # type: ignore[arg-type]
        problems = [
            *misplaced(record),
            *(f"passage {p.id} is long" for p in record.passages if len(p.text) > HARD_LIMIT),
        ]
        if to_json(from_json(to_json(record))) != to_json(record):
            problems.append("the record isn't what its JSON gives")
    except UnreadableDocument as error:
        cause = shape(error.message, name)
        plain = bool(error.hint) and "\n" not in error.message and name in error.message
        return (f"refused: {cause}" if plain else f"crash: refused without name or hint: {cause}"), 0, 0
    except MemoryError:
        return "memory", 0, 0
    except BaseException as error:  # whatever it is, it is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"crash: {type(error).__name__}: {error}"[:150] + f" ({Path(last.filename).name}:{last.lineno})", 0, 0
    counted = len(record.passages), len(record.extraction.claims)
    if problems:
        return f"misplaced: {len(problems)}, {shape(problems[0], name)}", *counted
    return "read", *counted


def shape(message: str, name: str) -> str:
    """A message without what differs from document to document: its name, identifiers, numbers."""
    return re.sub(r"\b[0-9a-f]{12,}\b", "ID", re.sub(r"\d[\d,.]*", "N", message.replace(name, "it")))


class Pool:
    """One process that makes records, replaced when it dies or has to be killed."""

    def __init__(self, seconds: float, megabytes: int, ontology: Sequence[Path] = ()) -> None:
        self.seconds, self.megabytes, self.ontology = seconds, megabytes, ontology
        self._process: BaseProcess | None = None

    def outcome(self, name: str, data: bytes) -> Outcome:
        """What comes of a document."""
        process = self._started()
        spent = _cpu(process.pid)
        allowed = self.seconds + len(data) / 20_000
        try:
            self._pipe.send((name, data))
            while not self._pipe.poll(0.2):
                used = _cpu(process.pid) - spent
                if used > allowed:
                    self.stop()
                    return Outcome(f"hang: more than {self.seconds:g} s and one for every 20 kB", used)
            result = self._pipe.recv()
        except (EOFError, OSError):
            process.join()
            code = process.exitcode
            self.stop()
            return Outcome(f"crash: the process ended with {code}")
        assert isinstance(result, Outcome)
        if result.peak_mb > self.megabytes // 2:
            self.stop()  # the next document's memory is its own
        return result

    def _started(self) -> BaseProcess:
        if self._process is None:
            self._pipe, inner = _SPAWN.Pipe()
            arguments = (inner, self.megabytes, self.ontology)
            self._process = _SPAWN.Process(target=_serve, args=arguments, daemon=True)
            self._process.start()
            inner.close()
            self._pipe.recv()
        return self._process

    def stop(self) -> None:
        """Kills the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _cpu(pid: int | None) -> float:
    """Processor time of a process so far: others on the machine make no document late."""
    try:
        data = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = data[data.rindex(")") + 2 :].split()
    return (int(fields[11]) + int(fields[12])) / _TICK

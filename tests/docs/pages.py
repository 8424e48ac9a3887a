"""The pages of the documentation and the examples on them.

Blocks marked ``console``, ``sh`` and ``python`` are run, in order, in a clean folder for each page; ``shell`` marks
what can't run in a test (it needs root, a network, a program that isn't here). In the output of a ``console`` block
``…`` stands for anything. A page says by ``<!-- starts from: … -->`` what its folder holds: nothing, ``samples`` (the
sample's documents and ontology), or ``tutorial`` (these and a knowledge base built from them). A page that asks
``http://127.0.0.1:8000`` gets a server there.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ..conftest import REPOSITORY

DOCS = REPOSITORY / "docs"
ADDRESS = "http://127.0.0.1:8000"
RUN = ("console", "sh", "python")
_BLOCK = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_START = re.compile(r"<!-- starts from: (\w+) -->")
_STEP = re.compile(r"^\$ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and its text."""

    language: str
    text: str


def written() -> list[Path]:
    """Pages that people write: all of docs/ but the reference and the samples."""
    made = (DOCS / "reference", DOCS / "samples")
    return sorted(p for p in DOCS.rglob("*.md") if not any(folder in p.parents for folder in made))


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [Block(*found) for found in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def start(page: Path) -> str:
    """What the page's folder holds before its first example."""
    found = _START.search(page.read_text(encoding="utf-8"))
    return found[1] if found else ""


def environment() -> dict[str, str]:
    """Variables for commands: ``kg`` on the path, no setting of the caller's, one width."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("KG_") or k == "KG_MODEL_CACHE"}
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
        "COLUMNS": "110",
        "PYTHONUNBUFFERED": "1",
    }


def run(command: list[str], folder: Path) -> tuple[int, str]:
    """Exit status, and all that was printed. ``kg`` runs in this process: starting one takes longer than most of it."""
    if command[0] == "kg":
        return _kg(command, folder)
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def shell(line: str, folder: Path) -> tuple[int, str]:
    """The same of a line for a shell, which is started where the line needs one."""
    return run(plain(line) or ["bash", "-c", line], folder)


def plain(line: str) -> list[str] | None:
    """The words of a line that is one command, with nothing in it for a shell to work out."""
    if set("$`\\\n!") & set(line):
        return None
    quoted = shlex.shlex(line, posix=False, punctuation_chars=True)
    quoted.whitespace_split = True
    quoted.commenters = ""
    for word in quoted:
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", word)
        if set("();<>|&*?[]{}~#") & set(bare):
            return None
    return shlex.split(line)


def _kg(command: list[str], folder: Path) -> tuple[int, str]:
    from kg.cli import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    status = 0
    with (
        mock.patch.object(sys, "argv", command),
        mock.patch.dict(os.environ, environment(), clear=True),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    return status, "".join(_text(stream) for stream in (out, err)).strip()


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def steps(text: str) -> list[tuple[str, str]]:
    """Commands of a console block with the output shown for each."""
    parts = _STEP.split(text)[1:]
    return [(command, output.strip()) for command, output in zip(parts[::2], parts[1::2], strict=True)]


def fits(shown: str, printed: str) -> bool:
    """Whether output is as shown; ``…`` stands for anything, trailing blanks don't count."""
    lines = [re.escape(line.rstrip()).replace("…", ".*") for line in shown.splitlines()]
    there = "\n".join(line.rstrip() for line in printed.splitlines())
    return re.fullmatch("\n".join(lines), there, re.DOTALL) is not None

"""Requests made from the server's own OpenAPI description, by schemathesis: the same seed makes the same requests."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write
from ..w3c.server import Client, serving

KEY = "lamp-oil-and-matches"
_CONFIG = Path(__file__).with_name("schemathesis.toml")
_SERVE = (sys.executable, "-c", "from kg.cli import main; main()", "serve", "--port", "0", "--kb")


@contextmanager
def lighthouses(folder: Path, settings: dict[str, str] | None = None) -> Iterator[Client]:
    """A server of the lighthouses' knowledge base, built in an empty folder; ``KEY`` may do everything."""
    with KnowledgeBase.create(folder / "kb", Settings(kb=folder / "kb")) as knowledge_base:
        knowledge_base.add([write(folder / "docs")])
    with served(folder, settings) as client:
        yield client


@contextmanager
def served(folder: Path, settings: dict[str, str] | None = None) -> Iterator[Client]:
    """A server of the knowledge base in the folder."""
    keys = {"KG_SERVE__ADMIN_KEYS": json.dumps([hashlib.sha256(KEY.encode()).hexdigest()])}
    with serving((*_SERVE, str(folder / "kb")), {**keys, "KG_SERVE__LOG": "errors", **(settings or {})}) as client:
        yield client


def probe(address: str, examples: int, folder: Path) -> tuple[bool, str]:
    """Whether all replies are what the description says, and what the tool tells; ``folder`` is for its files."""
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(_CONFIG), "run", f"{address}/openapi.json",
        "-H", f"Authorization: Bearer {KEY}", "--max-examples", str(examples), "--seed", "1",
        "--phases", "examples,coverage,fuzzing", "--workers", "1",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode == 0, done.stdout + done.stderr

"""A server over a small library, some of it hostile, and a browser to look at it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from kg.api.app import create_app

from kg.app.keys import Role, add_key
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import DOCUMENTS, write
from .chromium import Chromium, find

# Every text that people can put in tries to become markup.
HOSTILE_NAME = "<img src=x onerror=alert(1)>.md"
HOSTILE = """# <script>alert("title")</script> Towers

## Stump <img src=x onerror=alert("heading")>

- **Height**: 12 m
- **Keepers <svg onload=alert("key")>**: 2

[A link](javascript:alert("link")) and &lt;script&gt;alert("entity")&lt;/script&gt;.

| Lighthouse | Height |
|---|---|
| `<img src=x onerror=alert("cell")>` Tower | 31 m |
"""
HOSTILE_ROWS = (
    'Lighthouse,Height\n"<img src=x onerror=alert(2)> Light",44 m\n"</script><script>alert(3)</script> Beacon",45 m\n'
)
# Beyond the Basic Multilingual Plane, so that code points and JavaScript's units differ before what is cited.
ASTRAL = "# Signals 🗼🗼\n\n𝔅𝔢𝔞𝔠𝔬𝔫 notes 🌊🌊🌊 come first.\n\nPiper Skerry Light is 63 m tall.\n"

# Things that are connected, for the graph.
PEOPLE = """# Who keeps the lights

The Skerry Company was founded by Mara Quill and Jonas Peel in 1899.
"""


@dataclass(frozen=True, slots=True)
class Served:
    """A running server and a write key for it."""

    address: str
    key: str


@contextmanager
def serving(root: Path, documents: dict[str, str]) -> Iterator[Served]:
    """A server over a knowledge base of these documents."""
    settings = Settings(
        kb=root / "kb", serve={"query_timeout_s": 20, "query_workers": 1, "max_rows": 1000, "log": "errors"}
    )
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    report = knowledge_base.add([write(root / "docs", documents)])
    assert not report.failed
    key = add_key(settings.kb, "curator", Role.WRITE)
    config = uvicorn.Config(create_app(knowledge_base, settings), port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Served(f"http://127.0.0.1:{port}", key)
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that tests only read from, over documents some of which are hostile."""
    documents = {
        **DOCUMENTS,
        HOSTILE_NAME: HOSTILE,
        "rows.csv": HOSTILE_ROWS,
        "signals.md": ASTRAL,
        "people.md": PEOPLE,
    }
    with serving(tmp_path_factory.mktemp("served"), documents) as served:
        yield served.address


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for tests that change what is there."""
    with serving(tmp_path_factory.mktemp("changed"), {**DOCUMENTS, "people.md": PEOPLE}) as served:
        yield served


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    executable = find()
    if executable is None:
        absent = "no Chromium on the PATH: the page is not tested in a browser"
        # Continuous integration tests everything or fails.
        (pytest.fail if os.environ.get("CI") else pytest.skip)(absent)
    browser = Chromium(executable, Path(tmp_path_factory.mktemp("profile")))
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Chromium, address: str) -> Iterator[Chromium]:
    """The browser, which must end without dialogs, complaints or requests to anybody else."""
    browser.requests.clear()
    browser.complaints.clear()
    browser.dialogs.clear()
    browser.resize(1280, 900)
    browser.theme("light")
    yield browser
    here = ("http://127.0.0.1:", "data:", "blob:", "about:")
    elsewhere = [url for url in browser.requests if not url.startswith(here)]
    assert elsewhere == []
    assert browser.dialogs == []
    assert browser.complaints == []

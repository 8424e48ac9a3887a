"""Knowledge bases that several files of tests read, built once in a run by whichever of its processes asks first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from .conftest import REPOSITORY, SHARED
from .lighthouses import write

CORPUS, SEEDS = REPOSITORY / "corpus", SHARED / "seeds"
ONTOLOGY = REPOSITORY / "ontology" / "ai-infrastructure.ttl"
SETTINGS = Settings(build={"ontology": (ONTOLOGY,)})


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, made by the first of the run's processes to ask; the others wait. Nobody changes it."""
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    done, folder = run / f"{name}.made", run / name
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            assert not folder.exists(), f"{name} could not be made before"
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def corpus(factory: pytest.TempPathFactory) -> KnowledgeBase:
    """The sample library's knowledge base, with its ontology; only to be read."""
    return _read(factory, CORPUS)


def seeds(factory: pytest.TempPathFactory) -> KnowledgeBase:
    """The shared samples' knowledge base, with the sample ontology; only to be read."""
    return _read(factory, SEEDS)


def lighthouses(factory: pytest.TempPathFactory) -> Path:
    """A folder of the lighthouses' documents, ``docs``, and their knowledge base, ``kb``; to be read or copied."""
    return once(factory, "lighthouses", lambda folder: KnowledgeBase.build(folder / "kb", [write(folder / "docs")]))


def _read(factory: pytest.TempPathFactory, documents: Path) -> KnowledgeBase:
    def make(folder: Path) -> None:
        with KnowledgeBase.create(folder / "kb", SETTINGS) as kb:
            assert kb.add([documents]).failed == ()

    return KnowledgeBase.open(once(factory, documents.name, make) / "kb", SETTINGS)

"""An empty dataset that conformance tests of the SPARQL protocols may write to, default graph and all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings


@contextmanager
def throwaway(settings: Settings) -> Iterator[KnowledgeBase]:
    """A knowledge base without documents in a temporary folder, removed in the end."""
    with (
        tempfile.TemporaryDirectory(prefix="citegraph-test-") as folder,
        KnowledgeBase.create(Path(folder) / "kb", settings, plain=True) as knowledge_base,
    ):
        yield knowledge_base

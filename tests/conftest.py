"""What all tests share: where the optional shared data is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

# What gRPC (of Milvus) has to tell of its connections would stand among what other tests' commands print.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"


@pytest.fixture(scope="session", autouse=True)
def each_text_is_embedded_once() -> Iterator[None]:
    """Many tests build the same small documents: a process embeds a passage once, and gives the same vectors again."""
    from kg.indexes.embedding import Runtime

    real = Runtime.vectors

    def vectors(self: Runtime, text: str, parts: Sequence[Any], head: int) -> Any:
        known = self.__dict__.setdefault("known", {})
        key = (text, tuple(map(tuple, parts)), head)
        if key not in known:
            known[key] = real(self, text, parts, head)
        whole, of_parts = known[key]
        return whole.copy(), of_parts.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runtime, "vectors", vectors)
        yield

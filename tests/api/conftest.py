"""One application over a knowledge base of lighthouses, shared by the tests that only read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from ..lighthouses import write


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    root = tmp_path_factory.mktemp("lighthouses")
    settings = Settings(
        kb=root / "kb", serve={"query_timeout_s": 3, "query_workers": 1, "max_rows": 1000, "log": "errors"}
    )
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    knowledge_base.add([write(root / "docs")])
    with TestClient(create_app(knowledge_base, settings)) as client:
        yield client

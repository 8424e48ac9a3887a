"""The five sample documents, where they are at hand: real input that nobody wrote for the tests."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

from .conftest import REPOSITORY, SHARED

SEEDS = SHARED / "seeds"
pytestmark = pytest.mark.skipif(
    not SEEDS.is_dir(), reason="no sample documents beside the repository: builds and questions on them are left out"
)
SETTINGS = Settings(build={"ontology": (REPOSITORY / "ontology" / "ai-infrastructure.ttl",)})


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("seeds") / "kb", SETTINGS)
    report = kb.add([SEEDS])
    assert report.failed == ()
    return kb


def exported(kb: KnowledgeBase) -> bytes:
    stream = io.BytesIO()
    kb.export(stream, "nq")
    return stream.getvalue()


def test_one_file_a_command_in_reverse_order_gives_the_same_bytes(kb: KnowledgeBase, tmp_path: Path) -> None:
    other = KnowledgeBase.create(tmp_path / "kb", SETTINGS)
    for file in sorted(SEEDS.iterdir(), reverse=True):
        other.add([file])
    assert exported(other) == exported(kb)


def test_every_offset_quotation_and_quad_holds(kb: KnowledgeBase) -> None:
    report = kb.check()
    assert report.problems == ()
    assert report.shacl == ()
    assert report.checked["documents"] == 5
    assert report.checked["evidence"] > 1000

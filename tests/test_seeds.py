"""The five sample documents, where they are at hand: real input that nobody wrote for the tests."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from kg.knowledge_base import KnowledgeBase

from . import once

pytestmark = pytest.mark.skipif(
    not once.SEEDS.is_dir(),
    reason="no sample documents beside the repository: builds and questions on them are left out",
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return once.seeds(tmp_path_factory)


def exported(kb: KnowledgeBase) -> bytes:
    stream = io.BytesIO()
    kb.export(stream, "nq")
    return stream.getvalue()


def test_documents_taken_out_and_put_back_in_another_order_give_the_same_bytes(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    shutil.copytree(kb.path, tmp_path / "kb")
    two = sorted(once.SEEDS.iterdir(), key=lambda file: file.stat().st_size)[:2]
    with KnowledgeBase.open(tmp_path / "kb", once.SETTINGS) as other:
        assert len(other.remove([file.name for file in two]).removed) == 2
        assert exported(other) != exported(kb)
        for file in reversed(two):
            assert other.add([file]).added == (file.name,)
        assert exported(other) == exported(kb)


@pytest.mark.long
def test_one_file_a_command_in_reverse_order_gives_the_same_bytes(kb: KnowledgeBase, tmp_path: Path) -> None:
    other = KnowledgeBase.create(tmp_path / "kb", once.SETTINGS)
    for file in sorted(once.SEEDS.iterdir(), reverse=True):
        other.add([file])
    assert exported(other) == exported(kb)


def test_every_offset_quotation_and_quad_holds(kb: KnowledgeBase) -> None:
    report = kb.check()
    assert report.problems == ()
    assert report.shacl == ()
    assert report.checked["documents"] == 5
    assert report.checked["evidence"] > 1000

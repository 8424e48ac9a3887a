"""A knowledge base of another format version is refused or read anew from its documents, never misread."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from kg import KnowledgeBase
from kg.errors import CorruptKnowledgeBase

from ..once import lighthouses
from .pages import run


@pytest.fixture
def built(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base to be changed, beside its documents."""
    shutil.copytree(lighthouses(tmp_path_factory), tmp_path, dirs_exist_ok=True)
    return tmp_path / "kb"


def altered(folder: Path, **fields: Any) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, **fields}), encoding="utf-8")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"format": 0}, "has format 0, this version reads 1"),
        ({"format": 2, "documents": ["laid", "out", "otherwise"]}, "has format 2, this version reads 1"),
        ({"format": "1"}, "has format 1, this version reads 1"),
        ({"format": True}, "has format True"),
        ({"documents": 7}, "manifest.json can't be read"),
    ],
)
def test_another_format_is_refused_with_what_to_do(built: Path, fields: dict[str, Any], told: str) -> None:
    before = sorted(p for p in built.rglob("*") if p.is_file() and p.name != "manifest.json")
    altered(built, **fields)
    for refused in (lambda: KnowledgeBase.open(built), lambda: KnowledgeBase.build(built, [built.parent / "docs"])):
        with pytest.raises(CorruptKnowledgeBase, match=told) as error:
            refused()
        assert "build anew" in error.value.hint
    after = sorted(p for p in built.rglob("*") if p.is_file() and p.name not in ("manifest.json", "lock"))
    assert [p for p in before if p.name != "lock"] == after  # nothing is lost


def test_the_command_says_so_in_a_sentence(built: Path) -> None:
    altered(built, format=99)
    status, printed = run(["kg", "ask", "--kb", str(built), "Who built Corran Head Light?"], built.parent)
    assert status == 1
    assert "has format 99, this version reads 1" in printed and "Traceback" not in printed


def exported(folder: Path) -> bytes:
    stream = io.BytesIO()
    with KnowledgeBase.open(folder) as knowledge_base:
        knowledge_base.export(stream, "nq")
    return stream.getvalue()


def test_records_of_an_older_version_are_made_anew_from_the_documents_kept(built: Path) -> None:
    expected = exported(built)
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["documents"].values():
        old = json.loads((built / "records" / f"{entry['record']}.json").read_text(encoding="utf-8"))
        old.update(format=0, extraction={"told": "otherwise"})
        data = json.dumps(old).encode()
        entry.update(record=hashlib.sha256(data).hexdigest(), made_with="an older version")
        (built / "records" / f"{entry['record']}.json").write_bytes(data)
    altered(built, documents=manifest["documents"], graph="")
    with KnowledgeBase.open(built) as old_one, pytest.raises(CorruptKnowledgeBase, match="has format 0"):
        old_one.document("lights.md")
    report = KnowledgeBase.build(built, [built.parent / "docs"])
    assert sorted(report.changed) == ["keepers.md", "lights.md"]
    assert exported(built) == expected


def test_adding_one_document_reads_all_of_an_older_version_anew(built: Path, tmp_path: Path) -> None:
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["documents"].values():
        entry["made_with"] = "an older version"
    altered(built, documents=manifest["documents"])
    with KnowledgeBase.open(built) as knowledge_base:
        assert knowledge_base.ask("Who built Corran Head Light?").status == "answered"  # as it was made
        report = knowledge_base.put(b"# Notes\n\nNothing much.\n", "notes.md")
    assert report.added == ("notes.md",)
    assert sorted(report.changed) == ["keepers.md", "lights.md"]

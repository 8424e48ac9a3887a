"""What was made by an older stage, another model or another plug-in is made anew, and nothing else is."""

from __future__ import annotations

import importlib.metadata
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from kg import extract, versions
from kg.errors import ModelUnavailable
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from kg.workers.pipeline import made_with

from .lighthouses import KEEPERS, LIGHTS

PLAIN = Settings(build={"ontology": ()})


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "lights.md").write_text(LIGHTS, encoding="utf-8")
    (folder / "keepers.md").write_text(KEEPERS, encoding="utf-8")
    KnowledgeBase.build(tmp_path / "kb", [folder], PLAIN)
    return folder


def rebuilt(documents: Path) -> tuple[int, str, set[str]]:
    """How many documents were read again, the graph's name, and the indexes' names."""
    with KnowledgeBase.open(documents.parent / "kb", PLAIN) as kb:
        report = kb.add([documents])
        manifest = kb.snapshot.manifest
        return len(report.changed), manifest.graph, {entry.segment for entry in manifest.documents.values()}


@pytest.mark.parametrize("stage", ["READING", "EXTRACTION"])
def test_documents_are_read_again_by_a_newer_stage(
    documents: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    _, graph, segments = rebuilt(documents)
    monkeypatch.setattr(versions, stage, "other")
    assert rebuilt(documents) == (2, graph, segments)  # the records came out the same, so nothing else is made
    assert rebuilt(documents)[0] == 0


def test_a_newer_resolution_makes_the_graph_and_a_newer_index_the_indexes(
    documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rebuilt(documents)
    monkeypatch.setattr(versions, "RESOLUTION", "other")
    changed, graph, segments = rebuilt(documents)
    assert (changed, segments) == (0, before[2]) and graph != before[1]
    monkeypatch.setattr(versions, "INDEX", "other")
    again = rebuilt(documents)
    assert again[:2] == (0, graph) and not again[2] & segments
    with KnowledgeBase.open(documents.parent / "kb", PLAIN) as kb:
        assert kb.check().ok and kb.search("lamp", 3)


def plugged_in(monkeypatch: pytest.MonkeyPatch, point: EntryPoint) -> None:
    real = importlib.metadata.entry_points
    monkeypatch.setattr(
        versions, "entry_points", lambda group: (*real(group=group), *([point] * (group == point.group)))
    )
    versions.plug_ins.cache_clear()
    monkeypatch.setattr(extract, "_of_others", lambda: ())


def test_a_plug_in_and_its_code_count(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = tmp_path / "lamplighters.py"
    code.write_text("class Lamps: ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        plugged_in(monkeypatch, EntryPoint("lamps", "lamplighters:Lamps", "kg.extractors"))
        told = made_with("")
        assert "extractors lamps" in told and "+" not in told
        assert rebuilt(documents)[0] == 2
        assert rebuilt(documents)[0] == 0
        code.write_text("class Lamps: brighter = True\n", encoding="utf-8")
        versions.plug_ins.cache_clear()
        assert rebuilt(documents)[0] == 2
    finally:
        versions.plug_ins.cache_clear()
        sys.modules.pop("lamplighters", None)


def test_the_relation_model_and_its_precision_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KG_RELATION_MODEL", raising=False)
    without = made_with("abc")
    monkeypatch.setenv("KG_RELATION_MODEL", "general")
    general = made_with("abc")
    monkeypatch.setenv("KG_RELATION_PRECISION", "0.8")
    assert len({without, general, made_with("abc"), made_with("abd")}) == 4
    monkeypatch.setenv("KG_RELATION_MODEL", str(tmp_path / "nowhere"))
    with pytest.raises(ModelUnavailable):
        made_with("abc")

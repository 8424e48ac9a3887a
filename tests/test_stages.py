"""A stage whose code or data changes must get another version: records and indexes made by it are then made anew."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from . import stages


@pytest.mark.parametrize("stage", stages.ROOTS)
def test_a_stage_that_changed_has_another_version(stage: str) -> None:
    assert not stages.stale(stage, stages.noted()[stage], stages.now(stage))


@pytest.mark.parametrize(
    ("stage", "path"),
    [
        ("reading", "readers/__init__.py"),
        ("reading", "readers/pdf_blocks.py"),
        ("reading", "text/passages.py"),
        ("reading", "namespaces.py"),
        ("extraction", "extract/__init__.py"),
        ("reading", "text/dates.py"),
        ("reading", "text/units.txt"),
        ("extraction", "records.py"),
        ("extraction", "syntax/parser.npz"),
        ("extraction", "relations/general/heads.npz"),
        ("extraction", "relations/lexicon/law.jsonl"),
        ("extraction", "vocabulary/kg.ttl"),
        ("resolution", "resolution/resolve.py"),
        ("resolution", "base/generations.py"),
        ("resolution", "graph/provenance.py"),
        ("index", "indexes/segments.py"),
        ("index", "indexes/texts.py"),
    ],
)
def test_code_init_and_data_count(stage: str, path: str) -> None:
    files = stages.content(stage)
    assert stages.hashed(files) == stages.now(stage)["hash"]
    assert stages.hashed(files | {path: files[path] + b"\n"}) != stages.now(stage)["hash"]


def test_what_answers_questions_or_serves_is_no_part_of_a_stage() -> None:
    found = set().union(*(stages.modules(stage) for stage in stages.ROOTS))
    assert not {name for name in found if name.startswith(("kg.semantics", "kg.llm", "kg.cli", "kg.app", "kg.api"))}


def test_a_module_is_of_one_stage() -> None:
    each = [stages.modules(stage) for stage in stages.ROOTS]
    assert sum(map(len, each)) == len(set().union(*each))


def test_imports_are_found_wherever_they_stand_but_not_types() -> None:
    code = """
from typing import TYPE_CHECKING
import kg.graph.literals
if TYPE_CHECKING:
    from kg.settings import Settings
def one():
    if True:
        from kg.extract import tables
"""
    found = [pair for pair in stages.imported(ast.parse(code)) if pair[0].startswith("kg")]
    assert found == [("kg.graph.literals", ""), ("kg.extract", "tables")]


def test_what_is_to_be_done_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {"version": "1", "hash": "a"}
    assert not stages.stale("reading", before, dict(before))
    assert "raise versions.READING" in stages.stale("reading", before, {"version": "1", "hash": "b"})
    assert stages.stale("reading", before, {"version": "2", "hash": "b"}) == (
        "run python -m tests.stages: it notes the new version"
    )


@pytest.mark.parametrize("arguments", [[], ["--same", "index"]])
def test_a_hash_is_only_noted_with_a_new_version_or_where_all_stays_the_same(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "stages.json"
    written.write_text(stages.NOTED.read_text(encoding="utf-8").replace(stages.noted()["reading"]["hash"], "other"))
    monkeypatch.setattr(stages, "NOTED", written)
    monkeypatch.setattr("sys.argv", ["stages", *arguments])
    with pytest.raises(SystemExit, match="reading"):
        stages.main()
    monkeypatch.setattr("sys.argv", ["stages", "--same", "reading"])
    stages.main()
    assert stages.noted()["reading"]["hash"] == stages.now("reading")["hash"]
    written.write_text(written.read_text().replace(stages.now("reading")["hash"], "other"))
    monkeypatch.setattr(stages.versions, "READING", "other")
    monkeypatch.setattr("sys.argv", ["stages"])
    stages.main()
    assert stages.noted()["reading"] == {"version": "other", "hash": stages.now("reading")["hash"]}

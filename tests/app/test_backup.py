"""Backups: one generation whole, the same bytes each time, checked when they are restored."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.app.backup import backup, contents, restore
from kg.cli import app
from kg.decisions import Merge
from kg.errors import BadInput, CitegraphError, CorruptKnowledgeBase
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from kg.storage import Folder

from ..lighthouses import write


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("backup")
    with KnowledgeBase.create(root / "kb", Settings(kb=root / "kb")) as knowledge_base:
        knowledge_base.add([write(root / "docs")])
        knowledge_base.decide(Merge("Corran Head Light", "Corran Head"))
    return root / "kb"


@pytest.fixture(scope="module")
def archive(built: Path) -> Path:
    file = built.parent / "kb.tar"
    backup(built, file)
    return file


def exported(kb: Path) -> bytes:
    stream = io.BytesIO()
    with KnowledgeBase.open(kb, Settings(kb=kb)) as knowledge_base:
        knowledge_base.export(stream, "nq")
    return stream.getvalue()


def test_what_is_restored_is_what_was_backed_up(built: Path, archive: Path, tmp_path: Path) -> None:
    report = restore(archive, tmp_path / "new")
    assert report.documents == 2
    assert exported(tmp_path / "new") == exported(built)
    with KnowledgeBase.open(tmp_path / "new", Settings(kb=tmp_path / "new")) as knowledge_base:
        assert knowledge_base.check().ok
        assert knowledge_base.snapshot.decisions == (Merge("Corran Head Light", "Corran Head"),)
    backup(tmp_path / "new", tmp_path / "again.tar")
    assert (tmp_path / "again.tar").read_bytes() == archive.read_bytes()


def test_compressed_and_on_the_command_line(built: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    made = run(app, ["backup", str(tmp_path / "kb.tar.gz"), "--kb", str(built)])
    assert made.exit_code == 0 and "2 documents" in made.output
    assert gzip.decompress((tmp_path / "kb.tar.gz").read_bytes())[:13] == b"manifest.json"
    assert run(app, ["restore", str(tmp_path / "kb.tar.gz"), "--kb", str(tmp_path / "kb")]).exit_code == 0
    assert exported(tmp_path / "kb") == exported(built)
    key = run(app, ["key", "add", "ada", "--role", "admin", "--kb", str(tmp_path / "kb")])
    assert key.exit_code == 0 and len(key.output.strip()) >= 40
    assert "ada" in run(app, ["key", "list", "--kb", str(tmp_path / "kb")]).output
    assert run(app, ["key", "revoke", "ada", "--kb", str(tmp_path / "kb")]).exit_code == 0


def test_nothing_is_overwritten(built: Path, archive: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="exists already"):
        backup(built, archive)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(BadInput, match="not empty"):
        restore(archive, tmp_path / "full")
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["letter.txt"]
    with pytest.raises(BadInput, match="can't be written"):
        backup(built, tmp_path / "nowhere" / "kb.tar")


def rewritten(archive: Path, change: str) -> bytes:
    """The archive with something wrong in it."""
    out = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=out, mode="w") as new:
        for number, member in enumerate(old):
            data = old.extractfile(member).read()  # type: ignore[union-attr]
            if change == "altered" and number == 2:
                data = data[:-1] + b"?"
            if change == "lacks" and number == 2:
                continue
            if change == "climbs" and number == 2:
                member.name, member.pax_headers = "../outside", {}
            if change == "linked" and number == 2:
                member.type, member.linkname, data = tarfile.SYMTYPE, "/etc/passwd", b""
            if change == "no manifest" and number == 0:
                continue
            if change == "odd manifest" and number == 0:
                data = b"{}"
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize("change", ["altered", "lacks", "climbs", "linked", "no manifest", "odd manifest"])
def test_archives_that_are_not_whole_make_nothing(archive: Path, tmp_path: Path, change: str) -> None:
    (tmp_path / "bad.tar").write_bytes(rewritten(archive, change))
    with pytest.raises(CorruptKnowledgeBase):
        restore(tmp_path / "bad.tar", tmp_path / "kb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.tar"]


@pytest.mark.parametrize("data", [b"", b"nonsense" * 200, b"\x1f\x8b nonsense"])
def test_files_that_are_no_archives(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad.tar").write_bytes(data)
    with pytest.raises(CitegraphError):
        restore(tmp_path / "bad.tar", tmp_path / "kb")
    with pytest.raises(CitegraphError):
        restore(tmp_path / "none.tar", tmp_path / "kb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.tar"]


def test_a_backup_cut_short_makes_nothing(archive: Path, tmp_path: Path) -> None:
    data = archive.read_bytes()
    (tmp_path / "cut.tar").write_bytes(data[: len(data) // 2])
    with pytest.raises(CitegraphError):
        restore(tmp_path / "cut.tar", tmp_path / "kb")
    assert not (tmp_path / "kb").exists()


def test_a_pinned_generation_stays_until_it_is_let_go(tmp_path: Path) -> None:
    settings = Settings(kb=tmp_path / "kb")
    with KnowledgeBase.create(tmp_path / "kb", settings) as writer:
        writer.add([write(tmp_path / "docs")])
        folder = Folder(tmp_path / "kb")
        manifest, pin = folder.pinned_manifest()
        for name in ("lights.md", "keepers.md"):
            writer.remove([name])
        writer.put(b"# Bell\n\nOne.", "bell.md")
        assert all((folder.path / name).is_file() for name in contents(manifest))
        assert (folder.path / "graphs" / manifest.graph).is_dir()
        pin.release()
        writer.put(b"# Bell\n\nTwo.", "bell.md")
        assert not any((folder.path / name).is_file() for name in contents(manifest) if name.startswith("records/"))
        assert not (folder.path / "graphs" / manifest.graph).exists()


def test_no_byte_of_a_removed_document_is_restored(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb", Settings(kb=tmp_path / "kb")) as knowledge_base:
        knowledge_base.put(b"# Holm\n\nHolm is kept by Ada Wren.\n", "holm.md")
        knowledge_base.put(b"# Lift\n\nThe lift was mended by Tollund Brask in 1999.\n", "lift.md")
        knowledge_base.remove(["lift.md"])
    backup(tmp_path / "kb", tmp_path / "kb.tar")
    restore(tmp_path / "kb.tar", tmp_path / "new")
    held = {kb: b"".join(f.read_bytes() for f in (tmp_path / kb).rglob("*") if f.is_file()) for kb in ("kb", "new")}
    assert b"Ada Wren" in held["new"]
    assert b"Tollund" not in held["new"]
    assert b"Tollund" in held["kb"]  # as the documentation says

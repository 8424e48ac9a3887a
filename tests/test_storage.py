from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound, StoreLocked
from kg.storage import DocumentEntry, Folder, Manifest, sha256


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "kb")
    folder.prepare()
    return folder


@given(
    names=st.dictionaries(st.text(min_size=1), st.text()),
    graph=st.text(),
)
def test_a_manifest_survives_the_disk(
    tmp_path_factory: pytest.TempPathFactory, names: dict[str, str], graph: str
) -> None:
    folder = Folder(tmp_path_factory.mktemp("kb"))
    folder.prepare()
    documents = {id_: DocumentEntry(name, "s", "r", "m") for id_, name in names.items()}
    manifest = Manifest(base="urn:x:", graph=graph, model="m").with_documents(documents)
    folder.switch(manifest)
    assert folder.manifest() == manifest
    assert list(manifest.documents) == sorted(names)


def test_bytes_are_kept_under_their_hash_and_checked_when_read(folder: Folder) -> None:
    name = folder.put("records", b"one", ".json")
    assert name == sha256(b"one")
    assert folder.get("records", name, ".json") == b"one"
    (folder.path / "records" / f"{name}.json").write_bytes(b"two")
    with pytest.raises(CorruptKnowledgeBase, match="altered"):
        folder.get("records", name, ".json")
    assert folder.put("records", b"one", ".json") == name
    assert folder.get("records", name, ".json") == b"one"


def test_rubbish_goes_and_what_the_manifest_names_stays(folder: Folder) -> None:
    kept, lost = folder.put("records", b"kept", ".json"), folder.put("records", b"lost", ".json")
    for name in ("now", "before", "long-ago"):
        (folder.path / "graphs" / name).mkdir()
    (folder.path / ".manifest.json.1.tmp").write_bytes(b"{")  # of a writer that was killed
    manifest = Manifest(documents={"a": DocumentEntry("a", "", kept, "")}, graph="now", previous=("before",))
    folder.clear_rubbish(manifest)
    assert not list(folder.path.glob(".*"))
    assert [p.name for p in (folder.path / "records").iterdir()] == [f"{kept}.json"]
    assert sorted(p.name for p in (folder.path / "graphs").iterdir()) == ["before", "now"]
    with pytest.raises(CorruptKnowledgeBase):
        folder.get("records", lost, ".json")


def test_refuses_no_manifest_a_damaged_one_and_another_format(folder: Folder) -> None:
    with pytest.raises(NotFound, match="no knowledge base"):
        folder.manifest()
    (folder.path / "manifest.json").write_text("{")
    with pytest.raises(CorruptKnowledgeBase, match="can't be read") as damaged:
        folder.manifest()
    assert "into another folder or after removing this one" in damaged.value.hint
    folder.switch(replace(Manifest(), format=99))
    with pytest.raises(CorruptKnowledgeBase, match="format 99"):
        folder.manifest()


def test_the_lock_goes_with_its_process(folder: Folder) -> None:
    hold = "import sys, time; from pathlib import Path; from kg.storage import Folder\n"
    hold += "with Folder(Path(sys.argv[1])).writing(): print('held', flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", hold, folder.path], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(StoreLocked), folder.writing():
        pass
    other.kill()
    other.wait()
    with folder.writing():
        pass


def test_none_is_made_in_a_file_or_among_other_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("file", "file/kb"):
        with pytest.raises(BadInput, match="Not a directory"):
            Folder(tmp_path / name).refuse_others()
        with pytest.raises(NotFound):
            Folder(tmp_path / name).manifest()
    for other in ("a.md", "manifest.json", "records/a.md", "lock/a.md"):
        (tmp_path / f"of {other}" / other).parent.mkdir(parents=True)
        (tmp_path / f"of {other}" / other).write_text("{}")
        assert not Folder(tmp_path / f"of {other}").exists()
        with pytest.raises(BadInput, match="is no knowledge base and holds other files") as refused:
            Folder(tmp_path / f"of {other}").refuse_others()
        assert "--kb DIR" in refused.value.hint
    with pytest.raises(BadInput, match="can't be written to"), Folder(Path("/proc/kb")).writing():
        pass


def test_one_is_made_in_an_empty_folder_and_where_a_first_build_was_stopped(tmp_path: Path) -> None:
    Folder(tmp_path / "nowhere").refuse_others()
    (tmp_path / "disk" / "lost+found").mkdir(parents=True)
    (tmp_path / "disk" / ".hidden").write_text("x")
    Folder(tmp_path / "disk").refuse_others()
    with Folder(tmp_path / "disk").writing():
        pass
    Folder(tmp_path / "disk").refuse_others()
    (tmp_path / "disk" / "a.md").write_text("x")
    with pytest.raises(BadInput, match=r"\(a.md\)"):
        Folder(tmp_path / "disk").refuse_others()

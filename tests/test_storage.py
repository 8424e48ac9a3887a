from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import CorruptKnowledgeBase, NotFound, StoreLocked
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
    with pytest.raises(CorruptKnowledgeBase, match="can't be read"):
        folder.manifest()
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

"""Documents that hang, eat memory or kill their process cost nobody else anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kg import KnowledgeBase
from kg.settings import Settings
from kg.workers.reading import Budget, Documents

from ..lighthouses import write

BAD = """
import os, signal
from kg.readers.text import TextReader

class Reader:
    suffixes = (".bad",)
    media_type = "text/plain"

    def read(self, data, name):
        what = data.decode().strip()
        while what == "hang":
            pass
        if what == "eat":
            kept = []
            while True:
                kept.append(bytearray(1 << 24))
        if what == "leave":
            os._exit(3)
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "fault":
            raise ValueError("a fault of ours")
        return TextReader().read(data, name)
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a package that adds a reader of ``.bad`` files."""
    folder = tmp_path / "site"
    info = folder / "bad_documents-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "bad_documents.py").write_text(BAD)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-documents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kg.readers]\nbad = bad_documents:Reader\n")
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_bad_documents_are_named_and_the_rest_is_built(site: Path, tmp_path: Path) -> None:
    documents = write(tmp_path / "docs")
    for what in ("hang", "eat", "leave", "die", "fault", "harmless"):
        (documents / f"{what}.bad").write_text(what)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("KG_")},
        "PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
        "KG_BUILD__DOCUMENT_TIMEOUT_S": "5",
        "KG_BUILD__DOCUMENT_MEMORY_MB": "300",
        "KG_BUILD__WORKERS": "2",
    }
    done = subprocess.run(
        [sys.executable, "-m", "kg.cli", "build", documents, "--kb", tmp_path / "kb"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "5 failed" in done.stdout.splitlines()[0]
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    told = {error.split()[1].rstrip(":"): error for error in errors}
    assert "was killed by signal 9" in told["die.bad"]
    assert "takes more memory" in told["eat.bad"]
    assert "a fault of ours" in told["fault.bad"]
    assert "takes more than 5 seconds" in told["hang.bad"]
    assert "ended with status 3" in told["leave.bad"]
    assert len(errors) == 5
    with KnowledgeBase.open(tmp_path / "kb") as kb:
        good = sorted(path.name for path in documents.iterdir() if path.suffix != ".bad")
        assert sorted(d.name for d in kb.documents()) == sorted([*good, "harmless.bad"])


def test_two_workers_make_what_one_makes(tmp_path: Path) -> None:
    documents = write(tmp_path / "docs")
    manifests = []
    for workers in (1, 2):
        folder = tmp_path / f"kb{workers}"
        report = KnowledgeBase.build(folder, [documents], Settings(kb=folder, build={"workers": workers}))
        assert report.added and not report.failed
        manifests.append((folder / "manifest.json").read_bytes())
    assert manifests[0] == manifests[1]


def test_a_budget_grows_with_the_document_where_it_may() -> None:
    fixed, growing = Budget(120, 1500, ""), Budget(120, 1500, "", grows=True)
    assert (fixed.seconds_for(2_000_000), fixed.memory_for(2_000_000)) == (120, 1500 << 20)
    assert (growing.seconds_for(2_000_000), growing.memory_for(2_000_000)) == (220, (1500 << 20) + 200_000_000)


KILLED = """
import os, signal, sys
from kg import KnowledgeBase

def progress(what, done, total):
    if done == 2:
        os.kill(os.getpid(), signal.SIGKILL)

KnowledgeBase.build(sys.argv[1], [sys.argv[2]], progress=progress)
"""


def test_a_killed_build_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the killed process has the same settings
    documents = tmp_path / "docs"
    documents.mkdir()
    for name in "abcd":
        (documents / f"{name}.md").write_text(f"# Light {name}\n\n- **Height**: 7 m\n")
    whole = KnowledgeBase.build(tmp_path / "whole", [documents])
    command = [sys.executable, "-c", KILLED, tmp_path / "kb", documents]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == -signal.SIGKILL
    journal = tmp_path / "kb" / "records" / "taken.jsonl"
    with journal.open("ab") as file:
        file.write(b'\n["c.md", "cut sh')
    read: list[str] = []
    record = Documents.record

    def noted(self: Documents, data: bytes, name: str) -> bytes:
        read.append(name)
        return record(self, data, name)

    monkeypatch.setattr(Documents, "record", noted)
    told: list[tuple[str, int, int]] = []
    report = KnowledgeBase.build(tmp_path / "kb", [documents], progress=lambda *one: told.append(one))
    assert report.added == whole.added == ("a.md", "b.md", "c.md", "d.md")
    assert told[:2] == [("c.md", 0, 2), ("d.md", 1, 2)]
    assert sorted(read) == ["c.md", "d.md"]
    assert (tmp_path / "kb" / "manifest.json").read_bytes() == (tmp_path / "whole" / "manifest.json").read_bytes()
    assert not journal.exists()


def test_a_record_of_a_stopped_build_that_is_damaged_is_made_again(tmp_path: Path) -> None:
    from kg.app.writer import Journal
    from kg.storage import Folder

    folder = Folder(tmp_path)
    folder.prepare()
    name = folder.put("records", b"{}", ".json")
    Journal(folder).add("a.md", "source", "rules", name)
    assert Journal(folder).record("a.md", "source", "rules") == name
    assert Journal(folder).record("a.md", "source", "other rules") == ""
    (tmp_path / "records" / f"{name}.json").write_bytes(b"{")
    assert Journal(folder).record("a.md", "source", "rules") == ""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.app.collect import collect, documents_under
from kg.errors import BadInput


def known(file: Path) -> bool:
    return file.suffix in (".md", ".txt") or file.name == "README"


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text")


def test_names_are_relative_to_the_path_given(tmp_path: Path) -> None:
    write(tmp_path, "b/c.md", "a.txt", "b/picture.png", "b/README", ".hidden/x.md", "b/.y.md")
    collected = collect([tmp_path], known)
    assert [f.name for f in collected.files] == ["a.txt", "b/README", "b/c.md"]
    assert [f.id for f in collected.files] == ["a.txt", "b-readme", "b-c.md"]
    assert collected.skipped == ("b/picture.png",)
    assert [f.name for f in collect([tmp_path / "b" / "c.md"], known).files] == ["c.md"]


def test_a_file_named_outright_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    write(tmp_path, "notes.xyz")
    assert [f.name for f in collect([tmp_path / "notes.xyz"], known).files] == ["notes.xyz"]


def test_the_same_file_twice_is_one_document(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    assert len(collect([tmp_path / "a.md", tmp_path / "a.md"], known).files) == 1


def test_a_knowledge_base_among_the_documents_is_none_of_them(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "kb/manifest.json", "kb/records/b.md", "kb/lock", "site/manifest.json", "site/c.md")
    collected = collect([tmp_path], known)
    assert [f.name for f in collected.files] == ["a.md", "site/c.md"]
    assert collected.skipped == ("site/manifest.json",)


def test_a_link_that_leads_nowhere_is_left_to_who_opens_it(tmp_path: Path) -> None:
    write(tmp_path, "b/a.md")
    for name in ("gone.md", "gone.png", ".gone.md"):
        (tmp_path / name).symlink_to("nowhere")
    collected = collect([tmp_path], known)
    assert [f.name for f in collected.files] == ["b/a.md", "gone.md"] and collected.skipped == ("gone.png",)


def test_refuses_missing_paths(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no file or folder"):
        collect([tmp_path / "nowhere"], known)


def test_of_two_files_with_one_name_the_first_is_read_and_the_other_named(tmp_path: Path) -> None:
    write(tmp_path, "one/a.md", "two/a.md", "two/b.md")
    collected = collect([tmp_path / "two", tmp_path / "one"], known)
    assert [f.path for f in collected.files] == [tmp_path / "two" / "a.md", tmp_path / "two" / "b.md"]
    (clash,) = collected.clashing
    assert clash.name == "a.md" and clash.hint
    assert clash.message.startswith(f"{tmp_path / 'one' / 'a.md'} and {tmp_path / 'two' / 'a.md'} would both be a.md")


def test_what_has_a_reader_is_a_document_and_without_a_suffix_only_text_is(tmp_path: Path) -> None:
    write(tmp_path, "README", "a.MD", "Makefile", "b/tool-FAQ")
    (tmp_path / "DATA").write_bytes(b"A\0B")
    collected = documents_under([tmp_path], prune=False)
    assert [f.name for f in collected.files] == ["README", "a.MD", "b/tool-FAQ"]
    assert collected.skipped == ("DATA", "Makefile")


def test_one_that_cannot_be_opened_is_left_to_who_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(self)

    write(tmp_path, "README")
    monkeypatch.setattr(Path, "open", refused)
    assert [f.name for f in documents_under([tmp_path], prune=False).files] == ["README"]

"""Documents of two sets that share text are named, those that don't aren't."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from training.questions.overlap import main, read, runs, shared


def words(first: int, last: int) -> str:
    return " ".join(f"word{n}" for n in range(first, last))


def test_a_tenth_of_the_shorter_one_is_shared() -> None:
    mine = {"a/one": runs(words(0, 111)), "a/two": runs(words(500, 611)), "a/few": runs(words(900, 911))}
    theirs = {"b/whole": runs(words(90, 400)), "b/other": runs(words(700, 800))}
    assert list(shared(mine, theirs)) == [("a/one", "b/whole", 10, 100)]
    assert list(shared({"a/one": runs(words(0, 110))}, {"b": runs(words(90, 400))})) == []


def test_tags_and_letters_case_hide_nothing(tmp_path: Path) -> None:
    for name, text in (
        ("one/documents/a.html", "<p>" + words(0, 30).upper() + "</p>"),
        ("two/documents/b.md", words(0, 30)),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    one, two = read([tmp_path / "one"]), read([tmp_path / "two"])
    assert one["one/a.html"] == two["two/b.md"] and len(one["one/a.html"]) == 19


def test_the_command_fails_where_something_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("one", words(0, 50)), ("two", words(20, 70)), ("three", words(80, 120))):
        (tmp_path / name / "documents").mkdir(parents=True)
        (tmp_path / name / "documents/a.md").write_text(text, encoding="utf-8")
    for other, status in (("two", 1), ("three", 0)):
        monkeypatch.setattr(sys, "argv", ["overlap", str(tmp_path / "one"), "--beside", str(tmp_path / other)])
        assert main() == status
    assert capsys.readouterr().out == "one/a.md and two/a.md: 19 of 39 runs\n"

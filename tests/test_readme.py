"""The README's tour, line by line in a clean folder: every command prints what the README says."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import REPOSITORY
from .docs.pages import shell, steps

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TOUR = README[README.index("## A tour") :]


def test_the_tour_does_what_it_says(tmp_path: Path) -> None:
    compared = 0
    for language, block in re.findall(r"```(sh|console|python)\n(.*?)```", TOUR, re.DOTALL):
        if language == "sh":
            shell(block, tmp_path)
            continue
        if language == "python":
            (tmp_path / "example.py").write_text(block, encoding="utf-8")
            assert "Ida Marsh" in shell("python example.py", tmp_path)[1]
            continue
        for command, expected in steps(block):
            assert shell(command, tmp_path)[1] == expected, command
            compared += 1
    assert compared >= 8


def test_the_commands_that_the_readme_names_are_in_the_makefile() -> None:
    targets = re.findall(r"^(\w[\w-]*):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"make ([a-z][\w-]*)", README)
    assert named
    assert set(named) <= set(targets)

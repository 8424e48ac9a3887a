"""Every example of the documentation that can run does, and prints what the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..once import once
from .pages import ADDRESS, DOCS, RUN, blocks, environment, fits, plain, run, shell, start, steps, written

SAMPLE = DOCS / "samples" / "mountain-railways"
PAGES = [page for page in written() if any(b.language in RUN for b in blocks(page))]


@pytest.fixture(scope="session")
def tutorial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's documents and ontology, and the knowledge base that the tutorial builds from them."""

    def make(folder: Path) -> None:
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        status, told = run(["kg", "build", "documents", "--ontology", "ontology.ttl"], folder)
        assert status == 0, told

    return once(tmp_path_factory, "tutorial", make)


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The clean folder in which a page's examples run."""
    page: Path = request.getfixturevalue("page")
    begin = start(page)
    assert begin in ("", "samples", "tutorial"), f"{page.name} starts from {begin}"
    if begin:
        source = SAMPLE if begin == "samples" else request.getfixturevalue("tutorial")
        shutil.copytree(source, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def address(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """A server on the folder's knowledge base, for pages that ask one."""
    page: Path = request.getfixturevalue("page")
    if not any(ADDRESS in b.text for b in blocks(page) if b.language in RUN):
        yield ADDRESS
        return
    server = subprocess.Popen(
        ["kg", "serve", "--port", "0"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    with server.stdout:
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        yield found[0]
        server.terminate()
        assert server.wait() == 0


def _named(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


# Training takes as long as all other pages but one together.
TRIED = [
    pytest.param(page, id=_named(page), marks=[pytest.mark.long] if "train" in page.name else []) for page in PAGES
]


@pytest.mark.parametrize("page", TRIED)
def test_examples_do_what_the_page_says(page: Path, folder: Path, address: str) -> None:
    for block in blocks(page):
        text = block.text.replace(ADDRESS, address)
        if block.language == "console":
            for command, shown in steps(text):
                _, printed = shell(command, folder)
                assert fits(shown, printed.replace(address, ADDRESS) if ADDRESS in shown else printed), (
                    f"{command}\n--- printed:\n{printed}\n--- shown:\n{shown}"
                )
        elif block.language == "sh":
            status, printed = run(["bash", "-e", "-c", text], folder)
            assert status == 0, f"{text}\n{printed}"
        elif block.language == "python":
            (folder / "example.py").write_text(text, encoding="utf-8")
            status, printed = run(["python", "example.py"], folder)
            assert status == 0, f"{text}\n{printed}"
            claimed = re.findall(r"print\(.*\)  # (.+)$", text, re.MULTILINE)
            for shown in claimed:
                assert shown.strip("…") in printed, f"{text}\n{printed}"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('kg ask "How tall is it?"', ["kg", "ask", "How tall is it?"]),
        (
            "kg sparql 'SELECT * { ?a a \"b\" }' --format csv",
            ["kg", "sparql", 'SELECT * { ?a a "b" }', "--format", "csv"],
        ),
        ('kg ask "a" | tail -8', None),
        ("kg stats>file", None),
        ("kg remove *.csv", None),
        ("kg ask 'a' && kg ask 'b'", None),
        ('kg reject "$(cat claim.txt)"', None),
        ("kg build ~/notes", None),
    ],
)
def test_lines_that_need_a_shell(line: str, words: list[str] | None) -> None:
    assert plain(line) == words


def test_most_pages_have_examples() -> None:
    assert len(PAGES) >= 8


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a … c", "a b c", True),
        ("a\n…\nz", "a\nb\nc\nz", True),
        ("a", "a\nb", False),
        ("(a)", "(a) ", True),
        ("a.", "ab", False),
    ],
)
def test_dots_stand_for_anything(shown: str, printed: str, same: bool) -> None:
    assert fits(shown, printed) is same

"""A folder of good and bad files, built by the command: a line for each bad one, the good ones built, exit 1."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from tests.readers import windmills
from tests.readers.pdf_files import one_page, packed, stream

MEGABYTES = 900  # of the whole command, with the model that makes the index


def protected() -> bytes:
    file = io.BytesIO()
    words = Paragraph("The oven is lit.", getSampleStyleSheet()["BodyText"])
    SimpleDocTemplate(file, invariant=1, encrypt=StandardEncryption("user", "owner")).build([words])
    return file.getvalue()


def zipped(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


# Name → (its bytes, what its line says).
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty.md": (lambda: b"", "empty.md is empty. Hint: leave it out"),
    "empty.docx": (lambda: b"", "empty.docx is empty. Hint: leave it out"),
    "blank.txt": (lambda: b" \n\t\n", "blank.txt holds nothing but blanks"),
    "markup.md": (lambda: b"---\n\n***\n", "markup.md holds no text"),
    "frame.html": (lambda: b"<html><nav>Home</nav><script>x()</script></html>", "frame.html holds no text"),
    "pictures.pdf": (lambda: one_page(stream(b"0 0 m 9 9 l S")), "pictures.pdf holds no text"),
    "password.pdf": (protected, "password.pdf is protected by a password. Hint: save it without one"),
    "password.docx": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password.docx is protected"),
    "cut.pdf": (lambda: windmills.pdf()[:900], "cut.pdf"),
    "cut.docx": (lambda: windmills.docx()[:9_000], "cut.docx is damaged or cut short"),
    "word.pdf": (windmills.docx, "word.pdf is no PDF, whatever its suffix says"),
    "print.docx": (windmills.pdf, "print.docx is no Word document, whatever its suffix says"),
    "word.md": (windmills.docx, "word.md is not"),
    "print.csv": (lambda: b"\x00\x01" + windmills.pdf(), "print.csv is not text"),
    "latin.md": (lambda: "Møllen på bakken".encode("latin-1"), "latin.md is not UTF-8 text"),
    "binary.md": (
        lambda: b"\x0b\xffBB\x00\x8f" * 99,
        "binary.md is not text: it holds control characters. Hint: leave it out",
    ),
    "binary.csv": (lambda: b"\x81\xffBB\x01\x8f" * 99, "binary.csv is not text: it holds control characters"),
    "bomb.docx": (
        lambda: zipped({"[Content_Types].xml": b"<a/>", "word/document.xml": b" " * 90_000_000}),
        "bomb.docx",
    ),
    "bomb.pdf": (lambda: one_page(packed(b" " * 90_000_000)), "bomb.pdf takes more work than a document does"),
    "deep.html": (lambda: b"<div>" * 200_000 + b"x" + b"</div>" * 200_000, "deep.html nests tags more than"),
    "large.txt": (lambda: b"", "large.txt has 100,000,000 bytes, the limit is 50,000,000"),
}


def deep(levels: int) -> dict[str, bytes]:
    return {
        "quoted.md": b"> " * levels + b"Lund Mill stands.\n",
        "bracketed.txt": b"(" * levels + b" Lund Mill stands.\n",
    }


DEEP = deep(4_000)
GOOD = {"mills.md": windmills.MARKDOWN.encode(), "mills.csv": windmills.CSV.encode(), "mills.pdf": windmills.pdf()}


PEAK = """import os, resource, subprocess, sys
code = subprocess.run([sys.executable, *sys.argv[1:]], check=False).returncode
print(f"\\n{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}", file=sys.stderr)
sys.exit(code)"""


@dataclass(frozen=True)
class Built:
    code: int
    out: str
    err: str
    kilobytes: int


def kg(folder: Path, *arguments: str) -> Built:
    """What a command said, and the most memory it held: its own, whatever this process has started before."""
    command = [sys.executable, "-c", PEAK, "-m", "kg.cli", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    told, _, kilobytes = done.stderr.rstrip("\n").rpartition("\n")
    return Built(done.returncode, done.stdout, told, int(kilobytes))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bad")
    (root / "docs").mkdir()
    for name, data in {**GOOD, **DEEP, **{name: make() for name, (make, _) in BAD.items()}}.items():
        (root / "docs" / name).write_bytes(data)
    with (root / "docs" / "large.txt").open("wb") as file:
        file.truncate(100_000_000)
    return root


@pytest.fixture(scope="module")
def built(folder: Path) -> Built:
    return kg(folder, "build", "docs")


@pytest.mark.parametrize("name", sorted(BAD))
def test_each_bad_file_has_its_line(built: Built, name: str) -> None:
    flowing = " ".join((built.out + built.err).split())
    assert BAD[name][1] in flowing
    assert "Traceback" not in flowing and flowing.count("Error: ") == flowing.count("Hint: ") == len(BAD)


def test_the_others_are_built_and_the_exit_code_says_that_some_were_not(folder: Path, built: Built) -> None:
    assert built.code == 1
    assert f"{len(GOOD) + len(DEEP)} added" in built.out and f"{len(BAD)} failed" in built.out
    listed = kg(folder, "documents").out
    assert all(name in listed for name in GOOD)
    assert not any(name in listed for name in BAD)


def test_memory_is_bounded(built: Built) -> None:
    assert built.code == 1
    assert 0 < built.kilobytes < MEGABYTES * 1024


def test_files_that_are_gone_are_pruned_and_then_all_is_well(folder: Path, built: Built) -> None:
    for name in (*BAD, "mills.csv"):
        (folder / "docs" / name).unlink()
    pruned = kg(folder, "build", "docs", "--prune")
    assert pruned.code == 0 and "1 removed" in pruned.out, pruned.err
    assert "mills.csv" not in kg(folder, "documents").out


@pytest.mark.long
def test_what_nests_deeper_yet_is_built_in_as_little_memory(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, data in deep(200_000).items():
        (tmp_path / "docs" / name).write_bytes(data)
    done = kg(tmp_path, "build", "docs")
    assert done.code == 0 and "2 added" in done.out, done.err
    assert 0 < done.kilobytes < MEGABYTES * 1024

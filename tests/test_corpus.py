"""The sample library: what it states, where it disagrees, and that the figures written down are those of the files."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from kg.readers import READERS

from .conftest import REPOSITORY, SHARED

CORPUS = REPOSITORY / "corpus"
INVENTORY = SHARED / "sample-systems.md"


def script(path: str) -> ModuleType:
    """A script of the repository as a module."""
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


coverage = script("benchmarks/corpus_coverage.py")
SUBJECTS, DISAGREEMENTS = coverage.load()


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    found: dict[str, str] = coverage.documents()
    return found


def test_the_library_has_its_documents_in_every_format() -> None:
    files = [p for p in CORPUS.rglob("*") if p.is_file()]
    assert len(files) >= 18
    assert {p.suffix for p in files} == {".md", ".txt", ".html", ".csv", ".docx", ".pdf"}
    assert {p.suffix for p in files} <= set(READERS)
    assert len({p.parent for p in files}) >= 7


def test_every_fact_stands_in_the_document_that_is_to_state_it(texts: dict[str, str]) -> None:
    assert coverage.missing(SUBJECTS, DISAGREEMENTS, texts) == []


def test_a_fact_that_no_document_states_is_missed(texts: dict[str, str]) -> None:
    invented = coverage.Subject("GPT-1", (("models/early-models.md", "118M"), ("no/such.md", "12")))
    assert coverage.missing([invented], [], texts) == ["models/early-models.md: 118M", "no/such.md: 12"]


def test_every_document_is_needed_by_a_subject(texts: dict[str, str]) -> None:
    used = {path for subject in SUBJECTS for path, _ in subject.facts}
    assert set(texts) - used == {"timeline.md"}


def test_documents_that_disagree_are_different_ones() -> None:
    assert [item.number for item in DISAGREEMENTS] == list(range(1, 17))
    for item in DISAGREEMENTS:
        assert len({path for path, _ in item.sides}) >= 2
        assert len({words for _, words in item.sides}) == len(item.sides)


@pytest.mark.parametrize(
    ("path", "stated", "never"),
    [
        ("models/gpt-4.md", "~1.8 trillion", "1.76"),
        ("numbers/growth.txt", "1.76 trillion", "1.8 trillion"),
        ("models/gpt-4.md", "~20,000-25,000", "~25,000"),
        ("models/gpt-3.md", "~$4.6m", "$500k"),
        ("software/training-software.md", "tensorflow", "jupyter"),
        ("software/serving-platform.md", "pytorch", "tensorflow"),
        ("numbers/chatgpt-at-scale.html", "$700k", "$700m"),
        ("numbers/cost-by-phase.csv", "$2m-50m", "$700"),
        ("deals/microsoft-and-openai.pdf", "exclusivity ends", "first refusal"),
        ("ideas/the-megacluster.pdf", "10,000 gpus", "v100"),
    ],
)
def test_a_document_gives_one_side_of_a_disagreement_only(
    texts: dict[str, str], path: str, stated: str, never: str
) -> None:
    assert stated in texts[path]
    assert never not in texts[path]


def test_the_written_table_is_that_of_the_data() -> None:
    assert coverage.coverage(SUBJECTS, DISAGREEMENTS) in coverage.REPORT.read_text(encoding="utf-8")


def test_word_and_pdf_files_are_those_of_their_sources() -> None:
    pytest.importorskip("docx")
    pytest.importorskip("reportlab")
    maker = script("docs/samples/make_documents.py")
    for source, target in maker.TARGETS.items():
        assert maker.rendered(source) == (REPOSITORY / target).read_bytes(), target


def inventory(section: str) -> Iterator[str]:
    """The first cells of the inventory's tables (sections 1 to 6), or the numbers of its disagreements (section 8)."""
    heading = ""
    for line in INVENTORY.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3]
        elif section == "8" and heading == "8" and re.match(r"\d+\. ", line):
            yield line.split(".")[0]
        elif section != "8" and line.startswith("| ") and not line.startswith("| Name"):
            yield line.split("|")[1].strip()


@pytest.mark.skipif(not INVENTORY.is_file(), reason="no inventory beside the repository to compare the data with")
def test_every_row_and_disagreement_of_the_inventory_is_accounted_for() -> None:
    rows = list(inventory("1-6"))
    assert len(rows) == 88
    assert [row for row in rows if row not in {subject.name for subject in SUBJECTS}] == []
    assert [int(number) for number in inventory("8")] == [item.number for item in DISAGREEMENTS]

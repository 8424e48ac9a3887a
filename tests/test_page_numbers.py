"""Pages of a PDF, from the file to the citation of an answer and the evidence in the graph."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from kg.api.app import create_app
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from kg.app.console import show_answer
from kg.knowledge_base import KnowledgeBase
from kg.model import PAGE_STARTS, Block, BlockKind, Inline, Run, page_at, page_starts
from kg.namespaces import KG
from kg.settings import Settings

QUESTION = "How tall is Varn Bell Tower?"
PAGES = (
    ("Bell towers", "Varn Bell Tower was built by Ida Moll in 1804."),
    ("Heights", "Varn Bell Tower is 31 m tall."),
    ("Varn Bell Tower", "<b>Largest bell</b>: 2 t"),
)
BY_PAGE = (
    f"PREFIX kg: <{KG}> "
    + "SELECT ?exact ?page { ?e a kg:Evidence ; kg:role kg:valueRole ; kg:exact ?exact ; kg:page ?page }"
)


def printed() -> bytes:
    styles, file = getSampleStyleSheet(), io.BytesIO()
    story = []
    for heading, words in PAGES:
        story += [Paragraph(heading, styles["Heading2"]), Paragraph(words, styles["BodyText"]), PageBreak()]
    SimpleDocTemplate(file, invariant=1).build(story)
    return file.getvalue()


@pytest.fixture(scope="module")
def towers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    root = tmp_path_factory.mktemp("towers")
    (root / "docs").mkdir()
    (root / "docs" / "towers.pdf").write_bytes(printed())
    (root / "docs" / "mills.md").write_text("# Mills\n\nHolm Mill is 14 m tall.\n", encoding="utf-8")
    with KnowledgeBase.create(root / "kb", Settings(kb=root / "kb")) as knowledge_base:
        knowledge_base.add([root / "docs"])
        yield knowledge_base


def test_an_answer_cites_the_page(towers: KnowledgeBase, capsys: pytest.CaptureFixture[str]) -> None:
    answer = towers.ask(QUESTION)
    assert answer.answer.startswith("31 m")
    first = answer.citations[0]
    assert first.page == 2 and "31 m" in first.quote
    assert asdict(answer)["citations"][0]["page"] == 2
    show_answer(answer)
    assert "Heights, page 2\n" in capsys.readouterr().out


def test_documents_without_pages_cite_none(towers: KnowledgeBase, capsys: pytest.CaptureFixture[str]) -> None:
    answer = towers.ask("How tall is Holm Mill?")
    assert answer.answer.startswith("14 m") and answer.citations[0].page is None
    show_answer(answer)
    assert "page" not in capsys.readouterr().out.split("SPARQL")[0]


def test_evidence_says_its_page(towers: KnowledgeBase) -> None:
    found = {(row["exact"].value, row["page"].value) for row in towers.query(BY_PAGE)}
    assert {("Ida Moll", "1"), ("2 t", "3")} <= found
    assert not any(value == "14 m" for value, _ in found)


def test_the_server_gives_the_page(towers: KnowledgeBase) -> None:
    with TestClient(create_app(towers, Settings(kb=Path(towers.path)))) as client:
        reply = client.post("/ask", json={"question": QUESTION}).json()
    assert reply["citations"][0]["page"] == 2


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_every_block_is_on_its_page(advances: list[int]) -> None:
    page, blocks, stated = 1, [], []
    for number, advance in enumerate(advances):
        page += advance
        start = 10 * number
        inline = Inline("x" * 8, (Run(0, start, 8, 8),))
        blocks.append(Block(BlockKind.PARAGRAPH, start, start + 8, inline, info=f"page {page}"))
        stated.append(page)
    metadata = ((PAGE_STARTS, page_starts(blocks, page)),)
    assert [page_at(metadata, block.start) for block in blocks[1:]] == stated[1:]
    assert [page_at(metadata, block.end - 1) for block in blocks[1:]] == stated[1:]


def test_what_has_no_pages() -> None:
    assert page_at((), 5) is None and page_at((("author", "A"),), 0) is None

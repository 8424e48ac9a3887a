"""The retrievers on the page about frameworks, run as they stand there; skipped where the framework isn't installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kg.knowledge_base import KnowledgeBase
from tests.docs.pages import DOCS
from tests.lighthouses import write

PAGE = (DOCS / "how-to" / "frameworks.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```py\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
QUESTION = "Who paid for the tunnel?"


@pytest.mark.parametrize(("framework", "block"), list(zip(["langchain_core", "llama_index.core"], BLOCKS, strict=True)))
def test_passages_are_retrieved(framework: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(framework, reason=f"{framework} isn't installed: pip install 'citegraph[frameworks]'")
    monkeypatch.chdir(tmp_path)
    KnowledgeBase.build("kb", [write(tmp_path / "docs")])
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(block, "frameworks.md", "exec"), names)
    with KnowledgeBase.open("kb") as kb:
        expected = [(hit.passage.id, hit.passage.text, hit.passage.document) for hit in kb.search(QUESTION, 5)]
    found = [getattr(each, "node", each) for each in names["found"]]
    texts = [(getattr(each, "page_content", None) or each.get_content(), each.metadata["document"]) for each in found]
    assert texts == [(text, document) for _, text, document in expected] and texts
    assert [getattr(each, "id_", None) or each.id for each in found] == [id_ for id_, _, _ in expected]


def test_a_retriever_takes_ten_lines_or_so() -> None:
    assert all(len([line for line in block.splitlines() if line.strip()]) <= 12 for block in BLOCKS)


def test_passages_are_found_in_milvus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("pymilvus", "milvus_lite"):
        pytest.importorskip(package, reason=f"{package} isn't installed: pip install 'citegraph[engines]'")
    (block,) = re.findall(r"^```py\n(.*?)^```", (DOCS / "how-to" / "milvus.md").read_text("utf-8"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    KnowledgeBase.build("kb", [write(tmp_path / "docs")])
    exec(block.replace("railways.md", "lights.md").replace("Who paid for the tunnel?", "height"), {})
    with KnowledgeBase.open("kb") as kb:
        (own,) = [id_ for id_ in kb.snapshot.manifest.documents if "lights" in id_]
        expected = [
            f"{hit.id} {hit.score}"
            for hit in kb.snapshot.indexes.passages.search("height", 50)
            if kb.snapshot.passages[hit.id].document == own
        ]
    assert own == "lights.md" and capsys.readouterr().out.splitlines() == expected[:5] != []

"""What ``import kg`` offers: names, rows, frames, rdflib and HTML for notebooks."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import rdflib

import kg
from kg import KnowledgeBase
from kg.notebook_html import table

from .lighthouses import write


@pytest.fixture(scope="module")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    root = tmp_path_factory.mktemp("package")
    with KnowledgeBase.create(root / "kb") as knowledge_base:
        knowledge_base.add([write(root / "docs")])
        yield knowledge_base


def test_everything_listed_is_there_and_nothing_else() -> None:
    assert dir(kg) == sorted(kg.__all__)
    assert all(getattr(kg, name) is not None for name in kg.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Knowledge'"):
        kg.Knowledge  # noqa: B018


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = "import sys, kg; print(any(m in sys.modules for m in ('numpy', 'pyoxigraph', 'pydantic', 'torch')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_rows_and_frames_of_one_query_agree(lights: KnowledgeBase) -> None:
    query = "SELECT (COUNT(DISTINCT ?c) AS ?claims) WHERE { ?c a kg:Claim }"
    (row,) = lights.rows(query)
    assert row["claims"] == lights.stats()["claims"] > 0
    assert lights.frame(query)["claims"].tolist() == [row["claims"]]
    assert list(lights.frame("SELECT ?nothing WHERE { <urn:x> <urn:y> ?nothing }").columns) == ["nothing"]


def test_the_graph_is_an_rdflib_dataset(lights: KnowledgeBase) -> None:
    dataset = lights.rdf()
    assert len(dataset.default_graph) == lights.stats()["triples"]
    labels = {str(o) for o in dataset.default_graph.objects(None, rdflib.RDFS.label)}
    assert "Corran Head Light" in labels
    stream = io.BytesIO()
    lights.export(stream, "nt")
    assert len(rdflib.Graph().parse(data=stream.getvalue(), format="nt")) == len(dataset.default_graph)


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.marked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "mark":
            self.marked.append(data)


def test_answers_show_themselves_with_the_quote_marked(lights: KnowledgeBase) -> None:
    answer = lights.ask("Who built Corran Head Light?")
    page = _Texts()
    page.feed(answer._repr_html_())
    assert answer.status == "answered" and "Elspeth Marr" in answer.answer
    assert page.marked[0] == answer.citations[0].quote
    assert "script" not in page.tags


def test_explanations_show_their_claims(lights: KnowledgeBase) -> None:
    shown = lights.explain("Saltmouth Beacon")._repr_html_()
    assert "Saltmouth Beacon" in shown and "estimated" in shown


def test_what_documents_say_is_escaped() -> None:
    assert "<script>" not in table(["<b>"], [["<script>alert(1)</script>", None]])


def test_doctests_of_the_package() -> None:
    import doctest

    import kg.results

    for module in (kg, kg.results):
        assert doctest.testmod(module).failed == 0
        assert doctest.testmod(module).attempted > 0


def test_a_folder_without_a_knowledge_base_is_refused(tmp_path: Path) -> None:
    with pytest.raises(kg.CitegraphError):
        KnowledgeBase.open(tmp_path / "none")

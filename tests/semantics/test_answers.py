"""`kg build --graph` and `kg ask`: RDF with no documents, answers that cite triples; RDF beside documents."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from typer.testing import CliRunner

from kg.cli import app
from kg.errors import BadInput
from kg.knowledge_base import KnowledgeBase
from kg.semantics.sources import quads, read
from tests.semantics.world import SHIPS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph")
    file = path / "ships.ttl"
    file.write_text(SHIPS, encoding="utf-8")
    result = CliRunner().invoke(app, ["build", "--graph", str(file), "--kb", str(path / "kb")])
    assert result.exit_code == 0, result.output
    assert "triples of ships.ttl" in " ".join(result.output.split())
    return path


def test_the_answer_its_query_rows_and_triples(folder: Path) -> None:
    with KnowledgeBase.open(folder / "kb") as knowledge_base:
        answer = knowledge_base.ask("Which ships are registered in Veldport?")
        assert answer.status == "answered"
        assert [item.label for item in answer.answers] == ["Heron", "Osprey"]
        assert answer.answers[0].iri == "http://example.com/ships/heron"
        assert answer.answer.startswith("Heron, Osprey. Read as: ")
        assert answer.sparql is not None
        assert answer.bindings is not None
        assert [row[0] for row in knowledge_base.query(answer.sparql)] == [
            ox.NamedNode("http://example.com/ships/heron"),
            ox.NamedNode("http://example.com/ships/osprey"),
        ]
        cited = [c.text for c in answer.citations]
        ship = "<http://example.com/ships/{}>"
        assert f"{ship.format('heron')} {ship.format('registeredIn')} {ship.format('veldport')} ." in cited
        for citation in answer.citations:
            assert citation.text[citation.start : citation.end] == citation.quote
        every = {f"{q.subject} {q.predicate} {q.object} ." for q in knowledge_base.snapshot.store.quads()}
        assert set(cited) <= every


def test_counts_truths_and_nothing(folder: Path) -> None:
    with KnowledgeBase.open(folder / "kb") as knowledge_base:
        assert knowledge_base.ask("How many ships are there?").answer.startswith("4. ")
        assert knowledge_base.ask("Is the Heron registered in Veldport?").answer.startswith("Yes")
        assert knowledge_base.ask("Is the Heron registered in Lume?").answer.startswith("No")
        assert knowledge_base.ask("Which ships are registered in Quill?").answer.startswith("None")


def test_what_the_graph_does_not_hold_is_declined(folder: Path) -> None:
    with KnowledgeBase.open(folder / "kb") as knowledge_base:
        answer = knowledge_base.ask("What is the price of the Heron?")
        assert (answer.status, answer.reason) == ("abstained", "unknown_relation")
        assert answer.citations == ()
        assert "price" in answer.answer


def test_a_follow_up_and_what_is_taken_for_granted(folder: Path) -> None:
    with KnowledgeBase.open(folder / "kb") as knowledge_base:
        history = [{"question": "What is the tonnage of the Heron?", "answer": "4,000"}]
        answer = knowledge_base.ask("And the Osprey?", history)
        assert [item.value for item in answer.answers] == ["9000"]
        declined = knowledge_base.ask("Who is the mentor of Ada Thorne?")
        assert (declined.status, declined.reason) == ("abstained", "no_evidence")
        assert "the graph holds no “mentor” of Ada Thorne" in declined.answer


def test_the_command_gives_json(folder: Path) -> None:
    result = CliRunner().invoke(app, ["ask", "What is the deepest sea?", "--json", "--kb", str(folder / "kb")])
    assert result.exit_code == 0
    assert json.loads(result.output)["answers"][0]["label"] == "Brine Sea"


def test_files_given_again_replace_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "g.nt"
    file.write_text("<http://e.com/a> <http://e.com/p> <http://e.com/b> .\n", encoding="utf-8")
    assert KnowledgeBase.build_graph(tmp_path / "kb", [file]) == 1
    file.write_text("<http://e.com/a> <http://e.com/p> <http://e.com/c> .\n", encoding="utf-8")
    KnowledgeBase.build_graph(tmp_path / "kb", [file])
    with KnowledgeBase.open(tmp_path / "kb") as knowledge_base:
        assert [str(q.object) for q in knowledge_base.snapshot.store.quads()] == ["<http://e.com/c>"]


def test_beside_documents_a_graph_is_peoples_own(tmp_path: Path) -> None:
    document, file = tmp_path / "note.md", tmp_path / "ships.ttl"
    document.write_text("# Lighthouses\n\nThe lighthouse of Marrow Point was built in 1871.\n", encoding="utf-8")
    file.write_text(SHIPS, encoding="utf-8")
    KnowledgeBase.build(tmp_path / "kb", [document])
    KnowledgeBase.build_graph(tmp_path / "kb", [file])
    with KnowledgeBase.open(tmp_path / "kb") as knowledge_base:
        answer = knowledge_base.ask("Which ships are registered in Veldport?")
        assert [item.label for item in answer.answers] == ["Heron", "Osprey"]
        assert answer.sparql is not None
        assert "FROM <" in answer.sparql
        told = knowledge_base.ask("When was the lighthouse of Marrow Point built?")
        assert "1871" in told.answer


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("g.txt", "", "no suffix"),
        ("g.ttl", "<a> <b>", "is no"),
        ("g.rdf", '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x "y">]><r/>', "document type"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, text: str, why: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        read(path, "http://example.com/")
    with pytest.raises(BadInput, match=why):
        KnowledgeBase.build_graph(tmp_path / "kb", [path])
    assert not (tmp_path / "kb").exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="can't be read"):
        read(tmp_path / "none.ttl", "http://example.com/")


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    for name in ("a.nt", "b.nt"):
        (tmp_path / name).write_text("_:x <http://e.com/p> _:x .\n", encoding="utf-8")
    made = list(quads([tmp_path / "a.nt", tmp_path / "b.nt"], ox.DefaultGraph(), "http://e.com/"))
    assert len({q.subject for q in made}) == 2
    assert all(q.subject == q.object for q in made)


def test_building_nothing_is_a_mistake_of_usage() -> None:
    assert CliRunner().invoke(app, ["build"]).exit_code == 2

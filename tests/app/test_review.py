"""Reviewers' decisions: respected from then on, through rebuilds, and taken back without a trace."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.cli import app
from kg.decisions import Accept, Merge, Reject
from kg.errors import NotFound
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

DOCUMENTS = {
    "kilns.md": "# Kilns\n\n| Kiln | Chambers |\n|---|---|\n| Brook Kiln | 4 |\n| Old Kiln at Brook | 5 |\n",
    "rumours.md": "# Rumours\n\n## Brook Kiln\n\n- **Depth**: probably 9 m\n",
}
ASSERTED = """PREFIX kg: <https://w3id.org/citegraph/kg#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
SELECT ?claim ?asserted WHERE {
  ?claim kg:statedValue ?value ; kg:asserted ?asserted FILTER(STRSTARTS(?value, "%s")) }"""
KILNS = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT DISTINCT ?x WHERE { ?x ?p ?v ; rdfs:label|<http://www.w3.org/2004/02/skos/core#altLabel> ?l
  FILTER(CONTAINS(?l, "Kiln") && CONTAINS(?l, "Brook") && CONTAINS(STR(?x), "/entity/")) }"""


@pytest.fixture
def kb(tmp_path: Path) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path / "kb", Settings(build={"ontology": ()}))
    for name, text in DOCUMENTS.items():
        kb.put(text.encode(), name)
    return kb


def exported(kb: KnowledgeBase) -> bytes:
    stream = io.BytesIO()
    kb.export(stream, "nq")
    return stream.getvalue()


def claim(kb: KnowledgeBase, value: str) -> tuple[str, bool]:
    (row,) = list(kb.query(ASSERTED % value))
    return row["claim"].value.rsplit("/", 1)[1], row["asserted"].value == "true"


def test_a_rejected_claim_is_no_fact_until_the_decision_is_taken_back(kb: KnowledgeBase) -> None:
    before = exported(kb)
    id_, asserted = claim(kb, "4")
    assert asserted
    kb.decide(Reject(id_))
    assert claim(kb, "4") == (id_, False)
    kb.put(b"# More\n\nText.\n", "more.md")
    assert claim(kb, "4") == (id_, False)
    kb.remove(["more.md"])
    kb.undo(Reject(id_))
    assert exported(kb) == before


def test_an_accepted_guess_becomes_a_fact(kb: KnowledgeBase) -> None:
    id_, asserted = claim(kb, "9")
    assert not asserted
    kb.decide(Accept(id_))
    assert claim(kb, "9") == (id_, True)


def test_the_commands_decide_and_take_back(kb: KnowledgeBase) -> None:
    id_, _ = claim(kb, "4")
    folder = ["--kb", str(kb.path)]
    assert CliRunner().invoke(app, ["reject", id_, *folder]).stdout == "1 decision in force\n"
    kb.refresh()
    assert claim(kb, "4") == (id_, False)
    assert CliRunner().invoke(app, ["reject", id_, "--undo", *folder]).stdout == "0 decisions in force\n"
    refused = CliRunner().invoke(app, ["accept", "no-such-claim", *folder])
    assert isinstance(refused.exception, NotFound)


def test_merged_names_are_one_entity_and_kg_explain_says_why(kb: KnowledgeBase) -> None:
    assert len(list(kb.query(KILNS))) == 2
    kb.decide(Merge("Brook Kiln", "Old Kiln at Brook"))
    assert len(list(kb.query(KILNS))) == 1
    explained = kb.explain("Brook Kiln")
    assert any("Old Kiln at Brook" in why for why in explained.merges)
    assert kb.check().problems == ()


def test_refuses_to_take_back_what_was_never_decided(kb: KnowledgeBase) -> None:
    before = exported(kb)
    with pytest.raises(NotFound, match="no decision to reject claim"):
        kb.undo(Reject("nothing"))
    assert exported(kb) == before


def test_decisions_in_force_are_listed(kb: KnowledgeBase) -> None:
    def listed() -> list[str]:
        return CliRunner().invoke(app, ["decisions", "--kb", str(kb.path)]).stdout.splitlines()

    assert listed() == ["No decision is in force."]
    depth, chambers = claim(kb, "9 m")[0], claim(kb, "4")[0]
    kb.decide(Reject(depth), Accept(chambers), Merge("Brook Kiln", "Old Kiln at Brook"))
    kb.remove(["rumours.md"])
    assert listed() == [
        f"accept claim {chambers}: Old Kiln at Brook – Chambers – 4",
        "merge “Brook Kiln” and “Old Kiln at Brook”",
        f"reject claim {depth}: no document says it now",
    ]

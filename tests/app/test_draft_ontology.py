"""Open properties as an ontology: what is drafted, and that building with it turns open properties into typed ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.app.draft_ontology import NAMESPACE, draft
from kg.cli import app
from kg.knowledge_base import KnowledgeBase
from kg.model import Claim, Quantity
from kg.ontology import Ontology, load
from kg.records import Record
from kg.settings import Settings
from kg.workers.pipeline import make_record
from tests import lighthouses

BOATS = """# Fleet

| Boat | Length | Crew | Built | Refitted | Skipper | Motto |
|---|---|---|---|---|---|---|
| Isla Bay | 24.5 m | 6 | 1987 | yes | Ada Wren | never late, never early |
| Gannet-2 | 12 m | 3 | May 1999 | no | Bo Lund | as the wind wills |
| Skerry Lass | 31 m | 9 | 2004 | no | Cy Orr | home by dusk for tea |
"""
SETTINGS = Settings(build={"ontology": ()})


def record(text: str, name: str = "boats.md", ontology: Ontology | None = None) -> Record:
    return make_record(text.encode(), name, ontology or Ontology.empty(), 10**6)


def drafted(tmp_path: Path, *records: Record) -> Ontology:
    path = tmp_path / "draft.ttl"
    path.write_text(draft(records, Ontology.empty()), encoding="utf-8")
    return load([path])


def claims(found: Record) -> dict[tuple[str, str], Claim]:
    return {
        (c.subject.surface if c.subject.kind == "entity" else c.subject.label, c.predicate.label): c
        for c in found.extraction.claims
    }


def test_forms_units_and_labels_are_inferred(tmp_path: Path) -> None:
    more = record(BOATS.replace("| Length ", "| Lengths "), "more.md")
    found = drafted(tmp_path, record(BOATS), record(BOATS, "other.md"), more)
    by_name = {iri.removeprefix(NAMESPACE): p for iri, p in found.properties.items() if iri.startswith(NAMESPACE)}
    assert by_name["length"].canonical_unit == "M"
    assert (by_name["crew"].datatype or "").endswith("#integer")
    assert by_name["skipper"].values == "entity"
    assert (by_name["motto"].datatype or "").endswith("#string")
    assert (by_name["refitted"].datatype or "").endswith("#boolean")
    assert by_name["length"].alt_labels == ("Lengths",)


def test_building_with_the_draft_types_what_was_open(tmp_path: Path) -> None:
    before = claims(record(BOATS))
    assert all(not claim.predicate.iri for claim in before.values())
    ontology = drafted(tmp_path, record(BOATS))
    after = claims(record(BOATS, ontology=ontology))
    assert set(after) == set(before)
    for key, claim in after.items():
        assert claim.predicate.iri.startswith(NAMESPACE), key
        assert claim.object == before[key].object
    length = after["Isla Bay", "Length"].object
    assert isinstance(length, Quantity) and (str(length.value), length.unit) == ("24.5", "M")


def test_a_draft_is_the_same_for_any_order_and_counts_the_most_frequent_first() -> None:
    lights, keepers = (record(text, name) for name, text in lighthouses.DOCUMENTS.items())
    text = draft([lights, keepers], Ontology.empty())
    assert draft([keepers, lights], Ontology.empty()) == text
    assert text.index('rdfs:label "Height"') < text.index('rdfs:label "First lit"')
    assert "# Corran Head Light: 38 m\n" in text
    assert "no open properties" in draft([], Ontology.empty())


def test_names_are_ascii_and_distinct(tmp_path: Path) -> None:
    text = "# Ofen 3\n\n- **Größe**: 3 m\n- **1931**: Ada Wren\n- **Rye/Spelt**: 2 kg\n- **Rye Spelt**: 3 kg\n"
    found = drafted(tmp_path, record(text))
    names = [iri.removeprefix(NAMESPACE) for iri in found.properties if iri.startswith(NAMESPACE)]
    assert names and all(name.isascii() and name.isalnum() for name in names)
    assert "Größe" in {p.label for p in found.properties.values()}


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    monkeypatch.chdir(tmp_path)
    docs = lighthouses.write(tmp_path / "docs")
    KnowledgeBase.create(tmp_path / "kb", SETTINGS).add([docs])
    result = CliRunner().invoke(app, ["draft-ontology", "--kb", str(tmp_path / "kb"), "-o", "mine.ttl"])
    assert result.exit_code == 0, result.output
    typed = KnowledgeBase.create(tmp_path / "typed", Settings(build={"ontology": (Path("mine.ttl"),)}))
    typed.add([docs])
    query = f"SELECT ?n WHERE {{ ?light <{NAMESPACE}keepers> ?n ; <http://www.w3.org/2000/01/rdf-schema#label> ?l "
    rows = list(typed.query(query + 'FILTER(?l = "Gannet Rock Light") }'))
    assert [row["n"].value for row in rows] == ["4"]

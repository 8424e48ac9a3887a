"""Claims as CSV."""

from __future__ import annotations

import csv
import io

import pytest

from kg.app.serialise import COLUMNS
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from tests import lighthouses


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("csv")
    kb = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": ()}))
    crew = {"crew.md": "# Corran Head Light\n\n- **Keeper**: Ada Wren\n"}
    kb.add([lighthouses.write(folder / "docs", {**lighthouses.DOCUMENTS, **crew})])
    return kb


def rows(kb: KnowledgeBase) -> list[dict[str, str]]:
    stream = io.BytesIO()
    kb.export(stream, "csv")
    return list(csv.DictReader(io.StringIO(stream.getvalue().decode("utf-8"), newline="")))


def test_one_row_a_claim_with_its_evidence(kb: KnowledgeBase) -> None:
    found = rows(kb)
    assert len(found) == len({row["claim"] for row in found}) == kb.stats()["claims"]
    row = next(r for r in found if r["document"] == "keepers.md" and r["property"] == "Height")
    shown = {name: row[name] for name in ("subject", "value", "unit", "lower", "upper", "status", "asserted")}
    assert shown == {
        "subject": "Saltmouth Beacon",
        "value": "26",
        "unit": "M",
        "lower": "26",
        "upper": "26",
        "status": "estimated",
        "asserted": "true",
    }
    assert row["heading"] == "Keepers' Handbook > Saltmouth Beacon"


def test_quotes_stand_where_the_row_says(kb: KnowledgeBase) -> None:
    for row in rows(kb):
        text = kb.document(row["document"])[1]
        assert text[int(row["start"]) : int(row["end"])] == row["quote"]


def test_rows_are_in_document_order_and_have_every_column(kb: KnowledgeBase) -> None:
    found = rows(kb)
    assert tuple(found[0]) == COLUMNS
    places = [(row["document"], int(row["start"])) for row in found]
    assert places == sorted(places)
    named = [row for row in found if row["value_iri"]]
    assert named and all(row["value"] and not row["value"].startswith("http") for row in named)

"""One document in every format gives the same claims, less what a format can't say."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from kg.model import Claim, EntityName
from kg.ontology import Ontology
from kg.workers.pipeline import make_record
from tests.readers import ferries, windmills

FILES = windmills.all_formats()
# Plain text knows no tables; CSV knows nothing else.
LOST = {"mills.txt": "table", "mills.csv": "list"}
OF_PROSE = {"built by", "built in", "grinds"}
OF_LIST = {"Sails", "Miller", "Equipment", "pairs of millstones"}


@cache
def claims(name: str) -> Counter[tuple[str, str, str, str]]:
    record = make_record(FILES[name], name, Ontology.empty(), 10_000_000)
    return Counter(_signature(claim) for claim in record.extraction.claims)


def _signature(claim: Claim) -> tuple[str, str, str, str]:
    subject = claim.subject.surface if isinstance(claim.subject, EntityName) else claim.subject.label
    value = getattr(claim.object, "stated", "") or getattr(claim.object, "surface", "") or str(claim.object)
    return subject, claim.predicate.label, value, claim.hedge.status.value


def test_the_document_says_what_it_is_meant_to() -> None:
    assert claims("mills.md")["Skovlund Mill", "Sails", "4", "stated"] == 1
    assert claims("mills.md")["Norrevang Mill", "Built", "1901", "stated"] == 1
    assert sum(claims("mills.md").values()) >= 13


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_same_claims_from_every_format(name: str) -> None:
    wanted = claims("mills.md")
    lost = LOST.get(name)
    if lost == "table":
        wanted = Counter(
            {c: n for c, n in wanted.items() if c[0] == "Skovlund Mill" and c[1] not in ("Built", "Stones")}
        )
        wanted["Skovlund Mill", "Height", "21 m", "stated"] = 1
    elif lost == "list":
        wanted = Counter({c: n for c, n in wanted.items() if c[1] not in OF_LIST | OF_PROSE})
        wanted["Skovlund Mill", "Height", "21 m", "stated"] = 1
    assert claims(name) == wanted


@pytest.mark.parametrize("name", sorted(FILES))
def test_evidence_is_where_it_says(name: str) -> None:
    record = make_record(FILES[name], name, Ontology.empty(), 10_000_000)
    assert record.extraction.claims
    for claim in record.extraction.claims:
        for evidence in claim.evidence:
            assert record.document.text[evidence.start : evidence.end] == evidence.exact


FERRY_SHAPES = {
    ("MV Tern", "Launched", "14 May 1987"),
    ("MV Skua", "Passengers", "~400"),
    ("MV Gannet", "Builder", "Orr Yard"),
}


def test_a_document_of_many_shapes_has_its_facts() -> None:
    found = ferries.facts("md")
    assert len(found) >= 25 and found >= FERRY_SHAPES
    assert {property_ for _, property_, _ in found} >= {"Decks", "Engines", "definition"}


@pytest.mark.parametrize("format", sorted(ferries.FILES))
def test_many_shapes_give_the_same_facts_in_each_format(format: str) -> None:
    wanted, found = ferries.facts("md"), ferries.facts(format)
    assert found <= wanted
    assert [fact for fact in sorted(wanted - found) if not ferries.reason(format, fact)] == []
    assert len(found) == (16 if format == "csv" else len(wanted))

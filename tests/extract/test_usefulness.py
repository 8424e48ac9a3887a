"""Claims that tell a reader nothing are refused, with the reason; with an ontology none is."""

from __future__ import annotations

from collections import Counter

import pytest

from kg.extract.source import Source
from kg.extract.usefulness import LEAST, Judge
from kg.namespaces import document_slug
from kg.ontology import Ontology
from kg.readers import read
from kg.text.passages import split
from tests.extract.reading import extraction, facts, ontology

REASON = "it is judged to tell a reader nothing"
STEPS = """# Corran Light

- Height: 38 m

## Links

- [Keepers](https://corran.example/keepers)
- [Photos](photos.md)
- [Calendar](calendar.md)
"""


def test_links_of_a_page_are_refused_with_the_reason_and_its_facts_kept() -> None:
    _, found = extraction(STEPS)
    assert ("Corran Light", "Height", "38 M") in facts(STEPS)
    assert [c.predicate.label for c in found.claims] == ["Height"]
    assert {r.reason for r in found.rejected} == {REASON}


def test_with_an_ontology_nothing_is_judged() -> None:
    known = ontology(':height a owl:DatatypeProperty ; rdfs:label "height" ; rdfs:range xsd:decimal .')
    assert REASON not in {r.reason for r in extraction(STEPS, known=known)[1].rejected}


def test_values_that_are_not_disclosed_are_not_judged() -> None:
    _, found = extraction("# Corran Light\n\n## Not disclosed\n\n- The price\n- Any crew size\n")
    assert {c.predicate.label for c in found.claims if c.object is None} == {"price", "crew size"}


LISTS = """# Aurelia

- **Harbours**: Larn, Skelby, Orra and Tunnock
- **Crew**: Ada Wren, Bo Ray and whoever is there
- **See**: this, that and the other
"""


def test_a_list_is_kept_or_refused_as_a_whole() -> None:
    _, found = extraction(LISTS)
    kept = Counter(c.predicate.label for c in found.claims)
    refused = Counter(LISTS[: r.start].rpartition("**")[0].rpartition("**")[2] for r in found.rejected)
    assert kept["Harbours"] == 4
    assert not kept.keys() & refused.keys()


def _features(text: str) -> list[tuple[str, set[str], float]]:
    document = read(text.encode(), "notes.md")
    passages = split(document, document_slug("notes.md"))
    claims = extraction(text)[1].claims
    judge = Judge(Source(document, "notes", passages, Ontology.empty()), claims)
    return [(c.predicate.label, set(judge.features(c)), judge.likely(c)) for c in claims]


def test_features_tell_where_a_claim_stands_and_what_is_like_it() -> None:
    ((label, features, likely),) = _features("# Corran Light\n\n- Height: 38 m\n")
    assert label == "Height" and likely >= LEAST
    assert {
        "by keyvalues",
        "subject is heading 1 up, of level 1",
        "subject is whole heading NAMED",
        "claims of both 1",
        "predicate stands in block",
        "value before 0 words",
    } <= features
    assert not features & {"subject unbalanced", "caption", "value is property"}


def test_a_column_of_a_table_is_kept_whole_or_not_at_all() -> None:
    rows = "".join(
        f"| {n} | Fish Quay | {60 + 5 * n} | {n / 2 + 3} | {30 + n} | nets, ice | yes |\n" for n in range(1, 9)
    )
    head = "| Berth | Quay | Length (m) | Depth (m) | Largest ship (m) | Used for | Power |\n" + "|---" * 7 + "|\n"
    found = extraction(f"# Berths of Skerrow\n\n## Table of berths\n\n{head}{rows}")[1]
    kept = Counter(c.predicate.label for c in found.claims if "tables" in c.extractors)
    assert {kept[name] for name in ("Quay", "Length", "Depth", "Largest ship", "Used for", "Power")} == {8}


def test_what_a_clause_proposes_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judge, "likely", lambda *_: 0.0)
    text = "# Corran Light\n\nCorran Light was built by Ada Wren in 1871.\n\n- Height: 38 m\n- Colour: red\n"
    assert {c.extractors for c in extraction(text)[1].claims} == {("propositions",)}


def test_records_are_kept_without_being_judged_and_nothing_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judge, "likely", lambda *_: 0.0)
    boats = "".join(
        f"{name}\nBuilt: {year}\nDecks: {year % 7}\nShe lies at the quay of Skelby.\n\n"
        for name, year in (("elsa", 1931), ("gull", 1940), ("tern", 1952))
    )
    found = extraction(f"{boats}Harbour: Skelby\n\n", "boats.txt")[1]
    assert {(c.predicate.label, c.extractors) for c in found.claims} == {
        ("Decks", ("keyvalues",)),
        ("Built", ("keyvalues",)),
    }


def test_an_item_stands_with_its_list() -> None:
    text = "# Lentil soup\n\n### Ingredients\n\n- 250 g red lentils\n- 2 carrots\n- 1 onion\n- 1.2 l vegetable stock\n"
    assert {p for s, p, _ in facts(text) if s == "Lentil soup"} == {
        "red lentils",
        "carrots",
        "onion",
        "vegetable stock",
    }

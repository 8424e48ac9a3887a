"""Citation lines, lists of sources and links to other notes."""

from __future__ import annotations

from tests.extract.reading import claims, facts, ontology

LINE = """# Corran Head

## Kappa-3 (May 2020)

- **Load**: 40 t

Source: [Minutes of the Harbour Board (June 2020)](https://a.example/minutes), [The Courier](https://b.example/winch)
"""


def test_a_source_line_is_what_its_section_rests_on() -> None:
    found = facts(LINE)
    assert {
        ("Kappa-3", "source", "Minutes of the Harbour Board (June 2020)"),
        ("Kappa-3", "source", "The Courier"),
        ("Minutes of the Harbour Board (June 2020)", "url", "https://a.example/minutes"),
        ("Minutes of the Harbour Board (June 2020)", "issued", "2020-06"),
    } <= found
    # An address is no paper's own: only the article's, which the line doesn't name.
    assert ("The Courier", "url", "https://b.example/winch") not in found
    assert ("Kappa-3", "source", "https://b.example/winch") in found


def test_evidence_of_an_address_is_the_address_itself() -> None:
    claim = claims(LINE)["Minutes of the Harbour Board (June 2020)", "url", "https://a.example/minutes"]
    assert [e.exact for e in claim.evidence if e.role.value == "value"] == ["https://a.example/minutes"]


def test_publisher_identifier_and_gloss_of_a_listed_work() -> None:
    text = """# Corran Head

**Sources:**

- ["Keeping the Light at Corran"](https://a.example/k) (Harbour Press, Jan 2021)
- [On the Drift of Sands (arXiv:1906.01234)](https://b.example/s) — a paper with Ada Wren
"""
    found = facts(text)
    assert {
        ("Corran Head", "source", "Keeping the Light at Corran"),
        ("Keeping the Light at Corran", "publisher", "Harbour Press"),
        ("Keeping the Light at Corran", "issued", "2021-01"),
        ("On the Drift of Sands (arXiv:1906.01234)", "identifier", "arXiv:1906.01234"),
        ("On the Drift of Sands (arXiv:1906.01234)", "description", "a paper with Ada Wren"),
    } <= found


FLATTENED = """The Corran Works

We use Winchmaster and Rigtool. Lately Sailwise came too.

Sources

  1. https://a.example/one
    1. Winchmaster: https://b.example/winch
    2. Rigtool
      1. https://c.example/rig
      2. https://d.example/rig
  2. Sailwise 1. https://e.example/sail 2. https://f.example/sail
    1. https://g.example/lost
    1. https://h.example/lost
"""


def test_a_broken_list_of_sources_is_read_by_its_topics() -> None:
    known = ontology(':winch a owl:DatatypeProperty ; rdfs:label "winch" .')  # so that nothing is judged by its form
    found = {(s, value) for s, predicate, value in facts(FLATTENED, "page.txt", known=known) if predicate == "source"}
    assert {
        ("Winchmaster", "https://b.example/winch"),
        ("Rigtool", "https://c.example/rig"),
        ("Rigtool", "https://d.example/rig"),
        ("Sailwise", "https://e.example/sail"),
        ("Sailwise", "https://f.example/sail"),
        ("Sailwise", "https://g.example/lost"),
    } <= found
    # The second list below Sailwise starts again at 1: it belonged to an item whose own line is lost.
    assert ("Sailwise", "https://h.example/lost") not in found
    assert not any(value == "Rigtool" for _, value in found)


def test_links_to_other_notes() -> None:
    text = """# Corran Head

## Related Notes

- [[coast/lights#Lamps|Lamps of the coast]] --- every lamp since 1801
- [[Drum]]

## People

- **Ada Wren** — keeper since 1990. See [[people/wren|Wren family]].
"""
    found = facts(text)
    assert {
        ("Corran Head", "relation", "Lamps of the coast"),
        ("Lamps of the coast", "identifier", "coast/lights#Lamps"),
        ("Lamps of the coast", "description", "every lamp since 1801"),
        ("Corran Head", "relation", "Drum"),
        ("Ada Wren", "relation", "Wren family"),
    } <= found


def test_columns_of_sources_and_notes_are_of_standard_vocabularies() -> None:
    text = "# Fleet\n\n| Ship | Built | Source | Remarks |\n|---|---|---|---|\n| Isla Bay | 1987 | Yard book | Red |\n"
    assert {("Isla Bay", "source", "Yard book"), ("Isla Bay", "note", "Red")} <= facts(text)
    by_name = claims(text)
    assert by_name["Isla Bay", "source", "Yard book"].predicate.iri == "http://purl.org/dc/terms/source"


def test_footnotes_that_cite_nothing_are_no_sources() -> None:
    text = "# Lamp\n\nIt burns oil.\n\n## Footnotes\n\n1. requires an oil lens\n2. [The Tidings of Kiel Harbour](https://example.org/t)\n"
    assert ("The Tidings of Kiel Harbour", "url", "https://example.org/t") in facts(text)
    assert "requires an oil lens" not in {v for _, _, v in facts(text)}


def test_what_is_named_as_a_source_is_not_its_own() -> None:
    text = "# Corran Light\n\nIt burns oil.\n\n## Sources\n\n- Harbour Board minutes\n- Kiel Gazette\n"
    assert {(s, v) for s, p, v in facts(text) if p == "source"} == {
        ("Corran Light", "Harbour Board minutes"),
        ("Corran Light", "Kiel Gazette"),
    }

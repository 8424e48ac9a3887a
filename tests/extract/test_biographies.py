"""Biographies in bullets: roles with their times, employers, education."""

from __future__ import annotations

from tests.extract.reading import claims, facts, ontology

KNOWN = ontology("""
:Person a owl:Class ; rdfs:label "person" . :Works a owl:Class ; rdfs:label "works" .
:head a owl:ObjectProperty ; rdfs:label "head" ; rdfs:domain :Works ; rdfs:range :Person .
:role a owl:DatatypeProperty ; rdfs:label "role" ; rdfs:domain :Person ; rdfs:range xsd:string .
:at a owl:ObjectProperty ; rdfs:label "works for" ; skos:altLabel "now at" , "joined" ;
  rdfs:domain :Person ; rdfs:range :Works .
:before a owl:ObjectProperty ; rdfs:label "formerly at" ; skos:altLabel "previously at" ;
  rdfs:domain :Person ; rdfs:range :Works .
:studied a owl:ObjectProperty ; rdfs:label "studied at" ; skos:altLabel "PhD from" ; rdfs:domain :Person .
""")
TEXT = """# Works

- **Head**: Ada Wren
- **Head**: Bo Lund

## People

- **Ada Wren** — Director of Lamps (May 1901), then Chief Engineer (March 1910). Previously at Drum Harbour.
- **Bo Lund** — lamp trimmer. PhD from University of Kiel in optics. Built the lamp, joined Fastnet Works in 1903.
"""


def test_titles_one_after_the_other_hold_until_the_next() -> None:
    found = claims(TEXT, known=KNOWN)
    first, then = found["Ada Wren", "role", "Director of Lamps"], found["Ada Wren", "role", "Chief Engineer"]
    assert first.valid_from and first.valid_until and then.valid_from
    assert (first.valid_from.value, first.valid_until.value, then.valid_from.value) == ("1901-05", "1910-03", "1910-03")
    assert then.valid_until is None


def test_sentences_that_begin_with_a_propertys_name() -> None:
    found = claims(TEXT, known=KNOWN)
    assert {
        ("Ada Wren", "before", "Drum Harbour"),
        ("Bo Lund", "studied", "University of Kiel"),
        ("Bo Lund", "at", "Fastnet Works"),
        ("Bo Lund", "role", "lamp trimmer"),
    } <= set(found)
    joined = found["Bo Lund", "at", "Fastnet Works"].valid_from
    assert joined is not None and joined.value == "1903"


def test_a_name_within_a_longer_noun_is_not_meant() -> None:
    text = TEXT.replace("joined Fastnet Works in 1903", "joined Fastnet Works' choir. Now at Drum Harbour meetings")
    assert not any(subject == "Bo Lund" and predicate == "at" for subject, predicate, _ in facts(text, known=KNOWN))


def test_nothing_is_told_of_what_is_no_person() -> None:
    text = "# Lamps\n\n- **Kappa-3** — a lamp. Now at Drum Harbour.\n"
    assert not {p for _, p, _ in facts(text, known=KNOWN)} & {"at", "before", "role"}

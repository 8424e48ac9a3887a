from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.extract import EXTRACTORS
from tests.extract.reading import claims, extraction, ontology
from tests.strategies import documents

NAMES = ["tables", "sources", "keyvalues", "headings", "diagrams", "commands", "definitions", "lists"]
NAMES += ["asides", "happenings", "patterns"]


def test_the_registry_is_visible_and_named() -> None:
    assert [e.name for e in EXTRACTORS] == NAMES


def test_two_extractors_one_claim() -> None:
    known = ontology("""
    :Light a owl:Class ; rdfs:label "light" ; kg:namePattern "Light$" .
    :height a owl:DatatypeProperty ; rdfs:label "height" ;
      rdfs:domain :Light ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:M ;
      kg:phrase "{subject} rises {object} height" , "{subject} has {object} height" .
    """)
    text = "# Corran Light\n\n- Has 38 m height\n- 38 m height above the sea\n"
    found = [c for c in extraction(text, known=known)[1].claims if c.predicate.iri.endswith("height")]
    assert len({(c.quote_start, c.stated_value) for c in found}) == len(found)


def test_learnt_classes_reach_names_elsewhere() -> None:
    known = ontology("""
    :Person a owl:Class ; rdfs:label "person" . :Light a owl:Class ; rdfs:label "light" ; kg:namePattern "Light$" .
    :keeper a owl:ObjectProperty ; rdfs:label "keeper" ; rdfs:domain :Light ; rdfs:range :Person .
    :role a owl:DatatypeProperty ; rdfs:label "role" ; rdfs:domain :Person ; rdfs:range xsd:string .
    """)
    text = "# Corran Light\n\n- **Keeper**: Ada Wren\n\n## Crew\n\n- **Ada Wren** — head keeper. Likes fog.\n"
    assert ("Ada Wren", "role", "head keeper") in claims(text, known=known)


@settings(max_examples=60, deadline=None)
@given(documents(), st.sampled_from(["a.md", "a.txt"]))
def test_evidence_is_exact_and_the_same_document_gives_the_same_claims(text: str, name: str) -> None:
    _, found = extraction(text, name)
    assert extraction(text, name)[1] == found
    starts = [min(e.start for e in c.evidence if e.role == "value") for c in found.claims]
    assert starts == sorted(starts)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from(list('ab AB19#*|-:.()\n→`[]"—,$%')), max_size=120))
def test_any_text_is_read(text: str) -> None:
    try:
        extraction(text, "a.md")
    except UnreadableDocument:  # markup without text
        assume(False)

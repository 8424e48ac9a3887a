from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.extract import EXTRACTORS, extract
from kg.extract.build import unquotable
from kg.extract.source import Source
from kg.model import Claim, Passage
from kg.ontology import Ontology
from kg.readers import read
from kg.text.passages import split
from tests.extract.reading import claims, extraction, ontology
from tests.strategies import documents

NAMES = ["tables", "sources", "keyvalues", "headings", "diagrams", "commands", "definitions", "lists"]
NAMES += ["asides", "happenings", "patterns", "propositions"]


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


# --- whatever is claimed can be shown ---

LAMP = "# Lights\n\n| Light | Lit | Keeper |\n|---|---|---|\n| Corran Light | 1871 | Ada Holm |\n"


class Careless:
    """An extractor of somebody's own that repeats a claim with something wrong about its place."""

    name = "careless"

    def __init__(self, **wrong: object) -> None:
        self._wrong = wrong

    def extract(self, source: Source) -> Iterator[Claim]:
        claim = next(c for e in EXTRACTORS for c in e.extract(source) if isinstance(c, Claim))
        yield replace(claim, extractors=(self.name,), stated_value="x", id="claim:careless", **self._wrong)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"passage": "nowhere"}, "names a passage that isn't there"),
        ({"quote_end": 10 * len(LAMP)}, "lies outside its passage"),
        ({"quote_start": 20, "quote_end": 20}, "lies outside its passage"),
        ({"evidence": "moved"}, "isn't the text at"),
    ],
)
def test_a_claim_that_cannot_be_shown_is_rejected_with_the_reason(wrong: dict[str, object], reason: str) -> None:
    document = read(LAMP.encode(), "lamp.md")
    passages = split(document, "lamp-md")
    known = extract(document, "lamp-md", passages, Ontology.empty())
    assert known.claims
    if "evidence" in wrong:
        one = known.claims[0].evidence[0]
        wrong = {"evidence": (replace(one, start=one.start + 1, end=one.end + 1),)}
    found = extract(document, "lamp-md", passages, Ontology.empty(), [Careless(**wrong)])
    assert found.claims == known.claims
    (rejected,) = set(found.rejected) - set(known.rejected)
    assert rejected.extractor == "careless" and reason in rejected.reason and rejected.text == "x"


@given(documents(), st.integers(0, 400), st.integers(1, 400))
def test_a_quotation_never_leaves_its_passage(text: str, start: int, length: int) -> None:
    try:
        document = read(text.encode(), "notes.md")
    except UnreadableDocument:
        return
    passages = split(document, "notes-md")
    assume(passages)
    source = Source(document, "notes-md", tuple(passages), Ontology.empty())
    at = source.passage_at(start)
    begin, end = source.quote(start, start + length)
    assert at.start <= begin <= end
    assert begin == end or end <= at.end
    inside = max(start, at.start) < min(start + length, at.end)
    assert not inside or (begin <= max(start, at.start) and end >= min(start + length, at.end))


def test_evidence_is_compared_with_the_text_itself() -> None:
    document, found = extraction(LAMP)
    claim = found.claims[0]
    whole = Passage(claim.passage, "notes-md", 0, len(document.text), document.text, (), 0)
    assert list(unquotable(claim, whole, document.text)) == []
    (problem,) = set(unquotable(claim, whole, document.text.replace(claim.evidence[-1].exact, "?", 1)))
    assert "isn't the text at" in problem

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.evaluation.claims import read_claims
from benchmarks.whole_graph import build
from kg.graph.literals import date, number, precision_of, unit_node
from kg.graph.provenance import SUPERCLASSES, ResolvedClaim, claim_quads, document_quads, passage_quads
from kg.model import Evidence, Hedge, Mood, Passage, Polarity, Role, Status
from kg.namespaces import DCTERMS, KG, RDF, RDFS, SCHEMA, XSD, Namespaces
from kg.ontology import Ontology, parse, vocabulary
from kg.records import Record, RecordedDocument

from ..making import libraries, ontologies

NS = Namespaces("https://kb.example/")

_texts = st.text(max_size=12)
_slugs = st.from_regex(r"[a-z0-9]{1,12}", fullmatch=True)
_numbers = st.none() | st.decimals(-(10**20), 10**20, allow_nan=False, allow_infinity=False).map(number)
_dates = st.none() | st.sampled_from(("1931", "1931-05", "1931-05-09")).map(lambda v: date(v, precision_of(v)))
_days = st.none() | st.just(ox.Literal("1931-05-09", datatype=ox.NamedNode(XSD + "date")))
_things = _slugs.map(lambda s: ox.NamedNode(NS.entity(s)))
_objects = st.one_of(st.none(), _things, _texts.map(ox.Literal), _numbers, _dates)
_evidence = st.builds(Evidence, st.sampled_from(Role), st.integers(0, 99), st.integers(100, 999), _texts)


@st.composite
def claims(draw: st.DrawFn, id_: str = "c1") -> ResolvedClaim:
    places = draw(st.lists(_evidence, max_size=3, unique_by=lambda e: (e.role, e.start, e.end)))
    return ResolvedClaim(
        id=id_,
        passage=draw(_slugs),
        subject=NS.entity(draw(_slugs)),
        predicate=NS.relation(draw(_slugs)),
        object=draw(_objects),
        evidence=tuple(sorted(places)),
        quote=draw(_texts),
        quote_start=draw(st.integers(0, 99)),
        quote_end=draw(st.integers(100, 999)),
        stated_value=draw(_texts),
        extractors=tuple(sorted(draw(st.lists(_slugs, max_size=2, unique=True)))),
        confidence=Decimal(draw(st.integers(0, 1000))) / 1000,
        asserted=draw(st.booleans()),
        hedge=Hedge(draw(st.sampled_from(Status)), draw(st.sampled_from(Polarity)), draw(st.sampled_from(Mood))),
        rejections=tuple(sorted(draw(st.lists(_texts, max_size=2, unique=True)))),
        lower=draw(_numbers),
        upper=draw(_numbers),
        unit=draw(st.none() | st.just(unit_node("GigaBYTE").value)),
        per=draw(_texts),
        approximate=draw(st.none() | st.booleans()),
        earliest=draw(_days),
        latest=draw(_days),
        valid_from=draw(_dates),
        valid_until=draw(_dates),
        speaker=draw(st.none() | _slugs.map(NS.entity)),
    )


@given(claims(), claims("c2"))
@settings(max_examples=100, deadline=None)
def test_claims_come_back_from_their_quads(one: ResolvedClaim, other: ResolvedClaim) -> None:
    # Evidence nodes belong to a document: two claims may share one, so their texts have to agree.
    same = {(e.role, e.start, e.end): e for e in (*other.evidence, *one.evidence)}
    other = replace(other, evidence=tuple(sorted(same[e.role, e.start, e.end] for e in other.evidence)))
    quads = [*claim_quads(one, "a.md", NS), *claim_quads(other, "a.md", NS)]
    assert read_claims(quads, NS) == (one, other)
    assert read_claims(reversed(quads), NS) == (one, other)
    again = {q for claim in read_claims(quads, NS) for q in claim_quads(claim, "a.md", NS)}
    assert again == set(quads)


@given(libraries(), ontologies)
@settings(max_examples=40, deadline=None)
def test_the_claims_of_a_graph_come_back(records: list[Record], ontology: Ontology) -> None:
    quads = build(records, ontology, (), NS)
    claims = read_claims(quads, NS)
    documents = {c.id: r.document for r in records for c in r.extraction.claims}
    assert {c.id for c in claims} == set(documents)
    written = {q for claim in claims for q in claim_quads(claim, documents[claim.id].id, NS)}
    assert written <= quads
    assert not any("/claim/" in str(q.subject) or "/evidence/" in str(q.subject) for q in quads - written)
    for claim in claims:
        text = documents[claim.id].text
        assert text[claim.quote_start : claim.quote_end] == claim.quote
        assert all(text[e.start : e.end] == e.exact for e in claim.evidence)


def test_two_spans_in_one_place_have_two_nodes() -> None:
    spans = (Evidence(Role.SUBJECT, 0, 4, "Mill"), Evidence(Role.VALUE, 0, 4, "Mill"))
    nodes = {NS.evidence("a.md", e.start, e.end, e.role.value) for e in spans}
    assert len(nodes | {NS.evidence("b.md", 0, 4, "subject")}) == 3


def test_a_document_says_what_its_metadata_says() -> None:
    metadata = (("Author", "Ada Rook"), ("url", "https://corn.example/"), ("shelf", "3"), ("date", " "))
    document = RecordedDocument("a.md", "x/a.md", "", "text/markdown", "0" * 64, "Text", metadata)
    found = {(q.predicate.value, q.object.value) for q in document_quads(document, NS)}
    assert (DCTERMS + "title", "x/a.md") in found, "without a title the path stands for it"
    assert {(DCTERMS + "creator", "Ada Rook"), (SCHEMA + "url", "https://corn.example/")} < found
    assert not any(value in ("3", " ") for _, value in found)


def test_a_passage_without_headings_has_none() -> None:
    predicates = {q.predicate.value for q in passage_quads(Passage("p", "a.md", 0, 4, "Text", (), 0), NS)}
    assert KG + "headings" not in predicates and KG + "order" in predicates


def test_superclasses_and_terms_are_those_of_the_vocabulary() -> None:
    declared = parse([("kg.ttl", vocabulary())])
    for iri, above in SUPERCLASSES.items():
        # The languages that ontologies are written in are nobody's class: rdf:Statement isn't read as one.
        assert {c for c in above if not c.startswith(RDF)} == declared.superclasses(iri) - {iri}
    assert {c for c in declared.classes if c.startswith(KG)} >= set(SUPERCLASSES)


@given(claims())
@settings(max_examples=30, deadline=None)
def test_only_declared_terms_are_written(claim: ResolvedClaim) -> None:
    terms = parse([("kg.ttl", vocabulary())]).triples
    declared = {t.subject.value for t in terms if isinstance(t.subject, ox.NamedNode)}
    quads = list(claim_quads(claim, "a.md", NS))
    nodes = [t.value for q in quads for t in (q.predicate, q.object) if isinstance(t, ox.NamedNode)]
    used = {iri for iri in nodes if iri.startswith(KG)}
    assert used <= declared
    assert {q.predicate.value for q in quads if q.predicate.value.startswith(RDFS)} <= {RDFS + "label"}

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.whole_graph import build
from kg.app.check import validate
from kg.decisions import Accept, Merge, Reject
from kg.model import EntityName, EventName, Hedge, Mood, Participant, Polarity, Status, Text
from kg.namespaces import KG, OWL, PROV, RDF, RDFS, SKOS, XSD, Namespaces
from kg.ontology import Ontology, vocabulary
from kg.records import Record
from kg.stores.oxigraph import OxigraphStore

from ..making import EMPTY, EX, MILLS, Said, libraries, number, ontologies, record, when

NS = Namespaces("https://kb.example/")
DEFAULT = ox.DefaultGraph()
PREFIXES = f"""PREFIX kg: <{KG}> PREFIX rdf: <{RDF}> PREFIX rdfs: <{RDFS}> PREFIX prov: <{PROV}> PREFIX ex: <{EX}>
PREFIX ent: <{NS.entity("")}> PREFIX rel: <{NS.relation("")}> PREFIX skos: <{SKOS}> PREFIX owl: <{OWL}>
PREFIX dcterms: <http://purl.org/dc/terms/> PREFIX qudt: <http://qudt.org/schema/qudt/> PREFIX xsd: <{XSD}>
"""


Decisions = Sequence[Accept | Reject | Merge]


def graph(*records: Record, ontology: Ontology = MILLS, decisions: Decisions = ()) -> frozenset[ox.Quad]:
    return build(records, ontology, decisions, NS)


def rows(quads: Iterable[ox.Quad], query: str) -> list[tuple[str, ...]]:
    store = OxigraphStore()
    store.change((), quads)
    found = store.query(PREFIXES + query)
    assert isinstance(found, ox.QuerySolutions)
    return sorted(tuple(term.value if term else "" for term in row) for row in found)


def ask(quads: Iterable[ox.Quad], query: str) -> bool:
    store = OxigraphStore()
    store.change((), quads)
    return bool(store.query(f"{PREFIXES}ASK {{ {query} }}"))


STONES = Said("Corn Mill", "stones", number("3"))


# --- evidence and counting ---


def test_a_triple_that_two_documents_state_counts_once_and_has_two_graphs() -> None:
    both = graph(record("a", [STONES]), record("b", [STONES]))
    assert rows(both, "SELECT (COUNT(*) AS ?n) (SUM(?o) AS ?sum) { ent:corn-mill ex:stones ?o }") == [("1", "3")]
    assert len(rows(both, "SELECT ?g ?text { GRAPH ?g { ent:corn-mill ex:stones 3 } ?g kg:text ?text }")) == 2
    one = graph(record("b", [STONES]))
    assert rows(one, "SELECT ?o { ent:corn-mill ex:stones ?o }") == [("3",)]
    assert rows(graph(record("c", [Said("Tarn", "mouth", "Sea")])), "SELECT ?o { ?s ex:stones ?o }") == []


def test_a_claim_leads_to_its_words() -> None:
    made = record("a", [Said("Tarn", "mouth", "Sea"), Said("Corn Mill", "height", number("500", "700", "CentiM"))])
    quads = graph(made)
    query = """SELECT ?o ?low ?high ?unit ?stated ?quote ?status ?confidence ?document ?extractor {
        ?c a kg:Claim ; rdf:subject ent:corn-mill ; rdf:predicate ex:height ; rdf:object ?o ; kg:lowerValue ?low ;
        kg:upperValue ?high ; qudt:unit ?unit ; kg:statedValue ?stated ; kg:quote ?quote ; kg:status ?status ;
        kg:confidence ?confidence ; kg:asserted true ; kg:extractor/rdfs:label ?extractor ;
        prov:wasDerivedFrom/dcterms:isPartOf ?document }"""
    unit = "http://qudt.org/vocab/unit/M"
    line = "Corn Mill | height | 500-700 CentiM"
    assert rows(quads, query) == [
        ("5", "5", "7", unit, "500-700 CentiM", line, f"{KG}stated", "0.9", NS.document("a"), "tables")
    ]
    spans = rows(
        quads,
        """SELECT ?role ?exact ?start ?end { ?c rdf:predicate ex:height ; kg:evidence ?e .
        ?e kg:role ?role ; kg:exact ?exact ; kg:start ?start ; kg:end ?end }""",
    )
    text = made.document.text
    assert [(role.removeprefix(KG), exact) for role, exact, _, _ in spans] == [
        ("predicateRole", "height"),
        ("subjectRole", "Corn Mill"),
        ("valueRole", "500-700 CentiM"),
    ]
    assert all(text[int(start) : int(end)] == exact for _, exact, start, end in spans)


# --- what is asserted ---


@pytest.mark.parametrize(
    ("prop", "hedge", "asserted"),
    [
        ("stones", Hedge(), True),
        ("stones", Hedge(Status.CONFIRMED), True),
        ("stones", Hedge(Status.ESTIMATED), True),
        ("stones", Hedge(Status.LEAKED), True),
        ("stones", Hedge(Status.PLANNED), False),
        ("capacity", Hedge(Status.PLANNED), True),
        ("capacity", Hedge(Status.PLANNED, mood=Mood.HYPOTHETICAL), False),
        ("Wheels", Hedge(Status.PLANNED), False),
        ("Wheels", Hedge(), True),
        ("stones", Hedge(Status.GUESSED), False),
        ("stones", Hedge(polarity=Polarity.NEGATED), False),
        ("stones", Hedge(mood=Mood.HYPOTHETICAL), False),
        ("stones", Hedge(mood=Mood.ALTERNATIVE), False),
    ],
)
def test_standing_decides_what_is_asserted(prop: str, hedge: Hedge, asserted: bool) -> None:
    unit = "KiloGM" if prop == "capacity" else None
    quads = graph(record("a", [Said("Corn Mill", prop, number("3", unit=unit), hedge)]))
    assert ask(quads, "?c a kg:Claim ; kg:asserted true") is asserted
    assert ask(quads, "ent:corn-mill ?p 3") is asserted
    assert ask(quads, "GRAPH ?g { ent:corn-mill ?p 3 }") is asserted
    assert not ask(quads, "?c kg:rejectionReason ?r")


def test_an_undisclosed_value_is_a_claim_without_object() -> None:
    quads = graph(record("a", [Said("Corn Mill", "stones", None, Hedge(Status.UNDISCLOSED))]))
    assert ask(quads, "?c kg:status kg:undisclosed ; kg:asserted false ; kg:statedValue 'undisclosed'")
    assert not ask(quads, "?c rdf:object ?o")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said("Tarn", "stones", number("3"), subject_classes=("River",)), "the property doesn't describe"),
        (Said("Corn Mill", "miller", "Tarn", object_classes=("River",)), "doesn't lead to"),
        (Said("Corn Mill", "miller", number("3")), "has not the form"),
        (Said("Corn Mill", "stones", Text("three")), "has not the form"),
        (Said("Corn Mill", "height", number("3", unit="KiloGM")), "unit"),
    ],
)
def test_what_does_not_fit_the_ontology_is_kept_with_its_reason(said: Said, reason: str) -> None:
    quads = graph(record("a", [said]))
    found = rows(quads, "SELECT ?r { ?c kg:asserted false ; kg:rejectionReason ?r }")
    assert [reason in text for (text,) in found] == [True]
    assert rows(quads, "SELECT ?s { GRAPH ?g { ?s ?p ?o } ?g a kg:Passage }") == []


def test_one_passage_gives_a_functional_property_one_value_and_sources_may_differ() -> None:
    said = [Said("Corn Mill", "height", number(n, unit="M")) for n in ("5", "6")]
    assert rows(graph(record("a", said)), "SELECT ?o { ent:corn-mill ex:height ?o }") == [("5",)]
    apart = graph(record("a", said, per_passage=1))
    assert rows(apart, "SELECT ?o { ent:corn-mill ex:height ?o }") == [("5",), ("6",)]
    same = [Said("Corn Mill", "height", n) for n in (number("5", unit="M"), number("400", "500", "CentiM"))]
    assert len(rows(graph(record("a", same)), "SELECT ?c { ?c kg:asserted true }")) == 2


def test_reviewers_overrule() -> None:
    made = record("a", [STONES, Said("Tarn", "stones", number("4"), subject_classes=("River",))], per_passage=1)
    good, bad = (claim.id for claim in made.extraction.claims)
    assert rows(graph(made), "SELECT ?o { ?s ex:stones ?o }") == [("3",)]
    decided = graph(made, decisions=(Reject(good), Accept(bad)))
    assert rows(decided, "SELECT ?o { ?s ex:stones ?o }") == [("4",)]
    assert rows(decided, "SELECT ?r { ?c kg:rejectionReason ?r }") == [("a reviewer rejected it",)]
    two = record("b", [STONES, Said("Oat", "stones", number("4"))])
    joined = graph(two, decisions=(Merge("Corn Mill", "Oat"),))
    assert rows(joined, "SELECT DISTINCT ?s { ?s ex:stones ?o }") == [(NS.entity("corn-mill"),)]


# --- values ---


@pytest.mark.parametrize(
    ("prop", "value", "object_", "datatype"),
    [
        ("height", number("250", unit="CentiM"), "2.5", "decimal"),
        ("built", when("1931-05"), "1931-05", "gYearMonth"),
        ("stones", when("1931"), "1931", "integer"),
        ("motto", "Grind Well", "Grind Well", "string"),
        ("home", Text("https://corn.example/"), "https://corn.example/", "anyURI"),
    ],
)
def test_direct_values(prop: str, value: object, object_: str, datatype: str) -> None:
    quads = graph(record("a", [Said("Corn Mill", prop, value)]))  # type: ignore[arg-type]
    found = rows(quads, f"SELECT ?o (DATATYPE(?o) AS ?t) {{ ent:corn-mill ex:{prop} ?o }}")
    assert found == [(object_, XSD + datatype)]


def test_names_that_are_strings_are_no_entities() -> None:
    quads = graph(record("a", [Said("Corn Mill", "motto", "Grind Well")]))
    assert not ask(quads, "?x rdfs:label 'Grind Well'")


def test_open_values_are_in_the_unit_most_often_stated() -> None:
    weights = (("5", "KiloGM"), ("6", "KiloGM"), ("7000", "GM"))
    said = [Said(f"Mill {n}", "Sack weight", number(n, unit=u)) for n, u in weights]
    quads = graph(record("a", said), ontology=EMPTY)
    assert rows(quads, "SELECT ?o { ?s rel:sack-weight ?o }") == [("5",), ("6",), ("7",)]
    assert rows(quads, "SELECT ?u { rel:sack-weight kg:canonicalUnit ?u }") == [("http://qudt.org/vocab/unit/KiloGM",)]


# --- names, types, properties ---


def test_near_identical_open_properties_are_one() -> None:
    said = [Said("Corn Mill", label, number("3")) for label in ("Wheel Count", "Number of Wheels", "Wheel count")]
    said.append(Said("Tarn", "Number of Wheels", number("1")))
    quads = graph(record("a", said))
    assert rows(quads, "SELECT ?p ?l { ?p a kg:OpenProperty ; rdfs:label ?l }") == [
        (NS.relation("number-of-wheels"), "Number of Wheels")
    ]
    assert rows(quads, "SELECT ?l { ?p a rdf:Property ; skos:altLabel ?l }") == [("Wheel Count",), ("Wheel count",)]
    assert rows(quads, "SELECT ?s { ?s rel:number-of-wheels ?o }") == [(NS.entity("corn-mill"),), (NS.entity("tarn"),)]


def test_superclasses_are_materialised() -> None:
    mill = Said("Corn Mill", "Age", number("3"), subject_classes=("WaterMill",))
    quads = graph(record("a", [mill, Said("Oat", "Age", number("1"))]))
    assert rows(quads, "SELECT ?t { ent:corn-mill a ?t }") == [(EX + "Mill",), (EX + "WaterMill",)]
    assert rows(quads, "SELECT ?t { ent:oat a ?t }") == [(OWL + "Thing",)]
    assert rows(quads, "SELECT ?l { ent:corn-mill a/rdfs:label ?l }") == [("mill",), ("water mill",)]
    assert rows(quads, "SELECT ?t { ?c a kg:Claim, ?t }")[:3] == [
        (RDF + "Statement",),
        (RDF + "Statement",),
        (PROV + "Entity",),
    ]


def test_the_default_graph_names_what_it_uses_and_the_ontology_is_whole_in_its_own() -> None:
    quads = graph(record("a", [STONES]))
    assert ask(quads, "ex:stones rdfs:label 'stones' ; a owl:DatatypeProperty")
    assert not ask(quads, "ex:height rdfs:label ?l")
    own = f"GRAPH <{NS.ontology_graph}>"
    assert ask(quads, f"{own} {{ ex:height a owl:FunctionalProperty ; kg:canonicalUnit ?u }}")
    assert ask(quads, f"{own} {{ kg:Claim skos:definition ?d }}")


def test_events_are_nodes_with_typed_properties() -> None:
    parts = (Participant(EX + "seller", EntityName("Rye Guild")), Participant(EX + "buyer", EntityName("Oat Guild")))
    event = EventName(EX + "Sale", "Sale of the mill", parts, "1931")
    other = EventName(EX + "Sale", "Sale", parts[::-1], "1931")
    quads = graph(
        record("a", [Said(event, "price", number("5")), Said(event, "seller", "Rye Guild")]),
        record("b", [Said(other, "price", number("5"))]),
    )
    query = "SELECT ?l ?price ?seller { ?e a ex:Sale, kg:Event ; rdfs:label ?l ; ex:price ?price ; ex:seller ?seller }"
    assert rows(quads, query) == [("Sale of the mill", "5", NS.entity("rye-guild"))]
    row = EventName(KG + "Observation", "Loads: Monday", local="p:3")
    observed = graph(record("a", [Said(row, "Loads", number("12"))]))
    assert rows(observed, "SELECT ?l ?n { ?e a kg:Observation, kg:Event ; rdfs:label ?l ; rel:loads ?n }") == [
        ("Loads: Monday", "12")
    ]


# --- properties of the whole ---


@given(libraries(min_size=2), ontologies, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_graph_does_not_depend_on_order(records: list[Record], ontology: Ontology, random: object) -> None:
    quads = build(records, ontology, (), NS)
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert build(shuffled, ontology, (), NS) == quads


@given(libraries(), ontologies)
@settings(max_examples=50, deadline=None)
def test_every_graph_is_sound(records: list[Record], ontology: Ontology) -> None:
    quads = build(records, ontology, (), NS)
    assert not any(isinstance(t, ox.BlankNode) for q in quads for t in (q.subject, q.object, q.graph_name))
    store = OxigraphStore()
    store.change((), quads)
    assert set(store.quads()) == quads, "literals are in the form that the store keeps"
    default = {q.triple for q in quads if q.graph_name == DEFAULT}
    passages = {NS.passage(p.id) for r in records for p in r.passages}
    repeated = {q.triple for q in quads if getattr(q.graph_name, "value", "") in passages}
    assert repeated <= default
    claimed = {
        (q.subject, q.predicate, q.object) for q in (x for x in quads if getattr(x.graph_name, "value", "") in passages)
    }
    query = "SELECT ?s ?p ?o { ?c kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o }"
    asserted = store.query(PREFIXES + query)
    assert {(row["s"], row["p"], row["o"]) for row in asserted} == claimed  # type: ignore[union-attr]
    claims = sum(len({c.id for c in r.extraction.claims}) for r in records)
    assert len(rows(quads, "SELECT ?c { ?c a kg:Claim }")) == claims


@given(libraries(), ontologies)
@settings(max_examples=10, deadline=None)
def test_every_graph_fits_the_shapes(records: list[Record], ontology: Ontology) -> None:
    quads = build(records, ontology, (), NS)
    report = validate([q for q in quads if q.graph_name == DEFAULT], [vocabulary("kg-shapes.ttl")])
    assert [str(found) for found in report] == []


@given(libraries(min_size=2), ontologies)
@settings(max_examples=30, deadline=None)
def test_a_document_leaves_nothing_behind(records: list[Record], ontology: Ontology) -> None:
    gone, rest = records[0], records[1:]
    left = build(rest, ontology, (), NS)
    own = {NS.document(gone.document.id), *(NS.passage(p.id) for p in gone.passages)}
    assert not any(getattr(t, "value", "") in own for q in left for t in (q.subject, q.object, q.graph_name))
    assert build([*rest, gone], ontology, (), NS) == build(records, ontology, (), NS)

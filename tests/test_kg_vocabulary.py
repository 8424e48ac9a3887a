"""Citegraph's own vocabulary: documented term by term, and exactly what the code writes and reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

import pyoxigraph as ox
import pytest

from benchmarks.whole_graph import build
from kg.app.check import validate
from kg.decisions import Accept, Decision, Merge, Reject, Split, to_turtle
from kg.model import (
    Block,
    BlockKind,
    Claim,
    Context,
    DateValue,
    Document,
    EntityName,
    EventName,
    Evidence,
    Extraction,
    Flag,
    Hedge,
    Mood,
    Participant,
    Passage,
    Polarity,
    Precision,
    Predicate,
    Quantity,
    Role,
    Status,
    Subject,
    Text,
    Value,
)
from kg.namespaces import KG, RDF, RDFS, SKOS, Namespaces, claim_id, document_slug, passage_id
from kg.ontology import parse, vocabulary
from kg.records import Record, make
from kg.text.units import MINTED
from tests.conftest import REPOSITORY

VOCABULARY = parse([("kg.ttl", vocabulary("kg.ttl"))])
TERMS = sorted(
    {
        t.subject.value
        for t in VOCABULARY.triples
        if isinstance(t.subject, ox.NamedNode) and t.subject.value.startswith(KG) and t.predicate.value == RDF + "type"
    }
)
NAMES = {iri.removeprefix(KG) for iri in TERMS}
PREFIXES = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in Namespaces().prefixes().items())


def values(iri: str, *predicates: str) -> list[str]:
    """Literals of a term."""
    return [
        t.object.value
        for t in VOCABULARY.triples
        if str(t.subject) == f"<{iri}>" and t.predicate.value in predicates and isinstance(t.object, ox.Literal)
    ]


@pytest.mark.parametrize("iri", [pytest.param(iri, id=iri.removeprefix(KG)) for iri in TERMS])
def test_every_term_is_documented(iri: str) -> None:
    assert values(iri, RDFS + "label")
    (definition,) = values(iri, SKOS + "definition")
    assert definition.rstrip('")').endswith("."), definition
    (query,) = values(iri, KG + "exampleQuery")
    ox.Store().query(PREFIXES + query)  # parses
    assert re.search(rf"kg:{iri.removeprefix(KG)}\b", query)


def test_values_of_the_model_are_concepts() -> None:
    schemes = {
        "Status": [status.value for status in Status],
        "Polarity": [polarity.value for polarity in Polarity],
        "Mood": [mood.value for mood in Mood],
        "Role": [f"{role.value}Role" for role in Role],
    }
    for cls, names in schemes.items():
        declared = {iri for iri, individual in VOCABULARY.individuals.items() if KG + cls in individual.types}
        assert declared == {KG + name for name in names}, cls


def test_units_that_qudt_lacks_are_declared() -> None:
    assert set(MINTED) <= NAMES


USED = re.compile(
    r"""\bkg:(?P<prefixed>[A-Za-z][\w-]*[A-Za-z0-9])     # in SPARQL and in comments
      | \bKG\s*\+\s*["'](?P<added>[A-Za-z][\w-]*)["']    # KG + "term"
      | \{KG\}(?P<filled>[A-Za-z][\w-]*)                 # f"{KG}term"
      | \bterm\(["'](?P<called>[A-Za-z][\w-]*)["']\)      # term("…") of kg.graph.provenance""",
    re.VERBOSE,
)


def used_terms() -> Iterator[tuple[str, str]]:
    """Names of kg: terms in the sources, with the file of each."""
    for folder in ("src/kg", "api"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in (".py", ".rq", ".ttl", ".js", ".html"):
                for found in USED.finditer(path.read_text(encoding="utf-8")):
                    if found["called"] and path.name != "provenance.py":
                        continue  # some other function of that name
                    yield next(name for name in found.groups() if name), str(path.relative_to(REPOSITORY))


def test_the_code_uses_declared_terms_only() -> None:
    unknown = {(name, path) for name, path in used_terms() if name not in NAMES}
    assert not unknown


def test_every_declared_term_is_used() -> None:
    shapes = (Path(REPOSITORY) / "ontology" / "kg-shapes.ttl").read_text(encoding="utf-8")
    generated = {value for enum in (Status, Polarity, Mood) for value in enum} | {f"{role}Role" for role in Role}
    documentation = {"exampleQuery", "statuses"}  # read by people and by these tests
    classes_of_concepts = {"Status", "Polarity", "Mood", "Role"}
    used = {name for name, _ in used_terms()} | generated | MINTED | documentation | classes_of_concepts
    assert NAMES - used == set()
    constrained = set(re.findall(r"\bkg:(\w+)", shapes))
    assert constrained <= NAMES


# --- over a graph --------------------------------------------------------------------------------

LINES = """# Ridge observatory
The dome is 12 m wide. It was painted white in May 1931.
Confirmed: the mirror is 2 m wide. Estimated: it weighs about 3 t. Leaked: it cost 900.
Perhaps the roof is copper. Perhaps the floor is oak or elm. If it rains the slit is shut.
The next lens is to come in 2040. The donor is not named. The wall is not brick.
Ada Pell was warden from 1931 until 1950. Ada Pell came to the ridge in 1931.
Nights 200, clear nights 90. The ridge used 5 lamps per floor. Its height is tall.
"""
SKY = "https://example.org/sky#"
ONTOLOGY = parse(
    [
        (
            "sky.ttl",
            b"""@prefix : <https://example.org/sky#> . @prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix unit: <http://qudt.org/vocab/unit/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Observatory a owl:Class ; rdfs:label "observatory" ; kg:namePattern "(?i)observatory$" .
:Warden a owl:Class ; rdfs:label "wardenship" .
:warden a owl:ObjectProperty ; rdfs:label "warden" ; kg:usuallyOne true .
:width a owl:DatatypeProperty ; rdfs:label "width" ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:CentiM ;
    kg:phrase "{subject} is {object} wide" ; kg:example "{subject:The dome} is {object:12 m} wide." .
:nextLens a owl:DatatypeProperty ; rdfs:label "next lens" ; rdfs:range xsd:date ; kg:aboutPlans true .
""",
        )
    ]
)


@dataclass
class Notebook:
    """A document of one passage, and the claims found in it."""

    text: str
    claims: list[Claim] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = "ridge.md"
        self.id = document_slug(self.name)
        self.passage = passage_id(self.id, self.text, 0)

    def evidence(self, spans: Mapping[Role, str], start: int, end: int) -> tuple[Evidence, ...]:
        """Evidence at the first places inside a sentence (the heading's words: in the heading)."""
        found = []
        for role, exact in spans.items():
            at = self.text.find(exact, start, end)
            at = at if at >= 0 else self.text.index(exact)
            found.append(Evidence(role, at, at + len(exact), exact))
        return tuple(found)

    def claim(
        self,
        quote: str,
        subject: Subject,
        label: str,
        value: Value | None,
        exact: str,
        hedge: Hedge | None = None,
        valid: tuple[DateValue | None, DateValue | None] = (None, None),
    ) -> None:
        """Adds what a sentence says; ``label`` is an open property's, or an ontology property's local name."""
        start = self.text.index(quote)
        end = start + len(quote)
        declared = f"{SKY}{label}" if f"{SKY}{label}" in ONTOLOGY.properties else ""
        spans = {Role.SUBJECT: "Ridge", Role.PREDICATE: quote.split()[1], Role.VALUE: exact, Role.QUALIFIER: quote[-1]}
        evidence = self.evidence(spans, start, end)
        placed = [(e.role.value, e.start, e.end) for e in evidence]
        polarity = (hedge or Hedge()).polarity.value
        id_ = claim_id(self.passage, placed, [exact, str(len(self.claims))], declared or label, polarity, 0)
        self.claims.append(
            Claim(
                id_,
                self.passage,
                subject,
                Predicate(label, declared),
                value,
                evidence,
                start,
                end,
                exact,
                ("patterns",),
                0.9,
                hedge or Hedge(),
                *valid,
            )
        )

    def record(self) -> Record:
        """The record of the document."""
        heading = Block(BlockKind.HEADING, 0, len("# Ridge observatory"), level=1)
        document = Document(
            self.name, self.text, (heading,), "Ridge", "text/markdown", "0" * 64, (("page_starts", "0"),)
        )
        passage = Passage(self.passage, self.id, 0, len(self.text), self.text, ("Ridge observatory",), 0)
        return make(document, self.id, (passage,), Extraction((), (), tuple(self.claims), ()))


def metres(value: str, unit: str | None = "M", approximate: bool = False, per: str = "") -> Quantity:
    number = Decimal(value)
    return Quantity(value, number, number, approximate, unit, per=per)


def year(value: str) -> DateValue:
    return DateValue(value, value, Precision.YEAR, f"{value}-01-01", f"{value}-12-31")


def graph() -> ox.Store:
    """Ridge observatory, with every kind of claim."""
    notes = Notebook(LINES)
    ridge = EntityName("Ridge observatory", (SKY + "Observatory",))
    notes.claim("The dome is 12 m wide.", ridge, "width", metres("12"), "12 m")
    painted = DateValue("May 1931", "1931-05", Precision.MONTH, "1931-05-01", "1931-05-31")
    notes.claim("It was painted white in May 1931.", ridge, "painted", painted, "May 1931")
    notes.claim("Confirmed: the mirror is 2 m wide.", ridge, "mirror", metres("2"), "2 m", Hedge(Status.CONFIRMED))
    heavy = metres("3", "TONNE", approximate=True)
    notes.claim("Estimated: it weighs about 3 t.", ridge, "weight", heavy, "3 t", Hedge(Status.ESTIMATED))
    notes.claim("Leaked: it cost 900.", ridge, "cost", metres("900", None), "900", Hedge(Status.LEAKED))
    notes.claim("Perhaps the roof is copper.", ridge, "roof", Text("copper"), "copper", Hedge(Status.GUESSED))
    either = Hedge(Status.GUESSED, mood=Mood.ALTERNATIVE)
    notes.claim("Perhaps the floor is oak or elm.", ridge, "floor", Text("oak"), "oak", either)
    rain = Hedge(mood=Mood.HYPOTHETICAL)
    notes.claim("If it rains the slit is shut.", ridge, "slit", Flag(True), "shut", rain)
    notes.claim("The next lens is to come in 2040.", ridge, "nextLens", year("2040"), "2040", Hedge(Status.PLANNED))
    notes.claim("The donor is not named.", ridge, "donor", None, "not named", Hedge(Status.UNDISCLOSED))
    denied = Hedge(polarity=Polarity.NEGATED)
    notes.claim("The wall is not brick.", ridge, "wall", Text("brick"), "brick", denied)
    person = EntityName("Ada Pell")
    time = (year("1931"), year("1950"))
    notes.claim("Ada Pell was warden from 1931 until 1950.", ridge, "warden", person, "Ada Pell", valid=time)
    parts = (Participant(SKY + "warden", person), Participant(SKY + "warden", ridge))
    arrival = EventName(SKY + "Warden", "arrival of Ada Pell", parts, year="1931")
    notes.claim("Ada Pell came to the ridge in 1931.", arrival, "warden", person, "Ada Pell")
    row = EventName(KG + "Observation", "Nights", local="1")
    notes.claim("Nights 200, clear nights 90.", row, "nights", metres("200", None), "200")
    notes.claims[-1] = replace(notes.claims[-1], context=Context("Nights of a year", "All", "Nights", "Kind"))
    notes.claim("The ridge used 5 lamps per floor.", ridge, "lamps", metres("5", None, per="floor"), "5")
    notes.claim("Its height is tall.", ridge, "width", Text("tall"), "tall")  # no number: rejected
    for number, unit in enumerate(sorted(MINTED), start=1):
        quantity = metres(str(number), unit)
        notes.claim("Nights 200, clear nights 90.", ridge, f"work {number}", quantity, "90")
    store = ox.Store()
    store.extend(build([notes.record()], ONTOLOGY))
    return store


DECISIONS: list[Decision] = [
    Merge("Ada Pell", "A. Pell"),
    Split("Ridge", "Ridge", "a.md", "b.md"),
    Accept("c1"),
    Reject("c2"),
]


@pytest.fixture(scope="module")
def store() -> ox.Store:
    return graph()


@pytest.mark.parametrize("iri", [pytest.param(iri, id=iri.removeprefix(KG)) for iri in TERMS])
def test_every_example_query_finds_something(store: ox.Store, iri: str) -> None:
    (query,) = values(iri, KG + "exampleQuery")
    if "?decision" in query:  # reviewers' decisions are a file of their own
        store = ox.Store()
        store.load(to_turtle(DECISIONS), format=ox.RdfFormat.TURTLE)
    assert len(list(store.query(PREFIXES + query))) > 0  # type: ignore[arg-type]


def test_that_graph_has_the_vocabularys_shape(store: ox.Store) -> None:
    report = validate(store.quads_for_pattern(None, None, None, ox.DefaultGraph()), [vocabulary("kg-shapes.ttl")])
    assert report == []


def test_the_default_graph_uses_declared_terms_only(store: ox.Store) -> None:
    used = {
        term.value.removeprefix(KG)
        for quad in store.quads_for_pattern(None, None, None, ox.DefaultGraph())
        for term in (quad.predicate, quad.object)
        if isinstance(term, ox.NamedNode) and term.value.startswith(KG)
    }
    assert used <= NAMES

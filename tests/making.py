"""Records made by hand or by hypothesis: what extractors would have found in small invented documents about mills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from hypothesis import strategies as st

from kg.model import (
    Alias,
    Claim,
    DateValue,
    Document,
    EntityName,
    EventName,
    Evidence,
    Extraction,
    Flag,
    Hedge,
    Mention,
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
from kg.namespaces import claim_id, passage_id
from kg.ontology import Ontology, parse
from kg.records import Record, make

EX = "https://mills.example/"

MILLS = parse(
    [
        (
            "mills.ttl",
            b"""
@prefix : <https://mills.example/> .
@prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Agent a owl:Class ; rdfs:label "agent" .
:Person a owl:Class ; rdfs:label "person" ; rdfs:subClassOf :Agent ; owl:disjointWith :Mill, :River, :Guild .
:Guild a owl:Class ; rdfs:label "guild" ; rdfs:subClassOf :Agent ; owl:disjointWith :Mill, :River .
:Mill a owl:Class ; rdfs:label "mill" ; owl:disjointWith :River ; kg:namePattern "^Mill \\\\d+$" .
:WaterMill a owl:Class ; rdfs:label "water mill" ; rdfs:subClassOf :Mill .
:River a owl:Class ; rdfs:label "river" .
:height a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "height" ; rdfs:domain :Mill ;
    rdfs:range xsd:decimal ; kg:canonicalUnit unit:M .
:capacity a owl:DatatypeProperty ; rdfs:label "planned capacity" ; rdfs:domain :Mill ; rdfs:range xsd:decimal ;
    kg:aboutPlans true ; kg:canonicalUnit unit:KiloGM .
:stones a owl:DatatypeProperty ; rdfs:label "stones" ; rdfs:domain :Mill ; rdfs:range xsd:integer .
:built a owl:DatatypeProperty ; rdfs:label "built" ; rdfs:domain :Mill ; rdfs:range xsd:date .
:motto a owl:DatatypeProperty ; rdfs:label "motto" ; rdfs:range xsd:string .
:home a owl:DatatypeProperty ; rdfs:label "home page" ; rdfs:range xsd:anyURI .
:length a owl:DatatypeProperty ; rdfs:label "length" ; rdfs:domain :River ; kg:canonicalUnit unit:KiloM .
:mouth a owl:DatatypeProperty ; rdfs:label "mouth" ; rdfs:domain :River ; rdfs:range xsd:string .
:miller a owl:ObjectProperty ; rdfs:label "miller" ; rdfs:domain :Mill ; rdfs:range :Person .
:on a owl:ObjectProperty ; rdfs:label "stands on" ; rdfs:domain :Mill ; rdfs:range :River .
:Sale a owl:Class ; rdfs:label "sale" .
:seller a owl:ObjectProperty ; rdfs:label "seller" ; rdfs:domain :Sale ; rdfs:range :Agent .
:buyer a owl:ObjectProperty ; rdfs:label "buyer" ; rdfs:domain :Sale ; rdfs:range :Agent .
:price a owl:DatatypeProperty ; rdfs:label "price" ; rdfs:domain :Sale .
:weir a :River ; rdfs:label "Weir Water" ; skos:altLabel "the Weir" , "WW" .
""",
        )
    ]
)


def number(low: str | None, high: str | None = "same", unit: str | None = None, **more: object) -> Quantity:
    """A quantity from its bounds; exact when one is given."""
    upper = low if high == "same" else high
    stated = f"{low}-{upper} {unit or ''}".strip()
    value = Quantity(stated, Decimal(low) if low else None, Decimal(upper) if upper else None, unit=unit)
    return replace(value, **more)  # type: ignore[arg-type]


def when(value: str) -> DateValue:
    """A date from 1931, 1931-05 or 1931-05-09."""
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[value.count("-")]
    first = {4: f"{value}-01-01", 7: f"{value}-01", 10: value}[len(value)]
    last = {4: f"{value}-12-31", 7: f"{value}-28", 10: value}[len(value)]
    return DateValue(value, value, precision, first, last)


PLAIN = Hedge()


@dataclass(frozen=True)
class Said:
    """What one sentence states; ``prop``: an IRI, the end of one (MILLS) or, with a space or capital, an open label."""

    subject: str | Subject
    prop: str
    object: str | Value | None
    hedge: Hedge = PLAIN
    subject_classes: tuple[str, ...] = ()
    object_classes: tuple[str, ...] = ()
    confidence: float = 0.9
    passage: int | None = None


def _name(given: str | Value | None, classes: tuple[str, ...]) -> Value | None:
    return EntityName(given, tuple(EX + c for c in classes)) if isinstance(given, str) else given


def _stated(value: Value | None) -> str:
    match value:
        case None:
            return "undisclosed"
        case EntityName(surface=text) | EventName(label=text) | Quantity(stated=text) | DateValue(stated=text):
            return text
        case Flag(value=flag):
            return str(flag)
    return value.value


def record(name: str, said: Sequence[Said], aliases: Sequence[tuple[str, str]] = (), per_passage: int = 2) -> Record:
    """The record of a document of which every statement is a line "subject | property | value"."""
    lines = []
    for s in said:
        subject, value = _name(s.subject, ()), _name(s.object, ())
        lines.append(f"{_stated(subject)} | {s.prop} | {_stated(value)}")
    text = "\n".join(lines) or "Nothing."
    offsets = [sum(len(line) + 1 for line in lines[:i]) for i in range(len(lines) + 1)]
    groups = [list(range(i, min(i + per_passage, len(lines)))) for i in range(0, len(lines), per_passage)] or [[]]
    passages: list[Passage] = []
    claims: list[Claim] = []
    for order, group in enumerate(groups):
        start = offsets[group[0]] if group else 0
        end = offsets[group[-1]] + len(lines[group[-1]]) if group else len(text)
        body = text[start:end]
        id_ = passage_id(name, body, sum(p.text == body for p in passages))
        passages.append(Passage(id_, name, start, end, body, ("Mills", name), order))
        claims += [_claim(said[i], id_, lines[i], offsets[i], start) for i in group]
    found = tuple(Alias(a, b, passages[0].id, 0, 1) for a, b in aliases)
    document = Document(name, text, (), f"On {name}", "text/plain", f"{len(text):064d}")
    return make(document, name, tuple(passages), Extraction((), found, tuple(claims), ()))


def _claim(said: Said, passage: str, line: str, start: int, passage_start: int) -> Claim:
    first, second, third = (part.strip(" ") for part in line.split(" | ", 2))
    at = start + len(first) + 3
    evidence = (
        Evidence(Role.SUBJECT, start, start + len(first), first),
        Evidence(Role.PREDICATE, at, at + len(second), second),
        Evidence(Role.VALUE, at + len(second) + 3, at + len(second) + 3 + len(third), third),
    )
    declared = said.prop.islower() and " " not in said.prop
    base = "" if said.prop.startswith("http") else EX
    predicate = Predicate(said.prop, base + said.prop if declared else "")
    spans = [(e.role.value, e.start, e.end) for e in evidence]
    id_ = claim_id(
        passage, spans, (first, third), predicate.iri or predicate.label, said.hedge.polarity.value, passage_start
    )
    subject = _name(said.subject, said.subject_classes)
    assert isinstance(subject, EntityName | EventName)
    return Claim(
        id=id_,
        passage=passage,
        subject=subject,
        predicate=predicate,
        object=_name(said.object, said.object_classes),
        evidence=evidence,
        quote_start=start,
        quote_end=start + len(line),
        stated_value=third,
        extractors=("tables",),
        confidence=said.confidence,
        hedge=said.hedge,
    )


def mentioning(made: Record, surfaces: Iterable[str], classes: tuple[str, ...] = ()) -> Record:
    """The record with names that occur in no claim."""
    mentions = tuple(Mention(made.passages[0].id, s, 0, 1, classes) for s in surfaces)
    return replace(made, extraction=replace(made.extraction, mentions=mentions))


# --- generated -----------------------------------------------------------------------------------

NAMES = (
    "Corn Mill",
    "corn mill",
    "the Corn-Mill",
    "Fulling Mill",
    "CM",
    "Mill 7",
    "Ada Rook",
    "Rook",
    "Weir Water",
    "WW",
    "Tarn",
)
DOCUMENTS = ("east.md", "north.md", "south.md", "west.md")

_hedges = st.builds(
    Hedge,
    st.sampled_from(Status),
    st.sampled_from((Polarity.AFFIRMED, Polarity.AFFIRMED, Polarity.NEGATED)),
    st.sampled_from((Mood.FACTUAL, Mood.FACTUAL, Mood.ALTERNATIVE, Mood.HYPOTHETICAL)),
)
_numbers = st.sampled_from(
    (
        number("5", unit="M"),
        number("500", unit="CentiM"),
        number("5", "7", "M"),
        number("6", None, "M"),
        number(None, "9", "KiloGM"),
        number("3"),
        number("2.5"),
        number("12345678901234567"),
        number("5", unit="M", approximate=True, per="floor"),
    )
)
_values = st.one_of(
    st.sampled_from(NAMES),
    _numbers,
    st.sampled_from(("1931", "1931-05", "1931-05-09")).map(when),
    st.sampled_from(
        (Text("Grind well"), Text("https://corn.example/")),
    ),
    st.booleans().map(Flag),
    st.none(),
)
_classes = st.sampled_from(
    ((), (), (), ("Mill",), ("WaterMill",), ("River",), ("Person",), ("Agent",), ("Mill", "River"))
)
_properties = st.sampled_from(
    (
        "height",
        "stones",
        "built",
        "miller",
        "on",
        "length",
        "mouth",
        "motto",
        "home",
        "capacity",
        "Number of Wheels",
        "wheel Count",
        "Kept by",
    )
)


@st.composite
def sales(draw: st.DrawFn) -> EventName:
    """Events with none to two parts."""
    parts = draw(st.lists(st.tuples(st.sampled_from(("seller", "buyer")), st.sampled_from(NAMES)), max_size=2))
    participants = tuple(Participant(EX + role, EntityName(name)) for role, name in parts)
    local = draw(st.sampled_from(("", "row 1")))
    return EventName(EX + "Sale", draw(st.sampled_from(("Sale", "The sale"))), participants, "1931", "", local)


@st.composite
def statements(draw: st.DrawFn) -> Said:
    """One statement, as often as not a sensible one."""
    if draw(st.integers(0, 9)) == 0:
        return Said(draw(sales()), "price", draw(_numbers), draw(_hedges))
    hedge = draw(st.one_of(st.just(Hedge()), st.just(Hedge()), _hedges))
    return Said(draw(st.sampled_from(NAMES)), draw(_properties), draw(_values), hedge, draw(_classes), draw(_classes))


_aliases = st.lists(
    st.sampled_from((("Corn Mill", "CM"), ("Fulling Mill", "CM"), ("Corn Mill", "the Works"), ("Tarn", "Rook"))),
    max_size=2,
)


@st.composite
def libraries(draw: st.DrawFn, min_size: int = 1) -> list[Record]:
    """Records of several documents that share names, aliases, homonyms and figures."""
    names = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=min_size, max_size=4, unique=True))
    return [record(n, draw(st.lists(statements(), max_size=6)), draw(_aliases)) for n in names]


EMPTY = Ontology.empty()
ontologies = st.sampled_from((MILLS, EMPTY))

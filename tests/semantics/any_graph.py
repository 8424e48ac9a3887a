"""Graphs as nobody would write them on purpose, and questions made of their own terms; a crash is any exception."""

# ruff: noqa: E501 - lists

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pyoxigraph as ox

from kg.model import Answer
from kg.protocols import Encoder
from kg.semantics.answers import GraphAnswers
from kg.semantics.engine import SemanticParser

RDF, RDFS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"
OWL, XSD, SKOS = (
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/2004/02/skos/core#",
)
TYPE, LABEL, SUBCLASS, SUBPROPERTY = (
    ox.NamedNode(iri)
    for iri in (f"{RDF}type", f"{RDFS}label", f"{RDFS}subClassOf", f"{RDFS}subPropertyOf")
)  # fmt: skip
_NAMES = (
    "kiln", "glaze", "firing temperature", "potter", "Mara Quist", "clay body", "Z-series kilns", "width", "opened",
    "wheel 3", "the", "and", "most", "12", "2019", "", " ", "?", "née Ω", "number of shelves", "birth date", "'s", "of",
    "average", "per", "name", "has part", "not fired", "C++", "a/b; c|d", "size", "weight", "owner", "city", "country",
)  # fmt: skip
_VALUES = (
    ("3", "integer"), ("abc", "integer"), ("1e400", "double"), ("NaN", "double"), ("-INF", "float"), ("", "decimal"),
    ("2020-02-30", "date"), ("2020-13-45", "date"), ("0000-01-01", "date"), ("-0044-03-15", "date"), ("1999", "gYear"),
    ("99999-01-01", "date"), ("2021-05-06T25:61:00", "dateTime"), ("2021-05-06T10:00:00Z", "dateTime"), ("maybe", "boolean"),
    ("true", "boolean"), ("0", "boolean"), ("1e3", "decimal"), ("2001-02-03", "string"), ("12", "string"), ("--05", "gMonth"),
    ("9999-12-31", "date"), ("9999", "gYear"), ("12.5", "decimal"), ("1000000000000000000000", "integer"), ("P1D", "duration"),
)  # fmt: skip
_IRIS = (
    "http://x.example/{}",
    "urn:uuid:{}",
    "http://x.example/#{}",
    "http://x.example/{}/",
    "tag:x,2020:{}",
    "http://x.example/P{}",
)
_SHAPES = (
    "What is the {p} of {t}?", "How many {c} are there?", "Which {c} have the most {c2}?", "Is {t} a {c}?", "{t}",
    "Which {c} has the highest {p}?", "What is the average {p} per {c}?", "Which {c} have a {p} of more than 5?",
    "Which {c} are not {p} {t}?", "Who {p} both {t} and {t2}?", "For each {c}, how many {c2}?", "When was {t} {p}?",
    "List the {c} with their {p} and {p2}.", "What percentage of {c} have the {p} {t}?", "How many {c} does each {c2} {p}?",
    "What is the difference between the {p} of {t} and {t2}?", "What is the most common {p} of {c}?",
    "Which {c} were {p} before 2005?", "Are there more {c} than {c2}?", "What are the top 3 {c} by {p}?",
    "Which {c} mention {t}?", "What is the largest {c} in each {c2}?", "{c} {p} {t} {p2} {t2} {c2}", "how {p} is {t}",
)  # fmt: skip


def store_of(triples: Sequence[tuple[object, object, object]]) -> ox.Store:
    """A store that holds the triples in its default graph."""
    store = ox.Store()
    store.extend(ox.Quad(s, p, o) for s, p, o in triples)  # type: ignore[arg-type]
    return store


def generated(random: Random) -> ox.Store:  # noqa: C901 - one line an oddity
    """A graph with its ontology: cycles, punned and undeclared terms, no or odd labels, broken literals, lists."""
    form = random.choice(_IRIS)

    def iri(kind: str, n: int) -> ox.NamedNode:
        return ox.NamedNode(form.format(f"{kind}{n}"))

    kind = random.randrange(12)
    if kind == 0:
        return ox.Store()
    if kind == 1:  # nothing but blank nodes
        link = iri("p", 0)
        return store_of([(ox.BlankNode(f"b{random.randrange(6)}"), link, ox.BlankNode(f"b{n}")) for n in range(6)])
    classes = [iri("K", n) for n in range(random.randrange(6))]
    properties = [iri("p", n) for n in range(500 if kind == 2 else random.randrange(1, 12))]
    things = [ox.BlankNode(f"t{n}") if random.random() < 0.2 else iri("t", n) for n in range(random.randrange(1, 25))]
    found: list[tuple[object, object, object]] = []
    style = random.randrange(4)
    for term in (*classes, *properties, *things):
        if style == 0 or random.random() < 0.2:
            continue
        for _ in range(random.choice((1, 1, 2))):
            language = random.choice(("en", "de", "la", "en-GB")) if style > 1 else None
            name = random.choice(_NAMES) + random.choice(("", "", f" {random.randrange(30)}"))
            by = random.choice((LABEL, LABEL, ox.NamedNode(f"{SKOS}altLabel")))
            found.append((term, by, ox.Literal(name, language=language)))
    for cls in classes:
        if random.random() < 0.7:
            found.append((cls, TYPE, ox.NamedNode(random.choice((f"{OWL}Class", f"{RDFS}Class")))))
        if random.random() < 0.5:
            found.append((cls, SUBCLASS, random.choice((*classes, ox.BlankNode("r")))))
        if random.random() < 0.2:  # punned
            found.append((cls, TYPE, random.choice(classes)))
            found.append((cls, random.choice(properties), random.choice(things)))
    for property_ in properties:
        if random.random() < 0.7:
            type_ = random.choice(("ObjectProperty", "DatatypeProperty", "SymmetricProperty", "TransitiveProperty"))
            found.append((property_, TYPE, ox.NamedNode(OWL + type_)))
        for end in ("domain", "range"):
            if random.random() < 0.5:
                of = random.choice(
                    (*classes, ox.BlankNode("r"), ox.NamedNode(f"{XSD}date"), ox.NamedNode(f"{XSD}integer"))
                )
                found.append((property_, ox.NamedNode(RDFS + end), of))
        if random.random() < 0.2:
            found.append((property_, SUBPROPERTY, random.choice(properties)))
    for thing in things:
        for cls in random.sample(classes, min(len(classes), random.choice((0, 1, 1, 2)))):
            found.append((thing, TYPE, cls))
        for property_ in random.sample(properties, min(len(properties), random.randrange(6))):
            found.append((thing, property_, _object(random, things)))
    if random.random() < 0.3:
        found += _list(random, things, properties)
    random.shuffle(found)
    return store_of(found)


def _object(random: Random, things: Sequence[object]) -> object:
    chance = random.random()
    if chance < 0.45:
        return random.choice(things)
    if chance < 0.8:
        text, type_ = random.choice(_VALUES)
        return ox.Literal(text, datatype=ox.NamedNode(XSD + type_))
    if chance < 0.83:
        return ox.Literal("long text without end " * 3000)
    if chance < 0.87:
        return ox.Literal("so many", datatype=ox.NamedNode("http://x.example/own"))
    return ox.Literal(random.choice(_NAMES), language=random.choice((None, "en", "fr")))


def _list(
    random: Random, things: Sequence[object], properties: Sequence[object]
) -> list[tuple[object, object, object]]:
    nodes = [ox.BlankNode(f"l{n}") for n in range(4)]
    found: list[tuple[object, object, object]] = [(random.choice(things), random.choice(properties), nodes[0])]
    for node, after in zip(nodes, (*nodes[1:], ox.NamedNode(f"{RDF}nil")), strict=True):
        found.append((node, ox.NamedNode(f"{RDF}first"), random.choice(things)))
        found.append((node, ox.NamedNode(f"{RDF}rest"), random.choice((after, after, nodes[0]))))
    return found


def questions(parser: SemanticParser, random: Random, count: int) -> list[str]:
    """Questions made of a graph's own names."""
    graph = parser.graph

    def names(ids: Sequence[int], instead: str) -> list[str]:
        return [graph.name(i)[:120] for i in ids] or [instead]

    things = names(sorted({*graph.kinds, *graph.names} or range(min(20, len(graph.terms)))), "the kiln")
    classes, properties = names(sorted(graph.classes), "things"), names(sorted(graph.properties), "size")
    return [
        random.choice(_SHAPES).format(
            t=random.choice(things), t2=random.choice(things), c=random.choice(classes), c2=random.choice(classes),
            p=random.choice(properties), p2=random.choice(properties),
        )
        for _ in range(count)
    ]  # fmt: skip


def asked(store: ox.Store, random: Random, count: int, encoder: Encoder | None) -> list[Answer]:
    """The answers to questions made of a store's terms, composed as people get them."""
    parser = SemanticParser.over(store, encoder=encoder)
    answers = GraphAnswers(parser)
    return [answers.composed(parser.parse(question)) for question in questions(parser, random, count)]

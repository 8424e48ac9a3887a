"""Questions to start from: worded as people ask, about things, and dropped where their answer isn't worth showing."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.app.starters import candidates, starters, worth
from kg.model import Answer, AnswerItem, Citation, Conflict, ConflictValue
from kg.namespaces import KG, PROV, RDF, RDFS

E = "https://orchards.example/"


def store(rows: list[tuple[str, str, str, str]]) -> ox.Store:
    """Claims (subject, property, kind, value) as the graph holds them."""
    made = ox.Store()

    def add(s: str, p: str, o: ox.NamedNode | ox.Literal) -> None:
        made.add(ox.Quad(ox.NamedNode(s), ox.NamedNode(p), o))

    for i, (subject, property_, kind, value) in enumerate(rows):
        claim, s, p = f"{E}claim/{i}", E + subject.replace(" ", "-"), E + property_.replace(" ", "-")
        thing = ox.NamedNode(E + value.replace(" ", "-")) if kind in ("agent", "thing") else ox.Literal(value)
        add(claim, RDF + "type", ox.NamedNode(KG + "Claim"))
        add(
            claim,
            KG + "asserted",
            ox.Literal("true", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")),
        )
        add(claim, RDF + "subject", ox.NamedNode(s))
        add(claim, RDF + "predicate", ox.NamedNode(p))
        add(claim, RDF + "object", thing)
        add(claim, KG + "statedValue", ox.Literal(value))
        add(s, RDFS + "label", ox.Literal(subject))
        add(p, RDFS + "label", ox.Literal(property_))
        if kind == "agent":
            add(thing.value, RDF + "type", ox.NamedNode(PROV + "Agent"))
        if kind in ("number", "date"):
            add(claim, KG + ("lowerValue" if kind == "number" else "earliest"), thing)
    return made


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        (("Hollin Orchard", "planted by", "agent", "Bess Tarrant"), "Who planted Hollin Orchard?"),
        (("Hollin Orchard", "grown for", "agent", "Mill Cider"), "Who was Hollin Orchard grown for?"),
        (("Hollin Orchard", "owner", "agent", "Bess Tarrant"), "Who is the owner of Hollin Orchard?"),
        (("Hollin Orchard", "tree count", "number", "400"), "How many trees does Hollin Orchard have?"),
        (("Hollin Orchard", "number of presses", "number", "2"), "How many presses does Hollin Orchard have?"),
        (("Hollin Orchard", "Yield", "number", "9 t"), "What is the yield of Hollin Orchard?"),
        (("Hollin Orchard", "opened", "date", "1911"), "When was Hollin Orchard opened?"),
        (("Hollin Orchard", "date", "date", "1911"), None),
        (("Hollin Orchard", "village", "thing", "Combe"), "What is the village of Hollin Orchard?"),
        (("Hollin Orchard", "located in", "thing", "Combe"), None),
        (("Hollin Orchard", "uses", "thing", "straw"), None),
        (("Hollin Orchard", "can be used over", "thing", "winter"), None),
        (("Hollin Orchard", "was", "thing", "Combe"), None),
        (("Hollin Orchard", "lies near", "thing", "Combe"), None),
    ],
)
def test_claims_become_questions(claim: tuple[str, str, str, str], question: str | None) -> None:
    found = [c.question for c in candidates(store([claim]), [])]
    assert found == ([question] if question else [])


def test_titles_of_documents_are_no_things() -> None:
    claims = store([("A year in five lines", "cost", "number", "$40"), ("Hollin Orchard", "cost", "number", "$90")])
    found = [c.question for c in candidates(claims, ["A Year in Five Lines"])]
    assert found == ["What is the cost of Hollin Orchard?"]


CITED = tuple(Citation(i, f"{E}document/{i}", "t", (), "p", "q", "q", 0, 1, 0) for i in (1, 2))


def reply(label: str, *sides: tuple[str, int]) -> Answer:
    conflict = Conflict("cost", tuple(ConflictValue(value, "stated", (at,)) for value, at in sides))
    return Answer(
        "q", "answered", label, (AnswerItem(label, label),), citations=CITED, conflicts=(conflict,) if sides else ()
    )


def test_only_right_answers_are_worth_showing() -> None:
    (candidate,) = candidates(store([("Hollin Orchard", "cost", "number", "$90")]), [])
    assert worth(reply("$90"), candidate)
    assert worth(reply("$90", ("$90", 1), ("$95", 2)), candidate)
    # One document at odds with itself, another value, a refusal.
    assert not worth(reply("$90", ("$90", 1), ("$95", 1)), candidate)
    assert not worth(reply("$12"), candidate)
    assert not worth(Answer("q", "abstained", "no"), candidate)


def test_questions_differ_in_property_and_bad_answers_are_dropped() -> None:
    rows = [(f"Orchard {i}", p, "number", f"{i} {p}") for i in range(3) for p in ("cost", "yield", "slope")]
    asked: list[str] = []

    def ask(question: str) -> Answer:
        asked.append(question)
        i = question[-2]
        p = question.split()[3]
        return reply(f"{i} {p}") if p != "slope" else reply("wrong")

    found = starters(store(rows), [], ask)
    assert found == ["What is the cost of Orchard 0?", "What is the yield of Orchard 0?"]
    assert [q for q in asked if "slope" in q] == [f"What is the slope of Orchard {i}?" for i in range(3)]

"""Documents that are records of one kind, the same keys in each: asked as one table, whatever their kind is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.ask.selections import _having
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

# Files with a title, a line a key. No document says that they are cakes, or has a class for them.
RECORDS = {
    "Orm Twist": ("20 min", "120 min", 4, "300 krone"),
    "Kuul Plait": ("45 min", "35 min", 12, "120 krone"),
    "Barley Snap": ("5 min", "9 min", 30, "45 krone"),
    "Sea Wafer": ("25 min", "15 min", 24, ""),
    "Flitter": ("30 min", "14 min", 8, ""),
}
PROPERTIES = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix x: <https://example.org/cakes#> .
x:rest a owl:DatatypeProperty ; rdfs:label "resting time" . x:bake a owl:DatatypeProperty ; rdfs:label "baking time" .
x:pieces a owl:DatatypeProperty ; rdfs:label "pieces" . x:price a owl:DatatypeProperty ; rdfs:label "price" .
"""


def told(name: str) -> str:
    rest, bake, pieces, price = RECORDS[name]
    paid = f"- 💰 Price: {price}\n" if price else ""
    return f"# {name}\n\n- ⏲️ Resting time: {rest}\n- 🍳Baking time: {bake}\n- Pieces: {pieces}\n{paid}"


def made(folder: Path, names: Iterable[str], *others: str) -> KnowledgeBase:
    """A knowledge base of some records and other notes, with an ontology of their properties."""
    (folder / "cakes.ttl").write_text(PROPERTIES, "utf-8")
    kb = KnowledgeBase.create(folder / "kb", Settings(build={"ontology": (str(folder / "cakes.ttl"),)}))
    for name in names:
        kb.put(told(name).encode(), f"{name.replace(' ', '-').lower()}.md")
    for number, other in enumerate(others):
        kb.put(other.encode(), f"other-{number}.md")
    return kb


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with made(tmp_path_factory.mktemp("cakes"), RECORDS, "# Tray\n\n- Pieces: 3\n- Price: 7 krone\n") as kb:
        yield Asker(view(kb.snapshot))


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which cake has the shortest baking time?", {"Barley Snap"}),
        ("Which cake has the longest baking time?", {"Orm Twist"}),
        ("Which cakes have a resting time under 30 minutes?", {"Orm Twist", "Barley Snap", "Sea Wafer"}),
        ("Which cakes have a resting time over 30 minutes?", {"Kuul Plait"}),
        ("List all the cakes with a baking time of less than 20 minutes.", {"Barley Snap", "Sea Wafer", "Flitter"}),
        ("How many cakes have a baking time of more than 30 minutes?", {"2"}),
        ("What is the average resting time?", {"25 min"}),
        ("Which cake has the most pieces?", {"Barley Snap"}),
    ],
)
def test_what_has_a_property_is_a_kind_that_needs_no_class(asker: Asker, question: str, labels: set[str]) -> None:
    answer = asker.ask(question)
    assert {value.label for value in answer.answers} == labels
    assert answer.sparql is not None and answer.citations


def test_one_common_noun_names_a_thing_of_which_several_properties_are_told(asker: Asker) -> None:
    answer = asker.ask("What is the baking time of flitter?")
    assert [value.label for value in answer.answers] == ["14 min"] and answer.sparql is not None
    assert asker.graph is not None
    linked = [asker.graph.graph.links(asker.analyse(f"the price of {word}")) for word in ("flitter", "tray")]
    assert [[one.text for one in each] for each in linked] == [["flitter"], []]


@pytest.mark.parametrize("question", ["Which cake has the longest kneading time?", "How many pieces are there?"])
def test_neither_an_unknown_property_nor_the_property_itself_is_ranked_or_counted(asker: Asker, question: str) -> None:
    found = asker.graph.proposals(asker.asking(question)) if asker.graph is not None else []
    assert [draft for draft in found if draft.kind in ("extreme", "list", "count")] == []


def test_of_several_properties_named_the_longest_makes_the_kind(asker: Asker) -> None:
    assert asker.graph is not None
    (kind,) = _having(asker.graph.graph, asker.analyse("Which cake has the longest baking time for its price?"))
    assert kind.kind.pattern == ("?thing", "https://example.org/cakes#bake", "?any")


def test_where_a_line_with_the_key_is_no_claim_nothing_is_compared(tmp_path: Path) -> None:
    with made(tmp_path, RECORDS, "# Notes\n\nOn a slip is written:\n\n```\nBaking time: 2 min\n```\n") as kb:
        asker = Asker(view(kb.snapshot))
        assert asker.graph is not None
        assert asker.graph.proposals(asker.asking("Which cake has the shortest baking time?")) == []
        assert asker.graph.proposals(asker.asking("Which cake has the shortest resting time?")) != []


def test_two_things_with_a_property_are_no_kind(tmp_path: Path) -> None:
    with made(tmp_path, ("Orm Twist", "Kuul Plait")) as kb:
        asker = Asker(view(kb.snapshot))
        assert asker.graph is not None
        assert asker.graph.proposals(asker.asking("Which cake has the longest baking time?")) == []

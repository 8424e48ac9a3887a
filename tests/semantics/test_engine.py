"""Questions on an invented graph, whose every word the parser meets for the first time."""

from __future__ import annotations

import pytest

from kg.semantics.engine import SemanticParser
from tests.semantics.world import SHIPS, answers, encoder, parser, store

QUESTIONS = [
    # one and several joins
    ("What is the tonnage of the Heron?", ["4000"]),
    ("Who is the captain of the Osprey?", ["Bo Larkin"]),
    ("What is the birthplace of the captain of the Osprey?", ["Veldport"]),
    ("What is Bo Larkin's mentor's birthplace?", ["Lume"]),
    ("Which ships are registered in Veldport?", ["Heron", "Osprey"]),
    ("List the ferries", ["Gannet", "Tern"]),
    ("Which harbours lie on the Brine Sea?", ["Oskarhaven", "Veldport"]),
    ("Which ships are registered in a harbour that lies on the Amber Sea?", ["Tern"]),
    # adjectives, superlatives and their nesting
    ("How long is the Tern?", ["60"]),
    ("What is the longest ship?", ["Osprey"]),
    ("What is the second longest ship?", ["Heron"]),
    ("Which ship has the smallest tonnage?", ["Tern"]),
    ("Which is the oldest ship?", ["Heron"]),
    ("What is the newest ship registered in Veldport?", ["Osprey"]),
    ("What is the deepest sea?", ["Brine Sea"]),
    ("What is the population of the harbour with the most ships?", ["52000"]),
    ("Which captain commands the most ships?", ["Cy Marsh"]),
    # counts and totals
    ("How many ships are there?", ["4"]),
    ("How many ships are registered in Veldport?", ["2"]),
    ("How many people live in Lume?", ["120000"]),
    ("What is the total tonnage of the ships registered in Veldport?", ["13000"]),
    ("What is the average length of ferries?", ["70"]),
    # conditions, negation, union
    ("Which ships have a tonnage of more than 3000?", ["Heron", "Osprey"]),
    ("Which ships are longer than the Gannet?", ["Heron", "Osprey"]),
    ("Which harbours have no ships?", ["Quill"]),
    ("Which ships are not registered in Veldport?", ["Gannet", "Tern"]),
    ("Which harbours have more than one ship?", ["Veldport"]),
    ("Which ships were launched after 2010?", ["Osprey", "Tern"]),
    # yes and no
    ("Is the Heron registered in Veldport?", ["true"]),
    ("Is the Heron registered in Lume?", ["false"]),
    # by each
    ("How many ships per harbour?", ["Lume | 1", "Oskarhaven | 1", "Quill | 0", "Veldport | 2"]),
    # mistyped
    ("What is the tonnage of the Osprei?", ["9000"]),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_answers(question: str, expected: list[str]) -> None:
    assert answers(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "What is the price of the Heron?",
        "Who painted the Mona Lisa?",
        "What is the wingspan of the albatross?",
        "How many lighthouses does Zanzibar have?",
        "Who is the cook of the Heron?",
    ],
)
def test_declines_what_the_graph_does_not_hold(question: str) -> None:
    parse = parser().parse(question)
    assert parse.rows is None
    assert parse.sparql is None
    assert parse.reason in ("unknown_entity", "unknown_relation")


def test_declining_names_what_is_missing() -> None:
    parse = parser().parse("What is the price of the Heron?")
    assert "price" in parse.explanation
    assert parse.missing == ("price",)


def test_explains_the_reading() -> None:
    parse = parser().parse("Which ships are registered in Veldport?")
    assert "registered in" in parse.explanation
    assert "Veldport" in parse.explanation
    assert parse.confidence > 0.8


def test_the_same_question_gets_the_same_answer_from_another_parser() -> None:
    question = "What is the population of the harbour with the most ships?"
    again = SemanticParser.over(store(SHIPS), encoder=encoder()).parse(question)
    assert again.sparql == parser().parse(question).sparql


def test_the_order_of_triples_does_not_matter() -> None:
    head, _, body = SHIPS.partition(":Ship a")
    subjects = (":Ship a" + body).split(" .\n")
    mixed = head + " .\n".join(reversed([s for s in subjects if s.strip()])) + " .\n"
    for question in ("Which captain commands the most ships?", "What is the longest ship?"):
        assert SemanticParser.over(store(mixed), encoder=encoder()).parse(question).sparql is not None
        assert answers(question, mixed) == answers(question)

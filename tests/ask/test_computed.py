"""Answers computed by SPARQL over the observatories' graph, which has no ontology; and what has to be declined."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.ask.engine import Asker
from kg.ask.graph import Written, run
from kg.ask.view import view
from kg.model import Reason
from kg.reading import Trained

from . import observatories


@pytest.fixture(scope="module")
def sarn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with observatories.build(tmp_path_factory.mktemp("observatories")) as knowledge_base:
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("How many telescopes does Sarn Observatory have?", ["2"]),
        ("How many telescopes are there?", ["3"]),
        ("How many telescopes cost less than $100,000?", ["2"]),
        ("Which telescopes does Sarn Observatory own?", ["Great Heron", "Little Wren"]),
        ("Which telescopes are not at Sarn Observatory?", ["Grey Owl"]),
        ("Which telescopes weigh more than 2 tonnes?", ["Great Heron", "Grey Owl"]),
        ("Which telescopes had first light before 1960?", ["Great Heron", "Little Wren"]),
        ("Which telescopes at Sarn Observatory cost more than $20,000?", ["Great Heron"]),
        ("Which telescope is the heaviest?", ["Great Heron"]),
        ("Which telescope of Sarn Observatory is the lightest?", ["Little Wren"]),
        ("Which observatory opened first?", ["Sarn Observatory"]),
        ("Which telescope had first light last?", ["Grey Owl"]),
        ("What is the average price of a telescope?", ["$137,333.33"]),
        ("What is the total weight of the telescopes?", ["17.9 t"]),
        ("Which is heavier, the Great Heron or the Grey Owl?", ["Great Heron"]),
        ("Which opened first, Sarn Observatory or Tolva Observatory?", ["Sarn Observatory"]),
        ("How much heavier is the Great Heron than the Little Wren?", ["13.1 t"]),
        ("How many times heavier is the Great Heron than the Grey Owl?", ["4.67 times"]),
        ("How many years after Sarn Observatory did Tolva Observatory open?", ["46 years"]),
        ("Is the Grey Owl heavier than the Great Heron?", ["No"]),
        ("Is the Grey Owl lighter than the Great Heron?", ["Yes"]),
        ("Which observatory was founded by Bram Oster?", ["Tolva Observatory"]),
        ("Who founded Tolva Observatory?", ["Bram Oster"]),
        ("Who founded Sarne Observatory?", ["Edda Quill"]),
        ("What is the first light of the Grey Owl?", ["1977"]),
        ("What does the Little Wren cost?", ["$12,000"]),
    ],
)
def test_the_query_shown_computes_the_answer(sarn: Asker, question: str, labels: list[str]) -> None:
    answer = sarn.ask(question)
    assert [i.label for i in answer.answers] == labels
    assert answer.sparql is not None and sarn.view.store is not None
    assert run(sarn.view.store, answer.sparql).bindings == answer.bindings
    assert answer.bindings is not None and ("boolean" in answer.bindings or Written("", answer.bindings).rows)
    assert all(i.citations for i in answer.answers)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Did Edda Quill found Tolva Observatory?", Reason.NO_EVIDENCE),
        ("Is the Grey Owl heavier than the Black Stork?", Reason.UNKNOWN_ENTITY),
    ],
)
def test_what_does_not_hold_is_declined(sarn: Asker, question: str, reason: Reason) -> None:
    answer = sarn.ask(question)
    assert (answer.status, answer.reason) == ("abstained", reason)


def test_only_what_supports_the_answer_is_cited(sarn: Asker) -> None:
    for question, value in (("When was Tolva Observatory opened?", "1975"), ("Who founded Tolva Observatory?", "Bram")):
        assert all(value in c.quote for c in sarn.ask(question).citations)


def test_follow_ups_carry_the_thing_or_the_relation_over(sarn: Asker) -> None:
    asker = Asker(sarn.view, trained=Trained.load())
    history: list[dict[str, str]] = []
    said = []
    for question in (
        "What is the price of the Grey Owl?",
        "and the Little Wren?",
        "What about the weight?",
        "Who founded Sarn Observatory?",
        "Where was she born?",
        "Who said that?",
    ):
        answer = asker.ask(question, history)
        assert answer.question == question
        said.append(answer.answer)
        history.append({"question": question, "answer": answer.answer})
    starts = ["$310,000", "$12,000", "900 kg", "Edda Quill", "Marrow Bay", "A letter from the hills says: “"]
    assert [s[: len(start)] for s, start in zip(said, starts, strict=True)] == starts

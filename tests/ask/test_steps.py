"""Questions of several steps: each is answered by its own passage, and a step without an answer is declined."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.ask.clauses import ClauseQuestion
from kg.ask.descriptions import descriptions
from kg.ask.engine import Asker
from kg.ask.question import analyse
from kg.ask.view import view

from . import belfry


@pytest.fixture(scope="module")
def toller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with belfry.build(tmp_path_factory.mktemp("belfry")) as knowledge_base:
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        ("Who owns the mill that feeds the pond?", "Which mill feeds the pond?"),
        ("Who owns the mill that Ana Roe built?", "Which mill did Ana Roe built?"),
        ("Where did the miller who followed Ana train?", "Which miller followed Ana?"),
        ("In which town is the mill where the fair was held?", "In which mill the fair was held?"),
        ("Who ground the corn sold by the abbey?", "Which corn was sold by the abbey?"),
        ("Who keeps the mill with red sails?", "Which mill has red sails?"),
        ("How deep is the pond of Ana's brother?", "What is Ana's brother?"),
        ("What opened in the year that Ana died?", "In which year Ana died?"),
    ],
)
def test_descriptions(question: str, inner: str) -> None:
    assert inner in [d.asks for d in descriptions(analyse(question))]


@pytest.mark.parametrize("question", ["Which mill feeds the pond?", "What is the mill that Ana built?"])
def test_what_is_asked_for_is_no_description_of_something_else(question: str) -> None:
    assert [d.asks for d in descriptions(analyse(question))] == []


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Who cast Old Grumbler?", ["Juris Venn"]),
        ("Which bell did Petra Holl ring?", ["Old Grumbler"]),
        ("Who founded the Toller Foundry?", ["Agda Toller", "Juris Venn"]),
        ("Which clockmaker founded the Toller Foundry?", ["Juris Venn"]),
        ("Who runs Morrow Mining?", ["Lene Quist"]),
        ("What hauled Little Swift?", ["Ox"]),
        ("Which tower did Ede Korn design?", ["Salt Tower"]),
    ],
)
def test_who_did_what(toller: Asker, question: str, labels: list[str]) -> None:
    draft = ClauseQuestion().read(toller.asking(question))
    assert draft is not None
    assert [v.label for v in draft.values] == labels


@pytest.mark.parametrize(
    ("question", "label", "steps", "quotes"),
    [
        ("Who built the crane that hauls Little Swift?", "Anders Mott", ["the crane that hauls Little Swift: Ox"],
         ["built by Anders Mott in 1902", "hauled up by *Ox*"]),
        ("Who founded the company that is run by Lene Quist?", "Ivo Sand",
         ["the company that is run by Lene Quist: Morrow Mining"], ["the priest Ivo Sand", "run by Lene Quist"]),
        ("Who cast the bell that Petra Holl rings?", "Juris Venn", ["the bell that Petra Holl rings: Old Grumbler"],
         ["cast by Juris Venn in 1880", "rung by Petra Holl"]),
        ("How many steps has the tower designed by Ede Korn?", "212", None, ["212"]),
        ("Where was the blacksmith who founded the foundry born?", "Hvalby",
         ["the blacksmith who founded the foundry: Agda Toller"], ["born in Hvalby", "founded in 1871"]),
    ],
)  # fmt: skip
def test_both_steps_are_told_and_quoted(
    toller: Asker, question: str, label: str, steps: list[str] | None, quotes: list[str]
) -> None:
    answer = toller.ask(question)
    assert answer.status == "answered", answer.answer
    assert label in answer.answers[0].label
    cited = " | ".join(c.quote for c in answer.citations)
    assert all(q in cited for q in quotes), cited
    for step in steps or ():
        assert step in answer.explanation


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the crane that hauls Little Swift?",
        "Where was the architect of the Salt Tower born?",
        "What does the person who rings Old Grumbler earn?",
        "Who founded the company that built the furnace?",
    ],
)
def test_what_the_first_step_finds_is_no_answer(toller: Asker, question: str) -> None:
    answer = toller.ask(question)
    assert answer.status == "abstained", answer.answer


def test_the_thing_known_is_named_where_its_property_is_not(toller: Asker) -> None:
    answer = toller.ask("What does the person who rings Old Grumbler earn?")
    assert "Petra Holl (the person who rings Old Grumbler)" in answer.answer

"""What was so at a time, who came next, ages and growth: computed from rows and lines, or declined."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kg.ask.ages import age
from kg.ask.engine import Asker
from kg.ask.view import view

from . import belfry


@pytest.fixture(scope="module")
def toller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with belfry.build(tmp_path_factory.mktemp("belfry")) as knowledge_base:
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who was master in 1910?", "Emil Rask"),
        ("Who was master in 1990?", "Otto Brandl"),
        ("Who was master when the Hare Tower was built?", "Nora Pike (1948)"),
        ("Who became master after Emil Rask?", "Nora Pike"),
        ("Who was master before Emil Rask?", "Agda Toller"),
        ("Who succeeded Nora Pike as master?", "Otto Brandl"),
        ("Where did the master who succeeded Agda Toller train?", "Delft School"),
        ("For how many years was Nora Pike master?", "29 years"),
        ("How old was Nora Pike when the Hare Tower was built?", "57 or 58"),
        ("By how much did the number of visitors change from 2020 to 2022?", "650 (fewer or less, -21.0%)"),
        ("How many more bells were cast in 2022 than in 2020?", "12 (more, +25.0%)"),
        ("How many years after the foundry was founded was the Reed Tower built?", "33 years"),
    ],
)
def test_times(toller: Asker, question: str, said: str) -> None:
    answer = toller.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.answer.startswith(said), answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "Who was master in 1850?",
        "Who became master after Otto Brandl?",
        "For how many years was Otto Brandl master?",
        "How old was Petra Holl when the Hare Tower was built?",
        "By how much did the number of workers grow from 2020 to 2022?",
        "By how much did the number of visitors grow from 2019 to 2022?",
    ],
)
def test_what_no_row_tells_is_declined(toller: Asker, question: str) -> None:
    answer = toller.ask(question)
    assert answer.status == "abstained", answer.answer


@pytest.mark.parametrize(
    ("born", "then", "years"),
    [("1931", "1967", "35 or 36"), ("1931-05", "1967-03", "35"), ("1931-05-02", "1967-05-02", "36")],
)
def test_age(born: str, then: str, years: str) -> None:
    assert age(born, then) == years

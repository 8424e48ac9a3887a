"""What users get without settings: the packaged reader and judge over what is read, queried and computed."""

from __future__ import annotations

import pytest

from kg.ask.engine import Asker
from kg.ask.view import View
from kg.model import Reason
from kg.reading import Trained


@pytest.fixture(scope="module")
def trained(ferry_view: View) -> Asker:
    return Asker(ferry_view, trained=Trained.load())


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Which ferry was the cheapest?", "Aurelia"),
        ("How many ferries cost more than $10 million?", "3"),
        ("Who built the Corvina?", "Pelham Works"),
        ("Who runs the harbour office?", "Petter Nygaard"),
        ("How much did the Corvina cost?", "$88 million"),
    ],
)
def test_one_value(trained: Asker, question: str, label: str) -> None:
    answer = trained.ask(question)
    assert (answer.status, [value.label for value in answer.answers]) == ("answered", [label])
    assert answer.citations


@pytest.mark.parametrize("question", ["Define slack water.", "What does slack water mean?"])
def test_a_term_is_told_with_its_meaning(trained: Asker, question: str) -> None:
    assert trained.ask(question).answer.startswith("Slack water — The short time at the turn of the tide")


@pytest.mark.xfail(strict=True, reason="by .498 of .5: what was painted is her hull")
def test_a_colour_is_told_with_what_says_so(trained: Asker) -> None:
    answer = trained.ask("What colour is the Aurelia?")
    assert answer.status == "answered" and "green" in answer.answers[0].label
    assert answer.citations[0].quote == "Its hull was painted green in 2011."


@pytest.mark.parametrize(
    "question",
    [
        "What is the colour of the Aurelia's funnel?",
        "What colour is the Bryndis?",
        pytest.param(
            "Who painted the Aurelia?",
            marks=pytest.mark.xfail(strict=True, reason="by .53: the judge takes her captain for it"),
        ),
    ],
)
def test_what_the_documents_do_not_say_is_declined(trained: Asker, question: str) -> None:
    answer = trained.ask(question)
    assert (answer.status, answer.answers, answer.sparql) == ("abstained", (), None)
    assert trained.ask("Who built the Corvetta?").reason == Reason.UNKNOWN_ENTITY


def test_a_speed_that_the_documents_do_not_say_is_declined(trained: Asker) -> None:
    assert trained.ask("What is the top speed of the Aurelia?").status == "abstained"


@pytest.mark.parametrize("said", ["hello", "Hi there!", "thanks", "zzz qqq", "who are you?"])
def test_what_no_document_has_a_word_of_is_declined(trained: Asker, said: str) -> None:
    answer = trained.ask(said)
    assert (answer.status, answer.reason) == ("abstained", Reason.NO_EVIDENCE)


def test_one_word_that_documents_have_is_no_greeting(trained: Asker) -> None:
    assert not trained.asking("ferries").found.strange
    assert not trained.asking("How pricey were the Corvina's engines?").found.strange
    assert trained.asking("hello").found.strange

"""Answers from the ferries' documents: one of every kind, and what has to be declined."""

from __future__ import annotations

import pytest

from kg.ask.drafts import judge
from kg.ask.engine import Asker
from kg.model import Reason
from kg.reading import Trained


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How many cars does the Bryndis carry?", "72"),
        ("how many cars has the bryndiss?", "72"),
        ("Who built the Corvina?", "Pelham Works"),
        ("How much did the Corvina cost?", "$88 million"),
        ("When was the Bryndis launched?", "June 2003"),
        ("Who is the captain of the Aurelia?", "Ingrid Solberg"),
        ("How many harbours does the Aurelia serve?", "4"),
        ("How long does the Aurelia take to cross the sound?", "35 minutes"),
        ("Which ferry was the cheapest?", "Aurelia"),
        ("Which carries more cars, the Aurelia or the Corvina?", "Corvina"),
        ("Which is older, Bryndis or Aurelia?", "Aurelia"),
        ("By how many cars does the Corvina exceed the Bryndis?", "48 cars"),
        ("Does the Bryndis sail at night?", "No"),
        ("Is there proof that the Corvina burns methanol?", "No"),
        ("How much did the Dunlin cost?", "$2.4 million"),
    ],
)
def test_one_value(reading_asker: Asker, question: str, label: str) -> None:
    answer = reading_asker.ask(question)
    assert (answer.status, [i.label for i in answer.answers]) == ("answered", [label])
    assert answer.answer.startswith(label)


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which ferries did Holm Yard build?", ["Aurelia", "Bryndis"]),
    ],
)
def test_several_values(reading_asker: Asker, question: str, labels: list[str]) -> None:
    assert [i.label for i in reading_asker.ask(question).answers] == labels


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How many cars does the Fjordlys carry?", Reason.UNKNOWN_ENTITY),
        ("How many funnels does the Corvina have?", Reason.UNKNOWN_RELATION),
        ("What is the top speed of the Aurelia?", Reason.UNKNOWN_RELATION),
    ],
)
def test_what_the_documents_do_not_say_is_declined_with_the_reason(
    reading_asker: Asker, question: str, reason: Reason
) -> None:
    answer = reading_asker.ask(question)
    assert (answer.status, answer.reason, answer.answers, answer.sparql) == ("abstained", reason, (), None)
    assert 1 <= len(answer.citations) <= 3


@pytest.mark.parametrize(
    ("question", "reason", "what"),
    [
        ("Which Mayor repainted the Corvina?", Reason.UNKNOWN_RELATION, "Corvina"),
        ("How many funnels are there?", Reason.NO_EVIDENCE, ""),
        ("How many cars does the Corvina carry?", Reason.NO_EVIDENCE, "Corvina"),
    ],
)
def test_a_refusal_names_what_is_asked_about_and_not_what_is_asked_for(
    asker: Asker, question: str, reason: Reason, what: str
) -> None:
    verdict = judge(asker.asking(question), None)
    assert (verdict.reason, verdict.what) == (reason, what)


def test_a_near_miss_is_offered(reading_asker: Asker) -> None:
    answer = reading_asker.ask("Who built the Corvetta?")
    assert answer.reason == Reason.UNKNOWN_ENTITY
    assert "Corvina" in answer.answer


def test_every_quotation_stands_in_its_passage(reading_asker: Asker) -> None:
    for question in ("How many cars does the Bryndis carry?", "Define slack water.", "Who built the Fjordlys?"):
        for number, citation in enumerate(reading_asker.ask(question).citations, 1):
            assert citation.id == number
            assert citation.text[citation.start : citation.end] == citation.quote
            assert 0 < len(citation.quote) <= 300


def test_the_same_question_gets_the_same_answer(reading_asker: Asker, ferry_view: object) -> None:
    again = Asker(ferry_view, trained=Trained.load())  # type: ignore[arg-type]
    for question in ("Which ferry carries the most cars?", "Which harbours does the Aurelia call at?"):
        one, other = reading_asker.ask(question), again.ask(question)
        assert (one.answer, one.citations, one.sparql) == (other.answer, other.citations, other.sparql)


def test_a_limit_on_citations_holds(reading_asker: Asker) -> None:
    assert len(reading_asker.ask("Which ferry carries the most cars?", limit=1).citations) == 1

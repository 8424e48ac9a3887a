"""Answers from the ferries' documents: one of every kind, and what has to be declined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value, Verdict, judge
from kg.ask.engine import Asker, _computed_of_all
from kg.ask.retrieve import Scored
from kg.model import Passage, Reason, Unit, UnitKind
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


@pytest.mark.parametrize(("explained", "believed"), [(0.9, True), (0.6, False), (None, False)])
def test_a_query_is_believed_by_the_words_that_it_stands_for(
    asker: Asker, explained: float | None, believed: bool
) -> None:
    asking = asker.asking("How many cars does the Bryndis take?")
    draft = Draft("value", "72", (Value("72"),), asking.found.units[:1], 0.9, explained=explained)
    verdict = judge(asking, draft)
    assert (verdict.reason is None) is believed and verdict.confidence > 0.5
    assert judge(asking, replace(draft, evidence=())).reason == Reason.NO_EVIDENCE


def test_only_what_is_computed_of_all_and_believed_is_sure() -> None:
    draft = Draft("count", "3", (Value("3"),), (), 0.9, exact=True)
    refused = Verdict(0.9, Reason.NO_EVIDENCE)
    sure = Candidate(draft, Source.GRAPH, Verdict(0.8))
    others = [
        Candidate(replace(draft, exact=False), Source.GRAPH, Verdict(0.8)),
        Candidate(draft, Source.COMPUTED, Verdict(0.8)),
        Candidate(draft, Source.GRAPH, refused), Candidate(draft, Source.GRAPH),
    ]  # fmt: skip
    assert _computed_of_all([*others, sure]) == [sure]


def test_the_words_of_a_unit_are_its_own_and_what_stands_over_it(asker: Asker) -> None:
    units = (Unit(UnitKind.ITEM, 0, 1, "row out", "In a storm:"), Unit(UnitKind.ITEM, 1, 2, "swim"))
    passage = Passage("p", "d", 0, 2, "  ", ("Drills",), 0, units)
    words = asker.retriever.context_words(Scored(passage, 0, *[0.0] * 8))
    assert {"row", "storm", "drill"} <= words and "swim" not in words


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

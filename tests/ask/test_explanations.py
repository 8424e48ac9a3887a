"""One sentence on how each answer was made, over the observatories' graph and the ferries' passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from kg.ask.engine import Asker
from kg.ask.view import View, view
from kg.reading import Trained

from . import observatories


@pytest.fixture(scope="module")
def sarn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with observatories.build(tmp_path_factory.mktemp("observatories")) as knowledge_base:
        yield Asker(view(knowledge_base.snapshot))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who founded Sarn Observatory?", "The only value given as “Founder” of Sarn Observatory, from 1 document."),
        (
            "How many telescopes does Sarn Observatory have?",
            "Counted: 2 things with “Observatory”: Sarn Observatory, from 1 document.",
        ),
        ("Which telescope is the heaviest?", "The first of 3 things by falling “Weight”."),
        ("What is the average price of a telescope?", "The average of “Price” over 3 things, from 1 document."),
        (
            "Which is heavier, the Great Heron or the Grey Owl?",
            "Two values of “Weight” of Great Heron and Grey Owl, compared, from 1 document.",
        ),
    ],
)
def test_answers_say_how_they_were_made(sarn: Asker, question: str, said: str) -> None:
    assert sarn.ask(question).explanation == said


def test_what_no_query_stands_behind_names_its_document(ferry_view: View) -> None:
    alone = Asker(replace(ferry_view, store=None), trained=Trained.load())
    answer = alone.ask("How long does the Aurelia take to cross the sound?")
    assert answer.sparql is None and "35 minutes" in answer.answer
    assert answer.explanation == (
        "The passage that fits the question best is read for its number, in “The Ferries of Larn Sound”; "
        "no query stands behind it."
    )


def test_refusals_have_their_reason_instead(sarn: Asker) -> None:
    answer = sarn.ask("Who is the captain of the Zanzibar?")
    assert answer.status == "abstained" and answer.explanation is None


def test_citations_have_the_row_with_its_headings(sarn: Asker) -> None:
    (cited, *_) = sarn.ask("Which telescope is the heaviest?").citations
    assert cited.quote.startswith("| Great Heron |")
    assert (cited.plain or "").startswith("Telescope: Great Heron; Observatory: Sarn Observatory; Mirror: 2.5 m")

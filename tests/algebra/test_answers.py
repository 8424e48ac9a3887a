from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.algebra.answers import Computed, Computer, told
from kg.algebra.evaluate import Evaluator
from kg.algebra.forms import english
from kg.algebra.links import Linked
from kg.algebra.parse import Parser
from kg.algebra.source import Table
from tests.algebra import making
from tests.algebra.making import LIGHTS
from tests.algebra.test_documents import TEXT, tables

ASKED = [
    ("What is the height of Northness?", ("27",)),
    ("How many lights are in Orkney?", ("2",)),
    ("How many lights were built after 1900?", ("3",)),
    ("Which light was built first?", ("Skerry",)),
    ("Who is the keeper of Sandaig?", ("Iris Vane",)),
    ("In what county is Holm?", ("Orkney",)),
    ("Which light was built earlier, Corran or Holm?", ("Corran",)),
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser()


@pytest.mark.parametrize(("question", "expected"), ASKED, ids=[q for q, _ in ASKED])
def test_plain_questions_on_a_plain_table(parser: Parser, question: str, expected: tuple[str, ...]) -> None:
    best = parser.parse(question, Linked(LIGHTS))[0]
    given = best.result.texts or (str(best.result.number),)
    assert given == expected


def test_parsing_twice_gives_the_same(parser: Parser) -> None:
    for question, _ in ASKED:
        assert parser.parse(question, Linked(LIGHTS)) == parser.parse(question, Linked(LIGHTS))


def test_results_are_what_their_forms_stand_for(parser: Parser) -> None:
    for question, _ in ASKED:
        for parse in parser.parse(question, Linked(LIGHTS), most=5):
            assert Evaluator(LIGHTS).result(parse.form) == parse.result
            assert 0 <= parse.share <= 1 and 0 <= parse.chance <= 1


def answers(question: str) -> list[Computed]:
    return Computer().answers(question, tables())


def test_an_answer_rests_on_cells_of_the_document() -> None:
    best = answers("What is the height of Skerry; north?")[0]
    assert best.values == ("48",)
    assert "Height (m)" in best.reading
    assert [TEXT[c.start : c.end] for c in best.evidence] == ["Skerry; north", "48"]
    assert [passage.units[number].plain.split(";")[0] for passage, number in best.places] == ["Light: Skerry"]


def test_more_is_believed_of_what_fits_the_table() -> None:
    fits = answers("Which county is Corran in?")[0].confidence
    assert fits > answers("Who founded the university of Vienna?")[0].confidence
    assert fits > answers("What is the wingspan of the albatross?")[0].confidence


def test_nothing_is_said_below_the_least_confidence() -> None:
    assert Computer().answers("Who founded the university of Vienna?", tables(), least=0.5) == []


@settings(max_examples=60, deadline=None)
@given(
    making.tables(),
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "how",
                    "many",
                    "which",
                    "what",
                    "is",
                    "the",
                    "most",
                    "least",
                    "first",
                    "last",
                    "after",
                    "before",
                    "number",
                    "tree",
                    "oak",
                    "yew",
                    "red",
                ]
            ),
            st.sampled_from(["more than 3", "1,000,000", "12th", "in 1999", "2-1", "²", "\u0301", "?!", "or", "not"]),
            st.text(max_size=6),
        ),
        max_size=9,
    ).map(" ".join),
)
def test_whatever_is_asked_of_whatever_table_is_parsed_or_not(parser: Parser, source: Table, question: str) -> None:
    for parse in parser.parse(question, Linked(source)):
        assert not parse.result.empty
        assert english(parse.form, source)
        assert told(parse.form, parse.result, source)


def test_questions_without_words_and_tables_without_questions() -> None:
    assert Computer().answers("", tables()) == [] or all(0 <= c.confidence <= 1 for c in answers(""))
    assert Computer().answers("Which county is Corran in?", []) == []

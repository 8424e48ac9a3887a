"""Questions taken apart, and the types that recognise them."""

from __future__ import annotations

import pytest

from kg.ask.question import Role, analyse
from kg.ask.question_kinds import asks_date, asks_number, defined


@pytest.mark.parametrize(
    ("text", "date", "number"),
    [
        ("When was it launched?", True, False),
        ("In which year was it launched?", True, False),
        ("How much did the Corvina cost?", False, True),
        ("How long does it take?", False, True),
        ("Does the Bryndis sail at night?", False, False),
        ("Who is the captain?", False, False),
    ],
)
def test_dates_and_numbers_are_asked_for(text: str, date: bool, number: bool) -> None:
    question = analyse(text)
    assert (asks_date(question), asks_number(question)) == (date, number)


@pytest.mark.parametrize(
    ("text", "asks"),
    [("What does slack water mean?", True), ("slack water definition", True), ("Who is the captain?", False)],
)
def test_meanings_are_asked_for(text: str, asks: bool) -> None:
    assert bool(defined(analyse(text))) is asks


def test_focus_names_and_options() -> None:
    question = analyse("How many spare lifeboats does the Bryndis have on Lake Orra?")
    assert [t.text for t in question.focus] == ["spare", "lifeboats"]
    assert [n.text for n in question.names] == ["Bryndis", "Lake Orra"]
    assert analyse("Which is older, the Aurelia or Bryndis?").options == ("the Aurelia", "Bryndis")


def test_names_in_small_letters_are_known_from_the_documents() -> None:
    known = frozenset({"bryndi"})
    assert [n.text for n in analyse("who built the bryndis?", known).names] == ["bryndis"]
    assert analyse("who built the bryndis?").names == ()


def test_words_have_roles_and_function_words_none() -> None:
    roles = {w.token.text: w.role for w in analyse("Which ferry has the largest hull on the Orra line?").words}
    assert roles == {
        "ferry": Role.FOCUS,
        "largest": Role.KIND,
        "hull": Role.CONTENT,
        "Orra": Role.NAME,
        "line": Role.CONTENT,
    }


@pytest.mark.parametrize("text", ["", "?", "   ", "who", "Which?", "x" * 3000])
def test_odd_questions_are_taken_apart_all_the_same(text: str) -> None:
    question = analyse(text)
    assert not asks_date(question) and not asks_number(question)


def test_contracted_pronouns_are_neither_names_nor_content() -> None:
    question = analyse("We've lost a strict table and I'm sad. Which error will I see?")
    assert question.names == ()
    assert [word.token.text for word in question.words] == ["lost", "strict", "table", "sad", "error", "see"]
    assert [name.text for name in analyse("What does O'Brien's mill grind?").names] == ["O'Brien's"]


def test_an_entity_says_nothing_of_the_answer() -> None:
    roles = {word.token.lower: word.role for word in analyse("Which entity employs the guards?").words}
    assert roles == {"entity": Role.LIGHT, "employs": Role.CONTENT, "guards": Role.CONTENT}

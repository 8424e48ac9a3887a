"""Questions taken apart, and the types that recognise them."""

from __future__ import annotations

import pytest

from kg.ask.question import Role, analyse
from kg.ask.question_kinds import asks_definition
from kg.ask.rules import RULES


def kind(text: str) -> str:
    question = analyse(text)
    return next((kind for kind, asks, _ in RULES if asks(question)), "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does the Bryndis sail at night?", "boolean"),
        ("When was it launched?", "date"),
        ("In which year was it launched?", "date"),
        ("How much did the Corvina cost?", "number"),
        ("How long does it take?", "number"),
        ("Who is the captain?", ""),  # read by trained models alone
    ],
)
def test_each_question_finds_its_type(text: str, expected: str) -> None:
    assert kind(text) == expected


@pytest.mark.parametrize(
    ("text", "asks"),
    [("What does slack water mean?", True), ("slack water definition", True), ("Who is the captain?", False)],
)
def test_meanings_are_asked_for(text: str, asks: bool) -> None:
    assert asks_definition(analyse(text)) is asks


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
    assert kind(text) == ""


def test_an_entity_says_nothing_of_the_answer() -> None:
    roles = {word.token.lower: word.role for word in analyse("Which entity employs the guards?").words}
    assert roles == {"entity": Role.LIGHT, "employs": Role.CONTENT, "guards": Role.CONTENT}

"""Weights and thresholds learned from questions with known rows."""

from __future__ import annotations

from benchmarks.evaluation.answer_rows import Cells, Question, compare
from benchmarks.evaluation.learning import adjectives, trained
from kg.semantics.weights import WEIGHTS
from tests.semantics.world import SHIPS, parser, store

CELLS = Cells(store(SHIPS))
MAJOR = [
    Question("1", "Which major harbours lie on the Brine Sea?", None, (("veldport",),)),
    Question("2", "Which major harbours lie on the Amber Sea?", None, (("lume",),)),
    Question("3", "List the major harbours", None, (("veldport",), ("lume",))),
]


def test_an_adjective_that_hides_a_threshold() -> None:
    found = adjectives(parser(), MAJOR, CELLS)
    assert [a.word for a in found] == ["major"]
    assert 8000 < found[0].bound.value <= 52000


def test_what_was_learned_answers_new_questions() -> None:
    learned = trained(parser(), MAJOR, CELLS)
    parse = learned.parse("How many major harbours are there?")
    assert parse.rows is not None
    assert compare((("2",),), CELLS.rows(parse.rows))[0]
    assert parser().parse("How many major harbours are there?").rows is None


def test_nothing_to_learn_changes_nothing() -> None:
    assert trained(parser(), [], CELLS).weights == dict(WEIGHTS)


def test_the_order_of_questions_does_not_matter() -> None:
    one = trained(parser(), MAJOR, CELLS).weights
    assert trained(parser(), list(reversed(MAJOR)), CELLS).weights == one

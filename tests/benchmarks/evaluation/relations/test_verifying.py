from __future__ import annotations

import numpy as np
import pytest

from benchmarks.evaluation.relations.verifying import MOST, question, verified
from kg.indexes.embedding import model_folder
from kg.reading import Verifier
from kg.relations.encoding import Relation, encode
from kg.relations.scoring import NEVER, Choice, Scores, decode
from kg.syntax.parser import tokenizer

DIRECTOR = Relation("f/director", "director", "", "film", "person")
WRITER = Relation("f/writer", "writer", "", "film", "person")
TEXT = "Orr was directed by Ada Wren and written by Sven Dahl."
ORR, ADA, SVEN = [0, 0], [4, 5], [9, 10]  # words, inclusive


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier()


def scores(odds: np.ndarray) -> Scores:
    return Scores(encode(TEXT, tokenizer(model_folder())), np.array([ORR, ADA, SVEN]), odds.astype(np.float32))


def test_a_relation_is_asked_by_its_label_and_range():
    assert question(DIRECTOR, "Orr") == "Which person is the director of Orr?"
    assert question(Relation("f/d", "date"), "Orr") == "Which one is the date of Orr?"


def test_of_equally_likely_candidates_the_one_that_answers_is_told(verifier):
    odds = np.full((3, 3, 2), NEVER)
    odds[0, 1:, :] = -3.0
    told = verified(scores(odds), (DIRECTOR, WRITER), TEXT, verifier)
    said = decode(told, (DIRECTOR, WRITER), Choice(threshold=-9.0, margin=1.0))
    assert {(one.relation, TEXT[slice(*one.object)]) for one in said} == {
        ("f/director", "Ada Wren"), ("f/writer", "Sven Dahl"),
    }  # fmt: skip


def test_what_is_far_behind_is_not_asked_and_not_left(verifier):
    odds = np.full((3, 3, 1), NEVER)
    odds[0, 1, 0], odds[0, 2, 0] = 3.0, -4.0
    told = verified(scores(odds), (DIRECTOR,), TEXT, verifier).odds
    assert told[0, 1, 0] > NEVER
    assert (told > NEVER).sum() == 1 < MOST


def test_nothing_likely_is_nothing_asked(verifier):
    odds = np.full((3, 3, 1), NEVER)
    assert (verified(scores(odds), (DIRECTOR,), TEXT, verifier).odds == NEVER).all()

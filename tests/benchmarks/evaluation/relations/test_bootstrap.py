"""What sentences show together: the surest facts' arguments count, unsure and impossible ones don't."""

import numpy as np
import pytest

from benchmarks.evaluation.relations.bootstrap import bootstrapped
from benchmarks.evaluation.relations.priors import Priors, Weights
from benchmarks.evaluation.relations.reading import Meant
from kg.indexes.embedding import model_folder
from kg.relations.encoding import Relation, encode
from kg.relations.scoring import NEVER
from kg.syntax.parser import tokenizer

LIGHT, KEEPER, BELL, WOOL = np.eye(4, dtype=np.float32)
TEXT = "The Holm Light near Skara Bay was kept by Ada Wren."


def told(objects=KEEPER, subjects=LIGHT, **weights):
    """A relation that looks for what means ``objects`` and ``subjects``; embedding is not asked."""
    made = Priors.of([Relation("k", "keeper", "", "tower", "person")], lambda texts: np.zeros((len(texts), 4)))
    return Priors(made.dated, made.numbers, objects[None], subjects[None], Weights(**weights))


def scores(sure, subject, object_, other=WOOL):
    """A sentence with three spans, the last a bystander: the first is said of the second as surely as ``sure``."""
    encoded = encode(TEXT, tokenizer(model_folder()))
    odds = np.full((3, 3, 1), NEVER)
    odds[0, 1] = sure
    odds[0, 2] = odds[2, 1] = min(sure, 0.0) - 9.0 if sure > NEVER else NEVER
    spans = np.array([(1, 2), (4, 5), (9, 10)])
    return Meant(encoded, spans, odds, np.stack([subject, object_, other]))


QUIET = {"object": 0.0, "subject": 0.0}


def test_objects_and_subjects_of_the_surest_facts_become_what_is_looked_for():
    read = [scores(5.0, LIGHT, BELL) for _ in range(5)]
    now = bootstrapped(told(**QUIET), read)
    assert now.objects[0] == pytest.approx((KEEPER + 2 * BELL) / np.sqrt(5))
    assert now.subjects[0] == pytest.approx(LIGHT)


def test_only_the_surest_sixth_counts_and_no_fewer_than_five():
    read = [scores(5.0, LIGHT, BELL) for _ in range(5)] + [scores(-2.0, WOOL, WOOL) for _ in range(25)]
    assert bootstrapped(told(**QUIET), read).objects[0] == pytest.approx((KEEPER + 2 * BELL) / np.sqrt(5))
    assert bootstrapped(told(**QUIET), read[::-1]).objects[0] == pytest.approx((KEEPER + 2 * BELL) / np.sqrt(5))


def test_pairs_that_cannot_be_show_nothing():
    read = [scores(5.0, LIGHT, BELL) for _ in range(2)] + [scores(NEVER, WOOL, WOOL) for _ in range(3)]
    assert bootstrapped(told(**QUIET), read).objects[0] == pytest.approx((KEEPER + 2 * BELL) / np.sqrt(5))
    nothing = [scores(NEVER, WOOL, WOOL) for _ in range(6)]
    assert bootstrapped(told(**QUIET), nothing).objects[0] == pytest.approx(KEEPER)


def test_a_few_sentences_show_nothing():
    before = told()
    assert bootstrapped(before, [scores(5.0, LIGHT, BELL) for _ in range(4)]) is before
    assert bootstrapped(before, []) is before


def test_what_was_learned_decides_where_a_sentence_alone_does_not():
    before = told()
    now = bootstrapped(before, [scores(5.0, LIGHT, BELL) for _ in range(6)])
    torn = scores(0.0, LIGHT, WOOL, other=BELL)
    torn.odds[0, 2] = 0.0
    alone, together = before.likened(torn).odds[0, :, 0], now.likened(torn).odds[0, :, 0]
    assert alone[1] == pytest.approx(alone[2])
    assert together[2] > together[1] + 5
    assert together[0] == NEVER

"""Candidates that are given or liked are scored as the model's own are."""

import numpy as np
import pytest

from benchmarks.evaluation.relations.reading import MORE, between, liked_scores
from kg.relations.encoding import MOST_PIECES, Relation, enumerate_spans
from kg.relations.examples import opened
from kg.relations.files import GENERAL, model_of

RELATIONS = (
    Relation("r/keeper", "keeper", "who keeps a light", "lighthouse", "person"),
    Relation("r/built", "built", "when it was built", "lighthouse", "date"),
)
TEXT = "Holm Light was built in 1800 and kept by Ada Wren. It is red."


@pytest.fixture(scope="module")
def general():
    return opened(model_of(GENERAL))


def test_names_that_are_given_are_scored_and_no_others(general):
    known = general.know(RELATIONS)
    names = [(TEXT.index(name), TEXT.index(name) + len(name)) for name in ("Ada Wren", "Holm Light")]
    found = between(general, TEXT, names, known, MOST_PIECES)
    assert [found.encoded.span(*spot) for spot in found.spans.tolist()] == sorted(names)
    chosen = general.scores(TEXT, known)
    places = {tuple(spot): at for at, spot in enumerate(chosen.spans.tolist())}
    at = [places[tuple(spot)] for spot in found.spans.tolist()]
    assert np.allclose(found.odds[0, 1], chosen.odds[at[0], at[1]], atol=1e-5)
    assert between(general, TEXT, names[:1], known, MOST_PIECES) is None
    assert between(general, TEXT, names, known, 8) is None  # the second name isn't read


def test_what_is_liked_is_scored_beside_the_models_own_choice(general):
    known = general.know(RELATIONS)
    own = {tuple(spot) for spot in general.scores(TEXT, known).spans.tolist()}

    def fond(encoded):
        return 1e3 * np.array([tuple(spot) not in own for spot in enumerate_spans(encoded).tolist()], np.float32)

    first, second = (liked_scores(general, TEXT, known, fond) for _ in range(2))
    assert own < {tuple(spot) for spot in first.spans.tolist()}
    assert len(first.spans) == len(own) + general.heads.kept + MORE
    assert first.meaning.shape == (len(first.spans), 384)
    assert np.array_equal(first.odds, second.odds) and np.array_equal(first.meaning, second.meaning)

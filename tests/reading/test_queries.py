"""The packaged encoder of questions: vectors among those of the texts that answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from kg.indexes.embedding import OnnxEncoder
from kg.reading import QUERY_LENGTH, Queries, vector_of_question

QUESTION = "Our boat lost its papers in a storm, whom do we turn to?"


class Other:
    """An encoder that no encoder of questions was made for."""

    model_hash = "another"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([[len(text), 0.0] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder()


def test_a_question_has_a_vector_of_its_own_among_those_of_texts(encoder: OnnxEncoder) -> None:
    vector = vector_of_question(QUESTION, encoder)
    assert vector.shape == (encoder.dimensions,) and vector.dtype == np.float32
    assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-6)
    assert (vector == Queries().vector(QUESTION)).all()
    assert not np.allclose(vector, encoder.encode([QUESTION])[0], atol=1e-2)


def test_it_is_nearer_to_the_text_that_answers(encoder: OnnxEncoder) -> None:
    answers, beside = encoder.encode(
        ["A lost certificate is replaced by the registrar of ships.", "The boat lost its mast in a storm."]
    )
    moved = vector_of_question(QUESTION, encoder) - encoder.encode([QUESTION])[0]
    assert float(answers @ moved) > float(beside @ moved) + 0.05


def test_what_is_done_to_a_vector_leaves_the_next_as_it_is() -> None:
    queries = Queries()
    queries.vector(QUESTION)[:] = 0
    assert queries.vector(QUESTION).any()


def test_texts_of_any_other_encoder_are_looked_for_by_that() -> None:
    assert vector_of_question("Who?", Other()).tolist() == [4.0, 0.0]


def test_very_long_questions_and_odd_signs_have_a_vector() -> None:
    queries = Queries()
    assert (queries.vector("why " * 5000) == queries.vector("why " * (QUERY_LENGTH - 2))).all()
    assert (queries.vector("why " * 5000) != queries.vector("why " * (QUERY_LENGTH - 10))).any()
    for text in ("", "\ud800 ☃ 東京"):
        assert np.isfinite(queries.vector(text)).all()

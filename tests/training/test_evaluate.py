"""The reader's figures are counted as SQuAD counts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def scoring() -> Any:
    pytest.importorskip("torch")
    from training.reader import evaluate

    return evaluate


@pytest.mark.parametrize(
    ("text", "plain"), [("The  Corran Mill!", "corran mill"), ("an A-frame", "aframe"), ("", ""), ("U.S.", "us")]
)
def test_answers_are_compared_without_case_articles_and_marks(scoring: Any, text: str, plain: str) -> None:
    assert scoring.normal(text) == plain


@pytest.mark.parametrize(
    ("said", "gold", "share"),
    [
        ("the Corran Mill", "Corran Mill", 1.0),
        ("Corran", "Corran Mill", 2 / 3),
        ("mill mill mill", "Corran Mill", 2 / 5),  # a word counts as often as both have it
        ("Ada", "Bruno", 0.0),
        ("", "Bruno", 0.0),
        ("the", "", 1.0),
    ],
)
def test_f1_is_the_overlap_of_words(scoring: Any, said: str, gold: str, share: float) -> None:
    assert scoring.f1(said, gold) == pytest.approx(share)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 45))
def test_the_best_span_is_that_of_a_plain_loop(scoring: Any, seed: int, size: int) -> None:
    draw = np.random.default_rng(seed)
    start, end = draw.normal(size=size), draw.normal(size=size)
    allowed = draw.random(size) < 0.7
    allowed[0], allowed[-1] = False, True
    found = scoring.best_span(start, end, allowed)
    spans = [(s, e) for s in range(size) for e in range(s, min(size, s + 30)) if allowed[s] and allowed[e]]
    best = max(spans, key=lambda span: start[span[0]] + end[span[1]])
    assert found[:2] == best
    assert found[2] == pytest.approx(start[best[0]] + end[best[1]] - start[0] - end[0])

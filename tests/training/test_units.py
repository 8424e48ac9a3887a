"""The ranking of units: weights that put evidence first, as the file says them, and how often it is first."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from kg.reading import Judge
from training.judge.units import Units, Weights, fitted, recall


def asked(count: int = 60, seed: int = 4) -> list[Units]:
    """Questions of three to six units; "fits" tells the one that is evidence, "noise" nothing."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        size = draw.randint(3, 6)
        told = draw.randrange(size)
        rows = [{"fits": draw.gauss(2.0 if n == told else 0.0, 1.0), "noise": draw.gauss(5, 2)} for n in range(size)]
        made.append(Units("fact", rows, np.arange(size) == told))
    return made


def test_what_tells_evidence_weighs_most_and_puts_it_first() -> None:
    weights = fitted(asked())
    told = dict(zip(weights.names, weights.table[:, 2], strict=True))
    assert told["fits"] > 4 * abs(told["noise"])
    other = asked(seed=5)
    drawn = [list(range(len(one.rows))) for one in other]
    ranked = [[weights.odds(row) for row in one.rows] for one in other]
    assert recall(other, ranked, 1) > recall(other, drawn, 1) + 0.3
    assert recall(other, ranked, 1) <= recall(other, ranked, 2) <= recall(other, ranked, 6) == 1.0


def test_the_file_ranks_as_the_weights_do(tmp_path: Path) -> None:
    weights = fitted(asked())
    (tmp_path / "units.json").write_text(weights.to_json(), encoding="utf-8")
    held = Judge.load(tmp_path / "units.json")
    rows = [row for one in asked(9) for row in one.rows]
    assert [held.odds(row) for row in rows] == pytest.approx([weights.odds(row) for row in rows], abs=1e-3)


def test_a_feature_that_a_unit_lacks_is_zero() -> None:
    weights = Weights(("a", "b"), np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 5.0]]))
    assert weights.odds({"a": 3.0}) == 3.0 and weights.odds({}) == -1.5

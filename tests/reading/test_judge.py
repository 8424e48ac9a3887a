from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from kg.errors import ModelUnavailable
from kg.reading import Judge, Trained, Weight


def test_the_chance_is_the_logistic_of_the_standardised_features() -> None:
    judge = Judge({"a": Weight(1.0, 2.0, 0.5), "b": Weight(0.0, 1.0, -1.0)}, 0.25, 0.5)
    assert judge.chance({"a": 5.0, "b": 0.5, "unheard of": 9.0}) == pytest.approx(1 / (1 + math.exp(-0.75)))
    assert judge.chance({}) == pytest.approx(1 / (1 + math.exp(0.0)))


def test_a_judge_is_loaded_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "judge.json"
    file.write_text(json.dumps({"constant": -1.0, "threshold": 0.4, "weights": {"a": [0.5, 2.0, 3.0]}}))
    assert Judge.load(file) == Judge({"a": Weight(0.5, 2.0, 3.0)}, -1.0, 0.4)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"constant": 1, "threshold": 1, "weights": {"a": [1]}}'])
def test_what_is_no_judge_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "judge.json"
    file.write_text(text)
    with pytest.raises(ModelUnavailable, match=r"judge\.json is no judge"):
        Judge.load(file)


def test_the_packaged_judge_has_a_threshold_between_never_and_always() -> None:
    judge = Trained.load().judge
    assert 0.05 < judge.threshold < 0.95
    assert {"read_score", "best_answers"} <= set(judge.weights)

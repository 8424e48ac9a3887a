"""The judge: what it learns, that its file says the same, and that its threshold holds what was asked for."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.reading import Judge
from training.judge.fit import (
    Fitted,
    Pick,
    calibration,
    calibration_error,
    chance,
    figures,
    fitted,
    out_of_fold,
    picks,
    settled,
    threshold_for,
)


def asked(count: int = 90, seed: int = 3) -> list[dict[str, Any]]:
    """Questions of three sets; "fits" tells the right candidate, "noise" nothing."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        candidates = []
        for _ in range(3):
            right = draw.random() < 0.4
            features = {"fits": draw.gauss(2.0 if right else -1.0, 1.0), "noise": draw.gauss(0, 1)}
            candidates.append({"right": right, "exact": right and draw.random() < 0.7, "features": features})
        kind = "unanswerable" if number % 6 == 0 else "fact"
        made.append({"id": str(number), "set": "abc"[number % 3], "type": kind, "candidates": candidates})
    return made


def pick(odds: float, right: bool, kind: str = "fact", exact: bool = False) -> Pick:
    candidate = {"right": right, "exact": exact, "features": {}}
    return Pick({"set": "a", "type": kind, "candidates": [candidate]}, odds, candidate)


def test_the_feature_that_tells_weighs_most_and_ranks() -> None:
    model = fitted(asked(), 0.5)
    weights = dict(zip(model.names, model.weights, strict=True))
    assert weights["fits"] > 4 * abs(weights["noise"])
    one = {"set": "a", "type": "fact", "candidates": [{"features": {"fits": x}} for x in (-1.0, 3.0, 0.5)]}
    assert picks(model, [one])[0].candidate == one["candidates"][1]


def test_a_question_without_candidates_is_declined() -> None:
    (found,) = picks(fitted(asked(), 0.5), [{"set": "a", "type": "fact", "candidates": []}])
    assert found.candidate is None and not found.right and chance(found.odds) < 1e-9


def test_the_file_gives_the_calibrated_probabilities(tmp_path: Path) -> None:
    some = asked()
    slope, shift = calibration(out_of_fold(some, [], 0.5))
    model = fitted(some, 0.5).calibrated(slope, shift)
    assert slope > 0 and (slope, shift) != (1.0, 0.0)
    file = tmp_path / "judge.json"
    file.write_text(model.to_json(0.6543), encoding="utf-8")
    judge = Judge.load(file)
    rows = [c["features"] for q in some for c in q["candidates"]] + [{}, {"fits": 2.0}, {"unheard": 5.0}]
    assert judge.threshold == 0.654
    assert [judge.chance(row) for row in rows] == pytest.approx([chance(x) for x in model.odds(rows)], abs=1e-4)


def test_folding_the_calibration_in_moves_no_candidate_past_another() -> None:
    rows = [c["features"] for q in asked() for c in q["candidates"]]
    plain = fitted(asked(), 0.5)
    assert (np.argsort(plain.calibrated(0.5, -1.0).odds(rows)) == np.argsort(plain.odds(rows))).all()
    assert plain.calibrated(0.5, -1.0).odds(rows) == pytest.approx(0.5 * plain.odds(rows) - 1.0)


def test_figures_count_shares() -> None:
    found = [
        pick(2.0, True, exact=True),  # right
        pick(2.0, True),  # right, but only as a quotation
        pick(2.0, False),  # wrong
        pick(-2.0, True),  # shy
        pick(2.0, True, "unanswerable"),  # nothing is right there
        pick(-2.0, False, "unanswerable"),  # declined
    ]
    assert figures(found, 0.5) == {"right": 0.5, "exact": 0.25, "wrong": 2 / 6, "declined": 0.5, "shy": 0.25}
    assert figures(found, 0.95) == {"right": 0, "exact": 0, "wrong": 0, "declined": 1, "shy": 1}
    assert figures([], 0.5)["right"] == 0


def test_a_yes_hardly_likelier_than_a_no_is_not_given() -> None:
    def verdict(label: str, fits: float) -> dict[str, object]:
        return {"kind": "boolean", "label": [label], "right": True, "exact": True, "features": {"fits": fits}}

    model = fitted(asked(), 0.5)
    near = {"set": "a", "type": "boolean", "candidates": [verdict("Yes", 3.0), verdict("No", 2.9), verdict("Yes", 2.8)]}
    far = near | {"candidates": [verdict("Yes", 3.0), verdict("No", -3.0), verdict("Yes", 2.9)]}
    close, clear = picks(model, [near, far])
    assert [close.given(0.5), clear.given(0.5), clear.given(0.9999)] == [False, True, False]
    assert close.against > clear.against
    moved = close.calibrated(0.5, 1.0)
    assert (moved.odds, moved.against) == pytest.approx((0.5 * close.odds + 1, 0.5 * close.against + 1))
    assert figures([close, clear], 0.5)["right"] == 0.5
    assert pick(-2.5, True).given(0.05)  # an unlikely name has no other to be likelier than


@pytest.mark.parametrize("wrong", [0.05, 0.1, 0.2, 0.5])
def test_the_threshold_is_the_least_that_holds_the_wrong_share(wrong: float) -> None:
    found = out_of_fold(asked(), [], 0.5)
    least = threshold_for(found, wrong)
    assert figures(found, least)["wrong"] <= wrong
    assert least <= 0.051 or figures(found, least - 0.01)["wrong"] > wrong


def test_where_no_threshold_holds_it_the_highest_is_taken() -> None:
    assert threshold_for([pick(50.0, False)], 0.1) == 0.95


def test_a_set_is_picked_in_by_a_judge_that_never_saw_it() -> None:
    some = asked()
    turned = [q | {"candidates": [c | {"right": not c["right"]} for c in q["candidates"]]} if q["set"] == "a" else q
              for q in some]  # fmt: skip
    plain, other = out_of_fold(some, [], 0.5), out_of_fold(turned, [], 0.5)
    of_a, same = ([p.odds for p in found if p.asked["set"] == "a"] for found in (plain, other))
    assert of_a == same
    assert [p.odds for p in plain if p.asked["set"] != "a"] != [p.odds for p in other if p.asked["set"] != "a"]


def test_what_is_trained_on_only_moves_the_judge_but_is_not_picked_in() -> None:
    some = asked()
    also = [q | {"set": "other", "weight": 0.4} for q in asked(seed=9)]
    assert {p.asked["set"] for p in out_of_fold(some, also, 0.5)} == {q["set"] for q in some}
    alone, least = settled(some, [], 0.5, 0.2)
    both, _ = settled(some, also, 0.5, 0.2)
    assert 0.05 <= least <= 0.95
    assert alone.weights.tolist() != both.weights.tolist()


def test_calibration_error_is_the_gap_between_chances_and_shares() -> None:
    found = [pick(0.0, True), pick(0.0, True), pick(0.0, False), pick(0.0, True)]
    assert calibration_error(found) == pytest.approx(0.25)
    assert calibration_error([pick(40.0, True)]) == pytest.approx(0.0)


def test_features_that_a_candidate_lacks_are_nothing() -> None:
    model = Fitted(("a", "b"), np.zeros(2), np.ones(2), np.array([1.0, 2.0]), 0.5)
    assert model.odds([{"b": 1.0}, {}]) == pytest.approx([2.5, 0.5])

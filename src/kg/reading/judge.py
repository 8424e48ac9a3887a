"""One judge of all candidates: the probability that each is right, from what speaks for it.

A logistic regression over standardised features (:func:`kg.ask.candidates.features`), fitted and calibrated by
``training/judge``; its weights, and the probability from which an answer is given, are data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg.errors import ModelUnavailable


@dataclass(frozen=True, slots=True)
class Weight:
    """What one more standard deviation of a feature, from its mean, adds to the log-odds."""

    mean: float
    deviation: float
    weight: float


@dataclass(frozen=True, slots=True)
class Judge:
    """See the module. ``threshold``: the least probability of an answer that is given."""

    weights: Mapping[str, Weight]
    constant: float
    threshold: float

    @classmethod
    def load(cls, file: Path) -> Judge:
        """The judge in a file. Raises ModelUnavailable."""
        return _load(file)

    def chance(self, features: Mapping[str, float]) -> float:
        """The probability that a candidate is right; features that the judge doesn't know count nothing."""
        odds = self.constant
        for name, one in self.weights.items():
            odds += one.weight * (features.get(name, 0.0) - one.mean) / one.deviation
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))


@cache
def _load(file: Path) -> Judge:
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        weights = {name: Weight(*row) for name, row in held["weights"].items()}
        return Judge(weights, float(held["constant"]), float(held["threshold"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "name a folder with a judge.json made by training.judge.fit"
        raise ModelUnavailable(f"{file} is no judge: {error}", hint) from error

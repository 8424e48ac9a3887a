"""Learned weights: how much each feature of a form speaks for it, and how sure the best form is.

A log-linear model over forms (Pasupat and Liang 2015, arXiv 1508.00305), trained on answers alone by
``training/algebra``; its weights are data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg.algebra.features import Features
from kg.errors import ModelUnavailable

SHIPPED = Path(__file__).with_name("ranker.json")


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """``weights`` of features; ``sure``: of what a best form is judged by, with ``""`` for the constant."""

    weights: Mapping[str, float]
    sure: Mapping[str, float]

    @classmethod
    def load(cls, file: Path | None = None) -> Ranker:
        """The weights in a file; those of the package without one. Raises ModelUnavailable."""
        return _load(file or SHIPPED)

    def score(self, features: Features) -> float:
        """What a part adds to a form's log-odds; features that have no weight count nothing."""
        get = self.weights.get
        total = 0.0
        for name, value in features.items():
            weight = get(name)
            if weight is not None:
                total += weight * value
        return total

    def chance(self, features: Mapping[str, float]) -> float:
        """The probability that a best form is right."""
        odds = self.sure.get("", 0.0) + sum(self.sure.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def _load(file: Path) -> Ranker:
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        weights = {str(name): float(w) for name, w in held["weights"].items()}
        return Ranker(weights, {str(name): float(w) for name, w in held["sure"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "name a file made by training.algebra.fit"
        raise ModelUnavailable(f"{file} holds no weights of forms: {error}", hint) from error

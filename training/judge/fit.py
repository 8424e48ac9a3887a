"""Fits the judge to what ``training.judge.collect`` wrote, and says what it would do on each set left out in turn.

    python -m training.judge.fit COLLECTED… --out judge.json [--wrong 0.15] [--also SET…] [--beside SET…]

A set's row is of a judge that was fitted, calibrated and given its threshold on the other sets alone. ``--also``: sets
that are trained on only, with less weight, since their questions aren't asked as readers of documents ask;
``--beside``: sets that are trained on only, since rules were written on them; ``--seen``: sets left aside.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from kg.ask.engine import LEAD, OTHER
from training.judge.worth import worth

Asked = dict[str, Any]
Floats = npt.NDArray[np.float64]
_NEVER = -60.0  # log-odds of what isn't proposed
_SHOWN = ("right", "exact", "wrong", "declined", "shy")


@dataclass(frozen=True, slots=True)
class Fitted:
    """Log-odds of a candidate: ``constant`` + weights of its standardised features; calibrated by slope and shift."""

    names: tuple[str, ...]
    mean: Floats
    deviation: Floats
    weights: Floats
    constant: float
    slope: float = 1.0
    shift: float = 0.0

    def odds(self, rows: Sequence[dict[str, float]]) -> Floats:
        """One row a candidate."""
        table = np.array([[row.get(name, 0.0) for name in self.names] for row in rows])
        plain = self.constant + ((table - self.mean) / self.deviation) @ self.weights
        return np.asarray(self.slope * plain + self.shift)

    def calibrated(self, slope: float, shift: float) -> Fitted:
        """With another slope and shift."""
        return Fitted(self.names, self.mean, self.deviation, self.weights, self.constant, slope, shift)

    def to_json(self, threshold: float) -> str:
        """The file that :class:`kg.reading.Judge` loads."""
        columns = zip(self.names, self.mean, self.deviation, self.slope * self.weights, strict=True)
        weights = {name: [round(float(x), 5) for x in row] for name, *row in columns}
        constant = round(self.slope * self.constant + self.shift, 5)
        held = {"constant": constant, "threshold": round(threshold, 3), "weights": weights}
        return json.dumps(held, indent=0, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True)
class Pick:
    """The candidate chosen for a question, with its log-odds; none where there is no candidate.

    ``against``: those of the other verdict, where it is a yes or no.
    """

    asked: Asked
    odds: float
    candidate: dict[str, Any] | None
    against: float = _NEVER

    def calibrated(self, slope: float, shift: float) -> Pick:
        """With other log-odds."""
        against = slope * self.against + shift if self.against > _NEVER else _NEVER
        return Pick(self.asked, slope * self.odds + shift, self.candidate, against)

    def given(self, least: float) -> bool:
        """Whether it is told at a threshold: as likely as that, and a yes or no clearly likelier than the other."""
        sure = chance(self.odds)
        decided = self.against <= _NEVER or sure - chance(self.against) >= LEAD
        return self.candidate is not None and sure >= least and decided

    @property
    def answerable(self) -> bool:
        """Whether the documents answer the question."""
        return bool(self.asked["type"] != "unanswerable")

    @property
    def right(self) -> bool:
        """Whether it would be right to give it."""
        return self.answerable and self.candidate is not None and bool(self.candidate["right"])


def fitted(asked: Sequence[Asked], strength: float) -> Fitted:
    """A logistic regression; ``strength`` is how little its weights are held down (C)."""
    rows = [c["features"] for q in asked for c in q["candidates"]]
    right = [worth(q, c) for q in asked for c in q["candidates"]]
    share = [q.get("weight", 1.0) / math.sqrt(len(q["candidates"])) for q in asked for _ in q["candidates"]]
    names = DictVectorizer(sparse=False)
    table = names.fit_transform(rows)
    scale = StandardScaler().fit(table)
    twice = np.vstack([scale.transform(table)] * 2)
    target = np.r_[np.ones(len(rows)), np.zeros(len(rows))]
    weight = np.r_[np.array(right), 1 - np.array(right)] * np.r_[share, share]
    kept = weight > 0
    model = LogisticRegression(C=strength, solver="newton-cholesky")
    model.fit(twice[kept], target[kept], sample_weight=weight[kept])
    return Fitted(tuple(names.feature_names_), scale.mean_, scale.scale_, model.coef_[0], float(model.intercept_[0]))


def picks(model: Fitted, asked: Sequence[Asked]) -> list[Pick]:
    """The likeliest candidate of each question."""
    found = []
    for one in asked:
        if not one["candidates"]:
            found.append(Pick(one, _NEVER, None))
            continue
        odds = model.odds([c["features"] for c in one["candidates"]])
        at = int(odds.argmax())
        verdicts = [_verdict(c) for c in one["candidates"]]
        against = [o for o, v in zip(odds, verdicts, strict=True) if v and OTHER.get(v) == verdicts[at]]
        found.append(Pick(one, float(odds[at]), one["candidates"][at], float(max(against, default=_NEVER))))
    return found


def _verdict(candidate: dict[str, Any]) -> str:
    """The yes or no that a candidate says, or nothing."""
    return candidate["label"][0] if candidate.get("kind") == "boolean" and candidate["label"] else ""


def out_of_fold(asked: Sequence[Asked], also: Sequence[Asked], strength: float) -> list[Pick]:
    """Each set's picks by a judge fitted to the others, and to what is trained on only."""
    found: list[Pick] = []
    for name in sorted({q["set"] for q in asked}):
        model = fitted([*also, *(q for q in asked if q["set"] != name)], strength)
        found += picks(model, [q for q in asked if q["set"] == name])
    return found


def calibration(found: Sequence[Pick]) -> tuple[float, float]:
    """Slope and shift of the log-odds (Platt 1999), fitted to picks of sets that were left out."""
    odds = np.array([[p.odds] for p in found if p.candidate is not None])
    right = np.array([p.right for p in found if p.candidate is not None])
    model = LogisticRegression(C=1e3).fit(odds, right)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def chance(odds: float) -> float:
    """A probability from log-odds."""
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))


def figures(found: Sequence[Pick], threshold: float) -> dict[str, float]:
    """Shares, as ``kg evaluate questions`` counts them."""
    given = [p for p in found if p.given(threshold)]
    answerable, unanswerable = [p for p in found if p.answerable], [p for p in found if not p.answerable]
    held = {id(p) for p in given}
    return {
        "right": sum(p.right for p in given) / max(1, len(answerable)),
        "exact": sum(p.right and p.candidate["exact"] for p in given if p.candidate) / max(1, len(answerable)),
        "wrong": sum(not p.right for p in given) / max(1, len(found)),
        "declined": sum(id(p) not in held for p in unanswerable) / max(1, len(unanswerable)),
        "shy": sum(id(p) not in held for p in answerable) / max(1, len(answerable)),
    }


def threshold_for(found: Sequence[Pick], wrong: float) -> float:
    """The least probability from which at most a share ``wrong`` of all that is asked is answered wrongly."""
    for least in np.arange(0.05, 0.96, 0.01):
        if figures(found, float(least))["wrong"] <= wrong:
            return float(least)
    return 0.95


def calibration_error(found: Sequence[Pick], bins: int = 10) -> float:
    """Expected calibration error over bins of equal width (Guo et al. 2017, arXiv 1706.04599)."""
    chances = np.array([chance(p.odds) for p in found if p.candidate is not None])
    right = np.array([p.right for p in found if p.candidate is not None], float)
    places = np.minimum((chances * bins).astype(int), bins - 1)
    gaps = [abs(chances[places == b].mean() - right[places == b].mean()) * (places == b).mean() for b in set(places)]
    return float(sum(gaps))


def settled(asked: Sequence[Asked], also: Sequence[Asked], strength: float, wrong: float) -> tuple[Fitted, float]:
    """A judge fitted to questions, calibrated on each set while it was left out, and its threshold."""
    inner = out_of_fold(asked, also, strength)
    slope, shift = calibration(inner)
    moved = [pick.calibrated(slope, shift) for pick in inner]
    return fitted([*also, *asked], strength).calibrated(slope, shift), threshold_for(moved, wrong)


def report(asked: Sequence[Asked], also: Sequence[Asked], strength: float, wrong: float) -> None:
    """A row for each set left out, their means, and how far stated probabilities are off."""
    print(f"| {'set':14} | " + " | ".join(f"{name:8}" for name in _SHOWN) + " | threshold |")
    rows, found = [], []
    for name in sorted({q["set"] for q in asked}):
        model, least = settled([q for q in asked if q["set"] != name], also, strength, wrong)
        own = picks(model, [q for q in asked if q["set"] == name])
        rows.append(figures(own, least))
        found += own
        print(f"| {name:14} | " + " | ".join(f"{rows[-1][k]:8.3f}" for k in _SHOWN) + f" | {least:9.2f} |", flush=True)
    print(f"| {'mean':14} | " + " | ".join(f"{np.mean([r[k] for r in rows]):8.3f}" for k in _SHOWN) + " | |")
    forced = figures(found, 0.0)["right"]
    possible = np.mean([any(c["right"] for c in p.asked["candidates"]) for p in found if p.answerable])
    print(f"calibration error {calibration_error(found):.3f}; right if never declined {forced:.3f}", end="")
    print(f", possible {possible:.3f}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collected", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wrong", type=float, default=0.15, help="share of all questions that may be answered wrongly")
    parser.add_argument("--strength", type=float, default=0.05)
    parser.add_argument("--also", nargs="*", default=[])
    parser.add_argument("--less", type=float, default=0.4, help="what a question of a set in --also weighs")
    parser.add_argument("--beside", nargs="*", default=[])
    parser.add_argument("--seen", nargs="*", default=[])
    options = parser.parse_args()
    every = [json.loads(line) for file in options.collected for line in file.read_text(encoding="utf-8").splitlines()]
    asked = [q for q in every if q["set"] not in (*options.seen, *options.also, *options.beside)]
    also = [q | {"weight": options.less * q.get("weight", 1.0)} for q in every if q["set"] in options.also]
    also += [q for q in every if q["set"] in options.beside]
    report(asked, also, options.strength, options.wrong)
    model, least = settled(asked, also, options.strength, options.wrong)
    options.out.write_text(model.to_json(least), encoding="utf-8")


if __name__ == "__main__":
    main()

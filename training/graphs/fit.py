"""Fits how far a reading is to be believed, and what readings are ranked by, each graph left out in turn.

    python -m training.graphs.fit COLLECTED.jsonl [--write FILE]

Printed for each graph, by a fit that never saw it: exact and wrong as things are, and with the threshold at which the
other graphs answer one in ten questions wrongly. ``--write``: the weights fitted on all graphs.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

_PENALTY, _STEPS, _RATE = 0.02, 1500, 0.3
_WRONG = 0.10  # of all questions, the share that may be answered wrongly where the threshold is chosen
Entry = dict[str, Any]


def margin(entry: Entry, at: int = 0) -> float:
    """How far a reading's score is above the best reading with another answer, a word; at most 1."""
    readings = entry["readings"]
    first = readings[at]
    others = [r["evidence"]["score"] for r in readings if r["rows"] != first["rows"]]
    return min(1.0, first["evidence"]["score"] - max(others)) if others else 1.0


def vector(entry: Entry, names: list[str]) -> np.ndarray:
    """The evidence for the first reading."""
    found = {**entry["readings"][0]["evidence"], "one": 1.0}
    return np.array([found.get(name, 0.0) for name in names])


def fitted(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Logistic regression with a penalty on squares, by gradient descent with momentum."""
    w, step = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        step = 0.9 * step - _RATE * ((x.T @ (weight * (p - y))) / weight.sum() + _PENALTY * w / len(y) ** 0.5)
        w = w + step
    return w


def threshold(scores: np.ndarray, right: np.ndarray) -> float:
    """The lowest score from which on at most so many of all questions are answered wrongly."""
    order = np.argsort(-scores)
    wrong = np.cumsum(1 - right[order]) / len(scores)
    kept = np.flatnonzero(wrong <= _WRONG)
    return float(scores[order[kept[-1]]]) if len(kept) else 1.0


def main() -> None:
    """Runs the command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("collected", type=Path)
    arguments.add_argument("--write", type=Path, default=None)
    options = arguments.parse_args()
    entries = [json.loads(line) for line in options.collected.read_text(encoding="utf-8").splitlines()]
    entries = [e for e in entries if e["readings"]]
    names = sorted({n for e in entries for n in e["readings"][0]["evidence"]} | {"one"})
    graphs = sorted({e["graph"] for e in entries})
    x = np.array([vector(e, names) for e in entries])
    y = np.array([float(e["readings"][0]["right"]) for e in entries])
    of = np.array([graphs.index(e["graph"]) for e in entries])
    size = np.bincount(of)
    weight = np.minimum(1.0, 40 / size[of])
    total: dict[str, list[float]] = defaultdict(list)
    for at, graph in enumerate(graphs):
        seen, held = of != at, of == at
        w = fitted(x[seen], y[seen], weight[seen])
        scores = 1 / (1 + np.exp(-(x @ w)))
        least = threshold(scores[seen], y[seen])
        given = held & (scores >= least)
        figures = (y[held].mean(), y[given].sum() / held.sum(), (1 - y[given]).sum() / held.sum())
        total["all"].append(figures[0])
        total["exact"].append(figures[1])
        total["wrong"].append(figures[2])
        said = f"all answered {figures[0]:.3f}, exact {figures[1]:.3f}, wrong {figures[2]:.3f} from {least:.2f} on"
        print(f"{graph:14} {held.sum():4} {said}")
    print(" ".join(f"{name} {np.mean(v):.3f}" for name, v in total.items()))
    w = fitted(x, y, weight)
    scores = 1 / (1 + np.exp(-(x @ w)))
    print("threshold", round(threshold(scores, y), 3))
    for name, value in sorted(zip(names, w, strict=True), key=lambda p: -abs(p[1])):
        print(f'    "{name}": {value:.3f},')
    if options.write is not None:
        rounded = {n: round(float(v), 3) for n, v in zip(names, w, strict=True)}
        options.write.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

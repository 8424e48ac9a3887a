"""Fits what labels are judged by, and says how good it is on documents left out.

    python -m training.labels.fit [--prose build/prose.npz] [--out src/kg/extract/label_kinds.json]

``labels.jsonl`` beside this file has one label a line: ``role`` (heading, key, item, row), its words, the collection
that it is from, its features and its ``kind``; ``claims.jsonl`` the same of whole claims, of which those that tests
state count less (``weight``). ``--prose`` has what clauses of prose propose, with its vectors, as
``training.labels.prose`` writes it; without it what judges propositions stays as it is. Printed is, for each role, the
share judged right with a tenth of the labels left out in turn and with each collection left out in turn, and for claims
and propositions what is kept of unseen collections at several thresholds, and how much of it is wrong or meaningless.
The weights come from all labels; features that fewer than two labels have are left out. Nothing is drawn at random.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

LABELS = tuple(Path(__file__).with_name(name) for name in ("labels.jsonl", "claims.jsonl"))
PROSE = Path("build/prose.npz")
OUT = Path(__file__).parents[2] / "src" / "kg" / "extract" / "label_kinds.json"
_LEAST = 2
_STRENGTH = {"claim": 0.6, "proposition": 0.03}
"""Inverse of the regularisation, else 0.3; chosen among 0.03, 0.1, 0.3, 1 and 3 by the labels left out."""
_GOOD = {"claim": "useful", "proposition": "right"}
_THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.78, 0.8, 0.82, 0.85, 0.9)
_BAD = ("wrong", "meaningless")
_SPREAD = 0.1
"""A vector's places are brought to this deviation, so that its 2,400 don't outweigh what is there or not; 0.07 and 0.15
are as good."""

Label = dict[str, Any]


class Fitted:
    """A multinomial regression over features that are there or not."""

    def __init__(self, labels: list[Label]) -> None:
        """Fits it to labels of one role."""
        counts = Counter(f for one in labels for f in one["features"])
        self.names = sorted(f for f, n in counts.items() if n >= _LEAST)
        self.kinds = sorted({one["kind"] for one in labels})
        self._place = {name: n for n, name in enumerate(self.names)}
        self._model = LogisticRegression(C=_STRENGTH.get(labels[0]["role"], 0.3), max_iter=3000)
        weights = [one.get("weight", 1.0) for one in labels]
        self._middle, self._scale = self._spread(labels)
        self._model.fit(self._table(labels), [one["kind"] for one in labels], sample_weight=weights)

    def _spread(self, labels: list[Label]) -> tuple[Any, Any]:
        """The mean of the labels' vectors, and what each place is multiplied by."""
        if "vector" not in labels[0]:
            return np.zeros(0), np.zeros(0)
        rows = np.array([one["vector"] for one in labels], np.float32)
        return rows.mean(0), _SPREAD / (rows.std(0) + 1e-6)

    def _table(self, labels: list[Label]) -> Any:
        table = np.zeros((len(labels), len(self.names)))
        for row, one in enumerate(labels):
            for feature in one["features"]:
                if feature in self._place:
                    table[row, self._place[feature]] = 1
        if not len(self._scale):
            return table
        rows = np.array([one["vector"] for one in labels], np.float32)
        return np.hstack([table, (rows - self._middle) * self._scale])

    def likely(self, labels: list[Label]) -> Any:
        """The probabilities of the kinds, one row a label."""
        return self._model.predict_proba(self._table(labels))

    def to_json(self) -> dict[str, Any]:
        """What ``kg.extract.label_kinds`` reads. Of two kinds the first has the negative weights."""
        weights, constants = self._model.coef_, self._model.intercept_
        dense = weights[:, len(self.names) :] * self._scale
        weights, constants = weights[:, : len(self.names)], constants - dense @ self._middle
        if len(self.kinds) == 2:
            weights, constants = np.vstack([-weights / 2, weights / 2]), np.hstack([-constants / 2, constants / 2])
            dense = np.vstack([-dense / 2, dense / 2])
        by_name = {name: [round(float(w), 3) for w in weights[:, n]] for name, n in self._place.items()}
        kept = {name: w for name, w in by_name.items() if any(w)}
        held = {"constants": [round(float(c), 3) for c in constants], "kinds": self.kinds, "weights": kept}
        packed = base64.b64encode(np.asarray(dense, "<f4").tobytes()).decode()
        return held | ({"dense": packed} if len(self._scale) else {})


def figures(labels: list[Label], folds: list[int]) -> tuple[float, dict[str, str]]:
    """The share judged right with each fold left out, and precision and recall of each kind."""
    right, said, meant, both = 0, Counter[str](), Counter[str](), Counter[str]()
    for fold in sorted(set(folds)):
        known = [one for one, n in zip(labels, folds, strict=True) if n != fold]
        unseen = [one for one, n in zip(labels, folds, strict=True) if n == fold]
        fitted = Fitted(known)
        for one, row in zip(unseen, fitted.likely(unseen), strict=True):
            judged = fitted.kinds[int(row.argmax())]
            right += judged == one["kind"]
            said[judged] += 1
            meant[one["kind"]] += 1
            both[judged] += judged == one["kind"]
    by_kind = {k: f"P {both[k] / max(1, said[k]):.2f} R {both[k] / meant[k]:.2f} of {meant[k]}" for k in sorted(meant)}
    return right / len(labels), by_kind


def print_kept(claims: list[Label]) -> None:
    """Prints what is kept of claims of collections that the others are judged by, and how much of it is good."""
    likely, useful, bad, good = [], [], [], _GOOD[claims[0]["role"]]
    for name in sorted({one["set"] for one in claims} - {"tests"}):
        fitted = Fitted([one for one in claims if one["set"] != name])
        unseen = [one for one in claims if one["set"] == name]
        likely += [row[fitted.kinds.index(good)] for row in fitted.likely(unseen)]
        useful += [one["kind"] == good for one in unseen]
        bad += [one.get("verdict") in _BAD for one in unseen]
    for least in _THRESHOLDS:
        kept = [n for n, probability in enumerate(likely) if probability >= least]
        told, amiss = sum(useful[n] for n in kept), sum(bad[n] for n in kept)
        print(
            f"at {least}: {told / len(kept):.3f} of {len(kept)} {good}, recall {told / sum(useful):.3f}"
            + (f", wrong or meaningless {amiss / len(kept):.3f}" if any(bad) else "")
        )


def read_prose(path: Path) -> list[Label]:
    """The labels of propositions that ``training.labels.prose`` has written."""
    with np.load(path) as held:
        told = zip(
            held["sets"].tolist(), held["verdicts"].tolist(), held["features"].tolist(), held["vectors"], strict=True
        )
        return [
            {
                "role": "proposition",
                "set": set_,
                "kind": "right" if verdict == "right" else "wrong",
                "verdict": verdict,
                "features": features.split("\t"),
                "vector": vector,
            }
            for set_, verdict, features, vector in told
        ]


def main() -> None:
    """Prints the figures and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prose", type=Path, default=PROSE)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    labels = [json.loads(line) for path in LABELS for line in path.read_text(encoding="utf-8").splitlines()]
    before = json.loads(OUT.read_text(encoding="utf-8"))
    if args.prose.is_file():
        labels += read_prose(args.prose)
    else:
        print(f"{args.prose} isn't there: what judges propositions stays as it is")
    held = {"proposition": before["proposition"]}
    for role in sorted({one["role"] for one in labels}):
        mine = [one for one in labels if one["role"] == role]
        sets = sorted({one["set"] for one in mine})
        tenths, of_set = [n % 10 for n in range(len(mine))], [sets.index(one["set"]) for one in mine]
        for how, folds in (("a tenth left out", tenths), ("a collection left out", of_set)):
            share, by_kind = figures(mine, folds)
            print(f"{role}, {how}: {share:.3f} of {len(mine)}; {by_kind}")
        if role in _GOOD:
            print_kept(mine)
        held[role] = Fitted(mine).to_json()
    args.out.write_text(json.dumps(held, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

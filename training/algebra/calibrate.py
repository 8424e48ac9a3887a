"""How sure a best form is: a logistic regression on questions of the tables that weights weren't fitted to.

    python -m training.algebra.calibrate ranker.json --data DATA [--seed 7]

Each question is also put to another table, which doesn't answer it, so that what fits nothing is told from what fits.
Rewrites the file with its ``sure``.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from kg.algebra.features import Features
from kg.algebra.links import Likeness
from kg.algebra.parse import Parser, Ranker
from training.algebra.data import examples, linked, right
from training.algebra.fit import held_out


def judged(parser: Parser, folder: Path, seed: int, most: int) -> tuple[list[Features], list[bool]]:
    """What each best form is judged by, and whether it is right: on the question's table, then on another."""
    chance = random.Random(seed)
    asked = [e for e in examples(folder, "train") if held_out(e.table)]
    asked = chance.sample(asked, min(most, len(asked)))
    names = sorted({e.table for e in asked})
    tables = {name: linked(folder, name) for name in names}
    rows: list[Features] = []
    truths: list[bool] = []
    for example in asked:
        other = chance.choice([name for name in names if name != example.table])
        for name in (example.table, other):
            found = parser.parse(example.question, tables[name], most=1)
            if found:
                rows.append(found[0].features)
                truths.append(name == example.table and right(found[0].result, example.answers))
    return rows, truths


def fitted(rows: list[Features], truths: list[bool]) -> dict[str, float]:
    """Weights by feature, ``""`` the constant."""
    names = DictVectorizer(sparse=False)
    table = names.fit_transform(rows)
    scale = StandardScaler().fit(table)
    model = LogisticRegression(C=0.3, max_iter=2000).fit(scale.transform(table), np.array(truths))
    weights = model.coef_[0] / scale.scale_
    constant = float(model.intercept_[0] - (weights * scale.mean_).sum())
    found = {name: round(float(w), 5) for name, w in zip(names.feature_names_, weights, strict=True)}
    return found | {"": round(constant, 5)}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--most", type=int, default=1200, help="questions")
    options = parser.parse_args()
    engine = Parser(Ranker.load(options.weights), Likeness.packaged())
    rows, truths = judged(engine, options.data / "wikitablequestions", options.seed, options.most)
    held = json.loads(options.weights.read_text(encoding="utf-8"))
    held["sure"] = fitted(rows, truths)
    text = json.dumps(held, ensure_ascii=False, indent=0, sort_keys=True)
    options.weights.write_text(text + "\n", encoding="utf-8")
    print(f"{len(rows)} best forms, {np.mean(truths):.3f} right")


if __name__ == "__main__":
    main()

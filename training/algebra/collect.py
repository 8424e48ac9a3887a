"""Composes the candidates of every training question and writes their parts and which of them give the answer.

    python -m training.algebra.collect --data DATA --out build/algebra [--weights ranker.json] [--set annual]
    python -m training.algebra.collect --set documents --data SETS --out build/algebra --weights ranker.json

Shards of 500 questions; those that are there are kept, so that a stopped run goes on. Without ``--weights`` the beam
takes forms as they come; with it the best by those weights, as they are composed when questions are answered.
"""

from __future__ import annotations

import argparse
import json
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kg.algebra.compose import Beam, Composer
from kg.algebra.evaluate import Result
from kg.algebra.features import Asked, Features
from kg.algebra.links import Likeness, Linked, question
from kg.algebra.parse import Ranker, without
from training.algebra import annual, documents
from training.algebra.data import Example, examples, linked, right

SHARD, WIDTH = 500, 20
WIDE, TRAINED = Beam(24, 100, 10, 1500), Beam(20, 64, 10, 1000)


class Shard:
    """Questions' parts and candidates in flat arrays, features by their places in a list of names."""

    def __init__(self, right: Callable[[Result, Sequence[str]], bool]) -> None:
        self._right = right
        self.names: dict[str, int] = {}
        self.features, self.values, self.ends = array("i"), array("f"), array("q")
        self.parts, self.forms = array("i"), array("i")
        self.made: list[np.ndarray] = []
        self.right: list[np.ndarray] = []
        self.ids: list[str] = []
        self.tables: list[str] = []

    def part(self, features: Features) -> None:
        """Appends one part."""
        for name, value in features.items():
            self.features.append(self.names.setdefault(name, len(self.names)))
            self.values.append(value)
        self.ends.append(len(self.features))

    def add(self, example: Example, composer: Composer) -> None:
        """Appends a question with its candidates."""
        found = composer.candidates()
        made = np.full((len(found), WIDTH), -1, np.int16)
        for n, candidate in enumerate(found):
            made[n, : len(candidate.parts)] = candidate.parts[:WIDTH]
        for features in composer.parts:
            self.part(features)
        self.ids.append(example.id)
        self.tables.append(example.table)
        self.parts.append(len(composer.parts))
        self.forms.append(len(found))
        self.made.append(made)
        self.right.append(np.array([self._right(c.result, example.answers) for c in found], bool))

    def save(self, file: Path) -> None:
        """Writes the arrays, and the names beside them."""
        names = json.dumps({"names": list(self.names), "ids": self.ids, "tables": self.tables}, ensure_ascii=False)
        file.with_suffix(".json").write_text(names, encoding="utf-8")
        made = np.concatenate(self.made) if self.made else np.zeros((0, WIDTH), np.int16)
        truth = np.concatenate(self.right) if self.right else np.zeros(0, bool)
        arrays = {
            "features": np.frombuffer(self.features, np.int32), "values": np.frombuffer(self.values, np.float32),
            "ends": np.frombuffer(self.ends, np.int64), "parts": np.frombuffer(self.parts, np.int32),
            "forms": np.frombuffer(self.forms, np.int32), "made": made, "right": truth,
        }  # fmt: skip
        np.savez(file, **arrays)


def collect(
    asked: Sequence[tuple[Example, Linked]],
    answers: Callable[[Result, Sequence[str]], bool],
    out: Path,
    weights: Path | None,
    name: str,
) -> None:
    """Writes the shards that aren't there."""
    ranker = Ranker.load(weights) if weights is not None else None
    likeness = Likeness.packaged()
    for start in range(0, len(asked), SHARD):
        file = out / f"{name}-{start // SHARD:03}.npz"
        if file.exists():
            continue
        shard = Shard(answers)
        for example, own in asked[start : start + SHARD]:
            read = without(question(example.question), example.about)
            like = likeness.of(read, own.table) if likeness is not None else None
            scorer = ranker.score if ranker is not None else _nothing
            composer = Composer(Asked(read, own, own.links(read), like), scorer, WIDE if ranker is None else TRAINED)
            shard.add(example, composer)
        shard.save(file)
        shares = [r.any() for r in shard.right]
        print(f"{file.name}: {sum(shares) / len(shares):.3f} have a form that gives the answer", flush=True)


def _nothing(features: Features) -> float:
    """Without weights all parts are as good: the order in which forms are composed decides."""
    return 0.0


Answers = Callable[[Result, Sequence[str]], bool]


def _wiki(data: Path, name: str, most: int) -> tuple[list[tuple[Example, Linked]], Answers]:
    folder = data / "wikitablequestions"
    every = examples(folder, name)[:most]
    tables = {table: linked(folder, table) for table in sorted({e.table for e in every})}
    return [(e, tables[e.table]) for e in every], right


def _annual(data: Path) -> tuple[list[tuple[Example, Linked]], Answers]:
    file = data / "tatqa" / annual.FILE
    return [*annual.asked(file), *annual.phrased(file)], annual.answers


def _documents(data: Path) -> tuple[list[tuple[Example, Linked]], Answers]:
    """Of the sets in a folder, each question on its table, and on that turned where its columns are periods."""
    found = [one for folder in sorted(data.iterdir()) if folder.is_dir() for one in documents.asked(folder)]
    ways = [(example, way.linked) for example, table in found for way in (table, table.turned) if way is not None]
    return ways, documents.answers


def sources(data: Path, name: str, most: int) -> tuple[list[tuple[Example, Linked]], Answers]:
    """The questions of a set with their tables, and what says whether a result answers one."""
    if name == "documents":
        return _documents(data)
    return _annual(data) if name == "annual" else _wiki(data, name, most)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder with wikitablequestions/ or tatqa/, or of sets"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--set", default="train", help="train, validation, annual for TAT-QA, documents")
    parser.add_argument("--most", type=int, default=10**6, help="questions, the first of the set")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    asked, answers = sources(options.data, options.set, options.most)
    collect(asked, answers, options.out, options.weights, options.set)


if __name__ == "__main__":
    main()

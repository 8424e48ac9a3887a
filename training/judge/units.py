"""Questions with their evidence → weights by which the units that are read are ranked (``kg.ask.unit_ranking``).

    python -m training.judge.units SETS… --kbs FOLDER --reader FOLDER --out units.json [--check SETS…]

Of each question the units of the views that are read for it, each with its features and whether it is evidence; the
weights make the share of those that are greatest in a softmax over all (Cao et al. 2007, ListNet). Fitting draws
nothing at random. ``--check``: sets of which is told how often the first ones are evidence, before and after.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sklearn.feature_extraction import DictVectorizer
from torch import Tensor

from benchmarks.evaluation.questions import load_questions
from benchmarks.reading_sets import knowledge_base, sets
from kg.ask.candidates import VIEWS
from kg.ask.engine import Asker
from kg.ask.unit_ranking import unit_features
from kg.ask.view import view
from kg.reading import Reader
from training.reader.documents import says

_HELD = 1e-3  # how much weights are held down
_STEPS = 300
_FIRST = (1, 2, 4, 6)


@dataclass(frozen=True, slots=True)
class Units:
    """What was read for one question: features of its units, in the order found, and which are evidence."""

    kind: str
    rows: list[dict[str, float]]
    evidence: npt.NDArray[np.bool_]


def collected(folder: Path, kbs: Path, reader: Reader) -> Iterator[Units]:
    """The units read for each question of a set that has evidence among them."""
    with knowledge_base(kbs / folder.name, folder / "documents") as opened:
        asker = Asker(view(opened.snapshot))
        for question in load_questions(folder / "questions.jsonl"):
            asking = asker.asking(question["question"])
            read = asker.read(asking, reader, VIEWS)
            told = read.told()
            evidence = np.array([says(scored.unit, question.get("evidence", [])) for _, scored in told], dtype=bool)
            if evidence.any():
                rows = list(unit_features(asking, told, read.views, read.readings))
                yield Units(question["type"], rows, evidence)


@dataclass(frozen=True, slots=True)
class Weights:
    """Of each feature its mean, its deviation and its weight."""

    names: tuple[str, ...]
    table: npt.NDArray[np.float64]  # (features, 3)

    def odds(self, row: dict[str, float]) -> float:
        """The log-odds of a unit, up to a constant."""
        values = np.array([row.get(name, 0.0) for name in self.names])
        mean, deviation, weight = self.table.T
        return float(((values - mean) / deviation) @ weight)

    def to_json(self) -> str:
        """As :class:`kg.reading.Judge` loads them."""
        rows = {n: [round(float(x), 5) for x in row] for n, row in zip(self.names, self.table, strict=True)}
        return json.dumps({"constant": 0.0, "threshold": 0.0, "weights": rows}, indent=0, sort_keys=True) + "\n"


def fitted(asked: Sequence[Units]) -> Weights:
    """The weights under which evidence is likeliest."""
    names = DictVectorizer(sparse=False)
    flat = names.fit_transform([row for one in asked for row in one.rows])
    mean, deviation = flat.mean(0), flat.std(0) + 1e-6
    most = max(len(one.rows) for one in asked)
    table = torch.zeros(len(asked), most, flat.shape[1], dtype=torch.float64)
    real, told = (torch.zeros(len(asked), most, dtype=torch.bool) for _ in range(2))
    at = 0
    for number, one in enumerate(asked):
        size = len(one.rows)
        table[number, :size] = torch.from_numpy((flat[at : at + size] - mean) / deviation)
        real[number, :size], told[number, :size] = True, torch.from_numpy(one.evidence)
        at += size
    weight = _descended(table, real, told)
    return Weights(tuple(names.get_feature_names_out()), np.stack([mean, deviation, weight], axis=1))


def _descended(table: Tensor, real: Tensor, told: Tensor) -> npt.NDArray[np.float64]:
    weight = torch.zeros(table.shape[2], requires_grad=True, dtype=torch.float64)
    optimiser = torch.optim.LBFGS([weight], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        odds = (table @ weight).masked_fill(~real, -1e9)
        likely = torch.logsumexp(odds.masked_fill(~told, -1e9), 1) - torch.logsumexp(odds, 1)
        found: Tensor = -likely.mean() + _HELD * (weight**2).sum()
        found.backward()  # type: ignore[no-untyped-call]
        return found

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return np.asarray(weight.detach().numpy())


def recall(asked: Sequence[Units], odds: Sequence[Sequence[float]], first: int) -> float:
    """Of how many questions one of the ``first`` units by odds is evidence."""
    best = (np.argsort(-np.array(own), kind="stable")[:first] for own in odds)
    return float(np.mean([one.evidence[order].any() for one, order in zip(asked, best, strict=True)]))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--check", nargs="*", type=Path, default=[])
    parser.add_argument("--kbs", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    reader = Reader(options.reader)
    weights = fitted([one for folder in sets(options.sets) for one in collected(folder, options.kbs, reader)])
    options.out.write_text(weights.to_json(), encoding="utf-8")
    for folder in sets(options.check):
        asked = list(collected(folder, options.kbs, reader))
        before, after = ([[f(row) for row in one.rows] for one in asked] for f in (_found_first, weights.odds))
        told = [f"{recall(asked, before, n):.3f} {recall(asked, after, n):.3f}" for n in _FIRST]
        print(folder.name, len(asked), *told, sep=" | ", flush=True)


def _found_first(row: dict[str, float]) -> float:
    return -row["rank"]


if __name__ == "__main__":
    main()

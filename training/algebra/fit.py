"""Fits the weights of features to collected candidates: the forms that give the answer against all others.

    python -m training.algebra.fit build/algebra --out ranker.json [--start ranker.json] [--epochs 12] [--seed 7]

The marginal likelihood of all forms that give the answer is maximised (Pasupat and Liang 2015), by Adam over shuffled
batches; a tenth of the tables is left out to see when to stop.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

# Features of fewer questions are left out; weights nearer to 0 are not written.
_LEAST, _SMALL = 4, 0.02


@dataclass(slots=True)
class Asked:
    """A question: its parts' features as one bag each, its candidates' parts, which of them are right."""

    id: str
    features: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    made: np.ndarray
    right: np.ndarray
    held_out: bool


def held_out(table: str) -> bool:
    """Whether a table is one of the tenth that is left out."""
    return zlib.crc32(table.encode()) % 10 == 0


def load(folder: Path, known: Container[str] = ()) -> tuple[list[Asked], list[str]]:
    """All questions of the shards, with the features that are common enough or ``known``."""
    files = sorted(folder.glob("*-*.npz"))
    count: dict[str, int] = {}
    for file in files:
        held = dict(np.load(file))  # an archive reads an array anew each time that it is asked for
        names = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))["names"]
        ends, part = held["ends"], 0
        seen = np.zeros(len(names), np.int32)
        start = 0
        for parts in held["parts"]:
            end = int(ends[part + parts - 1]) if parts else start
            seen[np.unique(held["features"][start:end])] += 1
            part, start = part + int(parts), end
        for one, times in zip(names, seen, strict=True):
            count[one] = count.get(one, 0) + int(times)
    kept = sorted(one for one, times in count.items() if times >= _LEAST or one in known)
    places = {one: n + 1 for n, one in enumerate(kept)}
    found: list[Asked] = []
    for file in files:
        found += _shard(file, places)
    return found, kept


def _shard(file: Path, places: dict[str, int]) -> list[Asked]:
    held, about = dict(np.load(file)), json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    here = np.array([places.get(one, 0) for one in about["names"]], np.int32)
    features, values, ends = here[held["features"]], held["values"], held["ends"]
    found, part, form, start = [], 0, 0, 0
    rows = zip(about["ids"], about["tables"], held["parts"].tolist(), held["forms"].tolist(), strict=True)
    for id_, table, parts, forms in rows:
        own = ends[part : part + parts]
        end = int(own[-1]) if parts else start
        kept = features[start:end] > 0
        before = np.concatenate(([0], np.cumsum(kept)))
        starts = before[np.concatenate(([0], own[:-1] - start)).astype(np.int64)] if parts else np.zeros(0, np.int64)
        made = held["made"][form : form + forms]
        right = held["right"][form : form + forms]
        found.append(
            Asked(id_, features[start:end][kept], values[start:end][kept], starts, made, right, held_out(table))
        )
        part, form, start = part + parts, form + forms, end
    return found


class Model(torch.nn.Module):
    """A weight a feature; a part is the sum over its features, a form the sum over its parts."""

    def __init__(self, first: np.ndarray) -> None:
        """``first``: the weights to begin with, behind one of no feature."""
        super().__init__()
        self.first = torch.from_numpy(first)[:, None]
        self.bag = torch.nn.EmbeddingBag(len(first), 1, mode="sum", include_last_offset=False)
        with torch.no_grad():
            self.bag.weight.copy_(self.first)

    def forward(self, batch: Sequence[Asked]) -> list[torch.Tensor]:
        """Log-odds of each question's forms."""
        features = torch.from_numpy(np.concatenate([a.features for a in batch]).astype(np.int64))
        values = torch.from_numpy(np.concatenate([a.values for a in batch]))
        shifts = np.cumsum([0, *(len(a.features) for a in batch[:-1])])
        starts = torch.from_numpy(np.concatenate([a.starts + s for a, s in zip(batch, shifts, strict=True)]))
        parts = self.bag(features, starts, per_sample_weights=values)[:, 0]
        found, at = [], 0
        for one in batch:
            own = torch.cat([parts[at : at + len(one.starts)], parts.new_zeros(1)])
            found.append(own[torch.from_numpy(one.made.astype(np.int64))].sum(1))
            at += len(one.starts)
        return found


def loss_of(scores: torch.Tensor, right: np.ndarray) -> torch.Tensor:
    """Negative log of the probability of all right forms."""
    truth = torch.from_numpy(right)
    return torch.logsumexp(scores, 0) - torch.logsumexp(scores[truth], 0)


def accuracy(model: Model, asked: Sequence[Asked]) -> float:
    """The share of all questions whose best form is right."""
    with torch.no_grad():
        hits = 0
        for at in range(0, len(asked), 64):
            batch = [a for a in asked[at : at + 64] if len(a.made)]
            for one, scores in zip(batch, model(batch) if batch else [], strict=True):
                hits += bool(one.right[int(scores.argmax())])
    return hits / max(1, len(asked))


def fit(asked: Sequence[Asked], first: np.ndarray, epochs: int, rate: float, strength: float, seed: int) -> Model:
    """Trains; keeps the weights of the epoch that does best on what is left out."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    model = Model(first)
    taught = [a for a in asked if not a.held_out and a.right.any() and not a.right.all()]
    out = [a for a in asked if a.held_out]
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    best, kept = -1.0, model.bag.weight.detach().clone()
    for epoch in range(epochs):
        order = chance.permutation(len(taught))
        total = 0.0
        for at in range(0, len(order), 32):
            batch = [taught[n] for n in order[at : at + 32]]
            losses = [loss_of(s, a.right) for s, a in zip(model(batch), batch, strict=True)]
            loss = torch.stack(losses).mean() + strength * (model.bag.weight - model.first).abs().sum()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            total += float(loss) * len(batch)
        for group in optimiser.param_groups:
            group["lr"] *= 0.8
        share = accuracy(model, out)
        print(f"epoch {epoch}: loss {total / len(taught):.3f}, left-out tables {share:.4f}", flush=True)
        if share > best:
            best, kept = share, model.bag.weight.detach().clone()
    with torch.no_grad():
        model.bag.weight.copy_(kept)
    return model


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collected", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--strength", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    options = parser.parse_args()
    torch.set_num_threads(1)
    before = {"sure": {"": 0.0}, "weights": {}}
    if options.start:
        before = json.loads(options.start.read_text(encoding="utf-8"))
    asked, names = load(options.collected, before["weights"])
    possible = np.mean([a.right.any() for a in asked])
    print(
        f"{len(asked)} questions, {len(names)} features, {possible:.3f} have a form that gives the answer", flush=True
    )
    first = np.array([0.0, *(before["weights"].get(name, 0.0) for name in names)], np.float32)
    model = fit(asked, first, options.epochs, options.rate, options.strength, options.seed)
    weights = model.bag.weight.detach().numpy()[1:, 0]
    held = before["weights"] | {name: round(float(w), 3) for name, w in zip(names, weights, strict=True)}
    held = {name: w for name, w in held.items() if abs(w) >= _SMALL}
    text = json.dumps({"sure": before["sure"], "weights": held}, ensure_ascii=False, indent=0, sort_keys=True)
    options.out.write_text(text + "\n", encoding="utf-8")
    print(f"{len(held)} weights in {options.out}")


if __name__ == "__main__":
    main()

"""Trains the encoder of questions; the same command goes on after a stop (``training/README.md``).

    python -m training.queries.train FOUND… --start READER_CHECKPOINT --out FOLDER [--check FOUND…]

``FOUND``: what :mod:`training.queries.found` wrote. Of each question the units' worth with its vector's cosines makes a
softmax, in which those that are evidence are to have the greatest share.
"""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor, nn

from kg.ask.retrieve import PASSAGE_COSINE, UNIT_COSINE
from kg.indexes.embedding import model_folder
from kg.reading import QUERY_LENGTH
from training.descent import descend
from training.queries.found import Found
from training.queries.network import Queries
from training.reader.batches import tokenizer

_log = logging.getLogger("training.queries")
_QUESTIONS = 32  # of one set in a step
_SHARP = 10.0  # what the units' worth is multiplied by before the softmax
_FIRST = (1, 3, 6, 10, 20, 40)

Batch = tuple[int, list[int]]  # the number of a set, and of questions of it


@dataclass(frozen=True, eq=False)
class Asked:
    """A set's questions as tokens, and its units and their vectors, the last of each zero for what has none."""

    ids: Sequence[Sequence[int]]
    found: Found

    @cached_property
    def units(self) -> Tensor:
        """The units' vectors, (units + 1, dimensions)."""
        return _with_none(self.found.units)

    @cached_property
    def passages(self) -> Tensor:
        """The passages' vectors, (passages + 1, dimensions)."""
        return _with_none(self.found.passages)

    def evidence(self, at: Sequence[int]) -> Tensor:
        """Which units of some questions are evidence, (B, units)."""
        return torch.from_numpy(self.found.evidence[at])

    def worth(self, at: Sequence[int], vectors: Tensor) -> Tensor:
        """What the units of some questions are worth with the questions' vectors, (B, units)."""
        own = torch.from_numpy(self.found.worth[at])
        for held, which, weight in (
            (self.units, self.found.unit_of, UNIT_COSINE),
            (self.passages, self.found.passage_of, PASSAGE_COSINE),
        ):
            own = own + weight * torch.einsum("bd,bud->bu", vectors, held[torch.from_numpy(which[at])])
        return own


def _with_none(vectors: object) -> Tensor:
    made = torch.as_tensor(vectors, dtype=torch.float32)
    return torch.cat((made, torch.zeros(1, made.shape[1])))


def asked(file: Path, folder: Path) -> Asked:
    """What was found for a set's questions, these as the encoder of a folder takes them."""
    found = Found.load(file)
    pieces = tokenizer(folder)
    pieces.enable_truncation(QUERY_LENGTH)
    return Asked([one.ids for one in pieces.encode_batch(list(found.questions))], found)


def vectors(network: nn.Module, one: Asked, at: Sequence[int]) -> Tensor:
    """The vectors of some questions, (B, dimensions)."""
    longest = max(len(one.ids[n]) for n in at)
    ids = torch.tensor([[*one.ids[n], *[0] * (longest - len(one.ids[n]))] for n in at])
    made: Tensor = network(ids, (ids > 0).long(), torch.zeros_like(ids))
    return made


def loss_of(worth: Tensor, evidence: Tensor) -> Tensor:
    """How far the evidence of each question is from having the whole of the softmax, the mean of all."""
    shares = torch.log_softmax(_SHARP * worth, dim=1)
    return -torch.logsumexp(shares.masked_fill(~evidence, -torch.inf), dim=1).mean()


def batches(sets: Sequence[Asked], chance: random.Random) -> list[Batch]:
    """All questions once, those of a step of one set."""
    made: list[Batch] = []
    for number, one in enumerate(sets):
        order = chance.sample(range(len(one.ids)), len(one.ids))
        made += [(number, order[n : n + _QUESTIONS]) for n in range(0, len(order), _QUESTIONS)]
    chance.shuffle(made)
    return made


@torch.no_grad()
def recall(network: nn.Module, sets: Sequence[Asked]) -> dict[int, float]:
    """Of how many of the sets' questions some evidence is among the first units, the mean of the sets."""
    network.eval()
    found = torch.stack([torch.stack(list(_reached(network, one))).mean(0) for one in sets if one.ids]).mean(0)
    return {first: round(float(share), 3) for first, share in zip(_FIRST, found, strict=True)}


def _reached(network: nn.Module, one: Asked) -> Iterator[Tensor]:
    for n in range(len(one.ids)):
        order = one.worth([n], vectors(network, one, [n]))[0].argsort(descending=True, stable=True)
        place = int(one.evidence([n])[0][order].nonzero()[0])
        yield torch.tensor([float(place < first) for first in _FIRST])


def train(options: argparse.Namespace) -> None:
    """The training, from its last checkpoint where there is one."""
    torch.manual_seed(options.seed)
    folder = model_folder("")
    network = Queries(folder, options.start)
    sets = [asked(file, folder) for file in options.found]
    chance = random.Random(options.seed)
    plan = [batch for _ in range(options.epochs) for batch in batches(sets, chance)]
    trained = [p for p in network.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW([{"params": trained, "lr": options.rate, "base": options.rate}], weight_decay=0.01)
    options.out.mkdir(parents=True, exist_ok=True)

    def loss(batch: Batch) -> Tensor:
        one = sets[batch[0]]
        return loss_of(one.worth(batch[1], vectors(network, one, batch[1])), one.evidence(batch[1]))

    descend(network, optimiser, plan, loss, options.out / "checkpoint.pt", options.minutes, _log)
    if options.check:
        _log.info("evidence among the first of --check: %s", recall(network, [asked(f, folder) for f in options.check]))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("found", type=Path, nargs="+")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint of the reader that is packaged beside")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--check", type=Path, nargs="*", default=[], help="sets of which recall is told at the end")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--epochs", type=int, default=2, help="passes over the questions")
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--minutes", type=float, default=4.0, help="between checkpoints")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    train(parser.parse_args())


if __name__ == "__main__":
    main()

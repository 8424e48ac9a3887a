"""Trains the verifier; the same command goes on after a stop (``training/README.md``).

    python -m training.verifier.train COLLECTED… --start READER_CHECKPOINT --out FOLDER

``COLLECTED``: what :mod:`training.judge.collect` and :mod:`training.verifier.articles` wrote.
"""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from kg.indexes.embedding import model_folder
from kg.reading import VERIFIED_LENGTH, Judge
from training.descent import descend, narrow
from training.reader.batches import tokenizer
from training.verifier.network import SHARED, Verifier, loss_of
from training.verifier.pairs import Group, alone, groups, load

_log = logging.getLogger("training.verifier")
_STRETCH = 512  # questions within which those of like length are put together

Encoded = list[tuple[list[int], list[int], float]]  # of one question: tokens, their kinds, how right


def encoded(made: Sequence[Group], pieces: Tokenizer) -> list[Encoded]:
    """Questions' pairs as tokens."""
    flat = iter(pieces.encode_batch([pair for group in made for pair, _ in group]))
    return [[(e.ids, e.type_ids, right) for (_, right), e in zip(group, flat, strict=False)] for group in made]


def batches(order: Sequence[Encoded], tokens: int, chance: random.Random) -> Iterator[list[Encoded]]:
    """Whole questions in batches of about ``tokens`` tokens, padded; shuffled within stretches of the given order."""
    for at in range(0, len(order), _STRETCH):
        some = sorted(order[at : at + _STRETCH], key=lambda one: _longest([one]) + chance.uniform(-6, 6))
        made: list[list[Encoded]] = [[]]
        for one in some:
            more = [*made[-1], one]
            if made[-1] and _longest(more) * sum(map(len, more)) > tokens:
                made.append([one])
            else:
                made[-1].append(one)
        chance.shuffle(made)
        yield from made


def _longest(batch: Sequence[Encoded]) -> int:
    return max(len(ids) for one in batch for ids, _, _ in one)


def tensors(batch: Sequence[Encoded]) -> tuple[tuple[Tensor, Tensor, Tensor], Tensor, list[int]]:
    """What the network takes; how right each pair is; how many pairs each question has."""
    flat = [row for one in batch for row in one]
    ids, mask, kinds = (np.zeros((len(flat), _longest(batch)), np.int64) for _ in range(3))
    for at, (own, own_kinds, _) in enumerate(flat):
        ids[at, : len(own)], mask[at, : len(own)], kinds[at, : len(own)] = own, 1, own_kinds
    given = torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(kinds)
    return given, torch.tensor([right for *_, right in flat], dtype=torch.float32), [len(one) for one in batch]


def plan(options: argparse.Namespace) -> list[list[Encoded]]:
    """All batches in order, the same for the same seed."""
    lines, before = load(options.collected), load(options.again)
    lines += alone(options.whether, {(line["set"], line["id"]) for line in lines})
    lines += random.Random(options.seed).sample(before, int(options.share * len(before)))
    judge = Judge.load(options.judge) if options.judge else None
    pieces = tokenizer(model_folder(""))
    pieces.enable_truncation(VERIFIED_LENGTH, strategy="only_second")
    made: list[list[Encoded]] = []
    for number in range(options.epochs):
        chance = random.Random(options.seed + number)
        made += batches(
            encoded(groups(lines, options.pairs, chance, judge, options.swap), pieces), options.tokens, chance
        )
    return made


Loss = Callable[[Tensor, Tensor, list[int]], Tensor]


def train(options: argparse.Namespace, made: Sequence[list[Encoded]], loss_of: Loss, shared: int = SHARED) -> None:
    """The training over batches, from its last checkpoint where there is one; ``shared`` layers stay as they are.

    ``loss_of`` takes the pairs' logits, how right each is, and how many each question has.
    """
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = Verifier(model_folder(""), shared)
    network.start_from(options.start)
    network.to(device)
    groups_of = [(network.encoder.parameters(), options.rate), (network.head.parameters(), 10 * options.rate)]
    optimiser = torch.optim.AdamW(
        [{"params": [p for p in own if p.requires_grad], "lr": rate, "base": rate} for own, rate in groups_of],
        weight_decay=0.01,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    _log.info("%d tokens", sum(len(ids) for b in made for q in b for ids, *_ in q))

    def loss(batch: list[Encoded]) -> Tensor:
        given, right, sizes = tensors(batch)
        with narrow(device):
            logits = network(*(one.to(device) for one in given))
        return loss_of(logits.float(), right.to(device), sizes)

    descend(network, optimiser, made, loss, options.out / "checkpoint.pt", options.minutes, _log)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collected", type=Path, nargs="+", help="what training.judge.collect and .articles wrote")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint of a reader, or of a verifier")
    parser.add_argument("--again", type=Path, nargs="*", default=[], help="what was trained on before: some of it")
    parser.add_argument("--whether", type=Path, nargs="*", default=[], help="sets whose yes or no is learned alone")
    parser.add_argument("--share", type=float, default=0.45, help="of the questions that were trained on before")
    parser.add_argument("--judge", type=Path, help="judge.json that says which wrong candidates are likely")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument(
        "--swap", action="store_true", help="also right pairs with a name or figure of another question"
    )
    parser.add_argument("--pairs", type=int, default=7, help="about so many of a question")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--tokens", type=int, default=3000, help="a batch, padded")
    parser.add_argument("--minutes", type=float, default=4.0, help="between checkpoints")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = parser.parse_args()
    train(options, plan(options), loss_of)


if __name__ == "__main__":
    main()

"""Trains the reranker of forms; the same command goes on after a stop (``training/README.md``).

    python -m training.algebra.rerank build/algebra/readings --start VERIFIER_CHECKPOINT --out FOLDER

It is the verifier's network, going on from it: its first text is the question, its second a form's reading with what
that gives. The marginal likelihood of the forms that give the answer is maximised (Pasupat and Liang 2015), and each by
itself is told right or wrong, since forms of several tables are compared as well. ``--check`` says how it ranks the
files named.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from kg.indexes.embedding import model_folder
from training.reader.batches import tokenizer
from training.verifier.network import Verifier
from training.verifier.train import Encoded, batches, encoded, tensors, train

SHARED = 3  # of the verifier's layers from below stay as they are
LENGTH = 96  # tokens of a question with a reading
_WEIGHTS = (0.1, 0.3, 1.0)  # that a check tries
_RIGHT, _EACH = 3, 0.5  # right forms of a question; what telling each by itself weighs

Line = Mapping[str, Any]


def lines(files: Iterable[Path], held: bool | None = False) -> list[Line]:
    """The questions of files; ``held``: those of the tables that are left out, or not; None: all."""
    found = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [one for one in found if held is None or one["held_out"] == held]


def group(line: Line, most: int, chance: random.Random) -> list[tuple[tuple[str, str], float]]:
    """About ``most`` pairs of a question: those that are right, the likeliest wrong ones, some on another table."""
    right = [one for one in line["forms"] if one["right"]][:_RIGHT]
    wrong = [one for one in line["forms"] if not one["right"]]
    room = max(2, most - len(right) - len(line["astray"][:2]))
    if len(wrong) > room:
        likely = room * 2 // 3
        wrong = wrong[:likely] + chance.sample(wrong[likely:], room - likely)
    kept = [*right, *wrong, *line["astray"][:2]]
    return [((line["question"], one["reading"]), float(one["right"])) for one in kept]


def loss_of(logits: Tensor, right: Tensor, sizes: list[int]) -> Tensor:
    """The negative log of the probability of all right forms of a question, and of each whether it is right."""
    among = [
        torch.logsumexp(own, 0) - torch.logsumexp(own[told > 0], 0)
        for own, told in zip(logits.split(sizes), right.split(sizes), strict=True)
        if 0 < told.sum() < len(told)
    ]
    each = nn.functional.binary_cross_entropy_with_logits(logits, right)
    return _EACH * each + (torch.stack(among).mean() if among else logits.sum() * 0)


def pieces() -> Tokenizer:
    """The tokeniser, of pairs."""
    found = tokenizer(model_folder(""))
    found.enable_truncation(LENGTH, strategy="longest_first")
    return found


def plan(options: argparse.Namespace) -> list[list[Encoded]]:
    """All batches in order, the same for the same seed."""
    files = sorted(
        file for folder in options.readings for file in folder.glob("*-*.jsonl") if "validation" not in file.name
    )
    asked = [one for one in lines(files) if one["forms"]]
    own = pieces()
    made: list[list[Encoded]] = []
    for number in range(options.epochs):
        chance = random.Random(options.seed + number)
        chance.shuffle(asked)
        groups = [found for one in asked if (found := group(one, options.pairs, chance))]
        made += batches(encoded(groups, own), options.tokens, chance)
    return made


def scored(network: nn.Module, asked: Sequence[Line]) -> list[np.ndarray]:
    """The logits of each question's forms."""
    own, found = pieces(), []
    with torch.no_grad():
        for line in asked:
            pairs = [((line["question"], one["reading"]), 0.0) for one in line["forms"]]
            given, _, _ = tensors(encoded([pairs], own))
            found.append(network(*given).numpy() if pairs else np.zeros(0))
    return found


def check(options: argparse.Namespace) -> None:
    """Says how the forms of files are ranked: by the weights alone, by the network alone, by both."""
    network = Verifier(model_folder(""), options.shared)
    network.start_from(options.out / "checkpoint.pt")
    asked = lines(options.check, None)
    logits = scored(network.eval(), asked)
    possible = np.mean([any(form["right"] for form in one["forms"]) for one in asked])
    print(f"{len(asked)} questions, {possible:.3f} have a form that gives the answer")
    scores = [np.array([form["score"] for form in line["forms"]]) for line in asked]
    print(f"weights {_share(asked, scores):.4f}, network {_share(asked, logits):.4f}")
    for weight in _WEIGHTS:
        both = [own + weight * score for own, score in zip(logits, scores, strict=True)]
        print(f"network + {weight} weights {_share(asked, both):.4f}")


def _share(asked: Sequence[Line], scores: Sequence[np.ndarray]) -> float:
    """Of questions so many have a right form first."""
    hits = [len(own) > 0 and line["forms"][own.argmax()]["right"] for line, own in zip(asked, scores, strict=True)]
    return sum(hits) / max(1, len(hits))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", type=Path, nargs="*", help="folders that training.algebra.readings wrote")
    parser.add_argument("--start", type=Path, help="checkpoint of a verifier")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--check", type=Path, nargs="*")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--shared", type=int, default=SHARED)
    parser.add_argument("--pairs", type=int, default=9, help="about so many of a question")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--tokens", type=int, default=3600, help="a batch, padded")
    parser.add_argument("--minutes", type=float, default=4.0, help="between checkpoints")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = parser.parse_args()
    if options.check:
        check(options)
    else:
        train(options, plan(options), loss_of, options.shared)


if __name__ == "__main__":
    main()

"""Trains the parser on a treebank. Needs torch; the file that comes out doesn't."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.evaluation.conllu import read_conllu
from kg.errors import BadInput
from kg.indexes.embedding import model_folder, model_hash
from kg.relations.training import Descent, filled, load_encoder
from kg.syntax.parser import ABOUT, About, Ints, Parsed, Pieces, cut, embed, layer, load_layers, padded, tokenizer
from training.syntax.network import Parser, Sizes

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tell = Callable[[str], None]
ENCODER_LAYERS = 6  # of all-MiniLM-L6-v2
_LONGEST = 100  # words of a sentence that is trained on
_NONE = -100  # what a loss leaves out


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train."""

    epochs: int = 14
    batch: int = 32
    rate: float = 3.0e-4
    head_rate: float = 2.0e-3
    seed: int = 7
    threads: int = 1
    frozen: int = 3
    trained: int = 2


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence ready for the network: ``below`` the trained layers (T, hidden); heads with 0 for the root."""

    pieces: Pieces
    below: npt.NDArray[np.float16]
    heads: Ints
    labels: Ints
    tags: Ints


def fit(treebank: Path, output: Path, plan: Plan, tell: Tell) -> None:
    """Trains on a treebank's file and writes the parser. Raises BadInput, ModelUnavailable."""
    sentences = read_conllu(treebank)
    if plan.frozen + plan.trained > ENCODER_LAYERS or not sentences:
        raise BadInput(
            f"{treebank} holds no sentence, or the encoder hasn't that many layers", "see training.syntax.train"
        )
    folder = model_folder()
    model_hash(folder, pinned=True)
    network, tags, labels = train(sentences, folder, plan, tell)
    save(network, About(tags, labels, plan.frozen, plan.trained), output)
    tell(f"Parser: {output} ({output.stat().st_size / 1e6:.1f} MB)")


def save(network: Parser, about: About, path: Path) -> None:
    """Writes a parser's file. The same network gives the same bytes on the same versions."""
    weights = {name: value.detach().numpy().astype(np.float16) for name, value in sorted(network.state_dict().items())}
    said = np.frombuffer(json.dumps(asdict(about), sort_keys=True).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{ABOUT: said}, **weights)


def train(
    sentences: Sequence[Parsed], folder: Path, plan: Plan, tell: Tell
) -> tuple[Parser, tuple[str, ...], tuple[str, ...]]:
    """A trained network with the names of its tags and labels. ``folder`` holds the encoder and its tokeniser.

    The same arguments on the same machine give the same network.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    tags = tuple(sorted({tag for s in sentences for tag in s.tags}))
    labels = tuple(sorted({label for s in sentences for label in s.labels}))
    network = Parser(Sizes(len(tags), len(labels), plan.frozen, plan.trained), load_encoder(str(folder)))
    begun = time.perf_counter()
    items = prepared(sentences, tags, labels, folder, plan.frozen)
    tell(f"{len(items):,} sentences, {time.perf_counter() - begun:.0f} s")
    _run(network, items, plan, tell)
    return network.eval(), tags, labels


def prepared(
    sentences: Sequence[Parsed], tags: Sequence[str], labels: Sequence[str], folder: Path, frozen: int
) -> list[Item]:
    """Sentences as items, the longest ones left out."""
    pieces = tokenizer(folder)
    weights = load_layers(folder / "model.safetensors", frozen)
    tag_at, label_at = ({name: at for at, name in enumerate(names)} for names in (tags, labels))
    return [
        _item(sentence, pieces, weights, tag_at, label_at, frozen)
        for sentence in sentences
        if len(sentence) <= _LONGEST
    ]


def _item(
    sentence: Parsed,
    tokenizer: Tokenizer,
    weights: dict[str, npt.NDArray[np.float32]],
    tags: dict[str, int],
    labels: dict[str, int],
    frozen: int,
) -> Item:
    pieces = cut(sentence.words, tokenizer)
    below = embed(weights, pieces.ids)
    for number in range(frozen):
        below = layer(weights, f"encoder.layer.{number}", below)
    read = len(pieces.first)
    heads = np.array([head + 1 for head in sentence.heads[:read]], np.int64)
    return Item(
        pieces,
        below.astype(np.float16),
        np.where(heads <= read, heads, _NONE),
        np.array([labels[label] for label in sentence.labels[:read]], np.int64),
        np.array([tags[tag] for tag in sentence.tags[:read]], np.int64),
    )


def _run(network: Parser, items: Sequence[Item], plan: Plan, tell: Tell) -> None:
    chance = random.Random(plan.seed)
    upper = list(network.upper.parameters())
    own = {id(p) for p in upper}
    groups = ((plan.rate, upper), (plan.head_rate, [p for p in network.parameters() if id(p) not in own]))
    steps = plan.epochs * -(-len(items) // plan.batch)
    descent = Descent(network, groups, steps, clip=5.0)
    begun = time.perf_counter()
    network.train()
    for epoch in range(plan.epochs):
        total = 0.0
        batches = _batches(items, plan.batch, chance)
        for batch in batches:
            total += descent.step(partial(loss_of, network, batch))
        spent = time.perf_counter() - begun
        tell(f"epoch {epoch + 1} of {plan.epochs}: loss {total / len(batches):.3f}, {spent:.0f} s")


def _batches(items: Sequence[Item], size: int, chance: random.Random) -> list[list[Item]]:
    """Shuffled batches of sentences of like length."""
    order = sorted(items, key=lambda item: len(item.pieces.ids) + chance.uniform(-3, 3))
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    chance.shuffle(groups)
    return groups


def loss_of(network: Parser, items: Sequence[Item]) -> Tensor:
    """The loss of a batch: heads, labels of the right arcs, tags; each the mean over words."""
    lengths = torch.tensor([len(item.pieces.ids) for item in items])
    below = filled([item.below for item in items], int(lengths.max()))
    mask = torch.arange(below.shape[1])[None] < lengths[:, None]
    first, shapes = (
        torch.from_numpy(padded([getattr(item.pieces, name) for item in items])) for name in ("first", "shapes")
    )
    heads, labels, tags = (
        torch.from_numpy(padded([getattr(item, name) for item in items], _NONE)) for name in ("heads", "labels", "tags")
    )
    arcs, label_of, label_to, tagged = network.scores(network.words(below, mask, first, shapes))
    absent = F.pad(tags == _NONE, (1, 0))
    arcs = arcs.float().masked_fill(absent[:, None], -1e4)
    labelled = network.label_scores(label_of, label_to, heads.clamp(min=0))
    return _cross(arcs, heads) + _cross(labelled, torch.where(heads == _NONE, _NONE, labels)) + _cross(tagged, tags)


def _cross(scores: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(scores.float().flatten(0, 1), target.flatten(), ignore_index=_NONE)


def main() -> None:
    """Runs the command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebank", type=Path, help="training sentences in CoNLL-U")
    arguments.add_argument("output", type=Path, help="where the parser goes (.npz)")
    arguments.add_argument("--epochs", type=int, default=14, help="passes over the sentences")
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--frozen", type=int, default=3, help="encoder layers kept as they are")
    arguments.add_argument("--trained", type=int, default=2, help="encoder layers above them that are trained")
    given = arguments.parse_args()
    plan = Plan(epochs=given.epochs, seed=given.seed, frozen=given.frozen, trained=given.trained)
    fit(given.treebank, given.output, plan, print)


if __name__ == "__main__":
    main()

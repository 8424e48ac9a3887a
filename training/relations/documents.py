"""A relation model trained further on whole documents laid out as Re-DocRED is (Tan et al. 2022).

    python -m training.relations.documents OUT --docred FILE [--documents 400] [--model general] [--epochs 4]

It learns what it is measured on (:mod:`benchmarks.evaluation.docred_facts`): a document is read at once, between the
names, dates and amounts that the rules find and join. A pair of entities is as likely as the likeliest pair of their
mentions; every relation of every pair counts, pairs with a name that gold doesn't have among them. Gold entities whose
names aren't found are added, so that their facts are learned from too. Layers that the model keeps frozen stay so.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.evaluation.docred_reading import MOST, Paper, entities, read
from kg.errors import BadInput
from kg.indexes.embedding import TOKENIZER_FILE, OnnxEncoder, model_folder, model_hash
from kg.relations.encoder_export import load_network, save
from kg.relations.encoding import encode, places, relation_texts
from kg.relations.files import model_of, read_about
from kg.relations.training import Descent, Network
from kg.syntax.parser import tokenizer
from training.relations.redocred import RELATIONS

_RATE, _HEAD_RATE = 1e-4, 4e-4
_AT_ONCE = 2  # documents a step
_EVEN = 20  # added to a document's facts when its loss is divided by them, so that those with few don't weigh most


@dataclass(frozen=True, slots=True)
class Item:
    """A document ready for the network: vectors below the trained layers, mentions by words, whose they are, facts."""

    below: Tensor
    first: Tensor
    last: Tensor
    mentions: Tensor
    owners: Tensor
    facts: Tensor


def grouped(paper: Paper) -> tuple[list[tuple[tuple[int, int], ...]], list[int | None]]:
    """Entities by their mentions, and which gold entity each is: those found, then gold ones that weren't."""
    found = entities(paper)
    met = [paper.met(spans) for spans in found]
    for entity in sorted(set(paper.places.values()) - set(met)):
        found.append(tuple(sorted(span for span, one in paper.places.items() if one == entity)))
        met.append(entity)
    return found, met


def item(paper: Paper, network: Network, folder: Path, frozen: int, numbers: Mapping[str, int]) -> Item:
    """A document as the network sees it."""
    encoded = encode(paper.text, tokenizer(folder), MOST)
    groups, met = grouped(paper)
    seen = [(places(spans, encoded), entity) for spans, entity in zip(groups, met, strict=True)]
    kept = [(spots, entity) for spots, entity in seen if spots]
    facts = torch.zeros(len(kept), len(kept), len(numbers))
    for head, relation, tail in paper.facts:
        for i, (_, one) in enumerate(kept):
            for j, (_, other) in enumerate(kept):
                if (one, other) == (head, tail) and head != tail and relation in numbers:
                    facts[i, j, numbers[relation]] = 1
    ids = torch.from_numpy(encoded.ids)[None]
    with torch.no_grad():
        below = network.lower(ids, torch.ones_like(ids, dtype=torch.bool), frozen)
    return Item(
        below,
        torch.from_numpy(encoded.first)[None],
        torch.from_numpy(encoded.last)[None],
        torch.tensor([spot for spots, _ in kept for spot in spots])[None],
        torch.tensor([number for number, (spots, _) in enumerate(kept) for _ in spots]),
        facts,
    )


def odds(network: Network, one: Item, relations: Mapping[str, Tensor], frozen: int) -> Tensor:
    """Log-odds of pairs of entities, shape (N, N, R)."""
    mask = torch.ones(one.below.shape[:2], dtype=torch.bool)
    heads = network.heads
    hidden = heads.drop(network.upper(one.below, mask, frozen))
    spans = heads.spans(hidden, mask, one.first, one.last, one.mentions)
    pairs = heads.pairs(spans, hidden, mask, one.mentions)
    said = heads.scores(spans, pairs, hidden, mask, dict(relations))[0]
    count, width = len(one.facts), said.shape[-1]
    where = (one.owners[:, None] * count + one.owners[None]).reshape(-1, 1).expand(-1, width)
    best = torch.full((count * count, width), -1e4).scatter_reduce(0, where, said.float().reshape(-1, width), "amax")
    return best.view(count, count, width)


def loss_of(network: Network, batch: Sequence[Item], texts: Tensor, frozen: int) -> Tensor:
    """Binary, over all pairs of two entities and all relations."""
    relations = network.heads.relations(texts)
    total = torch.zeros(())
    for one in batch:
        apart = ~torch.eye(len(one.facts), dtype=torch.bool)
        said, wanted = odds(network, one, relations, frozen)[apart], one.facts[apart]
        binary = F.binary_cross_entropy_with_logits(said, wanted, reduction="sum")
        total = total + binary / (_EVEN + wanted.sum()) / len(batch)
    return total


def train(papers: Sequence[Paper], start: Path, output: Path, epochs: int, seed: int) -> None:
    """Trains the model in ``start`` further and writes it; the same arguments on the same machine give the same."""
    base, encoder, about = model_folder(), OnnxEncoder(), read_about(start)
    model_hash(base, pinned=True)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    chance = random.Random(seed)
    network = load_network(start, base)
    texts = torch.from_numpy(relation_texts(RELATIONS, encoder.encode))
    numbers = {relation.key: place for place, relation in enumerate(RELATIONS)}
    network.eval()
    items = [item(paper, network, base, about.frozen, numbers) for paper in papers]
    for parameter in network.encoder.parameters():
        parameter.requires_grad = False
    upper = [p for layer in network.encoder.encoder.layer[about.frozen :] for p in layer.parameters()]
    for parameter in upper:
        parameter.requires_grad = True
    groups = ((_RATE, upper), (_HEAD_RATE, list(network.heads.parameters())))
    descent = Descent(network, groups, epochs * -(-len(items) // _AT_ONCE), clip=1.0)
    network.train()
    begun = time.perf_counter()
    for epoch in range(epochs):
        chance.shuffle(items)
        batches = [items[at : at + _AT_ONCE] for at in range(0, len(items), _AT_ONCE)]
        losses = [descent.step(partial(loss_of, network, batch, texts, about.frozen)) for batch in batches]
        print(
            f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}, {time.perf_counter() - begun:.0f} s", flush=True
        )
    trained_on = tuple(dict.fromkeys((*about.trained_on, "docred documents")))
    save(network.eval(), base / TOKENIZER_FILE, output, replace(about, thresholds={}, choice={}, trained_on=trained_on))


def main() -> None:
    """Runs the command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--docred", type=Path, required=True, help="Re-DocRED documents")
    arguments.add_argument("--documents", type=int, default=400, help="documents from the file's start to train on")
    arguments.add_argument("--model", type=Path, default=Path("general"), help="start from this one")
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--seed", type=int, default=7)
    given = arguments.parse_args()
    start = model_of(given.model)
    if start is None:
        raise BadInput("there is no model to start from", "name one with --model")
    train(read(given.docred, 0, given.documents - 1), start, given.output, given.epochs, given.seed)


if __name__ == "__main__":
    main()

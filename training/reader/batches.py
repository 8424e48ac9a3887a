"""Examples → tokens, and batches of about as many tokens each."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from kg.indexes.embedding import model_folder
from training.reader.data import POLAR, Example

UNASKED = -100


@dataclass(frozen=True, slots=True)
class Item:
    """An example's tokens: the window of the text that was kept, and where the answers stand in it."""

    ids: np.ndarray
    kinds: np.ndarray
    spans: tuple[tuple[int, int], ...]
    polar: str
    several: bool


def tokenizer(folder: Path) -> Tokenizer:
    """The encoder's, without padding or limit; BERT's for MPNet (:class:`training.reader.network.Reader`)."""
    if json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"] == "mpnet":
        folder = model_folder("")
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


def items(examples: Sequence[Example], pieces: Tokenizer, most: int, chance: random.Random) -> list[Item]:
    """Examples as items of at most ``most`` tokens, those whose answer is longer than a window left out."""
    pairs = [(e.question, e.text) for e in examples]
    made = (item(e, found, most, chance) for e, found in zip(examples, pieces.encode_batch(pairs), strict=True))
    return [one for one in made if one is not None]


def item(example: Example, found: Encoding, most: int, chance: random.Random) -> Item | None:
    """One example; a text that is too long is cut to a window around its answers, wherever that falls."""
    ids, kinds, offsets = np.array(found.ids), np.array(found.type_ids), found.offsets
    first = int(np.argmax(kinds == 1)) if (kinds == 1).any() else len(ids)
    last = len(ids) - 1  # the separator at the end
    spans = []
    for start, end in example.spans:
        covered = [t for t in range(first, last) if offsets[t][0] < end and start < offsets[t][1]]
        if not covered:
            return None
        spans.append((covered[0], covered[-1]))
    if len(ids) > most:
        room = most - first - 1
        low, high = (min(s for s, _ in spans), max(e for _, e in spans)) if spans else (first, first)
        if room < 16 or high - low >= room:
            return None
        begin = chance.randint(max(first, high - room + 1), min(low, last - room)) if spans else first
        keep = np.r_[0:first, begin : begin + room, last]
        ids, kinds = ids[keep], kinds[keep]
        spans = [(s - begin + first, e - begin + first) for s, e in spans]
    return Item(ids.astype(np.int32), kinds.astype(np.int8), tuple(spans), example.polar, example.several)


def batches(order: Sequence[Item], tokens: int, chance: random.Random) -> Iterator[list[Item]]:
    """Items in batches of like length, about ``tokens`` in each; shuffled within stretches of the given order."""
    stretch = 4096
    for at in range(0, len(order), stretch):
        some = sorted(order[at : at + stretch], key=lambda i: len(i.ids) + chance.uniform(-6, 6))
        made: list[list[Item]] = [[]]
        for one in some:
            if made[-1] and len(one.ids) * (len(made[-1]) + 1) > tokens:
                made.append([])
            made[-1].append(one)
        chance.shuffle(made)
        yield from made


def tensors(batch: Sequence[Item]) -> dict[str, Tensor]:
    """What :func:`training.reader.network.loss_of` and the network take."""
    size, length = len(batch), max(len(i.ids) for i in batch)
    ids, kinds = np.zeros((size, length), np.int64), np.zeros((size, length), np.int64)
    mask, inside = np.zeros((size, length), np.int64), np.zeros((size, length), np.float32)
    allowed = np.zeros((size, length), bool)
    start, end = np.full(size, UNASKED), np.full(size, UNASKED)
    answers, polar = np.zeros(size, np.float32), np.full(size, UNASKED)
    for at, one in enumerate(batch):
        n = len(one.ids)
        ids[at, :n], kinds[at, :n], mask[at, :n] = one.ids, one.kinds, 1
        allowed[at, :n] = one.kinds == 1
        allowed[at, n - 1], allowed[at, 0] = False, True
        for s, e in one.spans:
            inside[at, s : e + 1] = 1
        if not one.several:
            start[at], end[at] = one.spans[0] if one.spans else (0, 0)
        answers[at] = float(bool(one.spans))
        if one.polar:
            polar[at] = POLAR.index(one.polar)
    named = {"ids": ids, "mask": mask, "kinds": kinds, "allowed": allowed, "inside": inside}
    named |= {"start": start, "end": end, "answers": answers, "polar": polar}
    return {name: torch.from_numpy(array) for name, array in named.items()}

"""A trained parser without torch: NumPy alone, one sentence at a time."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from kg.errors import ModelUnavailable
from kg.indexes.embedding import model_folder, model_hash
from kg.syntax.files import load
from kg.syntax.pieces import Ints, cut, tokenizer
from kg.syntax.transformer import Floats, embed, layer, load_layers
from kg.syntax.trees import Parsed, best_tree

WEIGHTS = "parser.npz"


class Reader:
    """Parses sentences that are cut into words. What it gives depends on the sentence alone."""

    def __init__(self, path: Path) -> None:
        """``path``: a parser's file. Raises ModelUnavailable where it or the encoder below it is missing."""
        self.about, self._weights = load(path)
        folder = model_folder()
        model_hash(folder, pinned=True)
        self._below = load_layers(folder / "model.safetensors", self.about.frozen)
        self._tokenizer = tokenizer(folder)
        self._threads = ThreadpoolController()

    def parse(self, words: tuple[str, ...]) -> Parsed:
        """Tags and a tree; words too far back to be read hang on the first word as ``dep``."""
        # A sentence's matrices are small: threads that wait for each other cost many times what they share.
        with self._threads.limit(limits=1, user_api="blas"):
            return self._parse(words)

    def _parse(self, words: tuple[str, ...]) -> Parsed:
        pieces = cut(words, self._tokenizer)
        read = len(pieces.first)
        if not read:
            return Parsed(words, ("X",) * len(words), (-1,) * len(words), ("dep",) * len(words))
        hidden = embed(self._below, pieces.ids)
        for number in range(self.about.frozen):
            hidden = layer(self._below, f"encoder.layer.{number}", hidden)
        for number in range(self.about.trained):
            hidden = layer(self._weights, f"upper.{number}", hidden)
        shapes = np.concatenate([np.zeros((1, self._shape.shape[1]), np.float32), self._shape[pieces.shapes]])
        vectors = np.concatenate([hidden[np.concatenate([[0], pieces.first])], shapes], -1)
        heads, labels, tags = self._decide(vectors)
        rest = len(words) - read
        return Parsed(
            words,
            (*(self.about.tags[tag] for tag in tags), *("X",) * rest),
            (*(int(head) - 1 for head in heads), *(0,) * rest),
            (*(self.about.labels[label] for label in labels), *("dep",) * rest),
        )

    @property
    def _shape(self) -> Floats:
        return self._weights["shape.weight"]

    def _decide(self, vectors: Floats) -> tuple[Ints, Ints, Ints]:
        """Heads, labels and tags by number."""
        own = vectors[1:]
        arcs = _one(self._dense("arc_of", own)) @ self._weights["arc"] @ self._dense("arc_to", vectors).T
        heads = best_tree(np.asarray(arcs, np.float32))
        label_of, label_to = _one(self._dense("label_of", own)), _one(self._dense("label_to", vectors))[heads]
        labels = np.einsum("wi,lij,wj->wl", label_of, self._weights["labels"], label_to, optimize=True)
        first = self.about.labels.index("root")
        labels[:, first] = np.where(heads == 0, np.inf, -np.inf)
        tags = self._dense("tag_in", own) @ self._weights["tag_out.weight"].T + self._weights["tag_out.bias"]
        return heads, np.asarray(labels.argmax(-1)), np.asarray(tags.argmax(-1))

    def _dense(self, name: str, rows: Floats) -> Floats:
        dense = rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return np.asarray(np.maximum(dense, 0), np.float32)


def _one(rows: Floats) -> Floats:
    """The rows with a one behind each, for a bias."""
    return np.concatenate([rows, np.ones((len(rows), 1), np.float32)], -1)


def path_of() -> Path:
    """Where the package's own parser is, if it is there."""
    return Path(str(resources.files("kg.syntax") / WEIGHTS))


@lru_cache(maxsize=1)
def shipped() -> Reader | None:
    """The parser that comes with the package; None where it or the encoder below it is missing."""
    try:
        return Reader(path_of())
    except ModelUnavailable:
        return None

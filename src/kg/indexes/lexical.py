"""Lexical index: BM25 (Lucene's form) over stemmed words.

It keeps what depends on one entry alone: how often it has each token, and its length. Scores, which depend on all
entries, are computed for a query's tokens when it is asked; so the index of many entries is merged from those of few.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import Stemmer

from kg.errors import CorruptKnowledgeBase
from kg.indexes.arrays import (
    REBUILD,
    Arrays,
    merged_order,
    pack_strings,
    read_arrays,
    rising,
    sorted_entries,
    to_bytes,
    unpack_strings,
)
from kg.protocols import Hit

K1, B = 1.2, 0.75  # Lucene's defaults
FILE = "lexical.safetensors"
_DECIMALS = 5  # of a score

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]

# --- words -------------------------------------------------------------------------------------

# "us" and "own" are not among them: folded to lower case they are also a country and what owners do.
_STOP_WORDS = """
a about above after again against all also am an and any are as at be because been before being below between both but
by can cannot could did do does doing done down during each either else few for from further had has have having he her
here hers herself him himself his how however i if in into is it its itself just me more most my myself neither no nor
not of off on once only or other our ours ourselves out over per same shall she should so some such than that the their
theirs them themselves then there these they this those through to too under until up upon very was we were what when
where whether which while who whom whose why will with within without would you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

# A figure with separators ("10,000.5"), a word ending in symbols ("C++", "C#"), or letters and digits that hyphens,
# apostrophes, points or ampersands hold together. "–" and "/" part words: "2019–2021", "input/output".
_WORD = re.compile(
    r"(?P<figure>(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)(?!,\d))(?P<unit>[^\W\d_]*)"
    r"|(?P<symbols>(?<![^\W_])[^\W\d_](?:\+\+|#)(?!\w))"
    r"|(?P<word>[^\W_]+(?:[-.'&_][^\W_]+)*)"
)
_ENDING = re.compile(r"(?:'(?:s|ll|re|ve|d|m))$")  # "Ada's", "they've"
_NEGATION = re.compile(r"[a-z]+n't")  # "don't", "isn't": stop words all
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
# At a change between letters and digits, except that one letter stays with its digits ("A100" is no 100).
_RUNS = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+")
_FOLDED = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "−": "-", "\u00ad": None, "\u200b": None})


def tokenize(text: str) -> list[str]:
    """Stemmed, case-folded words without stop words, in the order of the text; compounds also give their parts.

    >>> tokenize("The GPT-4 runs on 10,000 A100s")
    ['gpt4', 'gpt', '4', 'run', '10000', 'a100']
    """
    return [token for chunk in text.split() for token in _tokens(chunk)]


@lru_cache(maxsize=1 << 17)
def _tokens(chunk: str) -> tuple[str, ...]:
    """The tokens between two spaces (no token reaches across one)."""
    tokens: list[str] = []
    for match in _WORD.finditer(_fold(chunk)):
        if match["figure"]:
            number = match["figure"].replace(",", "")
            tokens += (number + match["unit"], number) if match["unit"] else (number,)
        elif match["symbols"]:
            tokens.append(match["symbols"])
        else:
            tokens += _forms(match["word"])
    return tuple(tokens)


def _fold(text: str) -> str:
    """Compatibility forms, case and accents folded away."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_FOLDED)
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return text.casefold()


def _forms(word: str) -> tuple[str, ...]:
    """The tokens of one word: the compound closed up, then its parts."""
    if _NEGATION.fullmatch(word):
        return ()
    word = _ENDING.sub("", word)
    if _NUMBER.fullmatch(word):
        return (word,)
    pieces = _pieces(word)
    if len(pieces) == 1:
        return () if word in STOP_WORDS else (_stem(word),)
    parts = tuple(_stem(p) for p in pieces if p not in STOP_WORDS)
    # "20-25" closed up would be another number; "GPT-4", "GPT4" and "gpt 4" are to meet.
    if all(p[0].isdigit() for p in pieces):
        return parts
    closed = word.replace("-", "").replace("'", "").replace("_", "")
    closed = closed if "&" in closed or any(c.isdigit() for c in closed) else closed.replace(".", "")
    return (_stem(closed), *parts)


def _pieces(word: str) -> list[str]:
    """What a compound is made of: at its connectors, and between letters and digits but for a lone letter."""
    pieces: list[str] = []
    for piece in re.split(r"[-'&_]", word):
        for run in re.split(r"(?<=\D)\.|\.(?=\D)", piece):
            runs = _RUNS.findall(run)
            lone = any(len(r) == 1 and r.isalpha() and i + 1 < len(runs) for i, r in enumerate(runs))
            plural = len(runs) == 2 and runs[1] == "s"
            pieces += [run] if lone or plural else runs
    return [p for p in pieces if p]


_STEMMER = Stemmer.Stemmer("english", 0)  # no cache of its own: _tokens has one
_PLURAL_ABBREVIATION = re.compile(r"[^\W\daeiouy_]{2,}u?s|[^\W_]*\ds")


def _stem(word: str) -> str:
    """Snowball's English stem; "GPUs", "LLMs" and "A100s", of which it makes nothing, lose their s."""
    if len(word) > 2 and not word.endswith("ss") and _PLURAL_ABBREVIATION.fullmatch(word):
        return word[:-1]
    if any(c.isdigit() for c in word):
        return word
    return str(_STEMMER.stemWord(word))


# --- index -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LexicalIndex:
    """Entries sorted by id, tokens sorted.

    The entries that hold token ``t`` are ``rows[starts[t]:starts[t + 1]]``, rising; ``counts``, of the same shape, says
    how often. ``lengths``: how many tokens each entry has.
    """

    ids: tuple[str, ...]
    tokens: tuple[str, ...]
    starts: Ints
    rows: Rows
    counts: Rows
    lengths: Rows

    @classmethod
    def build(cls, entries: Sequence[tuple[str, str]]) -> LexicalIndex:
        """The index of (id, text) entries, in any order. Raises BadInput when an id comes twice."""
        ordered = sorted_entries(entries)
        held = [Counter(tokenize(text)) for _, text in ordered]
        tokens = tuple(sorted(set().union(*held)))
        number = {token: at for at, token in enumerate(tokens)}
        pairs = [(number[token], row, n) for row, counter in enumerate(held) for token, n in counter.items()]
        columns = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        lengths = np.array([counter.total() for counter in held], dtype=np.int32)
        return cls._of(tuple(id_ for id_, _ in ordered), tokens, columns[0], columns[1], columns[2], lengths)

    @classmethod
    def _of(
        cls, ids: tuple[str, ...], tokens: tuple[str, ...], numbers: Ints, rows: Ints, counts: Ints, lengths: Rows
    ) -> LexicalIndex:
        """From the token's number, the row and the count of each pair, in any order."""
        order = np.argsort(numbers * max(1, len(ids)) + rows)
        starts = np.concatenate(([0], np.cumsum(np.bincount(numbers, minlength=len(tokens)))))
        return cls(ids, tokens, starts, rows[order].astype(np.int32), counts[order].astype(np.int32), lengths)

    @classmethod
    def merge(cls, parts: Sequence[LexicalIndex]) -> LexicalIndex:
        """The index of all entries of several, equal to one built of them. Raises BadInput when an id comes twice."""
        ids, places = merged_order([part.ids for part in parts])
        tokens = tuple(sorted(set().union(*(part.tokens for part in parts))))
        number = {token: at for at, token in enumerate(tokens)}
        columns: list[tuple[Ints, Ints, Rows]] = []
        lengths = np.zeros(len(ids), dtype=np.int32)
        for part, place in zip(parts, places, strict=True):
            known = np.array([number[token] for token in part.tokens], dtype=np.int64)
            columns.append((np.repeat(known, np.diff(part.starts)), place[part.rows], part.counts))
            lengths[place] = part.lengths
        none = np.zeros(0, dtype=np.int64)
        numbers, rows, counts = (np.concatenate([none, *(c[at] for c in columns)]) for at in range(3))
        return cls._of(ids, tokens, numbers, rows, counts, lengths)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.ids)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {token: at for at, token in enumerate(self.tokens)}

    def idf(self, token: str) -> float:
        """Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)); highest for a token that occurs nowhere."""
        n = len(self.rows_with(token))
        return float(np.log(1 + (len(self.ids) - n + 0.5) / (n + 0.5)))

    def rows_with(self, token: str) -> Rows:
        """Places in ``ids`` of the entries that hold a token (one of :func:`tokenize`)."""
        return self.rows[self._span(token)]

    def _span(self, token: str) -> slice:
        at = self._numbers.get(token)
        return slice(0) if at is None else slice(int(self.starts[at]), int(self.starts[at + 1]))

    def search(self, query: str, limit: int) -> tuple[Hit, ...]:
        """At most ``limit`` entries that share a token with the query, by falling BM25 score, ties by id."""
        rows, scores = self.best(query, limit)
        return tuple(Hit(self.ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True))

    def best(self, query: str, limit: int) -> tuple[Ints, npt.NDArray[np.float64]]:
        """As :meth:`search`: the entries' places in ``ids`` and scores, each of shape (found,)."""
        # In sorted order, so that the order of the question's words can't change a sum's last bit.
        known = sorted(token for token in tokenize(query) if token in self._numbers)
        if limit < 1 or not known:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        scores = np.zeros(len(self.ids))
        for token in known:
            held = self._span(token)
            counts = self.counts[held].astype(np.float64)
            # What it counts in each entry that has it, 0 to 1: more the oftener, less the longer the entry.
            scores[self.rows[held]] += self.idf(token) * (counts / (counts + self._norms[self.rows[held]]))
        scores = np.round(scores, _DECIMALS)
        rows = _best(scores, limit)
        return rows, scores[rows]

    @cached_property
    def _norms(self) -> npt.NDArray[np.float64]:
        mean = self.lengths.sum(dtype=np.int64) / max(1, len(self.ids))
        return np.asarray(K1 * (1 - B + B * self.lengths / max(mean, 1e-9)), dtype=np.float64)

    def arrays(self) -> Arrays:
        """Everything as arrays, the same for the same entries."""
        return {
            "ids": pack_strings(self.ids),
            "tokens": pack_strings(self.tokens),
            "starts": self.starts,
            "rows": self.rows,
            "counts": self.counts,
            "lengths": self.lengths,
        }

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> LexicalIndex:
        """From :meth:`arrays`. Raises CorruptKnowledgeBase when they don't fit together."""
        try:
            ids, tokens = unpack_strings(arrays["ids"]), unpack_strings(arrays["tokens"])
            starts, rows, counts, lengths = (arrays[name] for name in ("starts", "rows", "counts", "lengths"))
        except (ValueError, KeyError, TypeError) as error:
            raise CorruptKnowledgeBase(f"the lexical index can't be read: {error}", REBUILD) from error
        index = cls(ids, tokens, starts, rows, counts, lengths)
        if not (rising(ids) and rising(tokens) and index._consistent()):
            raise CorruptKnowledgeBase("the lexical index's parts don't fit together", REBUILD)
        return index

    def _consistent(self) -> bool:
        """Whether the sparse matrix (token by token) has the shape and the bounds that the entries ask for."""
        starts, rows, counts, lengths = self.starts, self.rows, self.counts, self.lengths
        return (
            starts.dtype == np.int64
            and all(array.dtype == np.int32 for array in (rows, counts, lengths))
            and all(array.ndim == 1 for array in (starts, rows, counts, lengths))
            and (len(starts), len(lengths)) == (len(self.tokens) + 1, len(self.ids))
            and starts[0] == 0
            and bool((np.diff(starts) > 0).all())
            and len(rows) == len(counts) == starts[-1]
            and bool(((rows >= 0) & (rows < len(self.ids))).all())
            and bool((counts > 0).all())
            and np.array_equal(np.bincount(rows, counts, len(self.ids)), lengths)
        )

    def save(self, folder: Path) -> None:
        """Writes :data:`FILE` into an existing folder, the same bytes for the same entries."""
        (folder / FILE).write_bytes(to_bytes(self.arrays()))

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """The index saved in a folder. Raises CorruptKnowledgeBase when it is damaged."""
        return cls.of_arrays(read_arrays(folder / FILE))


def _best(scores: npt.NDArray[np.float64], limit: int) -> npt.NDArray[np.int64]:
    """Rows of the ``limit`` highest positive scores, equal ones in order."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > limit:
        least = np.partition(scores[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[scores[rows] >= least]
    best: npt.NDArray[np.int64] = rows[np.argsort(-scores[rows], kind="stable")][:limit]
    return best

"""Lexical index: BM25 (Lucene's form, by bm25s) over stemmed words."""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt
import Stemmer

from kg.errors import CorruptKnowledgeBase
from kg.indexes.entries import sorted_entries, strings
from kg.protocols import Hit

K1, B = 1.2, 0.75  # Lucene's defaults
ENTRIES_FILE = "lexical.json"
_ARRAYS = {
    "data": ("lexical-data.npy", "<f4"),
    "indices": ("lexical-docs.npy", "<i4"),
    "indptr": ("lexical-starts.npy", "<i8"),
}
FILES = (ENTRIES_FILE, *(name for name, _ in _ARRAYS.values()))
_DECIMALS = 5  # of a score: sums that differ by float32's rounding alone are ties
_REBUILD = "run `kg build` again to make the index anew"

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
    """Entries sorted by id, tokens sorted; ``scorer`` is None while no entry has a token."""

    ids: tuple[str, ...]
    tokens: tuple[str, ...]
    scorer: Any  # bm25s.BM25 | None

    @classmethod
    def build(cls, entries: Sequence[tuple[str, str]]) -> LexicalIndex:
        """The index of (id, text) entries, in any order. Raises BadInput when an id comes twice."""
        ordered = sorted_entries(entries)
        texts = [tokenize(text) for _, text in ordered]
        tokens = tuple(sorted({token for text in texts for token in text}))
        number = {token: at for at, token in enumerate(tokens)}
        scorer = _scorer(number)
        if scorer is not None:
            numbered = [[number[token] for token in text] for text in texts]
            scorer.index((numbered, number), create_empty_token=False, show_progress=False)
        return cls(tuple(id_ for id_, _ in ordered), tokens, scorer)

    def update(self, entries: Sequence[tuple[str, str]]) -> LexicalIndex:
        """The index of ``entries``. Every score depends on all entries, so it is built anew."""
        return self.build(entries)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.ids)

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """How many entries each token occurs in."""
        if self.scorer is None:
            return MappingProxyType({})
        counts = np.diff(self.scorer.scores["indptr"])
        return MappingProxyType({token: int(n) for token, n in zip(self.tokens, counts, strict=True)})

    def occurs(self, text: str) -> bool:
        """Whether the whole of a word, or every word of a text, occurs in some entry (not always the same one)."""
        tokens = tokenize(text)
        return bool(tokens) and all(token in self.vocabulary for token in tokens)

    def idf(self, token: str) -> float:
        """Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)); highest for a token that occurs nowhere."""
        n = self.vocabulary.get(token, 0)
        return float(np.log(1 + (len(self.ids) - n + 0.5) / (n + 0.5)))

    def rows_with(self, token: str) -> npt.NDArray[np.int32]:
        """Places in ``ids`` of the entries that hold a token (one of :func:`tokenize`)."""
        at = bisect_left(self.tokens, token)
        if at == len(self.tokens) or self.tokens[at] != token:
            return np.zeros(0, dtype=np.int32)
        starts = self.scorer.scores["indptr"]
        rows: npt.NDArray[np.int32] = self.scorer.scores["indices"][starts[at] : starts[at + 1]]
        return rows

    def search(self, query: str, limit: int) -> tuple[Hit, ...]:
        """At most ``limit`` entries that share a token with the query, by falling BM25 score, ties by id."""
        rows, scores = self.best(query, limit)
        return tuple(Hit(self.ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True))

    def best(self, query: str, limit: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """As :meth:`search`: the entries' places in ``ids`` and scores, each of shape (found,)."""
        known = sorted(token for token in tokenize(query) if token in self.vocabulary)
        if limit < 1 or not known:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        # In sorted order, so that the order of the question's words can't change a sum's last bit.
        numbers = self.scorer.get_tokens_ids(known)
        scores = np.round(self.scorer.get_scores_from_ids(numbers).astype(np.float64), _DECIMALS)
        rows = _best(scores, limit)
        return rows, scores[rows]

    def save(self, folder: Path) -> None:
        """Writes :data:`FILES` into an existing folder, the same bytes for the same entries."""
        content = {"k1": K1, "b": B, "ids": self.ids, "tokens": self.tokens}
        (folder / ENTRIES_FILE).write_text(json.dumps(content, indent=0) + "\n", encoding="utf-8")
        for part, (name, kind) in _ARRAYS.items():
            array = np.zeros(int(part == "indptr"), kind) if self.scorer is None else self.scorer.scores[part]
            np.save(folder / name, np.ascontiguousarray(array, dtype=kind), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """The index saved in a folder. Raises CorruptKnowledgeBase when its files don't fit together."""
        try:
            content = json.loads((folder / ENTRIES_FILE).read_text(encoding="utf-8"))
            ids, tokens = strings(content["ids"]), strings(content["tokens"])
            made_with = content["k1"], content["b"]
            arrays = {part: np.load(folder / name, allow_pickle=False) for part, (name, _) in _ARRAYS.items()}
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise CorruptKnowledgeBase(f"the lexical index can't be read: {error}", _REBUILD) from error
        if made_with != (K1, B) or list(ids) != sorted(set(ids)) or not _consistent(arrays, len(ids), len(tokens)):
            raise CorruptKnowledgeBase("the lexical index's files don't fit together", _REBUILD)
        number = {token: at for at, token in enumerate(tokens)}
        scorer = _scorer(number)
        if scorer is not None:
            scorer.scores = {**arrays, "num_docs": len(ids)}
            scorer.vocab_dict, scorer.nonoccurrence_array = number, None
            scorer.unique_token_ids_set = set(number.values())
        return cls(ids, tokens, scorer)


def _scorer(number: Mapping[str, int]) -> Any:
    """A BM25 without contents. Its backends are named, so that no optional package changes a bit."""
    if not number:
        return None
    return bm25s.BM25(
        k1=K1, b=B, method="lucene", dtype="float32", int_dtype="int32", backend="numpy", csc_backend="scipy"
    )


def _consistent(arrays: Mapping[str, npt.NDArray[Any]], entries: int, tokens: int) -> bool:
    """Whether the sparse matrix (token by token) has the shape and the bounds that the entries ask for."""
    data, docs, starts = arrays["data"], arrays["indices"], arrays["indptr"]
    return (
        all(arrays[part].dtype == np.dtype(kind) and arrays[part].ndim == 1 for part, (_, kind) in _ARRAYS.items())
        and len(starts) == tokens + 1
        and starts[0] == 0
        and bool((np.diff(starts) > 0).all())
        and len(data) == len(docs) == starts[-1]
        and bool(((docs >= 0) & (docs < entries)).all())
        and bool((np.isfinite(data) & (data > 0)).all())
    )


def _best(scores: npt.NDArray[np.float64], limit: int) -> npt.NDArray[np.int64]:
    """Rows of the ``limit`` highest positive scores, equal ones in order."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > limit:
        least = np.partition(scores[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[scores[rows] >= least]
    best: npt.NDArray[np.int64] = rows[np.argsort(-scores[rows], kind="stable")][:limit]
    return best

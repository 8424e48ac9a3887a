"""Reading answers out of passages with trained models: views of passages, a reader of spans, a judge of candidates.

The reader: (question, text) → where the text answers, whether it does, and yes or no (``training/reader``).

Runs an exported network by ONNX Runtime, one pair at a time and unpadded, several side by side, so that what is read
can't depend on its company (as :mod:`kg.indexes.embedding` does).

The text of passages as it is read: below its headings, rows with their heads, items with what introduces them.

Every character of a view that stands in a unit of quotation is traced to that unit, so that an answer's span is
quoted from the document.

One judge of all candidates: the probability that each is right, from what speaks for it.

A logistic regression over standardised features (:func:`kg.ask.candidate_features.features`), fitted and calibrated by
``training/judge``; its weights, and the probability from which an answer is given, are data.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kg.errors import ModelUnavailable
from kg.indexes.embedding import default_workers, session
from kg.model import Passage, UnitKind
from kg.text import quantities

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Encoding, Tokenizer

    from kg.protocols import Encoder


@dataclass(frozen=True, slots=True)
class Weight:
    """What one more standard deviation of a feature, from its mean, adds to the log-odds."""

    mean: float
    deviation: float
    weight: float


@dataclass(frozen=True, slots=True)
class Judge:
    """See the module. ``threshold``: the least probability of an answer that is given."""

    weights: Mapping[str, Weight]
    constant: float
    threshold: float

    @classmethod
    def load(cls, file: Path) -> Judge:
        """The judge in a file. Raises ModelUnavailable."""
        return _load(file)

    def odds(self, features: Mapping[str, float]) -> float:
        """The log-odds by features; those that the judge doesn't know count nothing."""
        odds = self.constant
        for name, one in self.weights.items():
            odds += one.weight * (features.get(name, 0.0) - one.mean) / one.deviation
        return odds

    def chance(self, features: Mapping[str, float]) -> float:
        """The probability that a candidate is right."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.odds(features)))))


@cache
def _load(file: Path) -> Judge:
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        weights = {name: Weight(*row) for name, row in held["weights"].items()}
        return Judge(weights, float(held["constant"]), float(held["threshold"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "name a folder with a judge.json made by training.judge.fit"
        raise ModelUnavailable(f"{file} is no judge: {error}", hint) from error


# Characters of the units that are read together; a unit that is longer is read alone.
ROOM = 700
_HEADINGS = 3
PATH = " > "


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of one passage to be read. ``numbers``: its units'; ``starts``: where each begins in the text."""

    passage: Passage
    text: str
    numbers: tuple[int, ...]
    starts: tuple[int, ...]

    def unit_at(self, place: int) -> int | None:
        """Number of the unit that a place of the text stands in; None in headings and in what introduces units."""
        at = bisect_right(self.starts, place) - 1
        return self.numbers[at] if at >= 0 and place < self.stretch(self.numbers[at])[1] else None

    def start_of(self, number: int) -> int:
        """Where a unit of the view begins in the text."""
        return self.starts[self.numbers.index(number)]

    def stretch(self, number: int) -> tuple[int, int]:
        """Where a unit of the view begins in the text, and where it ends."""
        start = self.start_of(number)
        return start, start + len(self.passage.units[number].plain)

    def within(self, start: int, end: int) -> str:
        """The stretch ``[start, end)`` of the text as whole words, cut where its first unit ends."""
        number = self.unit_at(start)
        first, last = self.stretch(number) if number is not None else (start, end)
        unit = self.text[first:last]
        start, end = uncut(unit, start - first, min(end, last) - first)
        return unit[start:end].strip()


# What goes on behind a stretch, and before one, that a word, a version or an address is cut from.
_GOES_ON = re.compile(r"(?:[.@_]+\w+)+|['’](?:t|re|ve|ll|d|m)\b")
_GOES_BEFORE = re.compile(r"(?:\w+[.@_]+)+$")
_CONTRACTED = re.compile(r"\w+$")


def uncut(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text with what its first and last word go on with; a part of a figure is that figure.

    A network's words end where punctuation begins. Of what bounds a figure, and of its unit, nothing is left out.

    >>> text = "Up to $2.50 (or 75%) by mail to ada@orr.org"
    >>> [text[slice(*uncut(text, text.index(x), text.index(x) + len(x)))] for x in ("2", "(or 75", "orr", "mail")]
    ['Up to $2.50', 'or 75', 'ada@orr.org', 'mail']
    """
    for figure in quantities.find(text):
        if figure.start <= start < end <= figure.end:
            return figure.start, figure.end
    if start < end and text[end - 1].isalnum() and (more := _GOES_ON.match(text, end)):
        end = more.end()
    if start < end and text[start] in "'’":
        start = before.start() if (before := _CONTRACTED.search(text, 0, start)) else start
    elif start < end and text[start].isalnum() and (before := _GOES_BEFORE.search(text, 0, start)):
        start = before.start()
    opened = text.count("(", start, end) - text.count(")", start, end)
    if opened > 0 and text[start] == "(":
        return start + 1, end
    if opened > 0 and text[end : end + 1] == ")":
        return start, end + 1
    return start, end - (opened < 0 and text[end - 1] == ")")


def heading_path(passage: Passage, title: str) -> str:
    """Where a passage stands: the document's title and the nearest headings."""
    headings = [h for h in passage.headings[-_HEADINGS:] if h != title]
    return PATH.join(([title] if title else []) + headings)


def view(passage: Passage, title: str, numbers: Iterable[int]) -> View:
    """Some units of a passage, in order, below the document's title and the nearest headings."""
    text, introduced = heading_path(passage, title), ""
    kept, starts = [], []
    for number in sorted(numbers):
        unit = passage.units[number]
        if unit.context and unit.context != introduced and unit.context not in text:
            text += f"\n{unit.context}"
        introduced = unit.context
        text += "\n" if text else ""
        kept.append(number)
        starts.append(len(text))
        text += unit.plain
    return View(passage, text, tuple(kept), tuple(starts))


def views(best: Iterable[tuple[Passage, int]], titles: dict[str, str], most: int) -> list[View]:
    """At most ``most`` views around units given best first: each with what stands around it, none read twice."""
    taken: set[tuple[str, int]] = set()
    found: list[View] = []
    for passage, number in best:
        if (passage.id, number) in taken:
            continue
        numbers = _around(passage, number, taken)
        taken |= {(passage.id, n) for n in numbers}
        found.append(view(passage, titles.get(passage.document, ""), numbers))
        if len(found) == most:
            break
    return found


def _around(passage: Passage, number: int, taken: set[tuple[str, int]]) -> list[int]:
    """A unit and its neighbours, from near to far, as far as there is room; without headings and what is taken."""
    room = ROOM - len(passage.units[number].plain)
    numbers = [number]
    before, after = number - 1, number + 1
    while room > 0 and (before >= 0 or after < len(passage.units)):
        for at in (before, after):
            if not 0 <= at < len(passage.units) or (passage.id, at) in taken:
                continue
            unit = passage.units[at]
            if unit.kind != UnitKind.HEADING and len(unit.plain) <= room:
                numbers.append(at)
                room -= len(unit.plain) + 1
            elif unit.kind != UnitKind.HEADING:
                room = 0
        before, after = before - 1, after + 1
    return sorted(numbers)


SHIPPED = Path(__file__).parent / "model"
MODEL_FILE, TOKENIZER_FILE, DESCRIPTION_FILE = "reader.onnx", "tokenizer.json", "reader.json"
VERIFIER_FILE, WEIGHTS_FILE = "verifier.onnx", "weights.bin"  # the latter: what the networks have, once
UNITS_FILE = "units.json"  # weights by which units read are ranked
QUERIES_FILE, QUERIES_OF = "queries.onnx", "queries_of"  # the encoder of questions, and whose texts it is for
LENGTH = 320  # tokens of a question with its text; more is cut from the text's end
VERIFIED_LENGTH = 192  # of a question and an answer with what is quoted
QUERY_LENGTH = 128  # of a question by itself
_LONGEST = 40  # tokens of a span
_BARRED = -1e4
FAR = 12.0  # beyond which a logit says nothing more

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[start, end)`` of a text that may answer. ``score``: its logit less that of "no answer"."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What the reader says of one text. Logits of its tokens, shape (tokens,), and where each stands in the text.

    ``answers``: the logit that the text answers; ``polar``: those of yes, no and unsaid.
    """

    starts: Floats
    ends: Floats
    inside: Floats
    none: float
    offsets: npt.NDArray[np.int64]  # (tokens, 2)
    words: npt.NDArray[np.int64]  # (tokens,): the number of the word that each is a piece of
    answers: float
    polar: tuple[float, float, float]

    def spans(self, most: int) -> list[Span]:
        """The likeliest spans of whole words, best first, none overlapping a better one."""
        size = len(self.starts)
        scores = self.starts[:, None] + self.ends[None, :] - self.none
        span = np.arange(size)[None, :] - np.arange(size)[:, None]
        turns = np.diff(self.words, prepend=-1, append=-1) != 0  # where a word begins, and where one has ended
        whole = turns[:-1, None] & turns[None, 1:]
        scores = np.where((span >= 0) & (span < _LONGEST) & whole, scores, _BARRED)
        found: list[Span] = []
        for at in np.argsort(-scores, axis=None, kind="stable")[: 40 * most]:
            first, last = divmod(int(at), size)
            start, end = int(self.offsets[first, 0]), int(self.offsets[last, 1])
            if scores[first, last] <= _BARRED / 2 or any(s.start < end and start < s.end for s in found):
                continue
            found.append(Span(start, end, float(scores[first, last])))
            if len(found) == most:
                break
        return found

    def score(self, start: int, end: int) -> Span | None:
        """A stretch of the text scored as a span; None where it stands in no token that was read."""
        covered = np.flatnonzero((self.offsets[:, 0] < end) & (self.offsets[:, 1] > start))
        if not len(covered):
            return None
        return Span(start, end, float(self.starts[covered[0]] + self.ends[covered[-1]] - self.none))

    def best_start(self, start: int, end: int) -> float:
        """The best logit that an answer starts within a stretch of the text; -inf where nothing of it was read."""
        begins = self.offsets[:, 0]
        return float(self.starts[(begins >= start) & (begins < end)].max(initial=-math.inf))

    def likeliest_inside(self, start: int, end: int) -> float:
        """The best logit that a word of a stretch of the text belongs to the answer; -inf where nothing was read."""
        begins = self.offsets[:, 0]
        return float(self.inside[(begins >= start) & (begins < end)].max(initial=-math.inf))

    def segments(self, least: float) -> list[Span]:
        """Stretches whose words each belong to the answer with a mean probability of ``least`` or more."""
        if not len(self.words):
            return []
        firsts = np.flatnonzero(np.diff(self.words, prepend=-1))
        lasts = np.append(firsts[1:], len(self.words))
        chances = 1 / (1 + np.exp(-self.inside))
        kept = np.add.reduceat(chances, firsts) / (lasts - firsts) >= least
        turns = np.flatnonzero(np.diff(kept.astype(np.int8), prepend=0, append=0))
        return [
            Span(int(self.offsets[at, 0]), int(self.offsets[end - 1, 1]), float(self.inside[at:end].mean()))
            for at, end in zip(firsts[turns[::2]], lasts[turns[1::2] - 1], strict=True)
        ]


def bounded(logit: float) -> float:
    """A logit within ±:data:`FAR`."""
    return max(-FAR, min(FAR, logit))


class Reader:
    """A reader in a folder that ``training/reader`` made; safe to use from several threads.

    ``ranker``: weights by which the units that it read are ranked; the package's where the folder has none.
    """

    def __init__(self, folder: Path = SHIPPED, workers: int | None = None) -> None:
        """Raises ModelUnavailable where the folder lacks a file, or one isn't what its description says."""
        self.folder = folder
        self.workers = workers or default_workers()
        self._loaded = _loaded(folder, MODEL_FILE, LENGTH)
        own = folder / UNITS_FILE
        self.ranker = Judge.load(own if own.exists() else SHIPPED / UNITS_FILE)

    def read(self, question: str, texts: Sequence[str]) -> list[Reading]:
        """One reading a text, in order."""
        with ThreadPoolExecutor(max(1, min(self.workers, len(texts)))) as pool:
            return list(pool.map(lambda text: self._loaded.read(question, text), texts))


class Verifier:
    """A verifier in a folder that ``training/reader`` made; safe to use from several threads.

    It reads a question with one answer beside what is quoted for it, and says whether that answers it.
    """

    def __init__(self, folder: Path = SHIPPED, workers: int | None = None) -> None:
        """Raises ModelUnavailable where the folder lacks a file, or one isn't what its description says."""
        self.workers = workers or default_workers()
        self._loaded = _loaded(folder, VERIFIER_FILE, VERIFIED_LENGTH)

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """A logit a pair, in order."""
        with ThreadPoolExecutor(max(1, min(self.workers, len(pairs)))) as pool:
            return list(pool.map(self._logit, pairs))

    def _logit(self, pair: tuple[str, str]) -> float:
        (found,) = self._loaded.run(self._loaded.encoded(*pair), ["verified"])
        return float(found)


class Queries:
    """The encoder of questions in a folder that ``training/reader`` made; safe to use from several threads.

    It puts a question where the texts that answer it stand in the space of one encoder, whose vectors of texts stay as
    they are ("query-side fine-tuning", Lee et al. 2021, arXiv 2012.12624).
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        """Raises ModelUnavailable where the folder lacks a file, or one isn't what its description says."""
        self._loaded = _loaded(folder, QUERIES_FILE, QUERY_LENGTH)
        self._vector = lru_cache(maxsize=64)(self._vector_of)  # several readings of a question look for it

    def vector(self, question: str) -> npt.NDArray[np.float32]:
        """The vector of a question, shape (dimensions,), of length 1."""
        return self._vector(question).copy()

    def _vector_of(self, question: str) -> npt.NDArray[np.float32]:
        (found,) = self._loaded.run(self._loaded.encoded(question), ["vector"])
        return (found / np.linalg.norm(found)).astype(np.float32)


_queries = cache(Queries)


@cache
def _made_for() -> str:
    """The hash of the encoder of texts that the package's encoder of questions goes with; "" where it has none."""
    try:
        described = json.loads((SHIPPED / DESCRIPTION_FILE).read_text(encoding="utf-8"))
        return str(described.get(QUERIES_OF, ""))
    except (OSError, ValueError):
        return ""


def vector_of_question(question: str, encoder: Encoder) -> npt.NDArray[np.float32]:
    """A question's vector among those that an encoder gave texts, shape (dimensions,), of length 1.

    By the package's encoder of questions, whatever reader is named, where it was made for the encoder of texts; else by
    the latter itself. Raises ModelUnavailable.
    """
    return _queries().vector(question) if encoder.model_hash == _made_for() else encoder.encode([question])[0]


class _Loaded:
    def __init__(self, model: onnxruntime.InferenceSession, pieces: Tokenizer) -> None:
        self._session, self._pieces = model, pieces

    def encoded(self, first: str, second: str | None = None) -> Encoding:
        return self._pieces.encode(_clean(first), None if second is None else _clean(second))

    def run(self, encoding: Encoding, outputs: list[str]) -> list[Floats]:
        """What the network gives for one pair, or one text."""
        feed = {
            "input_ids": np.array([encoding.ids], dtype=np.int64),
            "attention_mask": np.array([encoding.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        return [np.asarray(x[0], dtype=np.float64) for x in self._session.run(outputs, feed)]

    def read(self, question: str, text: str) -> Reading:
        encoding = self.encoded(question, text)
        tokens, pair = self.run(encoding, ["tokens", "pair"])
        own = np.array(encoding.type_ids) == 1
        own &= np.array(encoding.special_tokens_mask) == 0
        return Reading(
            tokens[own, 0],
            tokens[own, 1],
            tokens[own, 2],
            float(tokens[0, 0] + tokens[0, 1]),
            np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)[own],
            np.array([-1 if n is None else n for n in encoding.word_ids], dtype=np.int64)[own],
            float(pair[0]),
            (float(pair[1]), float(pair[2]), float(pair[3])),
        )


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@lru_cache(maxsize=4)
def _loaded(folder: Path, network: str, length: int) -> _Loaded:
    from tokenizers import Tokenizer

    _described(folder)
    pieces = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    pieces.no_padding()
    pieces.enable_truncation(length)  # of the longer one, so that a very long question leaves room for the text
    return _Loaded(session(folder / network), pieces)


@lru_cache(maxsize=2)
def _described(folder: Path) -> frozenset[str]:
    """The files of a folder's description, each as it was when that was made. Raises ModelUnavailable."""
    try:
        described = json.loads((folder / DESCRIPTION_FILE).read_text(encoding="utf-8"))
        for name, wanted in described["files"].items():
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != wanted:
                raise ModelUnavailable(f"{folder / name} is not the file that it was", "install the package again")
        return frozenset(described["files"])
    except (OSError, ValueError, KeyError) as error:
        hint = "name a folder made by training.reader.export"
        raise ModelUnavailable(f"there is no reader in {folder}: {error}", hint) from error


JUDGE_FILE, TYPED_FILE = "judge.json", "judge-ontology.json"


@dataclass(frozen=True, slots=True)
class Trained:
    """The models of one folder. The judges were fitted to candidates of this reader.

    ``typed``: the judge where an ontology types what documents say, and queries are to be trusted otherwise.
    ``verifier``: none where a folder has a reader only.
    """

    reader: Reader
    judge: Judge
    typed: Judge
    verifier: Verifier | None = None

    def judge_of(self, typed: bool) -> Judge:
        """The judge for a knowledge base with or without an ontology."""
        return self.typed if typed else self.judge

    @classmethod
    def load(cls, folder: Path | None = None) -> Trained:
        """The models in a folder; those of the package without one. Raises ModelUnavailable."""
        folder = folder or SHIPPED
        judge = Judge.load(folder / JUDGE_FILE)
        typed = folder / TYPED_FILE
        return cls(Reader(folder), judge, Judge.load(typed) if typed.exists() else judge, verifier_of(folder))

    @classmethod
    def named(cls, reader: str) -> Trained | None:
        """Those that a setting names: a folder, "" for the package's, "none". Raises ModelUnavailable."""
        return None if reader == "none" else cls.load(Path(reader) if reader else None)


def verifier_of(folder: Path) -> Verifier | None:
    """The verifier of a folder, if it has one. Raises ModelUnavailable where the folder isn't what it was."""
    return Verifier(folder) if VERIFIER_FILE in _described(folder) else None

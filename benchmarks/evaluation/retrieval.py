"""``kg evaluate retrieval``: how many of a question's passages are among the first k, beside BM25 and dense alone.

A folder holds ``corpus.jsonl``, ``{"id", "title", "text"}`` a line, and ``questions.jsonl``, ``{"id", "question",
"gold": [ids], "answers": […]?}`` a line. Every text is read as a document of its own, headed by its title; where it is
split into passages, its best one counts. recall@k is the share of a question's gold texts among the first k, averaged
over questions. All three rankings come from the same indexes in one run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.errors import BadInput
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.passage_search import PassageSearch
from kg.indexes.segments import Indexes, build_indexes
from kg.model import Passage
from kg.namespaces import document_slug
from kg.protocols import Hit
from kg.readers import read
from kg.text.passages import split

DEPTHS = (1, 2, 5, 10)
_FETCH = 60
"""Passages asked for, so that ten different texts are among them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the identifiers of the texts that it needs."""

    id: str
    text: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Collection:
    """Passages with their indexes; ``source`` gives the text of the corpus that a passage is of."""

    passages: Mapping[str, Passage]
    source: Mapping[str, str]
    indexes: Indexes


def load(folder: Path) -> tuple[list[dict[str, Any]], list[Question]]:
    """Texts and questions of a folder. Raises BadInput."""
    corpus = list(_lines(folder / "corpus.jsonl", ("id", "title", "text")))
    known = {str(entry["id"]) for entry in corpus}
    questions = []
    for line in _lines(folder / "questions.jsonl", ("id", "question", "gold")):
        gold = frozenset(map(str, line["gold"]))
        if not gold or gold - known:
            raise BadInput(f"question {line['id']} has no gold texts, or some that corpus.jsonl doesn't hold")
        questions.append(Question(str(line["id"]), line["question"], gold))
    return corpus, questions


def _lines(file: Path, fields: Sequence[str]) -> Iterable[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"{file} can't be read", "name a folder with corpus.jsonl and questions.jsonl") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{file}, line {number} is no JSON: {error}") from error
        if not isinstance(entry, dict) or not all(name in entry for name in fields):
            raise BadInput(f"{file}, line {number} needs the fields {', '.join(fields)}")
        yield entry


def collect(corpus: Iterable[Mapping[str, Any]], encoder: OnnxEncoder) -> Collection:
    """The passages of the texts, indexed."""
    passages: dict[str, Passage] = {}
    source: dict[str, str] = {}
    for number, entry in enumerate(corpus):
        name = f"{number:07d}.md"
        document = read(f"# {entry['title']}\n\n{entry['text']}\n".encode(), name)
        for passage in split(document, document_slug(name)):
            passages[passage.id] = passage
            source[passage.id] = str(entry["id"])
    return Collection(passages, source, build_indexes(passages.values(), encoder))


def rankings(collection: Collection) -> dict[str, Callable[[str], Sequence[Hit]]]:
    """The systems that are compared, by name."""
    indexes = collection.indexes
    search = PassageSearch(collection.passages, indexes)
    return {
        "bm25": lambda text: indexes.passages_lexical.search(text, _FETCH),
        "dense": lambda text: indexes.passages.search(text, _FETCH),
        "ours": lambda text: search.search(text, _FETCH),
    }


def texts(hits: Iterable[Hit], source: Mapping[str, str]) -> list[str]:
    """Identifiers of texts in the order of their best passages."""
    return list(dict.fromkeys(source[hit.id] for hit in hits))


def recall(found: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """The share of the gold texts among the first ``depth`` found, 0 to 1."""
    return len(gold & set(found[:depth])) / len(gold)


def measure(collection: Collection, questions: Sequence[Question]) -> dict[str, float]:
    """``SYSTEM_recall@K`` for every system and depth, 0 to 1."""
    figures: dict[str, float] = {}
    for system, ranking in rankings(collection).items():
        found = [texts(ranking(question.text), collection.source) for question in questions]
        for depth in DEPTHS:
            shares = [recall(f, q.gold, depth) for f, q in zip(found, questions, strict=True)]
            figures[f"{system}_recall@{depth}"] = round(sum(shares) / len(shares), 4)
    return figures


def run(folder: Path, json_file: Path | None, say: Callable[[str], None]) -> None:
    """Measures a folder and prints a table and one line of ``name value`` pairs. Raises BadInput."""
    corpus, questions = load(folder)
    if not corpus or not questions:
        raise BadInput(f"{folder} has no texts or no questions")
    figures = measure(collect(corpus, OnnxEncoder()), questions)
    say(f"{len(corpus)} texts, {len(questions)} questions")
    say("recall@" + "".join(f"{depth:>8}" for depth in DEPTHS))
    for system in ("bm25", "dense", "ours"):
        say(f"{system:<7}" + "".join(f"{figures[f'{system}_recall@{depth}']:>8.3f}" for depth in DEPTHS))
    say(" ".join(f"{name} {value}" for name, value in figures.items()))
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")

"""``kg evaluate dependencies``: a parser against a treebank, on the treebank's own words.

UAS: words with the right head; LAS: with the right label of the arc too, as the CoNLL 2018 shared task counts them
(subtypes such as ``nsubj:pass`` count as their type; punctuation counts); strict LAS: with the subtype too.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.evaluation.conllu import read_conllu
from kg.errors import BadInput
from kg.syntax.parser import Parsed, Reader, path_of


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts of words, and of those that are right in each way."""

    sentences: int
    words: int
    tags: int
    heads: int
    labels: int
    strict: int


def compare(pairs: Iterable[tuple[Parsed, Parsed]]) -> tuple[Scores, dict[str, tuple[int, int]]]:
    """Gold and found trees of the same words: counts, and for each gold label (words, of them right)."""
    counts: Counter[str] = Counter()
    by_label: dict[str, tuple[int, int]] = {}
    for gold, found in pairs:
        counts["sentences"] += 1
        for place, label in enumerate(gold.labels):
            head = gold.heads[place] == found.heads[place]
            same = head and _type(label) == _type(found.labels[place])
            counts["words"] += 1
            counts["tags"] += gold.tags[place] == found.tags[place]
            counts["heads"] += head
            counts["labels"] += same
            counts["strict"] += head and label == found.labels[place]
            words, right = by_label.get(_type(label), (0, 0))
            by_label[_type(label)] = words + 1, right + same
    return Scores(*(counts[name] for name in Scores.__slots__)), by_label


def _type(label: str) -> str:
    return label.split(":")[0]


def run(file: Path, parser: Path | None, figures: Path | None, tell: Callable[[str], None]) -> None:
    """Parses a treebank's sentences and prints the scores. Raises BadInput, ModelUnavailable."""
    gold = read_conllu(file)
    if not gold:
        raise BadInput(f"{file} holds no sentence", "give a treebank in CoNLL-U")
    reader = Reader(parser or path_of())
    begun = time.process_time()
    found = [reader.parse(sentence.words) for sentence in gold]
    spent = (time.process_time() - begun) * 1000 / len(gold)
    scores, by_label = compare(zip(gold, found, strict=True))
    tell(f"{scores.sentences:,} sentences, {scores.words:,} words, {spent:.1f} ms of processor time a sentence")
    for name, count in (
        ("UPOS", scores.tags),
        ("UAS", scores.heads),
        ("LAS", scores.labels),
        ("LAS, strict", scores.strict),
    ):
        tell(f"{name:12}{100 * count / scores.words:6.2f}")
    for label, (words, right) in sorted(by_label.items(), key=lambda item: -item[1][0])[:20]:
        tell(f"{label:12}{100 * right / words:6.1f}  of {words:,}")
    if figures is not None:
        shown = asdict(scores) | {"milliseconds": round(spent, 2), "by_label": by_label}
        figures.write_text(json.dumps(shown, indent=1, sort_keys=True) + "\n", encoding="utf-8")

"""Candidates of questions on annual reports, tables with paragraphs: what tables compute is to be weighed too.

    python -m training.judge.annual DATA --reader FOLDER --out FILE

TAT-QA's *even* half (``DATA/tatqa``, CC BY 4.0): a knowledge base of each context, asked its questions; every fourth
is put to the next context instead, which doesn't answer it. A line a question, as :mod:`training.judge.collect` writes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.evaluation.tatqa import document, load
from benchmarks.evaluation.tatqa_score import score
from kg.ask.engine import Asker
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.reading import Reader, Verifier, verifier_of
from kg.settings import Settings
from training.algebra.annual import FILE
from training.judge.collect import rows

SET = "annual"
_EVERY, _STRANGE = 2, 4  # of the contexts; of their questions one is put to another context
_WEIGHT = 0.5  # beside other questions that are trained on only: more of it and other sets lose
_NEAR = 0.7  # of words, from which a span of text is the answer


def _right(question: Mapping[str, Any], labels: list[str]) -> bool:
    """Whether the values are the answer, the word of scale apart."""
    told, scale = question["answer"], str(question.get("scale", ""))
    gold = tuple(map(str, told)) if isinstance(told, list) else (str(told),)
    percent = scale if scale == "percent" else ""
    text = question["answer_type"] in ("span", "multi-span")
    scores = [score(gold, wanted, labels, "", halves=text) for wanted in (scale, percent)]
    return any(exact or f1 >= _NEAR for exact, f1 in scores)


def asked(contexts: list[dict[str, Any]], reader: Reader, verifier: Verifier | None) -> Iterator[dict[str, Any]]:
    """A line a question."""
    for at, entry in enumerate(contexts):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "context.md"
            file.write_text(document(entry), encoding="utf-8")
            with KnowledgeBase.create(Path(folder) / "kb", Settings()) as opened:
                opened.add([file])
                asker = Asker(view(opened.snapshot))
                for question in entry["questions"]:
                    yield _line(asker, reader, verifier, question, strange=False)
                for question in contexts[at - 1]["questions"][::_STRANGE]:
                    yield _line(asker, reader, verifier, question, strange=True)


def _line(
    asker: Asker, reader: Reader, verifier: Verifier | None, question: Mapping[str, Any], strange: bool
) -> dict[str, Any]:
    made = []
    for candidate, row in rows(asker, reader, verifier, question["question"]):
        labels = [v.label for v in candidate.draft.values]
        right = not strange and _right(question, labels)
        told = {"source": candidate.source, "label": labels[:8], "right": right, "exact": right}
        made.append(told | {"features": row["features"]})
    kind = "unanswerable" if strange else str(question["answer_type"])
    line = {"set": SET, "id": question["uid"], "type": kind, "question": question["question"], "candidates": made}
    return line | {"weight": _WEIGHT}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    contexts = load(options.data / "tatqa" / FILE, "even")[::_EVERY]
    with options.out.open("w", encoding="utf-8") as out:
        for line in asked(contexts, Reader(options.reader), verifier_of(options.reader)):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

"""Readings of questions with what speaks for them, and whether they are right, one JSON object a question.

    python -m training.graphs.collect OUT.jsonl FOLDER… [--every N]

FOLDER: as ``kg evaluate nl2sparql`` reads it; a graph's name is its folder's up to the first "-".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.evaluation.nl2sparql import Cells, Question, compare, load_graph, load_questions
from kg.semantics.engine import SemanticParser

_READINGS = 12


def collected(parser: SemanticParser, question: Question, cells: Cells) -> dict[str, object]:
    """A question's readings, the best first."""
    readings = []
    for candidate in parser.candidates(question.text, _READINGS):
        rows = parser.answered(question.text, candidate.form, 1.0).rows
        right = question.rows is not None and compare(question.rows, cells.rows(rows or ()), question.ordered)[0]
        readings.append(
            {
                "features": dict(sorted(candidate.features.items())),
                "evidence": dict(sorted(parser.evidence(candidate).items())),
                "rows": hash_of(cells.rows(rows or ())),
                "right": right,
            }
        )
    return {"id": question.id, "answerable": question.rows is not None, "readings": readings}


def hash_of(rows: tuple[tuple[str, ...], ...]) -> str:
    """What tells one answer from another."""
    return repr(sorted(rows))[:200]


def main() -> None:
    """Runs the command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("folders", type=Path, nargs="+")
    arguments.add_argument("--every", type=int, default=1)
    options = arguments.parse_args()
    with options.out.open("a", encoding="utf-8") as out:
        for folder in options.folders:
            store = load_graph(folder)
            parser, cells = SemanticParser.over(store), Cells(store)
            for question in load_questions(folder / "questions.jsonl", store)[:: options.every]:
                line = {"graph": folder.name.split("-")[0], **collected(parser, question, cells)}
                out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()

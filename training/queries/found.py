"""Question sets → for every question the units found for it, which of them are evidence, and what speaks for each.

    python -m training.queries.found SETS… --kbs FOLDER --out FOLDER [--every N]

A file a set, which is left as it is where it is there: the texts of the questions, and of each the rows of its units
among the set's vectors, what they are worth without these, and whether they are evidence.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.evaluation.questions import load_questions
from benchmarks.reading_sets import knowledge_base, sets
from kg.ask.engine import Asker
from kg.ask.retrieve import PASSAGE_COSINE, UNIT_COSINE, Scored
from kg.ask.view import View, view
from kg.model import Passage
from training.reader.documents import Question, says

MOST = 150  # units of a question


@dataclass(frozen=True, eq=False)
class Found:
    """A set's questions with their units, (questions, ``MOST``) each; what is no unit is worth minus infinity.

    ``units``, ``passages``: all vectors of the set; ``unit_of``, ``passage_of``: which of them each unit has.
    """

    questions: tuple[str, ...]
    unit_of: npt.NDArray[np.int64]
    passage_of: npt.NDArray[np.int64]
    worth: npt.NDArray[np.float32]
    evidence: npt.NDArray[np.bool_]
    units: npt.NDArray[np.float16]
    passages: npt.NDArray[np.float16]

    @classmethod
    def load(cls, file: Path) -> Found:
        """What the command wrote."""
        with np.load(file) as held:
            return cls(tuple(map(str, held["questions"])), *(held[name] for name in _ARRAYS))

    def save(self, file: Path) -> None:
        """Writes it beside and moves it, so that a stop in between leaves nothing."""
        beside = file.with_suffix(".new.npz")
        np.savez(beside, questions=np.array(self.questions), **{name: getattr(self, name) for name in _ARRAYS})
        beside.replace(file)


_ARRAYS = ("unit_of", "passage_of", "worth", "evidence", "units", "passages")


def telling(known: View, question: Question) -> Iterator[tuple[Passage, int]]:
    """The units that say what a question's evidence says."""
    for passage in known.passages.values():
        for number, unit in enumerate(passage.units):
            if says(unit, question["evidence"], 1 if question["type"] == "list" else 4):
                yield passage, number


def units_of(asker: Asker, question: Question) -> tuple[str, list[Scored], list[bool]] | None:
    """A question as it is found with, its best units and its evidence, and which of them are; None without evidence."""
    told = list(telling(asker.view, question)) if question.get("evidence") else []
    asking = asker.asking(str(question["question"]))
    evidence = asking.units_at(told[:MOST])
    keys = {scored.key for scored in evidence}
    others = [scored for scored in asking.found.units if scored.key not in keys][: MOST - len(evidence)]
    if not evidence:
        return None
    return asking.question.text, [*evidence, *others], [True] * len(evidence) + [False] * len(others)


def collected(asker: Asker, questions: Sequence[Question]) -> Found:
    """The units of all questions with evidence."""
    known = asker.view
    vectors, words = known.unit_vectors, known.unit_words
    texts: list[str] = []
    rows, worth, evidence = (np.zeros((len(questions), MOST), dtype=t) for t in (np.int64, np.float32, np.bool_))
    worth -= np.inf
    for question in questions:
        if (found := units_of(asker, question)) is None:
            continue
        text, units, told = found
        at, held = len(texts), len(units)
        rows[at, :held] = [words.first_rows[s.passage.id] + s.number for s in units]
        worth[at, :held] = [s.score - UNIT_COSINE * s.cosine - PASSAGE_COSINE * s.near for s in units]
        evidence[at, :held] = told
        texts.append(text)
    rows, worth, evidence = rows[: len(texts)], worth[: len(texts)], evidence[: len(texts)]
    dense = (known.units_dense.saved.astype(np.float16), known.passages_dense.saved.astype(np.float16))
    return Found(tuple(texts), vectors.of_units[rows], vectors.of_passages[rows], worth, evidence, *dense)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--kbs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="of so many questions one")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for folder in sets(options.sets):
        file = options.out / f"{folder.name}.npz"
        if file.exists():
            continue
        with knowledge_base(options.kbs / folder.name, folder / "documents") as opened:
            asker = Asker(view(opened.snapshot))
            found = collected(asker, load_questions(folder / "questions.jsonl")[:: options.every])
        found.save(file)
        print(f"{folder.name}: {len(found.questions)} questions, {len(found.units)} units", flush=True)


if __name__ == "__main__":
    main()

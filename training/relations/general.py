"""The general model of facts from prose, trained on published data sets and the lexicon.

    python -m training.relations.general OUT [--docred FILE] [--knowledgenet FILE]… [--text2kgbench DIR]

Half of a data set's sentences see its relations without definitions. The documents of ``--docred`` after the first
``--documents`` are held back: they tell from which log-odds on a share of what is said is right.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.evaluation import knowledgenet, text2kgbench
from kg.relations.examples import Lot, halves, keep_thresholds, train
from kg.relations.files import model_of
from kg.relations.phrasebook import invented
from training.relations.redocred import RELATIONS, sentences


def gathered(given: argparse.Namespace) -> list[Lot]:
    """Relations and sentences of the data sets that are named."""
    lots: list[Lot] = []
    if given.docred:
        found = sentences(given.docred, RELATIONS, 0, given.documents)
        lots += halves(RELATIONS, [e for at, e in enumerate(found) if e.facts or at % 4 == 0])
    if given.knowledgenet:
        rows = knowledgenet.in_folds(knowledgenet.load(given.knowledgenet), given.train_folds)
        lots += halves(knowledgenet.KNOWLEDGENET, knowledgenet.examples(rows))
    if given.text2kgbench:
        for task in text2kgbench.load(given.text2kgbench):
            lots.append((list(task.relations), text2kgbench.examples(task, task.train)))
    return lots + ([invented(given.groups)] if given.groups else [])


def options(words: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--docred", type=Path, help="Re-DocRED documents")
    arguments.add_argument("--documents", type=int, default=400, help="documents from the file's start to train on")
    arguments.add_argument("--knowledgenet", type=Path, action="append", help="KnowledgeNet passages")
    arguments.add_argument("--train-folds", type=int, nargs="*", default=[1, 2, 3], help="folds of KnowledgeNet")
    arguments.add_argument("--text2kgbench", type=Path, help="Text2KGBench folder")
    arguments.add_argument("--groups", type=int, default=150, help="invented ontologies of the lexicon's relations")
    arguments.add_argument("--model", type=Path, default=Path("general"), help="start from this one, or none")
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--seed", type=int, default=7)
    return arguments.parse_args(words)


def main() -> None:
    """Runs the command."""
    given = options()
    names = (*(n for n in ("knowledgenet", "docred", "text2kgbench") if getattr(given, n)), "lexicon")
    start = model_of(given.model)
    model = train(gathered(given), given.output, start, given.epochs, given.seed, print, names)
    if given.docred:
        held = sentences(given.docred, RELATIONS, given.documents)
        keep_thresholds(model, given.output, (list(RELATIONS), held), print)


if __name__ == "__main__":
    main()

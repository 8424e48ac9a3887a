"""Questions that readers ask of the tables in their documents (``training/questions``), each of the table it is on.

    python -m training.algebra.documents SETS… [--weights ranker.json]

says what share of them the best form answers, the table given. A question is on the table that the run of text named as
its evidence stands
in; those whose evidence is in no table aren't taken.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.evaluation.scoring import find_form, plain
from kg.algebra.documents import Collection, DocumentTable
from kg.algebra.evaluate import Result
from kg.algebra.links import Likeness
from kg.algebra.parse import Parser, Ranker
from kg.errors import CitegraphError
from kg.readers import read
from kg.text.passages import split
from training.algebra.data import Example, values

_FORM = "\x1f"  # between the ways to say one thing


def asked(folder: Path) -> list[tuple[Example, DocumentTable]]:
    """The questions of a set (``documents/``, ``questions.jsonl``) that are on tables."""
    tables = [(name, table, _rows(table)) for name, table in _tables(folder / "documents")]
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    found: list[tuple[Example, DocumentTable]] = []
    for one in map(json.loads, lines):
        told = [_in_line(run) for run in one["evidence"] if run]
        place = next(
            ((name, table) for name, table, rows in tables if any(t in row for t in told for row in rows)), None
        )
        if place is not None and one["answers"]:
            answers = tuple(_FORM.join(forms) for forms in one["answers"])
            example = Example(one["id"], one["question"], f"{folder.name}/{place[0]}", answers, place[1].about)
            found.append((example, place[1]))
    return found


def _tables(documents: Path) -> Iterator[tuple[str, DocumentTable]]:
    for file in sorted(path for path in documents.rglob("*") if path.is_file()):
        try:
            passages = split(read(file.read_bytes(), file.name), file.stem)
        except CitegraphError:
            continue  # of a format that isn't read
        places = [(passage, number) for passage in passages for number in range(len(passage.units))]
        tables = Collection(passages).around(places, len(places))
        yield from ((f"{file.name}:{n}", table) for n, table in enumerate(tables) if not table.listed)


def _rows(table: DocumentTable) -> list[str]:
    """The rows as their document writes them."""
    units = ((passage, passage.units[number]) for passage, number in table.places)
    return [_in_line(passage.text[unit.start - passage.start : unit.end - passage.start]) for passage, unit in units]


def _in_line(text: str) -> str:
    return " ".join(text.split())


def answers(result: Result, wanted: Sequence[str]) -> bool:
    """Whether a result has as many values as things are wanted, and each thing is said by one of them."""
    given = values(result)
    things = [thing.split(_FORM) for thing in wanted]
    return len(given) == len(things) and all(any(_says(value, forms) for value in given) for forms in things)


def _says(value: str, forms: Sequence[str]) -> bool:
    return any(find_form(plain(value), form) >= 0 or find_form(plain(form), value) >= 0 for form in forms)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path)
    options = parser.parse_args()
    ranker = Ranker.load(options.weights) if options.weights else None
    engine = Parser(ranker, Likeness.packaged())
    for folder in options.sets:
        own = asked(folder)
        best = [(e, engine.parse(e.question, table.linked, table.about, 1)) for e, table in own]
        hits = sum(bool(found) and answers(found[0].result, example.answers) for example, found in best)
        print(f"{folder.name:14} {hits:4} of {len(own):4} {hits / max(1, len(own)):.3f}", flush=True)


if __name__ == "__main__":
    main()

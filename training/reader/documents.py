"""Question sets on real documents → examples for the reader: what is read when such a question is asked.

    python -m training.reader.documents SETS… --kbs FOLDER --out FILE

A question is put to the views that are read for it, and to the one with its evidence where that isn't among them. A
view with the evidence answers; one that has none of the answer's words doesn't. Where one can't tell it is left out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import load_questions
from benchmarks.reading_sets import knowledge_base, sets
from kg.ask.candidates import VIEWS
from kg.ask.drafts import Asking
from kg.ask.engine import Asker
from kg.ask.view import view
from kg.model import Unit, UnitKind
from kg.reading import View, views
from kg.text.terms import AUXILIARIES
from training.reader.data import Example, Span

_WORD = re.compile(r"\w+")
_LINK = re.compile(r"\]\([^)]*\)|\[[^\]]*\]:|<[^>]*>")
_FEWEST = 4  # words of a part of the evidence that says something; of lists, whose items may be short, one
_SAID = 0.85  # of a stretch of evidence, in one unit, from which the unit says it

Question = Mapping[str, Any]


def words(text: str) -> list[str]:
    """The words of a stretch of a document, without its markup."""
    return _WORD.findall(_LINK.sub("] ", text).casefold())


def says(unit: Unit, evidence: Sequence[str], fewest: int = _FEWEST) -> bool:
    """Whether a unit holds most of the words of a stretch of evidence, or ``fewest`` of them in a row and no others.

    Headings say nothing.
    """
    own = words(unit.plain) if unit.kind != UnitKind.HEADING else []
    for quoted in map(words, evidence):
        told = set(quoted)
        if len(told & set(own)) >= _SAID * len(told):
            return True
        if len(own) >= fewest and f" {' '.join(own)} " in f" {' '.join(quoted)} ":
            return True
    return False


def places(text: str, start: int, spans: Sequence[str]) -> list[Span]:
    """Where the answer's words stand in a view from ``start`` on, each once, whatever their markup."""
    found: list[Span] = []
    for span in spans:
        pattern = r"\W+".join(map(re.escape, words(span)))
        match = re.search(rf"(?<!\w){pattern}(?!\w)", text[start:].casefold()) if pattern else None
        if match is not None:
            found.append((start + match.start(), start + match.end()))
    return sorted(set(found))


def example(name: str, question: Question, seen: View, whether: bool) -> Example | None:
    """A question on a view; None where one can't tell whether that answers it."""
    asked, kind = str(question["question"]), str(question["type"])
    evidence = [] if kind == "unanswerable" else question["evidence"]
    fewest = 1 if kind == "list" else _FEWEST
    told = [n for n in seen.numbers if says(seen.passage.units[n], evidence, fewest)]
    if not told:
        if kind != "boolean" and mentions(seen.text, question["answers"]):
            return None
        return Example(name, asked, seen.text, (), "unsaid" if whether else "")
    if kind == "boolean":
        return Example(name, asked, seen.text, (seen.stretch(told[0]),), str(question["answers"][0][0]))
    spans = places(seen.text, seen.start_of(told[0]), question["spans"])
    spans = spans or places(seen.text[: seen.starts[0]], 0, question["spans"])  # the headings that it stands below
    if not spans or (kind == "list" and len(spans) < len(question["spans"])):
        return None
    return Example(name, asked, seen.text, tuple(spans), several=len(spans) > 1)


def mentions(text: str, answers: Sequence[Sequence[str]]) -> bool:
    """Whether a text has some form of an answer, rightly or not."""
    said = " " + " ".join(words(text)) + " "
    return any(f" {' '.join(words(form))} " in said for forms in answers for form in forms)


def read(asker: Asker, question: Question) -> list[View]:
    """The views that are read for a question, and those with its evidence."""
    asking: Asking = asker.asking(str(question["question"]))
    best = [(unit.passage, unit.number) for unit in asking.found.units]
    titles = {id_: info.title[:80] for id_, info in asker.view.documents.items()}
    seen = views(best, titles, VIEWS)
    held = {(v.passage.id, n) for v in seen for n in v.numbers}
    if question["type"] != "unanswerable":
        for passage in asker.view.passages.values():
            for number, unit in enumerate(passage.units):
                if (passage.id, number) not in held and says(unit, question["evidence"]):
                    more = views([(passage, number)], titles, 1)
                    seen += more
                    held |= {(v.passage.id, n) for v in more for n in v.numbers}
    return seen


def examples(folder: Path, kbs: Path) -> Iterator[Example]:
    """All examples of one set."""
    with knowledge_base(kbs / folder.name, folder / "documents") as opened:
        asker = Asker(view(opened.snapshot))
        for question in load_questions(folder / "questions.jsonl"):
            asked = asker.analyse(str(question["question"]))
            whether = bool(asked.tokens) and asked.tokens[0].lower in AUXILIARIES and not asked.options
            for seen in read(asker, question):
                if (made := example(folder.name, question, seen, whether)) is not None:
                    yield made


def load(file: Path) -> list[Example]:
    """The examples that the command wrote."""
    held = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Example(**one | {"spans": tuple(map(tuple, one["spans"]))}) for one in held]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--kbs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as out:
        for folder in sets(options.sets):
            made = list(examples(folder, options.kbs))
            out.writelines(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in made)
            answered = sum(bool(one.spans) for one in made)
            print(f"{folder.name}: {len(made)} examples, {answered} with an answer", flush=True)


if __name__ == "__main__":
    main()

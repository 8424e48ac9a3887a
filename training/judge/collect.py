"""Question sets → candidates with their features and whether each is right: what judge and verifier are trained on.

    python -m training.judge.collect SETS… --kbs FOLDER --reader FOLDER --out FILE

Knowledge bases are those that ``benchmarks/reading_sets.py`` builds. A line a question: its set, type, answers and
evidence, and its candidates, each with the pair of texts that a verifier is given and whether it quotes the evidence.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import load_questions
from benchmarks.evaluation.scoring import is_right
from benchmarks.reading_sets import knowledge_base, sets
from kg.ask.candidate_features import features
from kg.ask.candidates import Candidate
from kg.ask.engine import Asker
from kg.ask.figures import in_any_unit
from kg.ask.verification import pair, verified, weighed
from kg.ask.view import view
from kg.reading import Reader, Verifier, verifier_of
from training.reader.documents import says

_WHOLE = ("definition", "why-how", "how-why")  # answered by what is quoted, not by a value


def labelled(question: Mapping[str, Any], candidate: Candidate) -> dict[str, Any]:
    """Whether a candidate's answer is right as given, and whether its values alone are."""
    labels = [v.label for v in candidate.draft.values]
    whole = {"status": "answered", "answer": candidate.draft.text, "answers": [{"label": x} for x in labels]}
    alone = {"status": "answered", "answer": ", ".join(labels), "answers": [{"label": x} for x in labels]}
    given = is_right(question, whole)
    return {
        "source": candidate.source,
        "kind": candidate.draft.kind, "label": labels[:8], "text": candidate.draft.text, "right": given,
        "exact": is_right(question, alone) or (given and question["type"] in _WHOLE),
    }  # fmt: skip


def rows(
    asker: Asker, reader: Reader, verifier: Verifier | None, question: str
) -> Iterator[tuple[Candidate, dict[str, Any]]]:
    """The candidates of a question, each with its features and what a verifier reads of it."""
    asking = asker.asking(question)
    read, candidates = asker.candidates(asking, asker.given(asking), reader)
    checked: list[dict[str, float]] = [{} for _ in candidates]
    if verifier is not None:
        checked = verified(in_any_unit(asking.question), candidates, asker.titles, verifier)
    for candidate, found in zip(candidates, weighed(candidates, features(read, candidates), checked), strict=True):
        told = {k: round(v, 4) for k, v in found.items() if v}
        yield candidate, {"pair": pair(in_any_unit(asking.question), candidate, asker.titles), "features": told}


def collected(asker: Asker, reader: Reader, verifier: Verifier | None, question: Mapping[str, Any]) -> dict[str, Any]:
    """One question's line."""
    evidence = question.get("evidence", [])
    made = [
        labelled(question, candidate)
        | {"quoted": any(says(scored.unit, evidence) for scored in candidate.draft.evidence)}
        | row
        for candidate, row in rows(asker, reader, verifier, question["question"])
    ]
    told = {key: question[key] for key in ("id", "type", "question", "answers")}
    return told | {"evidence": evidence, "candidates": made}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--kbs", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    reader, verifier = Reader(options.reader), verifier_of(options.reader)
    with options.out.open("w", encoding="utf-8") as out:
        for folder in sets(options.sets):
            with knowledge_base(options.kbs / folder.name, folder / "documents") as opened:
                asker = Asker(view(opened.snapshot))
                for question in load_questions(folder / "questions.jsonl"):
                    line = {"set": folder.name} | collected(asker, reader, verifier, question)
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(folder.name, flush=True)


if __name__ == "__main__":
    main()

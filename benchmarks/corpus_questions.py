"""The same questions asked of two libraries: the corpus and the documents that the questions were written about.

    python -m benchmarks.corpus_questions QUESTIONS.jsonl --corpus KB --other KB [--out FILE]

Prints what is right by type in both graphs, then every question that is right in one of them only, with both answers.
Questions about the documents' own layout (``furniture``) are left out. ``--out``: both readings as JSON lines. What
was found, with the causes: corpus-questions.md.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.evaluation.questions import Scored, load_questions, score
from kg.knowledge_base import KnowledgeBase


def asked(kb: Path, questions: list[dict[str, Any]]) -> dict[str, Scored]:
    """The questions' results in a knowledge base by their identifier."""
    with KnowledgeBase.open(kb) as opened:
        return {s.question["id"]: s for s in score(questions, opened.ask)}


def table(questions: list[dict[str, Any]], corpus: dict[str, Scored], other: dict[str, Scored]) -> str:
    """Right answers by type, and of all that have an answer, as a Markdown table."""
    total = Counter(q["type"] for q in questions)
    lines = ["| type | questions | corpus | other |", "|---|---|---|---|"]

    def line(name: str, ids: list[str]) -> str:
        right = (sum(found[i].right for i in ids) for found in (corpus, other))
        return f"| {name} | {len(ids)} | {' | '.join(map(str, right))} |"

    for kind in sorted(total):
        lines.append(line(kind, [q["id"] for q in questions if q["type"] == kind]))
    lines.append(line("all with an answer", [q["id"] for q in questions if q["type"] != "unanswerable"]))
    return "\n".join(lines)


def differences(questions: list[dict[str, Any]], corpus: dict[str, Scored], other: dict[str, Scored]) -> list[str]:
    """Questions right in one of the graphs only, with what each replied."""
    lines = []
    for question in questions:
        one, two = corpus[question["id"]], other[question["id"]]
        if one.right != two.right:
            where = "corpus" if one.right else "other"
            gold = "; ".join(forms[0] for forms in question["answers"])
            lines.append(f"{question['id']} ({question['type']}), right in {where}: {question['question']} [{gold}]")
            lines += [f"    {name}: {_short(found)}" for name, found in (("corpus", one), ("other", two))]
    return lines


def _short(scored: Scored) -> str:
    reply = scored.reply
    return str(reply["answer"])[:160].replace("\n", " ") if reply["status"] == "answered" else f"({reply['reason']})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--corpus", type=Path, required=True, help="knowledge base built from corpus/")
    parser.add_argument("--other", type=Path, required=True, help="knowledge base built from the other documents")
    parser.add_argument("--out", type=Path, help="both readings, one JSON object a line")
    chosen = parser.parse_args()
    questions = [q for q in load_questions(chosen.questions) if not q.get("furniture")]
    corpus, other = asked(chosen.corpus, questions), asked(chosen.other, questions)
    print(table(questions, corpus, other))
    print("\n".join(["", *differences(questions, corpus, other)]))
    if chosen.out:
        rows = [
            {"id": q["id"], "type": q["type"], "corpus": corpus[q["id"]].right, "other": other[q["id"]].right}
            for q in questions
        ]
        chosen.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes HotpotQA, MuSiQue and XQuAD as folders for ``kg evaluate retrieval``.

    python benchmarks/retrieval_data.py TARGET [--source ../shared/bench]

Makes TARGET/hotpotqa, TARGET/musique and TARGET/xquad, each with corpus.jsonl and questions.jsonl.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Texts = list[dict[str, str]]
Questions = list[dict[str, Any]]


def hotpotqa(folder: Path) -> tuple[Texts, Questions]:
    """Paragraphs by title; a question needs those that hold its supporting facts."""
    corpus = json.loads((folder / "hotpotqa_train_corpus.json").read_text(encoding="utf-8"))
    texts = [{"id": t, "title": t, "text": "".join(sentences)} for t, sentences in corpus.items()]
    asked = json.loads((folder / "hotpotqa_train.json").read_text(encoding="utf-8"))
    return texts, [
        {
            "id": q["_id"],
            "question": q["question"],
            "gold": list(dict.fromkeys(title for title, _ in q["supporting_facts"])),
            "answers": [q["answer"]],
        }
        for q in asked
    ]


def musique(folder: Path) -> tuple[Texts, Questions]:
    """Paragraphs, several of one title at times; a question needs those marked as supporting it."""
    corpus = json.loads((folder / "musique_train_corpus.json").read_text(encoding="utf-8"))
    texts = [{"id": str(i), "title": p["title"], "text": p["text"]} for i, p in enumerate(corpus)]
    known = {(p["title"], p["text"]): str(i) for i, p in enumerate(corpus)}
    asked = json.loads((folder / "musique_train.json").read_text(encoding="utf-8"))
    return texts, [
        {
            "id": q["id"],
            "question": q["question"],
            "gold": [known[p["title"], p["paragraph_text"]] for p in q["paragraphs"] if p["is_supporting"]],
            "answers": [q["answer"], *q.get("answer_aliases", [])],
        }
        for q in asked
    ]


def xquad(folder: Path) -> tuple[Texts, Questions]:
    """Paragraphs of articles; a question needs the one that it was asked of."""
    articles = json.loads((folder / "xquad.en.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [(a["title"].replace("_", " "), p) for a in articles for p in a["paragraphs"]]
    texts = [{"id": str(i), "title": title, "text": p["context"]} for i, (title, p) in enumerate(paragraphs)]
    return texts, [
        {"id": q["id"], "question": q["question"], "gold": [str(i)], "answers": [a["text"] for a in q["answers"]]}
        for i, (_, p) in enumerate(paragraphs)
        for q in p["qas"]
    ]


def write(folder: Path, texts: Texts, questions: Questions) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("corpus", texts), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text(_lines(rows), encoding="utf-8")
    print(f"{folder}: {len(texts)} texts, {len(questions)} questions")


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    shared = Path(__file__).resolve().parent.parent.parent / "shared" / "bench"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--source", type=Path, default=shared)
    args = parser.parse_args()
    several = args.source / "hotpotqa_musique_100"
    write(args.target / "hotpotqa", *hotpotqa(several))
    write(args.target / "musique", *musique(several))
    write(args.target / "xquad", *xquad(args.source / "xquad_squad"))


if __name__ == "__main__":
    main()

"""Question sets in the judge's layout, made of public data that the reader wasn't trained on.

    python -m training.judge.articles DATA --out SETS

``DATA`` holds ``squad_dev`` (see ``training/README.md``), whose validation file is taken, and, where there is one,
``hotpotqa_musique_100``. A folder a set, with ``documents/`` and ``questions.jsonl``: ``squadval``, each article a
document, with 300 of the questions, and ``hops``, each title a document.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Question = dict[str, Any]
_MOST = 300  # questions of one set, spread over all: more of them teach a judge nothing


def question(id_: str, text: str, answers: Iterable[str], kind: str = "factoid-entity") -> Question:
    """One question; any of the answers, which are forms of one, will do. Without any it has none in the documents."""
    forms = list(dict.fromkeys(a.strip(" .") for a in answers))
    kind = kind if forms else "unanswerable"
    things = [forms] if forms else []
    return {"id": id_, "question": text, "type": kind, "answers": things, "match": "any", "evidence": []}


def articles(lines: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str], list[Question]]:
    """SQuAD's articles by title, as Markdown, and its questions."""
    paragraphs: dict[str, dict[str, None]] = {}
    asked = []
    for line in lines:
        paragraphs.setdefault(line["article"], {})[line["context"]] = None
        asked.append(question(line["id"], line["question"], (a["text"] for a in line["answers"])))
    return {title: "\n\n".join([f"# {title}", *kept]) for title, kept in paragraphs.items()}, asked


def hops(folder: Path) -> tuple[dict[str, str], list[Question]]:
    """The paragraphs of HotpotQA's and MuSiQue's questions, a document a title, and the questions."""
    texts: dict[str, list[str]] = {}
    asked = []
    for one in json.loads((folder / "hotpotqa_train.json").read_text(encoding="utf-8")):
        for title, sentences in one["context"]:
            _added(texts, title, "".join(sentences))
        kind = "boolean" if one["answer"] in ("yes", "no") else "factoid-entity"
        asked.append(question(one["_id"], one["question"], [one["answer"]], kind))
    for one in json.loads((folder / "musique_train.json").read_text(encoding="utf-8")):
        for paragraph in one["paragraphs"]:
            _added(texts, paragraph["title"], paragraph["paragraph_text"])
        asked.append(question(one["id"], one["question"], [one["answer"], *one["answer_aliases"]]))
    return {title: "\n\n".join([f"# {title}", *kept]) for title, kept in texts.items()}, asked


def _added(texts: dict[str, list[str]], title: str, paragraph: str) -> None:
    kept = texts.setdefault(title, [])
    if paragraph not in kept:
        kept.append(paragraph)


def write(folder: Path, texts: Mapping[str, str], asked: Iterable[Question]) -> None:
    """One set."""
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for number, (title, text) in enumerate(texts.items()):
        name = re.sub(r"\W+", "-", title).strip("-")[:60] or "untitled"
        (folder / "documents" / f"{number:04d}-{name}.md").write_text(text + "\n", encoding="utf-8")
    lines = (json.dumps(q, ensure_ascii=False) + "\n" for q in asked)
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")


def _lines(file: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    texts, asked = articles(_lines(options.data / "squad_dev" / "validation.jsonl"))
    write(options.out / "squadval", texts, asked[:: max(1, len(asked) // _MOST)])
    if (several := options.data / "hotpotqa_musique_100").is_dir():
        write(options.out / "hops", *hops(several))


if __name__ == "__main__":
    main()

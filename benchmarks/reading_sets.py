"""Question sets on real documents: each set's knowledge base built from its folder alone, every question asked.

    python -m benchmarks.reading_sets SETS… [--kbs FOLDER] [--out FILE]

``SETS`` are folders with ``documents/`` and ``questions.jsonl``, or folders of such. The knowledge bases are kept in
``--kbs`` and built where they are missing, without an ontology or settings. Prints a line a set and the means;
``--out`` gets every reply as a JSON line.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.evaluation.questions import Figures, Scored, load_questions, score, summarise
from kg.knowledge_base import KnowledgeBase
from kg.settings import AskSettings, BuildSettings, Settings

# A kg.toml in the working folder would name an ontology.
_WITHOUT_ONTOLOGY = BuildSettings(ontology=())
_SHOWN = ("right", "wrong", "shy", "declined", "quoted", "ms_p50")


def sets(folders: list[Path]) -> Iterator[Path]:
    """The folders of question sets in some folders, by name."""
    for folder in folders:
        within = sorted(f.parent for f in folder.glob("*/questions.jsonl"))
        yield from [folder] if (folder / "questions.jsonl").is_file() else within


def knowledge_base(folder: Path, documents: Path, reader: str = "") -> KnowledgeBase:
    """A set's knowledge base, built where it isn't there yet, asked with some folder's models."""
    if not folder.exists():
        with KnowledgeBase.create(folder, Settings(build=_WITHOUT_ONTOLOGY)) as made:
            made.add([documents])
    return KnowledgeBase.open(folder, Settings(ask=AskSettings(reader=reader)))


def line(name: str, figures: dict[str, float]) -> str:
    """A row of the table."""
    return f"| {name:12} | " + " | ".join(f"{figures[key]:8.3f}" for key in _SHOWN) + " |"


def reply(name: str, scored: Scored) -> dict[str, object]:
    """What is kept of a reply."""
    gold = [forms[0] for forms in scored.question["answers"]]
    asked = {key: scored.question[key] for key in ("id", "type", "question")}
    said = {key: scored.reply[key] for key in ("status", "answer", "reason", "sparql", "confidence")}
    return {"set": name, **asked, "gold": gold, "right": scored.right, "quoted": scored.quoted, **said}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--kbs", type=Path, default=Path("build/reading-sets"))
    parser.add_argument("--reader", default="", help='models other than the packaged ones; "none": queries alone')
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    print(f"| {'set':12} | " + " | ".join(f"{key:8}" for key in _SHOWN) + " |")
    every: list[Figures] = []
    lines = []
    for folder in sets(options.sets):
        with knowledge_base(options.kbs / folder.name, folder / "documents", options.reader) as opened:
            scored = score(load_questions(folder / "questions.jsonl"), opened.ask)
        every.append(summarise(scored))
        print(line(folder.name, dict(every[-1].shares)), flush=True)
        lines += [json.dumps(reply(folder.name, s), ensure_ascii=False) + "\n" for s in scored]
    print(line("mean", {key: statistics.mean(f.shares[key] for f in every) for key in _SHOWN}))
    if options.out is not None:
        options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

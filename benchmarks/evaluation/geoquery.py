"""GeoQuery (Zelle & Mooney 1996; SQL by Finegan-Dollak et al. 2018) as an nl2sparql folder.

A fifth of the training questions, chosen by a hash, is set aside (``part="aside"``): for totals, not for reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

PARTS = ("dev", "train", "aside")
_FIFTH = 5


def part(question: str, split: str) -> str:
    """The part that a question belongs to."""
    if split != "train":
        return split
    return "aside" if int(hashlib.sha256(question.encode()).hexdigest(), 16) % _FIFTH == 0 else "train"


def convert(source: Path, target: Path, wanted: str) -> int:
    """Writes the folder of one part; how many questions it has. Those without an answer in SQL are left out."""
    target.mkdir(parents=True, exist_ok=True)
    (target / "graph.ttl").write_bytes((source / "geo.ttl").read_bytes())
    lines = list(_lines(source / "questions_train_dev.jsonl", wanted))
    (target / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
    return len(lines)


def _lines(path: Path, wanted: str) -> Iterator[str]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        entry = json.loads(line)
        if entry["answers"] is None or part(entry["question"], entry["split"]) != wanted:
            continue
        hides = any(
            f"{name}alias0.{name2} >" in entry["sql"] or f".{name2} > " in entry["sql"] for name, name2 in _HIDDEN
        )
        row = {
            "id": f"{wanted}-{number}",
            "question": entry["question"],
            "sparql": None,
            "rows": entry["answers"],
            "hidden_threshold": hides,
        }
        yield json.dumps(row) + "\n"


_HIDDEN = (("CITY", "POPULATION"), ("RIVER", "LENGTH"), ("LAKE", "AREA"))

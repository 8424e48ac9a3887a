"""The packaged reader on paragraphs that are given to it: exact match and F1 as SQuAD counts them, and its speed.

    python benchmarks/reading_models.py --xquad xquad.en.json --squad validation.jsonl [--reader FOLDER]

XQuAD's questions all have an answer in their paragraph: the likeliest span is taken whatever the reader thinks of it.
Of SQuAD 2.0's validation file a third has none: there "no answer" competes, and is right where there is none.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg.reading import SHIPPED, Reader
from training.reader.evaluate import f1, normal


def xquad(file: Path) -> list[tuple[str, str, list[str]]]:
    """Questions, their paragraphs and the answers to them."""
    held = json.loads(file.read_text(encoding="utf-8"))["data"]
    paragraphs = (p for article in held for p in article["paragraphs"])
    return [(q["question"], p["context"], [a["text"] for a in q["answers"]]) for p in paragraphs for q in p["qas"]]


def squad(file: Path) -> list[tuple[str, str, list[str]]]:
    """The same of a file with a question a line."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(r["question"], r["context"], [a["text"] for a in r["answers"]]) for r in rows]


def measured(reader: Reader, asked: list[tuple[str, str, list[str]]], forced: bool) -> dict[str, float]:
    """Mean exact match and F1, the share of unanswerable ones that are declined, and milliseconds a text."""
    exact, overlap, declined, took = [], [], [], []
    for question, text, gold in asked:
        started = time.perf_counter()
        (reading,) = reader.read(question, [text])
        took.append(1000 * (time.perf_counter() - started))
        best = reading.spans(1)[0]
        said = text[best.start : best.end] if forced or best.score > 0 else ""
        exact.append(float(normal(said) in {normal(g) for g in gold or [""]}))
        overlap.append(max(f1(said, g) for g in gold or [""]))
        if not gold:
            declined.append(float(not said))
    found = {"exact": statistics.mean(exact), "f1": statistics.mean(overlap), "ms_p50": statistics.median(took)}
    return found | ({"declined": statistics.mean(declined)} if declined else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xquad", type=Path)
    parser.add_argument("--squad", type=Path)
    parser.add_argument("--reader", type=Path, default=SHIPPED)
    options = parser.parse_args()
    reader = Reader(options.reader)
    if options.xquad is not None:
        print("xquad", {k: round(v, 4) for k, v in measured(reader, xquad(options.xquad), True).items()})
    if options.squad is not None:
        print("squad", {k: round(v, 4) for k, v in measured(reader, squad(options.squad), False).items()})


if __name__ == "__main__":
    main()

"""Questions on single tables: WikiTableQuestions, answered by the engine that answers from documents' tables.

    python benchmarks/wikitablequestions.py DATA [--set validation] [--most N] [--weights FILE]

DATA is a folder with wikitablequestions/. Denotation accuracy by the rule of the official evaluator: a question is
right where the values given are those of the answer, each compared as number or date, else as text.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg.algebra.forms import english
from kg.algebra.links import Likeness
from kg.algebra.parse import Parser, Ranker
from training.algebra.data import examples, linked, right, values

BINS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", default="validation")
    parser.add_argument("--most", type=int, default=10**6)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--show", action="store_true", help="every question, with what was understood")
    options = parser.parse_args()
    folder = options.data / "wikitablequestions"
    engine = Parser(Ranker.load(options.weights) if options.weights else None, Likeness.packaged())
    tables, seconds, hits, among = {}, [], [], 0
    told: list[tuple[float, bool]] = []
    shapes: dict[str, list[bool]] = defaultdict(list)
    for example in examples(folder, options.set)[: options.most]:
        if example.table not in tables:
            tables[example.table] = linked(folder, example.table)
            engine.parse(example.question, tables[example.table])  # the first question prepares the table
        start = time.process_time()
        found = engine.parse(example.question, tables[example.table], most=5)
        seconds.append(time.process_time() - start)
        hit = bool(found) and right(found[0].result, example.answers)
        hits.append(hit)
        among += any(right(one.result, example.answers) for one in found)
        if found:
            told.append((found[0].chance, hit))
            shapes[type(found[0].form).__name__].append(hit)
        if options.show:
            reading = english(found[0].form, tables[example.table].table) if found else ""
            given = values(found[0].result)[:4] if found else ()
            print("+" if hit else "-", example.question, "|", reading, "|", given, "|", example.answers[:4])
    report(hits, among, told, seconds, shapes)


def report(
    hits: list[bool],
    among: int,
    told: list[tuple[float, bool]],
    seconds: list[float],
    shapes: dict[str, list[bool]],
) -> None:
    seconds.sort()
    print(f"questions {len(hits)}, right {sum(hits) / len(hits):.4f}, among the first five {among / len(hits):.4f}")
    print(f"processor time a question: p50 {seconds[len(seconds) // 2] * 1e3:.0f} ms", end="")
    print(f", p95 {seconds[int(0.95 * len(seconds))] * 1e3:.0f} ms")
    for shape, own in sorted(shapes.items()):
        print(f"  {shape:11} {len(own):5} {sum(own) / len(own):.3f}")
    for least in (0.0, 0.3, 0.5, 0.7, 0.9):
        kept = [hit for chance, hit in told if chance >= least]
        if kept:
            answered, correct = len(kept) / len(hits), sum(kept) / len(kept)
            print(f"  confidence ≥ {least}: answered {answered:.3f}, of these right {correct:.3f}")
    print(f"calibration error {calibration_error(told):.3f}")


def calibration_error(told: list[tuple[float, bool]]) -> float:
    """Expected calibration error over bins of equal width (Guo et al. 2017, arXiv 1706.04599)."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for chance, hit in told:
        bins[min(BINS - 1, int(chance * BINS))].append((chance, hit))
    gaps = (abs(sum(c for c, _ in own) - sum(h for _, h in own)) for own in bins.values())
    return sum(gaps) / max(1, len(told))


if __name__ == "__main__":
    main()

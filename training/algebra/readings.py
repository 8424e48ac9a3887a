"""What the reranker of forms learns from: questions with the likeliest forms' readings, and which give the answer.

    python -m training.algebra.readings --data DATA --out build/algebra/readings [--set annual | documents]

Forms are composed and ranked by the packaged weights, as they are when questions are answered; of each result the best
form is told, of right ones two more. A line a question, 500 to a file; files that are there are kept.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kg.algebra.compose import Candidate, Composer
from kg.algebra.evaluate import Result
from kg.algebra.forms import english, figure
from kg.algebra.links import Likeness, Linked
from kg.algebra.parse import NARROW, Parser, value_of
from kg.algebra.source import Table
from training.algebra.collect import sources
from training.algebra.data import Example
from training.algebra.fit import held_out

SHARD = 500
RESULTS, WAYS = 12, 3  # different results of a question; forms of one that is right
_ASTRAY, _FEW = 0.3, 4  # of questions so many are put to a table that doesn't answer them, too: so many results

_TOLD = 80  # characters of a result beside its reading

Right = Callable[[Result, Sequence[str]], bool]


def told(one: Candidate, source: Table) -> str:
    """A form in English with what it gives."""
    result = one.result
    if result.truth is not None:
        given = "yes" if result.truth else "no"
    else:
        given = figure(result.number) if result.number is not None else "; ".join(result.texts)
    return f"{english(one.form, source)} = {given[:_TOLD]}"


def readings(engine: Parser, example: Example, own: Linked, right: Right | None, most: int) -> list[dict[str, Any]]:
    """The best forms: what is read of each, its score, whether it is right (without ``right`` none is)."""
    asked = engine.asked(example.question, own, example.about)
    found = Composer(asked, engine.ranker.score, NARROW).candidates()
    ways: dict[object, int] = {}
    kept: list[dict[str, Any]] = []
    for one in found:
        key = value_of(one.result)
        if key not in ways and len(ways) == most:
            continue
        holds = right is not None and right(one.result, example.answers)
        if ways.get(key, 0) >= (WAYS if holds else 1):
            continue
        ways[key] = ways.get(key, 0) + 1
        kept.append({"reading": told(one, own.table), "score": round(one.score, 4), "right": holds})
    return kept


def collect(asked: Sequence[tuple[Example, Linked]], right: Right, out: Path, name: str, seed: int) -> None:
    """Writes the files that aren't there."""
    engine = Parser(likeness=Likeness.packaged())
    for start in range(0, len(asked), SHARD):
        file = out / f"{name}-{start // SHARD:03}.jsonl"
        if file.exists():
            continue
        chance = random.Random(seed + start)
        lines = []
        for example, own in asked[start : start + SHARD]:
            astray = chance.random() < _ASTRAY
            other, elsewhere = chance.choice(asked)
            forms = readings(engine, example, own, right, RESULTS)
            wrong = readings(engine, example, elsewhere, None, _FEW) if astray and other.table != example.table else []
            line = {
                "id": example.id,
                "table": example.table,
                "question": example.question,
                "forms": forms,
                "astray": wrong,
            }
            lines.append(json.dumps(line | {"held_out": held_out(example.table)}, ensure_ascii=False) + "\n")
        beside = file.with_suffix(".new")
        beside.write_text("".join(lines), encoding="utf-8")
        beside.rename(file)
        print(file.name, len(lines), flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", default="train", help="train, validation, annual for TAT-QA, documents")
    parser.add_argument("--most", type=int, default=10**6, help="questions, the first of the set")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    asked, right = sources(options.data, options.set, options.most)
    collect(asked, right, options.out, options.set, options.seed)


if __name__ == "__main__":
    main()

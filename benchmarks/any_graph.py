"""Graphs of every shape, each loaded and asked questions made of its own terms; any exception is a crash.

    python -m benchmarks.any_graph [--count 1000] [--seed 1] [--questions 10] [--whole 10] [--foreign FOLDER]

Generated are graphs without labels or with labels in several languages, punned and cyclic classes, properties without a
triple, broken literals, lists, blank nodes alone, nothing at all (tests/semantics/any_graph.py). FOLDER: every RDF file
below it that can be read, as it is. Every so many-th generated graph (``--whole``) is asked by
``kg evaluate nl2sparql``, ``kg build --graph`` and ``kg ask`` besides. Prints what crashed and the counts; exits 1 on
a crash.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pyoxigraph as ox

from benchmarks.evaluation.nl2sparql import run
from kg.errors import BadInput
from kg.indexes.embedding import OnnxEncoder
from kg.knowledge_base import KnowledgeBase
from kg.semantics.engine import SemanticParser
from kg.semantics.sources import FORMATS, quads
from tests.semantics.any_graph import asked, generated, questions


def tried(name: str, work: Callable[[], object], outcome: Counter[str]) -> None:
    """Runs one graph's questions and notes how it went."""
    started = time.perf_counter()
    try:
        work()
        outcome["asked"] += 1
    except BadInput as error:
        outcome["refused"] += 1
        print(f"refused {name}: {str(error)[:100]}", file=sys.stderr)
    except Exception:  # what the benchmark is for
        outcome["crashed"] += 1
        print(f"CRASH {name}\n{traceback.format_exc(limit=-6)}")
    if (took := time.perf_counter() - started) > 20:
        print(f"slow {name}: {took:.0f} s")


def commanded(store: ox.Store, random: Random, count: int) -> None:
    """A graph through the evaluation command and a knowledge base of its own."""
    encoder = OnnxEncoder()
    said = questions(SemanticParser.over(store, encoder=encoder), random, count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store.dump(str(folder / "graph.nt"), ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
        entries = [{"id": str(n), "question": q, "sparql": None, "rows": [["x"]]} for n, q in enumerate(said)]
        (folder / "questions.jsonl").write_text("".join(json.dumps(e) + "\n" for e in entries), encoding="utf-8")
        run(folder, None, folder / "replies.jsonl", lambda _: None)
        KnowledgeBase.build_graph(folder / "kb", [folder / "graph.nt"])
        with KnowledgeBase.open(folder / "kb") as knowledge_base:
            for question in said:
                knowledge_base.ask(question)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--whole", type=int, default=10)
    parser.add_argument("--foreign", type=Path, default=None)
    options = parser.parse_args()
    encoder, outcome, sizes = OnnxEncoder(), Counter[str](), list[int]()
    for number in range(options.count):
        random = Random(options.seed * 1_000_003 + number)
        store = generated(random)
        sizes.append(len(store))
        tried(f"generated {number}", partial(asked, store, random, options.questions, encoder), outcome)
        if number % options.whole == 0:
            tried(f"generated {number}, commands", partial(commanded, store, random, options.questions), outcome)
    if sizes:
        print(
            f"generated {options.count} graphs, {statistics.median(sizes):.0f} triples in the middle: {dict(outcome)}"
        )
    if options.foreign is not None:
        foreign = Counter[str]()
        files = sorted(f for f in options.foreign.rglob("*") if f.suffix.lower() in FORMATS and f.is_file())
        for file in files:
            tried(str(file), partial(_foreign, file, options.questions, encoder), foreign)
        print(f"foreign {len(files)} files: {dict(foreign)}")
        outcome += foreign
    sys.exit(bool(outcome["crashed"]))


def _foreign(file: Path, count: int, encoder: OnnxEncoder) -> None:
    store = ox.Store()
    store.extend(quads([file], ox.DefaultGraph(), "http://base.example/"))
    asked(store, Random(str(file)), count, encoder)


if __name__ == "__main__":
    main()

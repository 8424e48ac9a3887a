"""Encoder against sentence-transformers: texts a second, processor time, cold start. `python benchmarks/encoder.py`.

Both run the packaged all-MiniLM-L6-v2 in fp32, each measurement in a process of its own, the two systems by turns;
the median of the rounds is printed. sentence-transformers gets its default batches of 32, sorted by length.
The last figures are in encoder.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

VOCABULARY = (
    "the lighthouse keeper trimmed a lamp while storm waves broke over reef and harbour wall bread oven flour night "
    "telescope mirror comet signal fog engine tower oil lens ship captain log page rope bell"
)
WORDS = VOCABULARY.split()
SYSTEMS = ("sentence-transformers", "citegraph")
COUNT = 192


def texts(tokens: int) -> list[str]:
    """Texts of about that many tokens, between two thirds and four thirds of it."""
    chance = random.Random(tokens)
    return [" ".join(chance.choices(WORDS, k=chance.randrange(tokens * 2 // 3, tokens * 4 // 3))) for _ in range(COUNT)]


def encoder(system: str) -> Callable[[Sequence[str]], Any]:
    if system == "citegraph":
        from kg.indexes.embedding import OnnxEncoder

        return OnnxEncoder().encode
    from kg.indexes.embedding import model_folder

    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(model_folder()), device="cpu", local_files_only=True)
    return lambda batch: model.encode(list(batch), show_progress_bar=False)


def measure(system: str, tokens: int) -> dict[str, float]:
    """In a child: seconds and processor seconds to the first vector, megabytes at most, texts a second after that."""
    started, busy = time.perf_counter(), time.process_time()
    encode = encoder(system)
    encode(["When was the lamp lit?"])
    result = {"first_s": time.perf_counter() - started, "first_cpu_s": time.process_time() - busy}
    result["first_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    given = texts(tokens)
    encode(given[:16])
    started, busy = time.perf_counter(), time.process_time()
    encode(given)
    result["texts_per_s"] = COUNT / (time.perf_counter() - started)
    result["texts_per_cpu_s"] = COUNT / (time.process_time() - busy)
    return result


def child(system: str, tokens: int, threads: int) -> dict[str, float]:
    env = {**os.environ, **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))}
    command = [sys.executable, __file__, "--child", system, str(tokens)]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2, metavar=("SYSTEM", "TOKENS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(measure(arguments.child[0], int(arguments.child[1]))))
        return
    print("| tokens | threads | system | texts/s | texts per CPU second | first vector, s | CPU s | MB |")
    print("|---|---|---|---|---|---|---|---|")
    for tokens in (60, 200):
        for threads in (1, 2):
            rounds = [{name: child(name, tokens, threads) for name in SYSTEMS} for _ in range(arguments.rounds)]
            for name in SYSTEMS:
                keys = ("texts_per_s", "texts_per_cpu_s", "first_s", "first_cpu_s", "first_mb")
                row = [statistics.median(r[name][key] for r in rounds) for key in keys]
                print(f"| ~{tokens} | {threads} | {name} | " + " | ".join(f"{value:.3g}" for value in row) + " |")


if __name__ == "__main__":
    main()

"""How long a question takes beside its bare ingredients: embed it, find passages by vector, run one SPARQL query.

    python benchmarks/ask_latency.py --kb KB QUESTIONS.jsonl [--count 60]

Both are timed in turn for each question, in one process, after what a server does when it starts: a first question that
loads everything, then what others would wait for read ahead (claims, texts, vectors of properties).
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from kg.knowledge_base import KnowledgeBase
from kg.reading import vector_of_question

LOOK_UP = "SELECT ?p ?o WHERE { <%s> ?p ?o }"


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def bare(kb: KnowledgeBase, question: str, entity: str) -> None:
    vector = vector_of_question(f"{question} ", kb.snapshot.encoder)  # not the text that asking has encoded
    kb.snapshot.indexes.passages.search_vector(vector, 5)
    list(kb.query(LOOK_UP % entity))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--kb", required=True)
    parser.add_argument("--count", type=int, default=60)
    args = parser.parse_args()
    lines = args.questions.read_text(encoding="utf-8").splitlines()[: args.count]
    questions = [json.loads(line)["question"] for line in lines]
    with KnowledgeBase.open(args.kb) as kb:
        prefix = kb.snapshot.namespaces.entity("")
        found = kb.query(f"SELECT ?s WHERE {{ ?s ?p ?o FILTER(STRSTARTS(STR(?s), '{prefix}')) }} ORDER BY ?s LIMIT 1")
        entity = next(iter(found))["s"].value
        kb.ask(questions[0])
        kb.asker.warm()  # as the server does before it takes questions
        bare(kb, questions[0], entity)
        pairs = [
            (milliseconds(lambda q=q: kb.ask(q)), milliseconds(lambda q=q: bare(kb, q, entity))) for q in questions
        ]
    ours, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{len(pairs)} questions: ask p50 {ours:.1f} ms, bare p50 {plain:.1f} ms, ratio {ours / plain:.1f}")


if __name__ == "__main__":
    main()

"""The packaged reader on paragraphs that are given to it: exact match and F1 as SQuAD counts them, and its speed.

    python benchmarks/reading_models.py --xquad xquad.en.json --squad validation.jsonl [--reader FOLDER] [--verified]

``--verified``: of the six likeliest spans the one is taken whose score with twice the verifier's logit is greatest,
since a span's score is the sum of two logits.

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

from kg.ask.verification import asserted, quoted
from kg.reading import SHIPPED, Reader, Span, Verifier
from kg.text.sentence_spans import spans as sentences
from training.reader.evaluate import f1, normal

_SPANS, _WEIGHT = 6, 2.0


def xquad(file: Path) -> list[tuple[str, str, list[str]]]:
    """Questions, their paragraphs and the answers to them."""
    held = json.loads(file.read_text(encoding="utf-8"))["data"]
    paragraphs = (p for article in held for p in article["paragraphs"])
    return [(q["question"], p["context"], [a["text"] for a in q["answers"]]) for p in paragraphs for q in p["qas"]]


def squad(file: Path) -> list[tuple[str, str, list[str]]]:
    """The same of a file with a question a line."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(r["question"], r["context"], [a["text"] for a in r["answers"]]) for r in rows]


def checked(verifier: Verifier, question: str, text: str, found: list[Span]) -> Span:
    """The best span with the verifier's say in its score."""
    labels = [text[s.start : s.end] for s in found]
    told = [next((text[a:b] for a, b in sentences(text) if a <= s.start < b), "") for s in found]
    pairs = [(asserted(question, x), quoted([("", "", said, x)])) for x, said in zip(labels, told, strict=True)]
    logits = verifier.verify(pairs)
    return max(
        (Span(s.start, s.end, s.score + _WEIGHT * v) for s, v in zip(found, logits, strict=True)), key=lambda s: s.score
    )


def measured(
    reader: Reader, asked: list[tuple[str, str, list[str]]], forced: bool, verifier: Verifier | None = None
) -> dict[str, float]:
    """Mean exact match and F1, the share of unanswerable ones that are declined, and milliseconds a text."""
    exact, overlap, declined, took = [], [], [], []
    for question, text, gold in asked:
        started = time.perf_counter()
        (reading,) = reader.read(question, [text])
        found = reading.spans(_SPANS if verifier is not None else 1)
        best = checked(verifier, question, text, found) if verifier is not None else found[0]
        took.append(1000 * (time.perf_counter() - started))
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
    parser.add_argument("--verified", action="store_true", help="with the folder's verifier")
    options = parser.parse_args()
    reader, verifier = Reader(options.reader), Verifier(options.reader) if options.verified else None
    if options.xquad is not None:
        print("xquad", {k: round(v, 4) for k, v in measured(reader, xquad(options.xquad), True, verifier).items()})
    if options.squad is not None:
        print("squad", {k: round(v, 4) for k, v in measured(reader, squad(options.squad), False, verifier).items()})


if __name__ == "__main__":
    main()

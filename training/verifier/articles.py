"""Questions on single paragraphs as collected candidates: what the reader proposes beside what is right.

    python -m training.verifier.articles DATA --reader FOLDER --out FILE

Of SQuAD's development sets (``DATA/squad_dev/train.jsonl``, CC BY-SA 4.0), which the reader has seen: few of its
proposals are wrong there, but for questions that their paragraph doesn't answer.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.ask.verification import asserted, quoted
from kg.reading import Reader
from kg.text.sentence_spans import spans
from training.reader.data import records
from training.reader.evaluate import f1

_SPANS = 4
_NEAR = 0.7  # F1 from which a span is the answer


def line(reader: Reader, row: Mapping[str, Any]) -> dict[str, Any]:
    """A question's candidates: the spans read, and the first of its answers."""
    text, gold = row["context"], [a["text"] for a in row["answers"]]
    (reading,) = reader.read(row["question"], [text])
    places = [(s.start, s.end) for s in reading.spans(_SPANS)]
    places += [(a["start"], a["start"] + len(a["text"])) for a in row["answers"][:1]]
    rows = []
    for start, end in places:
        label = text[start:end].strip(" ,;:–-")
        said = next((text[a:b] for a, b in spans(text) if a <= start < b), "")
        right = any(f1(label, g) >= _NEAR for g in gold)
        pair = [asserted(row["question"], label), quoted([(row["article"], "", said, label)])]
        rows.append({"label": [label], "right": right, "exact": right, "quoted": right, "pair": pair})
    told = {"set": "squad", "id": row["id"], "type": "factoid" if gold else "unanswerable"}
    return told | {"question": row["question"], "answers": [gold], "evidence": [], "candidates": rows}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rows = list(records(options.data / "squad_dev" / "train.jsonl"))
    reader = Reader(options.reader)
    with options.out.open("w", encoding="utf-8") as out:
        for row in random.Random(options.seed).sample(rows, options.most):
            out.write(json.dumps(line(reader, row), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

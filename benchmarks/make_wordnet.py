"""Makes ``src/kg/text/wordnet.tsv.gz`` from the database files of Princeton WordNet (3.0 or 3.1).

    python benchmarks/make_wordnet.py DICT_FOLDER

Kept are synsets with a word that WordNet's tagged corpora contain, their words (with sense number and how often the
sense was tagged), and what relates them: hypernyms, attributes, derivations, pertainyms, similar adjectives.
"""

from __future__ import annotations

import gzip
import sys
from collections import defaultdict
from pathlib import Path

POS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
KEPT = {"@": "@", "@i": "@", "=": "=", "+": "+", "\\": "\\", "&": "&", "$": "$"}


def main() -> None:
    folder = Path(sys.argv[1])
    senses: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for line in (folder / "index.sense").read_text("latin-1").splitlines():
        key, offset, number, count = line.split()
        lemma, rest = key.split("%")
        pos = "nvara"[int(rest[0]) - 1]
        senses[pos + offset][lemma] = (int(number), int(count))
    kept = {synset for synset, words in senses.items() if any(count for _, count in words.values())}
    numbers = {synset: i for i, synset in enumerate(sorted(kept))}
    lines = []
    for pos, name in POS.items():
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if not line.startswith("  ") and pos + line[:8] in kept:
                lines.append(_line(pos, line, senses, numbers))
    lines.sort(key=lambda found: found[0])
    text = "".join(f"{number}\t{rest}\n" for number, rest in lines).encode()
    target = Path(__file__).resolve().parent.parent / "src/kg/text/wordnet.tsv.gz"
    target.write_bytes(gzip.compress(text, 9, mtime=0))
    print(len(lines), "synsets", target.stat().st_size, "bytes")


def _line(
    pos: str, line: str, senses: dict[str, dict[str, tuple[int, int]]], numbers: dict[str, int]
) -> tuple[int, str]:
    fields = line.split(" | ")[0].split()
    count = int(fields[3], 16)
    at = 4 + 2 * count
    links = set()
    for i in range(int(fields[at])):
        symbol, offset, other, _ = fields[at + 1 + 4 * i : at + 5 + 4 * i]
        target = ("a" if other == "s" else other) + offset
        if symbol in KEPT and target in numbers:
            links.add(f"{KEPT[symbol]}{numbers[target]}")
    key = pos + line[:8]
    words = ",".join(f"{lemma}:{n}:{c}" for lemma, (n, c) in sorted(senses[key].items()))
    return numbers[key], f"{pos}\t{words}\t{' '.join(sorted(links))}"


if __name__ == "__main__":
    main()

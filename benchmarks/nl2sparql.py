"""Converts GeoQuery, the enterprise benchmark and PathQuestion to folders for ``kg evaluate nl2sparql``.

    python -m benchmarks.nl2sparql DATA OUT [--limit N]

DATA holds ``geoquery``, ``acme`` and ``pathquestion``; OUT lies outside the repository. The invented graphs beside this
file (``graphs/``) go there too, their questions in two halves: the blind ones are for totals, not for reading.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from benchmarks.evaluation import acme, geoquery, pathquestion

GRAPHS = Path(__file__).parent / "graphs"
PARTS = ("open", "blind")


def invented(source: Path, target: Path, part: str) -> int:
    """Writes the folder of one half of an invented graph's questions; how many."""
    lines = (source / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["part"] == part]
    if not kept:
        return 0
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "graph.ttl", target / "graph.ttl")
    (target / "questions.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    return len(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="about so many questions of each number of hops")
    options = parser.parse_args()
    for graph in sorted(GRAPHS.iterdir()):
        for part in PARTS:
            print(f"{graph.name}-{part}", invented(graph, options.out / f"{graph.name}-{part}", part))
    for part in geoquery.PARTS:
        print(f"geoquery-{part}", geoquery.convert(options.data / "geoquery", options.out / f"geoquery-{part}", part))
    print("acme", acme.convert(options.data / "acme", options.out / "acme"))
    print("acme-generated", acme.convert(options.data / "acme", options.out / "acme-generated", 160))
    for hops in (2, 3):
        name = f"pathquestion-{hops}"
        print(name, pathquestion.convert(options.data / "pathquestion", options.out / name, hops, options.limit))


if __name__ == "__main__":
    main()

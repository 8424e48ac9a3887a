"""Converts GeoQuery, the enterprise benchmark and PathQuestion to folders for ``kg evaluate nl2sparql``.

    python benchmarks/nl2sparql.py DATA OUT [--limit N]

DATA holds ``geoquery``, ``acme`` and ``pathquestion``; OUT lies outside the repository.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from kg.evaluate import acme, geoquery, pathquestion


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="about so many questions of each number of hops")
    options = parser.parse_args()
    for part in geoquery.PARTS:
        print(f"geoquery-{part}", geoquery.convert(options.data / "geoquery", options.out / f"geoquery-{part}", part))
    print("acme", acme.convert(options.data / "acme", options.out / "acme"))
    print("acme-generated", acme.convert(options.data / "acme", options.out / "acme-generated", 160))
    for hops in (2, 3):
        name = f"pathquestion-{hops}"
        print(name, pathquestion.convert(options.data / "pathquestion", options.out / name, hops, options.limit))


if __name__ == "__main__":
    main()

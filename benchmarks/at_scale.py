"""What ten million documents would take, from what fewer took: a simulation, not a measurement.

    python benchmarks/build_cost.py growth graph --copied 3000 --sizes 1000 3000 10000 > built.jsonl
    python benchmarks/at_scale.py built.jsonl [--documents 10000000] [--cores 16] [--machines 1 10 100] [--memory-gb 64]

Each quantity is fitted as a·n^b by least squares on logarithms and as c + d·n, and the one that misses less is taken;
its form and its largest miss are shown, so that it can be seen how far it may be trusted. The rows that were measured
last are in at_scale.jsonl, what follows from them in docs/explanation/scale.md.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

# What has to be in the memory of one process at once, and who needs it there.
IN_MEMORY = {
    "indexes_mb": "vectors and words of all passages, while questions are answered",
    "peak_pss_mb": "the graph's making: all names of all documents",
    "state_mb": "the state, read and written whole by each change",
    "manifest_mb": "the manifest, read by every command",
}


@dataclass(frozen=True, slots=True)
class Fit:
    """``least`` + ``factor``·n^``power``; ``miss``: by what share the worst of the measured values lies off."""

    least: float
    factor: float
    power: float
    miss: float = 0.0

    def at(self, documents: float) -> float:
        """The quantity at so many documents."""
        return float(self.least + self.factor * documents**self.power)

    def reaches(self, value: float) -> float:
        """At how many documents the quantity has a value above the least."""
        return float(((value - self.least) / self.factor) ** (1 / self.power))

    def __str__(self) -> str:
        return f"n^{self.power:.3f}" if not self.least else f"{self.least:.0f} + {self.factor:.4g} n"


def fitted(points: Sequence[tuple[float, float]]) -> Fit:
    """The power law or the line nearest to points (documents, value)."""
    xs, ys = ([math.log(point[axis]) for point in points] for axis in (0, 1))
    power, factor = statistics.linear_regression(xs, ys)
    slope, least = statistics.linear_regression(*zip(*points, strict=True))
    fits = [Fit(0, math.exp(factor), power), *([Fit(least, slope, 1)] if least > 0 else [])]
    off = [max(abs(fit.at(n) / value - 1) for n, value in points) for fit in fits]
    return min((replace(fit, miss=miss) for fit, miss in zip(fits, off, strict=True)), key=lambda fit: fit.miss)


def measured(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    """Quantities by name, each at several numbers of documents; reading is all of a build but the graph."""
    built = {row["documents"]: row["cpu_s"] for row in rows if row.get("figure") == "growth" and "documents" in row}
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.get("figure") == "graph":
            own = {
                name: row[name] for name in ("kb", "records_mb", "indexes_mb", "graph_mb", *IN_MEMORY) if name in row
            }
            own |= {"graph_cpu_s": row["cpu_s"], "reading_cpu_s": built[row["documents"]] - row["cpu_s"]}
            for name, value in own.items():
                found.setdefault(name, []).append((row["documents"], value))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--documents", type=float, default=1e7)
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--machines", type=int, nargs="*", default=(1, 10, 100))
    parser.add_argument("--memory-gb", type=float, default=64)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.rows.read_text(encoding="utf-8").splitlines()]
    points = measured(rows)
    fits = {name: fitted(of) for name, of in points.items()}
    for name, fit in fits.items():
        now = ", ".join(f"{value:g}" for _, value in points[name])
        print(f"{name}: {now} -> {fit.at(options.documents):,.0f} ({fit}, off by {fit.miss:.1%} at most)")
    for machines in options.machines:
        hours = fits["reading_cpu_s"].at(options.documents) / 3600 / options.cores / machines
        print(f"reading, {machines} machines of {options.cores} cores: {hours:,.1f} hours")
    print(f"the graph, one process: {fits['graph_cpu_s'].at(options.documents) / 3600:,.1f} hours")
    limit = 1000 * options.memory_gb
    for name in sorted(IN_MEMORY, key=lambda name: fits[name].reaches(limit)):
        print(f"{options.memory_gb:g} GB are full at {fits[name].reaches(limit):,.0f} documents: {IN_MEMORY[name]}")


if __name__ == "__main__":
    main()

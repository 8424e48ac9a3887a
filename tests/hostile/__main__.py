"""``python -m tests.hostile [COUNT]``: so many malformed and hostile requests, then requests made from the
OpenAPI description; exit 1 for a failure."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from ..w3c.server import Client, serving
from .attack import attack
from .bombs import PREFIX, data
from .description import lighthouses, probe

SETTINGS = {"KG_SERVE__QUERY_TIMEOUT_S": "1", "KG_SERVE__MAX_BYTES": "5000000"}


def main(count: int) -> int:
    """Attacks and reports."""
    with serving(settings=SETTINGS) as client:
        assert client.update(PREFIX + data(200)).status == 204
        report = attack(client.address, range(count))
        alive = Client(client.address).query("ASK {}", "application/sparql-results+json").status == 200
    for status, times in sorted(report.statuses.items()):
        print(f"{status}: {times:6}")
    print(f"{count} requests, {len(report.failed)} failed; the next query was {'' if alive else 'not '}answered")
    for line in report.failed:
        print(f"! {line}")
    with tempfile.TemporaryDirectory() as folder, lighthouses(Path(folder)) as client:
        fine, told = probe(client.address, max(1, count // 100), Path(folder))
    print(
        told if not fine else "\n".join(line for line in told.splitlines() if "Tested:" in line or "generated" in line)
    )
    return 0 if alive and fine and not report.failed else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))

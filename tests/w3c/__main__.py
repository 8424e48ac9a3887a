"""``python -m tests.w3c [SUITE…]``: runs the W3C's suites, says how many pass; exit 1 for a surprise."""

from __future__ import annotations

import sys

from ..conftest import SHARED
from .manifests import Suites
from .runner import LEFT_OUT, register, run, select
from .server import serving

FOLDER = SHARED / "bench" / "w3c" / "sparql" / "sparql11"


def main(names: list[str]) -> int:
    """Runs the suites named, or all."""
    if not FOLDER.is_dir():
        print(f"Left out: all W3C suites, which are not in {FOLDER}")
        return 0
    suites = Suites(FOLDER)
    with serving() as client:
        outcome = run(client, suites, select(suites.tests(), names), register())
    for suite, passed, total in outcome.by_suite():
        print(f"{suite:24} {passed:4} of {total}")
    failing = [name for name, why in outcome.wrong.items() if why]
    print(f"{len(outcome.tests) - len(failing)} of {len(outcome.tests)} pass; {len(failing)} don't")
    print(f"Left out: {LEFT_OUT}")
    for line in outcome.surprises:
        print(f"! {line}")
    return 1 if outcome.surprises else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

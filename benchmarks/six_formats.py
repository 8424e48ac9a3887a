"""One document in six formats: how many of the facts of its Markdown version each of the others gives.

    python benchmarks/six_formats.py

Prints for each format how many of the facts (subject, property, value) come from it, names each one that is lost, with
why, and each that it alone gives. Exits 1 when Word, HTML or PDF lose one. Last figures: six_formats.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.readers.ferries import FILES, Fact, facts, reason  # noqa: E402

_WHOLE = ("html", "docx", "pdf")


def main() -> None:
    wanted = facts("md")
    print(f"md: {len(wanted)} facts")
    failed = False
    for format in FILES:
        if format == "md":
            continue
        found = facts(format)
        lost, added = sorted(wanted - found), sorted(found - wanted)
        print(f"{format}: {len(wanted & found)} of {len(wanted)}")
        for fact in lost:
            print(f"  lost: {_told(fact)} – {reason(format, fact) or 'OURS'}")
        for fact in added:
            print(f"  only here: {_told(fact)}")
        failed = failed or bool(format in _WHOLE and lost) or any(not reason(format, fact) for fact in lost)
    sys.exit(failed)


def _told(fact: Fact) -> str:
    return " | ".join(fact)


if __name__ == "__main__":
    main()

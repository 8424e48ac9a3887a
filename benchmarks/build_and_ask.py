"""Whole commands, timed from outside: building a folder, building it file by file in reverse order, asking cold.

    python benchmarks/build_and_ask.py [FOLDER]        (default: corpus)

Exits 1 when the two builds' N-Quads differ or when a cold ``kg ask`` imports torch. Last figures: build_and_ask.md.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KG = [sys.executable, "-m", "kg.cli"]
QUESTION = "How many GPUs did GPT-4 use?"
_NO_TORCH = "import sys; from kg.knowledge_base import KnowledgeBase as K; K.open(sys.argv[1]).ask(sys.argv[2])"


def timed(*command: str) -> tuple[float, bytes]:
    """Wall seconds and standard output of a command."""
    start = time.perf_counter()
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    return time.perf_counter() - start, output


def added(folder: Path, file: Path, scratch: Path, kb: str) -> float:
    """Seconds of a build of the files so far and one more, in a copy of the folder (names come from places in it)."""
    copy = scratch / "growing" / file.relative_to(folder)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    return timed(*KG, "build", str(scratch / "growing"), "--kb", kb)[0]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "corpus").resolve()
    files = sorted((p for p in folder.rglob("*") if p.is_file()), reverse=True)
    with tempfile.TemporaryDirectory() as scratch:
        whole, single = f"{scratch}/whole", f"{scratch}/single"
        seconds, _ = timed(*KG, "build", str(folder), "--kb", whole)
        again, _ = timed(*KG, "build", str(folder), "--kb", whole)
        one_by_one = sum(added(folder, file, Path(scratch), single) for file in files)
        exports = [timed(*KG, "export", "--format", "nq", "--kb", kb)[1] for kb in (whole, single)]
        asks = sorted(timed(*KG, "ask", QUESTION, "--kb", whole)[0] for _ in range(5))
        modules = f"{_NO_TORCH}; sys.exit('torch' in sys.modules)"
        torch = subprocess.run([sys.executable, "-c", modules, whole, QUESTION], cwd=ROOT, check=False).returncode
    print(f"documents {len(files)}; kg build {seconds:.1f} s; again, nothing changed {again:.1f} s")
    print(f"one file a command, in reverse order: {one_by_one:.1f} s; same bytes: {exports[0] == exports[1]}")
    print(f"cold kg ask: median {asks[2]:.2f} s of {[round(a, 2) for a in asks]}; imports torch: {bool(torch)}")
    sys.exit(exports[0] != exports[1] or torch != 0)


if __name__ == "__main__":
    main()

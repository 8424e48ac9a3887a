"""What building costs, in processor time and memory, as ratios within one run. One line of JSON for each figure.

    python benchmarks/build_cost.py embedding [--repeat 2] [--documents 25]   over embedding its passages alone
    python benchmarks/build_cost.py growth [--sizes 25 100 400]               seconds a kilobyte, and peak memory
    python benchmarks/build_cost.py one [--of 400] [--rebuild]                one document taken out and put in again
    python benchmarks/build_cost.py graph [--sizes 1000 3000 10000]           the graph alone, of what "growth" built
    python benchmarks/build_cost.py growth --copied 3000 --sizes 100 1000 3000 10000 one --of 10000   many small ones
    python benchmarks/build_cost.py                                           all but "graph"

With --copied the documents are those of at most so many bytes, and copies of them in which names stand for one another,
by another permutation in each copy.

Documents are those of ../shared/bench/collections, or of --collections DIR (a folder for each collection). Processor
time is user and system time of a command and of all that it starts, so that other work on the machine hardly matters;
the runs that a ratio compares are alternated. Knowledge bases are made in --folder, a new one each time; after "growth"
in the same command, "one" goes on with the largest. A kg.toml in --folder holds for all builds.
Last figures: build_cost.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import resource
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gathering import BENCH, ROOT
from measuring import Run, run

KG = [sys.executable, "-m", "kg.cli"]
SAMPLE = ROOT / "ontology" / "ai-infrastructure.ttl"
_NAME = re.compile(r"\b[A-Z][a-z]{3,}\b")  # near enough: what is permuted is spelled as a name
_ONE_KB = 26  # the document that is put in and taken out


def main() -> None:
    options = _options()
    if options.figures in (["_embed"], ["_graph"]):
        print(
            json.dumps(_embed(options.folder) if options.figures == ["_embed"] else _graph(options.folder, options.of))
        )
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    figures = {"embedding": embedding, "growth": growth, "one": one}
    failed = False
    for name in options.figures or figures:
        for row in {**figures, "graph": graph}[name](options):
            print(json.dumps({"figure": name, **row}), flush=True)
            failed = failed or row.get("same") is False
    sys.exit(failed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", choices=("embedding", "growth", "one", "graph", "_embed", "_graph"))
    parser.add_argument("--collections", type=Path, default=BENCH / "collections")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "citegraph-build-cost")
    parser.add_argument("--documents", type=int, default=25, help="of each collection, beside embedding")
    parser.add_argument("--only", nargs="*", help="collections to compare with embedding")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--sizes", type=int, nargs="*", default=(25, 100, 400))
    parser.add_argument("--copied", type=int, default=0, metavar="BYTES", help="small documents and copies of them")
    parser.add_argument("--of", type=int, default=400)
    parser.add_argument("--rebuild", action="store_true", help="build it without the document as well and compare")
    options = parser.parse_args()
    options.built = 0  # documents of the last base of "growth"
    options.folder = options.folder.resolve()
    return options


# --- beside embedding -----------------------------------------------------------------------------


def embedding(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The build of some documents of each collection over embedding its passages, without and with an ontology."""
    names = options.only or [p.name for p in sorted(options.collections.iterdir()) if p.is_dir()]
    for name in names:
        folder = _laid_out(
            options.folder / "documents", _spread(_documents(options.collections / name), options.documents)
        )
        for ontology in (None, SAMPLE):
            yield {"collection": name, "ontology": ontology is not None, **_beside_embedding(options, folder, ontology)}


def _beside_embedding(options: argparse.Namespace, folder: Path, ontology: Path | None) -> dict[str, Any]:
    built: list[float] = []
    embedded: list[float] = []
    base = options.folder / "kb"
    for _ in range(options.repeat):
        shutil.rmtree(base, ignore_errors=True)
        built.append(_build(options, folder, base, ontology).cpu_s)
        alone = _done(run([sys.executable, __file__, "_embed", "--folder", base], options.folder))
        made = json.loads(alone.out)
        embedded.append(made["cpu_s"])
    cost, least = statistics.median(built), statistics.median(embedded)
    return {
        "documents": sum(1 for p in folder.rglob("*") if p.is_file()),
        "kb": round(_kilobytes(folder), 1),
        "passages": made["passages"],
        "build_cpu_s": round(cost, 2),
        "embedding_cpu_s": round(least, 2),
        "ratio": round(cost / least, 2),
    }


def _embed(base: Path) -> dict[str, Any]:
    """Embeds the passages of a knowledge base, as texts and by the encoder of its build; what that took."""
    from kg.indexes.texts import passage_entries
    from kg.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(base) as knowledge_base:
        snapshot = knowledge_base.snapshot
        texts = [text for record in snapshot.records() for p in record.passages for _, text in passage_entries(p)]
        snapshot.encoder.encode(["one text", "another"])  # loading the model is no part of it
        before = _used()
        snapshot.encoder.encode(texts)
        return {"passages": len(texts), "cpu_s": _used() - before}


def _used() -> float:
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


# --- growth ---------------------------------------------------------------------------------------


def growth(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Seconds a kilobyte for samples of the same mix of documents, and memory; last the ratio of the ends."""
    documents = _drawn(options, max(options.sizes))
    costs: dict[int, float] = {}
    for size in options.sizes:
        folder, base = _laid_out(options.folder / "documents", _spread(documents, size)), options.folder / "kb"
        shutil.rmtree(base, ignore_errors=True)
        made = _build(options, folder, base, None)
        costs[size] = made.cpu_s / _kilobytes(folder)
        yield {
            "documents": size,
            "kb": round(_kilobytes(folder), 1),
            "cpu_s": round(made.cpu_s, 1),
            "wall_s": round(made.wall_s, 1),
            "cpu_s_a_kb": round(costs[size], 4),
            "peak_rss_mb": round(made.rss_mb),
            "peak_pss_mb": round(made.pss_mb),
        }
        options.built = size
    least, most = min(costs), max(costs)
    yield {"ratio": round(costs[most] / costs[least], 3), "of": [most, least]}


def _drawn(options: argparse.Namespace, count: int) -> list[Document]:
    if not options.copied:
        return _mix(options.collections, count)
    return _spread(_copied(options.collections, options.folder / "copies", options.copied, count), count)


def _copied(collections: Path, folder: Path, largest: int, count: int) -> list[Document]:
    """At least ``count`` documents: those that aren't larger, and copies of them about other names."""
    kinds = [_documents(each) for each in sorted(collections.iterdir()) if each.is_dir()]
    small = [document for kind in kinds for document in kind if document.size <= largest]
    texts = {document.name: document.path.read_text(encoding="utf-8") for document in small}
    names = sorted({name for text in texts.values() for name in _NAME.findall(text)})
    made = []
    for copy in range(-(-count // len(small))):
        others = random.Random(copy).sample(names, len(names)) if copy else names
        stands_for = dict(zip(names, others, strict=True))
        for name, text in texts.items():
            path = folder / f"copy-{copy}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_NAME.sub(lambda found: stands_for[found[0]], text), encoding="utf-8")  # noqa: B023
            made.append(Document(f"copy-{copy}/{name}", path, path.stat().st_size))
    return made


def _mix(collections: Path, count: int) -> list[Document]:
    """``count`` documents: half of the collection with the most text, the largest of the others for the rest."""
    kinds = [_documents(folder) for folder in sorted(collections.iterdir()) if folder.is_dir()]
    kinds.sort(key=lambda documents: -statistics.mean(d.size for d in documents))
    taken = kinds[0][: count // 2]
    for number, documents in enumerate(kinds[1:], 1):
        share = (count - len(taken)) // (len(kinds) - number)
        taken += sorted(sorted(documents, key=lambda d: (-d.size, d.name))[:share])
    return taken


def graph(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """What one machine has to do whoever reads: the graph of the first so many documents that were built."""
    for size in options.sizes:
        made = _done(
            run([sys.executable, __file__, "_graph", "--of", str(size), "--folder", options.folder / "kb"], ROOT)
        )
        yield {**json.loads(made.out), "cpu_s": round(made.cpu_s, 1), "peak_pss_mb": round(made.pss_mb)}


def _graph(base: Path, count: int) -> dict[str, Any]:
    """Makes the graph of ``count`` documents from nothing, and says how large that and what it is made of are."""
    from kg.base.generations import Generation
    from kg.base.graphs import FolderGraphs
    from kg.base.snapshot import Snapshot
    from kg.base.states import dump
    from kg.knowledge_base import KnowledgeBase

    with KnowledgeBase.open(base) as knowledge_base, tempfile.TemporaryDirectory() as scratch:
        manifest = knowledge_base.snapshot.manifest
        entries = dict(list(manifest.documents.items())[:count])
        snapshot = Snapshot(knowledge_base.snapshot.folder, replace(manifest, documents=entries))
        made = Generation(snapshot.content("measured")).write_whole(FolderGraphs(Path(scratch)), "graph")
        return {
            "documents": len(entries),
            "kb": round(sum((base / "sources" / e.source).stat().st_size for e in entries.values()) / 1000, 1),
            "records_mb": _megabytes([base / "records" / f"{e.record}.json" for e in entries.values()]),
            "indexes_mb": _megabytes([base / "indexes" / f"{e.segment}.safetensors" for e in entries.values()]),
            "graph_mb": _megabytes((Path(scratch) / "graph").rglob("*")),
            "state_mb": round(len(dump(made)) / 1e6, 1),
            "manifest_mb": round(
                (base / "manifest.json").stat().st_size / 1e6 * len(entries) / len(manifest.documents), 2
            ),
        }


def _megabytes(paths: Iterable[Path]) -> float:
    return round(sum(path.stat().st_size for path in paths if path.is_file()) / 1e6, 1)


# --- one document ---------------------------------------------------------------------------------


def one(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """One document taken out of many and put in again, over the same document alone in an empty base.

    The base is built from nothing with the document: put in again it has to give the same bytes.
    """
    documents = _drawn(options, options.of)
    size = options.copied or 1000 * _ONE_KB
    chosen = min(documents, key=lambda d: (abs(d.size - size), d.name))
    single = _laid_out(options.folder / "one", [chosen])
    base, alone = options.folder / "kb", options.folder / "alone"
    if options.built != options.of:
        shutil.rmtree(base, ignore_errors=True)
        _build(options, _laid_out(options.folder / "documents", documents), base, None)
    with_it = _export(options, base)
    added, lone, removed, same = [], [], [], True
    for _ in range(options.repeat):
        shutil.rmtree(alone, ignore_errors=True)
        lone.append(_build(options, single, alone, None).cpu_s)
        removed.append(_done(run([*KG, "remove", chosen.name, "--kb", base], options.folder)).cpu_s)
        without = _export(options, base)
        added.append(_build(options, single, base, None).cpu_s)
        same = same and _export(options, base) == with_it != without
    if options.rebuild:
        others, fresh = (
            _laid_out(options.folder / "documents", [d for d in documents if d != chosen]),
            base.parent / "fresh",
        )
        shutil.rmtree(fresh, ignore_errors=True)
        _build(options, others, fresh, None)
        same = same and _export(options, fresh) == without
    yield {
        "into": len(documents) - 1,
        "kb": round(chosen.size / 1000, 1),
        "alone_cpu_s": round(statistics.median(lone), 2),
        "in_cpu_s": round(statistics.median(added), 2),
        "out_cpu_s": round(statistics.median(removed), 2),
        "in_ratio": round(statistics.median(added) / statistics.median(lone), 2),
        "out_ratio": round(statistics.median(removed) / statistics.median(lone), 2),
        "same": same,
        "taken_out_as_from_nothing": bool(options.rebuild) and same,
    }


def _export(options: argparse.Namespace, base: Path) -> str:
    """SHA-256 of all that a knowledge base exports."""
    path = options.folder / "export.nq"
    _done(run([*KG, "export", "--format", "nq", "--kb", base, "-o", path], options.folder))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- documents ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Document:
    """A document of a collection; its name begins with the collection's."""

    name: str
    path: Path
    size: int


def _documents(folder: Path) -> list[Document]:
    found = sorted(p for p in folder.rglob("*.md") if p.is_file())
    named = ((p.relative_to(folder.parent).as_posix(), p) for p in found)
    return [Document(n, p, p.stat().st_size) for n, p in named] or sys.exit(f"there are no documents in {folder}")


def _spread(documents: Sequence[Document], count: int) -> list[Document]:
    """``count`` of the documents, so that each collection and each size has its share."""
    ordered = sorted(documents, key=lambda d: (d.name.partition("/")[0], d.size, d.name))
    count = min(count, len(ordered))
    return [ordered[(2 * n + 1) * len(ordered) // (2 * count)] for n in range(count)]


def _laid_out(folder: Path, documents: Sequence[Document]) -> Path:
    """Copies of the documents in a new folder, under their names."""
    shutil.rmtree(folder, ignore_errors=True)
    for document in documents:
        target = folder / document.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(document.path, target)
    return folder


def _kilobytes(folder: Path) -> float:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1000


def _build(options: argparse.Namespace, folder: Path, base: Path, ontology: Path | None) -> Run:
    given = ("--ontology", ontology) if ontology else ()
    return _done(run([*KG, "build", folder, "--kb", base, *given], options.folder))


def _done(made: Run) -> Run:
    if made.status:
        sys.exit(f"status {made.status}: {made.err.strip()[-1000:]}")
    return made


if __name__ == "__main__":
    main()

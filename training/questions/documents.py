"""The documents of the question sets in this folder, of which most are not kept here, made again from their sources.

    python -m training.questions.documents OUT [SET…] [--data ../shared/bench]

Makes OUT/SET/documents and OUT/SET/questions.jsonl, of all sets where none is named. Fifty-two are made of packages
of Debian 12 (apt-get and dpkg; some 1.5 GB are downloaded, nothing is installed), thirty-three were written for their
questions and are kept in SET/documents, the others are made of the data folder, and left out where there is none.
``sources.toml`` names the packages, their versions, and the pages. The questions were written for those: with another
version or size a warning is given, as some evidence may then read differently.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import offsets, packaged, published

HERE = Path(__file__).parent


def sources() -> Mapping[str, Mapping[str, Any]]:
    """What every set's documents are made of."""
    return tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))


_Maker = Callable[[Path, Mapping[str, Any]], Iterator[tuple[str, str]]]
FROM_DATA: Mapping[str, _Maker] = {
    "handbook": published.pages,
    "proposals": published.pages,
    "articles": published.articles,
    "articles2": published.articles,
    "biographies": published.biographies,
    "biographies2": published.biographies,
    "biographies3": published.biographies,
    "proposals2": published.pages,
}
FROM_PACKAGES: Mapping[str, _Maker] = {
    "manuals": packaged.manuals,
    "perl": packaged.perl,
    "pythondocs": packaged.pythondocs,
    "rustnode": packaged.rustnode,
    "sqlite": packaged.sqlite,
    "userhelp": packaged.userhelp,
    **{name: packaged.files for name, about in sources().items() if isinstance(about.get("files"), dict)},
}
KEPT = (
    "clubs",
    "museum",
    "nature",
    "products",
    "railways",
    "town",
    "business",
    "computers",
    "health",
    "projects",
    "software",
    "university",
    "world",
    "annals",
    "appliances",
    "borough",
    "lodgings",
    "observers",
    "pastimes",
    "workrules",
    "runbooks",
    "bylaws",
    "expeditions",
    "kitchens",
    "rulesets",
    "gazetteer",
    "compendium",
    "digest",
    "releases",
    "standards",
    "newsroom",
    "clinics",
    "allotments",
)
SETS = (*FROM_DATA, *FROM_PACKAGES, *KEPT)
_APT = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root"]
_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
_LISTED = ["indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"]


def unpack(about: Mapping[str, Any], folder: Path) -> None:
    """Lay the files of a set's packages out under a folder, those of a package's source in source/NAME."""
    for name, version in about.get("packages", {}).items():
        subprocess.run([*_APT, "download", name], cwd=folder, check=True)
        (file,) = folder.glob(f"{name}_*.deb")
        shown = subprocess.run(["dpkg-deb", "-f", file, "Version"], capture_output=True, text=True, check=True)
        _compare(name, shown.stdout.strip(), version)
        subprocess.run(["dpkg", "-x", file, folder], check=True)
    for name, version in about.get("sources", {}).items():
        _unpack_source(name, version, folder)


def _unpack_source(name: str, version: str, folder: Path) -> None:
    """The system need not list sources: a list is made of those of its packages, which stays in the folder."""
    (folder / "lists/partial").mkdir(parents=True, exist_ok=True)
    listed = subprocess.run([_APT[0], *_LISTED], capture_output=True, text=True, check=True).stdout.splitlines()
    released = [line for line in sorted(set(listed)) if line.endswith(" main") and "-" not in line.split()[1]]
    lines = [f"deb-src [signed-by={_KEYS}] {line}\n" for line in released]
    (folder / "sources.list").write_text("".join(lines), encoding="utf-8")
    places = {"Etc::SourceList": "sources.list", "State::Lists": "lists"}
    options = [part for key, place in places.items() for part in ("-o", f"Dir::{key}={folder / place}")]
    apt = [*_APT, *options, "-o", "Dir::Etc::SourceParts=/dev/null"]
    subprocess.run([*apt, "update"], check=True)
    subprocess.run([*apt, "source", "--download-only", name], cwd=folder, check=True)
    (described,) = folder.glob(f"{name}_*.dsc")
    _compare(f"the source of {name}", described.stem.partition("_")[2], version.rpartition(":")[2])  # without epoch
    (packed,) = folder.glob(f"{name}_*.orig.tar.*[!c]")  # not its signature
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "source" / name, filter="data")


def _compare(name: str, found: str | int, wanted: str | int) -> None:
    if found != wanted:
        print(f"warning: {name} is {found}, the questions are for {wanted}", file=sys.stderr)


def documents(name: str, data: Path) -> Iterator[tuple[str, str]]:
    """The names and texts of a set's documents."""
    about = sources()[name]
    if name in FROM_DATA:
        yield from FROM_DATA[name](data, about)
        return
    if name in KEPT:
        yield from (
            (page.name, page.read_text(encoding="utf-8")) for page in sorted((HERE / name / "documents").iterdir())
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        unpack(about, Path(folder))
        yield from FROM_PACKAGES[name](Path(folder), about)


def write(made: Iterable[tuple[str, str]], questions: Path, out: Path) -> int:
    """A set's documents, and its questions with the documents' words for offsets; the documents' size in bytes."""
    folder = out / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(made)
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("utf-8"))
    asked = (offsets.resolved(q, "".join(texts[d] for d in q["docs"][:1])) for q in offsets.questions(questions))
    offsets.write(out / "questions.jsonl", asked)
    size = sum(len(text.encode("utf-8")) for text in texts.values())
    print(f"{out}: {len(texts)} documents, {size} bytes")
    return size


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("sets", nargs="*", metavar="SET", help="; ".join(SETS))
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"))
    options = parser.parse_args()
    if unknown := set(options.sets) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    for name in options.sets or SETS:
        if name in FROM_DATA and not options.data.is_dir():
            print(f"warning: {name} is left out, there is no {options.data}", file=sys.stderr)
            continue
        size = write(documents(name, options.data), HERE / name / "questions.jsonl", options.out / name)
        _compare(f"the size of {name}", size, sources()[name]["bytes"])


if __name__ == "__main__":
    main()

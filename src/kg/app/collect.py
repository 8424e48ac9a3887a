"""Paths given on the command line → files to read, each with the name that its document gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import BadInput
from kg.namespaces import document_slug
from kg.reports import Failure
from kg.storage import Folder

_SNIFFED = 4096  # bytes of a file without a suffix


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file and the name of its document: its path relative to the PATH given, with ``/``."""

    path: Path
    name: str

    @property
    def id(self) -> str:
        """Identifier of its document."""
        return document_slug(self.name)


@dataclass(frozen=True, slots=True)
class Collected:
    """Files to read, the files of folders that no reader knows, and those whose name another file has already."""

    files: tuple[SourceFile, ...]
    skipped: tuple[str, ...]
    clashing: tuple[Failure, ...] = ()


def collect(paths: Sequence[Path], known: Callable[[Path], bool]) -> Collected:
    """Files under the paths that are known, sorted by name; of files with one name the first.

    Raises BadInput (no such path).
    """
    files: list[SourceFile] = []
    skipped: list[str] = []
    for path in paths:
        if path.is_file():
            files.append(SourceFile(path, path.name))
        elif path.is_dir():
            for file in _visible_files(path):
                found = SourceFile(file, file.relative_to(path).as_posix())
                (files.append(found) if known(file) else skipped.append(found.name))
        else:
            raise BadInput(f"there is no file or folder {path}", "check the path")
    clashing: list[Failure] = []
    unique = sorted(_one_a_name(files, clashing), key=lambda f: f.name)
    return Collected(tuple(unique), tuple(sorted(skipped)), tuple(clashing))


def _visible_files(folder: Path) -> Iterable[Path]:
    """Files that are not hidden, nor part of a knowledge base that stands among the documents."""
    made = [path.parent for path in folder.rglob("manifest.json") if Folder(path.parent).exists()]
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        # A link that leads nowhere is no file: whoever opens it says so.
        if (path.is_file() or not path.exists()) and not hidden and not any(path.is_relative_to(base) for base in made):
            yield path


def _one_a_name(files: Iterable[SourceFile], clashing: list[Failure]) -> Iterable[SourceFile]:
    seen: dict[str, SourceFile] = {}
    for file in files:
        other = seen.setdefault(file.name, file)
        if other.path.resolve() != file.path.resolve():
            message = f"{file.path} and {other.path} would both be {file.name}: the first isn't read"
            clashing.append(Failure(file.name, message, "rename one of them, or build from a folder that holds both"))
    return seen.values()


def _is_document(file: Path) -> bool:
    """Whether there is a reader for a file; one without a suffix has to be text, whatever its name."""
    from kg.readers import has_reader

    if not has_reader(file.name):
        return False
    if file.suffix or not file.is_file():
        return True
    try:
        with file.open("rb") as opened:
            return b"\0" not in opened.read(_SNIFFED)
    except OSError:
        return True  # whoever reads it says so


def documents_under(paths: Sequence[Path], prune: bool) -> Collected:
    """The documents under the paths. Raises BadInput where there are none, unless that is what pruning is for."""
    from kg.readers import suffixes

    collected = collect(paths, _is_document)
    if not collected.files and not prune:
        where = ", ".join(str(p) for p in paths)
        hint = f"known suffixes: {', '.join(suffixes())}"
        if any(Folder(path).exists() for path in paths):
            hint = "that is a knowledge base: documents belong into a folder of their own"
        raise BadInput(f"there are no documents in {where}", hint)
    return collected

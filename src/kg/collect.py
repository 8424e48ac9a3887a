"""Paths given on the command line → files to read, each with the name that its document gets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import BadInput, DocumentClash
from kg.namespaces import document_slug


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
    """Files to read, and the files of folders that no reader knows."""

    files: tuple[SourceFile, ...]
    skipped: tuple[str, ...]


def collect(paths: Sequence[Path], suffixes: Iterable[str]) -> Collected:
    """Files under the paths, sorted by name. Raises BadInput (no such path) and DocumentClash."""
    known = set(suffixes)
    files: list[SourceFile] = []
    skipped: list[str] = []
    for path in paths:
        if path.is_file():
            files.append(SourceFile(path, path.name))
        elif path.is_dir():
            for file in _visible_files(path):
                found = SourceFile(file, file.relative_to(path).as_posix())
                (files.append(found) if file.suffix.lower() in known else skipped.append(found.name))
        else:
            raise BadInput(f"there is no file or folder {path}", "check the path")
    unique = _one_an_identifier(files)
    return Collected(tuple(sorted(unique, key=lambda f: f.name)), tuple(sorted(skipped)))


def _visible_files(folder: Path) -> Iterable[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def _one_an_identifier(files: Iterable[SourceFile]) -> Iterable[SourceFile]:
    seen: dict[str, SourceFile] = {}
    for file in files:
        other = seen.setdefault(file.id, file)
        if other.path.resolve() != file.path.resolve():
            raise DocumentClash(
                f"{other.path} and {file.path} would both be document {file.id}",
                "rename one of them, or build from a folder that holds both",
            )
    return seen.values()


def documents_under(paths: Sequence[Path], prune: bool) -> Collected:
    """The documents under the paths. Raises BadInput where there are none, unless that is what pruning is for."""
    from kg.readers import suffixes

    collected = collect(paths, suffixes())
    if not collected.files and not prune:
        where = ", ".join(str(p) for p in paths)
        raise BadInput(f"there are no documents in {where}", f"known suffixes: {', '.join(suffixes())}")
    return collected

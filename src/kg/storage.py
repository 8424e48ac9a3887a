"""The folder of a knowledge base: content-addressed files, one manifest that is switched last, one writer.

Layout: ``manifest.json``, ``records/HASH.json``, ``sources/HASH``, ``ontology/HASH.SUFFIX``, ``user/HASH.nq`` (what
people wrote by SPARQL update), ``graphs/KEY/`` (an Oxigraph store that is never changed once named by a manifest),
``states/HASH.jsonl`` (what that graph was made from), ``indexes/KEY-HASH.safetensors`` (a segment a document),
``lock``. A crash at any moment leaves the files that the
manifest names; what it doesn't name is rubbish, cleared by the next writer, save for what readers have pinned
(``pins/``).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import shutil
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound, StoreLocked

if TYPE_CHECKING:
    from kg.settings import StoreSettings

FORMAT = 1
FOLDERS = ("records", "sources", "ontology", "user", "decisions", "graphs", "states", "indexes")
# Not among them: a folder that readers make, where they may write, to say which manifests they are reading.
_PINS = "pins"
_NEXT = "next.json"
_LOCK = "lock"
_OURS = {*FOLDERS, _PINS, _NEXT, _LOCK, "keys.json"}


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document as the manifest knows it; ``record`` and ``source`` are SHA-256 names of files.

    ``segment`` is the name of its indexes (:mod:`kg.indexes.segments`), empty until they are made.
    """

    name: str
    source: str
    record: str
    made_with: str
    segment: str = ""


@dataclass(frozen=True, slots=True)
class OntologyFile:
    """A copy of an ontology file: the SHA-256 that names it, and its suffix (its format)."""

    sha256: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a knowledge base consists of. ``documents`` by identifier.

    ``user`` names the file of people's own graphs, ``decisions`` that of reviewers' decisions, ``state`` that of what
    the graph was made from (:mod:`kg.base.generations`; without it the next change makes the whole graph). ``plain``:
    nothing but people's graphs, any graph and the default one among them. ``store``: address of the server that keeps
    the graph; without one it is in the folder (:mod:`kg.base.graphs`).
    """

    format: int = FORMAT
    base: str = ""
    documents: Mapping[str, DocumentEntry] = field(default_factory=dict)
    ontology: tuple[OntologyFile, ...] = ()
    ontology_hash: str = ""
    model: str = ""
    model_hash: str = ""
    graph: str = ""
    previous: tuple[str, ...] = ()
    user: str = ""
    decisions: str = ""
    plain: bool = False
    state: str = ""
    store: str = ""

    def kept_at(self, place: str) -> Manifest:
        """The same with its graph on the server of an address, in the folder for "folder", where it was for ""."""
        return replace(self, store="" if place == "folder" else place.rstrip("/") or self.store)

    def with_documents(self, documents: Mapping[str, DocumentEntry]) -> Manifest:
        """The same with other documents, in the order of their identifiers."""
        return replace(self, documents=dict(sorted(documents.items())))


_MANIFEST = TypeAdapter(Manifest)
_COUNTER = itertools.count()


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Writes beside the target, flushes to disk, then renames: readers see the old file or the new.

    ``mode``: who may read and write it, less what the process's umask takes away.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def flush(path: Path) -> None:
    """Flushes a file to disk, or a folder's list of names: without that a power cut may undo a rename."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Folder:
    """A knowledge base's folder on disk."""

    path: Path
    store: StoreSettings | None = field(default=None, compare=False)
    """How to reach a server, should the graph be kept on one."""

    def prepare(self) -> None:
        """Makes the folder and its parts."""
        for name in FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)

    def exists(self) -> bool:
        """Whether a knowledge base is here; other programs have manifests too."""
        return (self.path / "manifest.json").is_file() and (self.path / "records").is_dir()

    def refuse_others(self) -> None:
        """Raises BadInput where no knowledge base can be made: in a file, and among other files."""
        hint = "name a folder of its own: kg build DOCS --kb DIR"
        try:
            names = sorted(os.listdir(self.path))
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInput(f"{self.path} can't hold a knowledge base: {error.strerror}", hint) from error
        stopped = _OURS if (self.path / _LOCK).is_file() else ()  # what a first build leaves that came to no end
        others = [n for n in names if n not in stopped and not n.startswith(".") and n != "lost+found"]
        if others:
            raise BadInput(f"{self.path} is no knowledge base and holds other files ({others[0]})", hint)

    def manifest(self) -> Manifest:
        """The manifest in force. Raises NotFound, or CorruptKnowledgeBase for one that can't be read."""
        try:
            data = (self.path / "manifest.json").read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(
                f"there is no knowledge base in {self.path}", "make one with: kg build DOCS --kb DIR"
            ) from None
        _check_format(data, self.path)
        try:
            return _MANIFEST.validate_json(data)
        except ValidationError as error:
            raise _unreadable(self.path) from error

    def switch(self, manifest: Manifest) -> None:
        """Makes a manifest the one in force, when all that it names is on disk."""
        self._put_down("manifest.json", manifest)
        self.withdraw()
        flush(self.path)

    def announce(self, manifest: Manifest) -> None:
        """Has a manifest lie ready for a graph that is to be switched elsewhere, and all that it names on disk."""
        self._put_down(_NEXT, manifest)
        flush(self.path)

    def _put_down(self, name: str, manifest: Manifest) -> None:
        for folder in FOLDERS:
            flush(self.path / folder)
        write_atomically(self.path / name, self.dump(manifest))

    def withdraw(self) -> None:
        """Forgets a manifest that lies ready."""
        (self.path / _NEXT).unlink(missing_ok=True)

    def pending(self) -> Manifest | None:
        """The manifest that lies ready, if a switch was cut off."""
        try:
            return _MANIFEST.validate_json((self.path / _NEXT).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    @staticmethod
    def dump(manifest: Manifest) -> bytes:
        """A manifest as its file holds it."""
        return _MANIFEST.dump_json(manifest, indent=1) + b"\n"

    def put(self, kind: str, data: bytes, suffix: str = "") -> str:
        """Stores bytes under their SHA-256 (returned); what is there and intact is left alone."""
        name = sha256(data)
        path = self.path / kind / (name + suffix)
        if not (path.is_file() and file_sha256(path) == name):
            write_atomically(path, data)
        return name

    def get(self, kind: str, name: str, suffix: str = "") -> bytes:
        """Bytes stored under a SHA-256. Raises CorruptKnowledgeBase if they are gone or altered."""
        path = self.path / kind / (name + suffix)
        data = path.read_bytes() if path.is_file() else b""
        if sha256(data) != name:
            raise CorruptKnowledgeBase(f"{path} is missing or altered", "run: kg build on the documents again")
        return data

    def clear_rubbish(self, manifest: Manifest) -> None:
        """Removes what neither the manifest names nor readers of one before it may still need."""
        keep = _named(manifest)
        for pinned in self._pinned():
            for kind, names in _named(pinned).items():
                keep[kind] |= names
        for kind, names in keep.items():
            for name in set(os.listdir(self.path / kind)) - names:
                path = self.path / kind / name
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        for path in self.path.glob(".*.tmp"):
            path.unlink(missing_ok=True)

    def pinned_manifest(self) -> tuple[Manifest, Pin]:
        """The manifest in force, and a pin that keeps all files that it names until it is let go.

        Raises as :meth:`manifest` does. Where this process may not write into the folder, the pin holds nothing.
        """
        while True:
            manifest = self.manifest()
            pin = Pin(self.path / _PINS, manifest)
            # Writers look for pins after they have put another manifest in force: one made before that counts.
            if self.manifest() == manifest:
                return manifest, pin
            pin.release()

    def _pinned(self) -> Iterator[Manifest]:
        """Manifests that readers hold on to; pins of readers that are gone are removed."""
        for path in sorted((self.path / _PINS).glob("*.json")):
            with contextlib.suppress(OSError), path.open("rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    with contextlib.suppress(ValidationError):
                        yield _MANIFEST.validate_json(file.read())
                else:
                    path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Holds the writer's lock; it goes with the process, however that ends. Raises StoreLocked, BadInput."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / _LOCK).open("a")
        except OSError as error:
            raise BadInput(f"{self.path} can't be written to: {error.strerror}", "name another folder") from error
        with lock as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreLocked(
                    f"another process is writing to {self.path}", "wait until it has finished, then try again"
                ) from None
            self.prepare()
            yield


def _unreadable(folder: Path) -> CorruptKnowledgeBase:
    return CorruptKnowledgeBase(
        f"{folder / 'manifest.json'} can't be read",
        "restore a backup or build anew from the documents, into another folder or after removing this one",
    )


def _check_format(data: bytes, folder: Path) -> None:
    """Refuses manifests of other versions before anything else of them is read: their fields may mean other things."""
    try:
        found = json.loads(data)["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise _unreadable(folder) from error
    if type(found) is not int or found != FORMAT:
        raise CorruptKnowledgeBase(
            f"{folder} has format {found}, this version reads {FORMAT}",
            "build anew from the documents with this version, into another folder",
        )


class Pin:
    """A reader's hold on the files of a manifest: a copy of it with a shared lock, which goes with the process."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._file: IO[bytes] | None = None
        data = _MANIFEST.dump_json(manifest)
        # A name for each process and pin, so that nobody removes what another has just locked.
        path = folder / f"{os.getpid()}-{next(_COUNTER)}.json"
        try:
            folder.mkdir(exist_ok=True)
            # Nobody takes it for a pin until it is whole and locked.
            temporary = path.with_suffix(".tmp")
            file = temporary.open("w+b")
            fcntl.flock(file, fcntl.LOCK_SH)
            file.write(data)
            file.flush()
            temporary.replace(path)
        except OSError:
            return
        self._file = file
        self._finalizer = weakref.finalize(self, _let_go, file, path)

    def release(self) -> None:
        """Lets go; also done when nobody has the pin any more."""
        if self._file is not None:
            self._finalizer()


def _let_go(file: IO[bytes], path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    file.close()


def _named(manifest: Manifest) -> dict[str, set[str]]:
    """Names of files and folders by the folder that they are in; those of the generation before are among them."""
    documents = manifest.documents.values()
    return {
        "records": {f"{d.record}.json" for d in documents},
        "sources": {d.source for d in documents},
        "ontology": {o.sha256 + o.suffix for o in manifest.ontology},
        "user": {f"{name}.nq" for name in (manifest.user, *manifest.previous)},
        "decisions": {f"{name}.ttl" for name in (manifest.decisions, *manifest.previous)},
        "graphs": {manifest.graph, *manifest.previous},
        "states": {f"{manifest.state}.jsonl"},
        "indexes": {f"{d.segment}.safetensors" for d in documents},
    }

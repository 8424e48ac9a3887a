"""``kg backup`` and ``kg restore``: one generation of a knowledge base as one file, also while it is served.

The file is a tar archive (compressed where its name ends in .gz) of what is the truth – the manifest, records,
sources, ontology, decisions, people's own graphs – and of the indexes, each file under the hash that names it. The
Oxigraph store is left out: it follows from the rest and has no hash that could be checked. The same generation
gives the same bytes.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from kg.app.writer import commit, no_progress
from kg.errors import BadInput, CorruptKnowledgeBase
from kg.indexes.segments import FOLDER, SUFFIX, content_hash
from kg.storage import Folder, Manifest, file_sha256

_MANIFEST = "manifest.json"
_MOST_MANIFEST = 500_000_000


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup or a restored knowledge base holds: counts of documents and files, bytes of all files."""

    documents: int
    files: int
    bytes: int


def contents(manifest: Manifest) -> dict[str, str]:
    """The files that a manifest names, by their path in the folder, with the SHA-256 that each must have."""
    files = {}
    for entry in manifest.documents.values():
        files[f"records/{entry.record}.json"] = entry.record
        files[f"sources/{entry.source}"] = entry.source
        if entry.segment:
            files[f"{FOLDER}/{entry.segment}{SUFFIX}"] = content_hash(entry.segment)
    files.update({f"ontology/{o.sha256}{o.suffix}": o.sha256 for o in manifest.ontology})
    if manifest.user:
        files[f"user/{manifest.user}.nq"] = manifest.user
    if manifest.decisions:
        files[f"decisions/{manifest.decisions}.ttl"] = manifest.decisions
    return dict(sorted(files.items()))


def write_backup(folder: Folder, stream: IO[bytes]) -> BackupReport:
    """Writes the generation in force as a tar archive. Writers may go on meanwhile. Raises CorruptKnowledgeBase."""
    manifest, pin = folder.pinned_manifest()
    try:
        # Another generation's names mean nothing where it is restored.
        head = folder.dump(replace(manifest, previous=(), state="", store=""))
        files, size = contents(manifest), len(head)
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(_member(_MANIFEST, len(head)), io.BytesIO(head))
            for name, expected in files.items():
                path = folder.path / name
                if not path.is_file() or file_sha256(path) != expected:
                    raise CorruptKnowledgeBase(f"{path} is missing or altered", "run: kg build on the documents again")
                with path.open("rb") as file:
                    archive.addfile(_member(name, path.stat().st_size), file)
                size += path.stat().st_size
    finally:
        pin.release()
    return BackupReport(len(manifest.documents), len(files) + 1, size)


def _member(name: str, size: int) -> tarfile.TarInfo:
    # All else stays zero: the same content, the same bytes.
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o644
    return member


def backup(kb: Path, file: Path) -> BackupReport:
    """Writes a backup to a file that doesn't exist yet. Raises BadInput, NotFound, CorruptKnowledgeBase."""
    if file.exists():
        raise BadInput(f"{file} exists already", "choose another name, or remove it first")
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as raw:
            packs = file.suffix in (".gz", ".tgz")
            packing = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if packs else contextlib.nullcontext(raw)
            with packing as stream:
                report = write_backup(Folder(kb), stream)  # type: ignore[arg-type]
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(file)
    except OSError as error:
        raise BadInput(f"{file} can't be written: {error.strerror}", "name a file in a folder that exists") from error
    finally:
        temporary.unlink(missing_ok=True)
    return report


def restore(file: Path, kb: Path) -> BackupReport:
    """Makes the knowledge base of a backup in a folder that is empty or doesn't exist; nothing, where that fails.

    Every file is checked against its hash. Raises BadInput, CorruptKnowledgeBase.
    """
    if kb.exists() and (not kb.is_dir() or any(kb.iterdir())):
        raise BadInput(f"{kb} is not empty", "name another folder, or empty it first")
    temporary = kb.with_name(f".{kb.name}.{os.getpid()}.restored")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        with tarfile.open(file, "r|*") as archive:
            manifest, report = _unpack(archive, Folder(temporary))
        with Folder(temporary).writing():  # without a graph, as it is: the one that the manifest names is made
            commit(Folder(temporary), replace(manifest, graph=""), manifest, no_progress)
        if kb.exists():
            kb.rmdir()
        temporary.rename(kb)
    except (tarfile.TarError, EOFError, gzip.BadGzipFile) as error:
        raise CorruptKnowledgeBase(f"{file} can't be read: {error}", "it is no whole backup") from error
    except OSError as error:
        raise BadInput(f"{file} can't be restored to {kb}: {error.strerror or error}", "check both paths") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return report


def _unpack(archive: tarfile.TarFile, folder: Folder) -> tuple[Manifest, BackupReport]:
    members = iter(archive)
    first = next(members, None)
    if first is None or first.name != _MANIFEST or not first.isreg() or first.size > _MOST_MANIFEST:
        raise CorruptKnowledgeBase("the archive does not begin with a manifest", "it is no backup of kg backup")
    folder.prepare()
    head = _stream(archive, first).read()
    (folder.path / _MANIFEST).write_bytes(head)
    manifest = folder.manifest()
    if folder.dump(manifest) != head:
        raise CorruptKnowledgeBase("the archive's manifest is altered", "it is no backup of kg backup")
    # Until all is here and checked, the folder is no knowledge base.
    (folder.path / _MANIFEST).unlink()
    expected, size = contents(manifest), len(head)
    missing = dict(expected)
    for member in members:
        # Only what the manifest names is written, so no name can lead anywhere else.
        if not member.isreg() or missing.pop(member.name, None) is None or not _plain(member.name):
            problem = f"the archive holds {member.name!r}, which doesn't belong there"
            raise CorruptKnowledgeBase(problem, "nothing was made")
        _write(archive, member, folder.path / member.name, expected[member.name])
        size += member.size
    if missing:
        raise CorruptKnowledgeBase(f"the archive lacks {min(missing)}", "it is no whole backup: nothing was made")
    return manifest, BackupReport(len(manifest.documents), len(expected) + 1, size)


def _plain(name: str) -> bool:
    """Whether a path leads down from the folder: a forged manifest may name anything."""
    return "\0" not in name and all(part not in ("", ".", "..") for part in name.split("/"))


def _stream(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(member)
    assert stream is not None
    return stream


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path, expected: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        shutil.copyfileobj(_stream(archive, member), file)
    if file_sha256(path) != expected:
        raise CorruptKnowledgeBase(f"{member.name} in the archive is altered", "nothing was made")

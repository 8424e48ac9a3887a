"""Readers by suffix: bytes of a file in, :class:`kg.model.Document` out.

A file without one is plain text where the last word of its name is in capitals (README, FAQ, tool-NEWS): so documents
are named that are to be listed before the programs beside them.

Other packages add readers by the entry point group ``kg.readers`` (a class without arguments); they can't
replace those listed here.
"""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import PurePosixPath

from kg.errors import UnreadableDocument
from kg.model import Document
from kg.protocols import Reader
from kg.readers.csv import CsvReader
from kg.readers.docx import DocxReader
from kg.readers.html import HtmlReader
from kg.readers.markdown import MarkdownReader
from kg.readers.pdf import PdfReader
from kg.readers.rendering import TooLarge
from kg.readers.text import TextReader

__all__ = ["GROUP", "MAX_BYTES", "READERS", "has_reader", "read", "reader_for", "suffixes"]

GROUP = "kg.readers"
MAX_BYTES = 50_000_000

_TEXT = TextReader()
_OWN: tuple[Reader, ...] = (MarkdownReader(), _TEXT, HtmlReader(), DocxReader(), PdfReader(), CsvReader())
READERS: dict[str, Reader] = {suffix: reader for reader in _OWN for suffix in reader.suffixes}

_IN_CAPITALS = re.compile(r"(?:[\w+-]+[-_])?[A-Z]{2,}")

_plugged_in: list[bool] = []


def read(data: bytes, name: str, max_bytes: int = MAX_BYTES) -> Document:
    """The document of a file's bytes; ``name`` is its path relative to the PATH given, with ``/``.

    Raises UnreadableDocument: no reader for its name, larger than ``max_bytes``, not text, no words in it.
    """
    reader = reader_for(name)
    if len(data) > max_bytes:
        raise UnreadableDocument(
            f"{name} is larger than {max_bytes / 1e6:g} MB ({len(data) / 1e6:.1f} MB)",
            "raise [build] max_file_mb or split the file",
        )
    try:
        return reader.read(data, name)
    except TooLarge as error:
        raise UnreadableDocument(f"{name} has more paragraphs and cells than a document may", "split it") from error


def reader_for(name: str) -> Reader:
    """The reader for a file's name. Raises UnreadableDocument with the suffixes that are known."""
    if (reader := _reader(name)) is None:
        known = f"known suffixes: {', '.join(suffixes())}; none is needed by names in capitals, as README"
        raise UnreadableDocument(f"no reader for {name}", known)
    return reader


def has_reader(name: str) -> bool:
    """Whether files of this name are read."""
    return _reader(name) is not None


def _reader(name: str) -> Reader | None:
    path = PurePosixPath(name)
    suffix = path.suffix.lower()
    if not suffix:
        return _TEXT if _IN_CAPITALS.fullmatch(path.name) else None
    if suffix not in READERS:
        _plug_in()
    return READERS.get(suffix)


def suffixes() -> tuple[str, ...]:
    """All suffixes that can be read, sorted, those of other packages among them."""
    _plug_in()
    return tuple(sorted(READERS))


def _plug_in() -> None:
    """Adds the readers of other packages, once; looking them up costs tens of milliseconds."""
    if _plugged_in:
        return
    _plugged_in.append(True)
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        reader: Reader = point.load()()
        for suffix in reader.suffixes:
            READERS.setdefault(suffix.lower(), reader)

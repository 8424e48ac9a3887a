"""Word documents (``.docx``): headings, lists, tables and links as their styles say.

What is refused before a word-processor file is unpacked: other formats, passwords, bombs, entity declarations.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from datetime import datetime
from typing import TYPE_CHECKING

from kg.errors import UnreadableDocument
from kg.model import Document
from kg.readers.rendering import TooLarge, clean, document, render

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_PARTS = 5_000
_MOST_BYTES = 200_000_000  # unpacked, pictures and all
_MOST_XML = 60_000_000  # unpacked XML, which takes several times its size as a tree
_RATIO = 200  # unpacked to packed; text that people write stays below 50
_SMALL = 1_000_000
_DECLARATION = re.compile(rb"<\x00?!\x00?(?:D\x00?O\x00?C\x00?T\x00?Y\x00?P\x00?E|E\x00?N\x00?T\x00?I\x00?T\x00?Y)")
_ENCODING = re.compile(rb"""^[^>]{0,100}encoding\s*=\s*["'](?!utf-?8|utf-?16|us-ascii|iso-8859-1)""", re.IGNORECASE)
_DAMAGED = "open it in a word processor and save it again"


def check_archive(data: bytes, name: str) -> None:
    """Raises UnreadableDocument unless ``data`` is a zip archive that is safe to unpack and to parse."""
    if not data:
        raise UnreadableDocument(f"{name} is empty", "leave it out")
    if data.startswith(_OLE):
        raise UnreadableDocument(
            f"{name} is protected by a password or in the old .doc format", "save it as .docx without a password"
        )
    if not data.startswith(b"PK"):
        raise UnreadableDocument(f"{name} is no Word document, whatever its suffix says", "give it its right suffix")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            _check_sizes(parts, name)
            if "[Content_Types].xml" not in archive.namelist():
                raise UnreadableDocument(f"{name} is a zip archive but no Word document", "unpack it first")
            for part in parts:
                packed = archive.read(part) if part.filename.lower().endswith((".xml", ".rels")) else b""
                if _DECLARATION.search(packed) or _ENCODING.search(packed[:200]):
                    raise UnreadableDocument(
                        f"{name} declares XML entities or an odd encoding, as no Word document does", _DAMAGED
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UnreadableDocument(f"{name} is damaged or cut short", _DAMAGED) from error


def _check_sizes(parts: list[zipfile.ZipInfo], name: str) -> None:
    xml = sum(part.file_size for part in parts if part.filename.lower().endswith((".xml", ".rels")))
    largest = max((part.file_size for part in parts if part.file_size > _RATIO * max(1, part.compress_size)), default=0)
    if sum(part.file_size for part in parts) > _MOST_BYTES or xml > _MOST_XML or len(parts) > _MOST_PARTS:
        raise UnreadableDocument(f"{name} unpacks to more than a document may hold", "split it")
    if largest > _SMALL:
        raise UnreadableDocument(f"{name} is packed more than {_RATIO} times over, as no document is", "leave it out")


_TEMPLATE_DATE = datetime(2013, 12, 23, 23, 15)  # what python-docx writes into every file
_NO_TITLE = ("", "word document", "untitled", "document")


class DocxReader:
    """Reads ``.docx`` files."""

    suffixes: tuple[str, ...] = (".docx",)
    media_type: str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument: no Word document, protected, damaged, too large, without text."""
        check_archive(data, name)
        from kg.readers.docx_tree import build

        try:
            word = _open(data, name)
            text, blocks = render(build(word))
            found = _properties(word)
        except (TooLarge, UnreadableDocument):
            raise
        except Exception as error:  # the library meets a damaged file with errors of any kind
            raise UnreadableDocument(f"{name} is damaged", _DAMAGED) from error
        if not blocks:
            raise UnreadableDocument(f"{name} holds no text", "if its pages are pictures, recognise their text first")
        return document(data, name, self.media_type, text, blocks, found)


def _open(data: bytes, name: str) -> WordDocument:
    import docx

    try:
        return docx.Document(io.BytesIO(data))
    except ValueError as error:
        raise UnreadableDocument(f"{name} is another kind of office document", "save it as .docx") from error


def _properties(word: WordDocument) -> dict[str, str]:
    """Title, author, dates, subject and language that the file states; the library would make up what is missing."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.parts.coreprops import CorePropertiesPart

    try:
        part = word.part.package.part_related_by(RELATIONSHIP_TYPE.CORE_PROPERTIES)
    except KeyError:
        return {}
    if not isinstance(part, CorePropertiesPart):
        return {}
    stated = part.core_properties
    found: dict[str, str] = {}
    for key in _PROPERTIES:
        try:
            value = getattr(stated, _ATTRIBUTES.get(key, key))
        except (ValueError, TypeError, AttributeError):
            continue
        if isinstance(value, datetime):
            text = "" if value.replace(tzinfo=None) == _TEMPLATE_DATE else value.date().isoformat()
        else:
            text = str(value or "")
        found[key] = " ".join(clean(text).split())[:1000]
    if found.get("title", "").lower() in _NO_TITLE:
        found.pop("title", None)
    return found


_PROPERTIES = ("title", "author", "date", "modified", "description", "keywords", "language")
_ATTRIBUTES = {"date": "created", "description": "subject"}

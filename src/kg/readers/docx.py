"""Word documents (``.docx``): headings, lists, tables and links as their styles say."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document
from kg.readers import docx_guard
from kg.readers.decoding import content_hash
from kg.readers.rendering import TooLarge, clean, render

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

__all__ = ["DocxReader"]

_TEMPLATE_DATE = datetime(2013, 12, 23, 23, 15)  # what python-docx writes into every file
_NO_TITLE = ("", "word document", "untitled", "document")


class DocxReader:
    """Reads ``.docx`` files."""

    suffixes: tuple[str, ...] = (".docx",)
    media_type: str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument: no Word document, protected, damaged, too large, without text."""
        docx_guard.check(data, name)
        from kg.readers.docx_tree import build

        try:
            word = _open(data, name)
            text, blocks = render(build(word))
            found = _properties(word)
        except TooLarge as error:
            raise UnreadableDocument(f"{name} has more paragraphs and cells than a document may", "split it") from error
        except UnreadableDocument:
            raise
        except Exception as error:  # the library meets a damaged file with errors of any kind
            raise UnreadableDocument(f"{name} is damaged", "open it in a word processor and save it again") from error
        if not blocks:
            raise UnreadableDocument(f"{name} holds no text", "if its pages are pictures, recognise their text first")
        stated = found.pop("title", "")
        title = _top_heading(blocks) or stated or PurePosixPath(name).stem
        metadata = tuple(sorted((key, value) for key, value in found.items() if value))
        return Document(name, text, blocks, title, self.media_type, content_hash(data), metadata)


def _open(data: bytes, name: str) -> WordDocument:
    import docx

    try:
        return docx.Document(io.BytesIO(data))
    except ValueError as error:
        raise UnreadableDocument(f"{name} is another kind of office document", "save it as .docx") from error


def _top_heading(blocks: tuple[Block, ...]) -> str:
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.level == 1 and block.inline is not None:
            return " ".join(block.inline.text.split())
    return ""


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
    for key, attribute in _PROPERTIES.items():
        try:
            value = getattr(stated, attribute)
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


_PROPERTIES = {
    "title": "title",
    "author": "author",
    "date": "created",
    "modified": "modified",
    "description": "subject",
    "keywords": "keywords",
    "language": "language",
}

"""PDF files: their text in reading order, with headings, lists and tables as far as the print shows them."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kg.errors import UnreadableDocument
from kg.model import PAGE_STARTS, Block, BlockKind, Document, page_starts
from kg.readers.decoding import content_hash
from kg.readers.rendering import Node, TooLarge, clean, render

if TYPE_CHECKING:
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfpage import PDFPage

__all__ = ["PdfReader"]

_MOST_PAGES = 3_000
_MOST_UNKNOWN = 0.3  # of the characters: beyond that the fonts don't say what they print
_SIGNATURE = b"%PDF-"
_HEAD = 1024  # bytes in which the signature stands
_NO_INDEX = b"\nstartxref\nnone\n"  # what makes the library look for the objects itself
_DAMAGED = "open it in a viewer and print it to a new PDF"
_NOTHING = ("(unspecified)", "(anonymous)", "unspecified", "unknown", "untitled")
_NO_TITLE = ("untitled", "microsoft word - ", "powerpoint presentation", "slide 1")


class PdfReader:
    """Reads ``.pdf`` files."""

    suffixes: tuple[str, ...] = (".pdf",)
    media_type: str = "application/pdf"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument: no PDF, protected, damaged, too much work, without text."""
        if not data:
            raise UnreadableDocument(f"{name} is empty", "leave it out")
        if _SIGNATURE not in data[:_HEAD]:
            raise UnreadableDocument(f"{name} is no PDF, whatever its suffix says", "give it its right suffix")
        nodes, stated, pages = _parsed(data, name)
        try:
            text, blocks = render(nodes)
        except TooLarge as error:
            raise UnreadableDocument(f"{name} has more paragraphs and cells than a document may", "split it") from error
        if not blocks:
            raise UnreadableDocument(
                f"{name} holds no text: its pages are empty or pictures", "recognise their text first (OCR)"
            )
        if text.count("\ufffd") > _MOST_UNKNOWN * len(text.split()) + _MOST_UNKNOWN * len(text):
            raise UnreadableDocument(f"{name} doesn't say which characters it prints", "recognise its text (OCR)")
        title = _top_heading(blocks) or stated.pop("title", "") or PurePosixPath(name).stem
        stated.pop("title", None)
        found = {**stated, PAGE_STARTS: page_starts(blocks, pages)}
        metadata = tuple(sorted((key, value) for key, value in found.items() if value))
        return Document(name, text, blocks, title, self.media_type, content_hash(data), metadata)


def _parsed(data: bytes, name: str) -> tuple[list[Node], dict[str, str], int]:
    """Nodes, document properties and number of pages; read a second time without the file's index if that misleads."""
    from pdfminer.pdfdocument import PDFEncryptionError

    from kg.readers.pdf_guards import Budget, Exhausted, limited

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of what is merely untidy
    with limited(Budget.of(data)) as budget:
        try:
            try:
                found = _read(data, name)
            except UnreadableDocument:
                raise
            except (PDFEncryptionError, Exhausted):
                raise
            except Exception:
                if budget.spent:
                    raise
                found = [], {}, 0
            return found if found[0] else _read(data + _NO_INDEX, name)
        except UnreadableDocument:
            raise
        except PDFEncryptionError as error:
            raise UnreadableDocument(f"{name} is protected by a password", "save it without one") from error
        except Exception as error:  # the library meets a damaged file with errors of any kind
            if budget.spent or isinstance(error, Exhausted):
                raise UnreadableDocument(f"{name} takes more work than a document does", _DAMAGED) from error
            if found[2]:
                return found
            raise UnreadableDocument(f"{name} is damaged or cut short", _DAMAGED) from error


def _read(data: bytes, name: str) -> tuple[list[Node], dict[str, str], int]:
    from pdfminer.pdfdocument import PDFDocument
    from pdfminer.pdfparser import PDFParser

    from kg.readers.pdf_page import pages
    from kg.readers.pdf_tree import build

    document = PDFDocument(PDFParser(io.BytesIO(data)))
    document.catalog.pop("PageLabels", None)
    sources = _Counted(document, name)
    nodes = build(pages(iter(sources)))
    return nodes, _properties(document), sources.count


class _Counted:
    """The pages of a document, counted, and refused beyond a number."""

    def __init__(self, document: PDFDocument, name: str) -> None:
        self.document, self.name = document, name
        self.count = 0

    def __iter__(self) -> Iterator[PDFPage]:
        from pdfminer.pdfpage import PDFPage

        for page in PDFPage.create_pages(self.document):
            self.count += 1
            if self.count > _MOST_PAGES:
                raise UnreadableDocument(f"{self.name} has more than {_MOST_PAGES:,} pages", "split it")
            yield page


def _top_heading(blocks: tuple[Block, ...]) -> str:
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.level == 1 and block.inline is not None:
            return " ".join(block.inline.text.split())
    return ""


def _properties(document: PDFDocument) -> dict[str, str]:
    """Title, author, subject and dates that the file states."""
    from pdfminer.pdftypes import resolve1
    from pdfminer.utils import decode_text

    found: dict[str, str] = {}
    for info in document.info:
        for key, entry in _PROPERTIES.items():
            value = resolve1(info.get(entry))
            if isinstance(value, bytes):
                text = " ".join(clean(decode_text(value)).split())[:1000]
                found.setdefault(key, "" if text.lower() in _NOTHING else text)
    for key in ("date", "modified"):
        found[key] = _day(found.get(key, ""))
    if found.get("title", "").lower().startswith(_NO_TITLE):
        found.pop("title")
    return found


_PROPERTIES = {
    "title": "Title",
    "author": "Author",
    "description": "Subject",
    "keywords": "Keywords",
    "date": "CreationDate",
    "modified": "ModDate",
}


def _day(stated: str) -> str:
    """The day of a PDF date (``D:20240131…``) as ISO writes it; "" for anything else."""
    digits = stated.removeprefix("D:")[:8]
    if len(digits) == 8 and digits.isdecimal() and "01" <= digits[4:6] <= "12" and "01" <= digits[6:] <= "31":
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return ""

"""PDF files: their text in reading order, with headings, lists and tables as far as the print shows them."""

from __future__ import annotations

import io
import logging
from itertools import islice
from typing import TYPE_CHECKING

from kg.errors import UnreadableDocument
from kg.model import PAGE_STARTS, Document, page_starts
from kg.readers.rendering import Node, clean, document, render

if TYPE_CHECKING:
    from pdfminer.pdfdocument import PDFDocument

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
        text, blocks = render(nodes)
        if not blocks:
            raise UnreadableDocument(
                f"{name} holds no text: its pages are empty or pictures", "recognise their text first (OCR)"
            )
        if text.count("\ufffd") > _MOST_UNKNOWN * len(text.split()) + _MOST_UNKNOWN * len(text):
            raise UnreadableDocument(f"{name} doesn't say which characters it prints", "recognise its text (OCR)")
        stated[PAGE_STARTS] = page_starts(blocks, pages)
        return document(data, name, self.media_type, text, blocks, stated)


def _parsed(data: bytes, name: str) -> tuple[list[Node], dict[str, str], int]:
    """Nodes, document properties and number of pages; read a second time without the file's index if that misleads."""
    from pdfminer.pdfdocument import PDFEncryptionError

    from kg.readers.pdf_guards import Budget, Exhausted, limited

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of what is merely untidy
    with limited(Budget.of(data)) as budget:
        try:
            try:
                found = _read(data, name)
            except (UnreadableDocument, PDFEncryptionError, Exhausted):
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
    from pdfminer.pdfpage import PDFPage
    from pdfminer.pdfparser import PDFParser

    from kg.readers.pdf_page import pages
    from kg.readers.pdf_tree import build

    file = PDFDocument(PDFParser(io.BytesIO(data)))
    file.catalog.pop("PageLabels", None)
    sources = list(islice(PDFPage.create_pages(file), _MOST_PAGES + 1))
    if len(sources) > _MOST_PAGES:
        raise UnreadableDocument(f"{name} has more than {_MOST_PAGES:,} pages", "split it")
    return build(pages(sources)), _properties(file), len(sources)


def _properties(file: PDFDocument) -> dict[str, str]:
    """Title, author, subject and dates that the file states."""
    from pdfminer.pdftypes import resolve1
    from pdfminer.utils import decode_text

    found: dict[str, str] = {}
    for info in file.info:
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

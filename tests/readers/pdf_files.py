"""PDF files put together by hand, object by object, down to ones that nobody writes."""

from __future__ import annotations

import zlib

__all__ = ["FLATE", "SHOWN", "assembled", "form", "many_pages", "one_page", "packed", "stream"]

SHOWN = b"BT /F1 12 Tf 72 700 Td (The oven is lit.) Tj ET "
FLATE = b"/Filter/FlateDecode"
HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n" % (len(data), entries) + data + b"\nendstream"


def assembled(objects: dict[int, bytes]) -> bytes:
    found = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(found)
        found += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    index, size = len(found), max(objects) + 1
    found += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        found += b"%010d 00000 n \n" % places.get(number, 0)
    found += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, index)
    return bytes(found)


def one_page(content: bytes, more: dict[int, bytes] | None = None, xobjects: bytes = b"", font: bytes = b"") -> bytes:
    resources = b"<</Font<</F1 5 0 R>>/XObject %s>>" % (xobjects or b"<<>>")
    return assembled(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources %s>>" % resources,
            4: content,
            5: HELVETICA % font,
            **(more or {}),
        }
    )


def form(content: bytes, entries: bytes = b"") -> bytes:
    return stream(content, b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]" + entries)


def packed(data: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        data = zlib.compress(data)
    return stream(data, b"/Filter[" + b"/FlateDecode" * times + b"]")


def many_pages(count: int, content: bytes) -> bytes:
    """Pages that all show the same content."""
    pages = {
        10 + n: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
        for n in range(count)
    }
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    return assembled(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[" + kids + b"]/Count %d>>" % count,
            4: content,
            5: HELVETICA % b"",
            **pages,
        }
    )

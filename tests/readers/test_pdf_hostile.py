"""PDF files made by hand or damaged: odd ones that are read, hostile ones that are refused before they cost much."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from kg.errors import UnreadableDocument
from kg.readers import pdf_guards, read
from kg.readers.pdf_guards import Budget
from tests.readers import windmills
from tests.readers.mutations import damaged, survives
from tests.readers.outlines import checked
from tests.readers.pdf_files import FLATE, SHOWN, assembled, form, many_pages, one_page, packed, stream

FORMS = {
    10 + n: form(b"/X%d Do " % (n + 1) * 10, b"/Resources<</XObject<</X%d %d 0 R>>>>" % (n + 1, 11 + n))
    for n in range(12)
}
PAGES = {n: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>" for n in range(3, 4003)}

READ = {
    "plain": one_page(stream(SHOWN)),
    "packed": one_page(packed(SHOWN)),
    "wide range in a font": one_page(
        stream(SHOWN),
        {6: stream(b"begincmap 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap")},
        font=b"/ToUnicode 6 0 R",
    ),
    "reference to itself": one_page(stream(SHOWN), {9: b"9 0 R"}, xobjects=b"9 0 R"),
    "form that draws itself": one_page(
        stream(SHOWN + b"/X0 Do"),
        {10: form(b"/X0 Do", b"/Resources<</XObject<</X0 10 0 R>>>>")},
        xobjects=b"<</X0 10 0 R>>",
    ),
    "no index": one_page(stream(SHOWN)).replace(b"xref\n", b"xerf\n", 1),
    "picture in the text": one_page(stream(SHOWN + b"BI /W 1 /H 1 ID \x00\xffEI " + SHOWN)),
}


@pytest.mark.parametrize("name", sorted(READ))
def test_odd_files_that_are_read(name: str) -> None:
    assert "The oven is lit." in checked(READ[name], "a.pdf").text


# Large ones are made when they are asked for.
REFUSED: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "empty": (b"", "empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "no PDF"),
    "cut short": (windmills.pdf()[:900], "damaged|no text"),
    "only a head": (b"%PDF-1.7\n", "damaged"),
    "no text": (one_page(stream(b"0 0 m 10 10 l S")), "no text"),
    "no characters known": (
        one_page(
            stream(SHOWN),
            {
                5: b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]>>",
                6: b"<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W[0 4294967295 500]/CIDSystemInfo"
                b"<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
            },
        ),
        "which characters|damaged",
    ),
    "bomb": (lambda: one_page(packed(b" " * 300_000_000)), "work"),
    "bomb in a bomb": (
        lambda: one_page(packed(zlib.compress(b" " * 200_000_000), 1).replace(b"[/Fl", b"[/FlateDecode/Fl")),
        "work",
    ),
    "run lengths": (
        lambda: one_page(stream(zlib.compress(b"\x81a" * 3_000_000), b"/Filter[/FlateDecode/RunLengthDecode]")),
        "work",
    ),
    "nested arrays": (lambda: one_page(packed(b"[" * 3_000_000)), "damaged"),
    "endless array": (lambda: one_page(packed(b"[" + b"1 " * 3_000_000)), "work"),
    "names": (lambda: one_page(packed(b"".join(b"/n%d " % n for n in range(200_000)))), "work"),
    "glyphs": (lambda: one_page(packed(b"BT /F1 1 Tf " + (b"(" + b"a" * 1_000 + b") Tj ") * 300)), "work"),
    "forms in forms": (
        one_page(stream(SHOWN + b"/X0 Do"), {**FORMS, 22: form(b"q Q")}, xobjects=b"<</X0 10 0 R>>"),
        "work",
    ),
    "ranges of a font": (
        one_page(
            stream(SHOWN),
            {6: packed(b"begincmap 1 beginbfrange " + b"<0000> <FFFF> <0041> " * 5_000 + b"endbfrange endcmap")},
            font=b"/ToUnicode 6 0 R",
        ),
        "work",
    ),
    "pages": (
        assembled(
            {
                1: b"<</Type/Catalog/Pages 2 0 R>>",
                2: b"<</Type/Pages/Kids[" + b" ".join(b"%d 0 R" % n for n in PAGES) + b"]>>",
                **PAGES,
            }
        ),
        "pages",
    ),
    "pages that hold themselves": (
        assembled({1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[2 0 R 2 0 R]>>"}),
        "no text",
    ),
    "one endless line": (lambda: b"%PDF-1.7 " + b"a" * 20_000_000, "damaged"),
    "endless index": (
        b"%PDF-1.7\n1 0 obj\n<</Type/XRef/Size 99999999999/W[1 1 1]/Index[0 99999999999]/Root 1 0 R/Length 3>>stream\n"
        b"\x01\x01\x01\nendstream\nendobj\nstartxref\n9\n%%EOF",
        "no text|damaged",
    ),
    "predictor": (
        one_page(stream(zlib.compress(b"\0" * 9_000), FLATE + b"/DecodeParms<</Predictor 12/Columns 999999999>>")),
        "damaged",
    ),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused(name: str) -> None:
    data, said = REFUSED[name]
    with pytest.raises(UnreadableDocument, match=said) as caught:
        read(data if isinstance(data, bytes) else data(), "a.pdf")
    assert caught.value.hint and "a.pdf" in caught.value.message


def test_limits_are_those_of_our_files_only() -> None:
    from pdfminer.cmapdb import CMapParser, FileUnicodeMap
    from pdfminer.pdftypes import PDFStream
    from pdfminer.psparser import LIT

    read(READ["plain"], "a.pdf")
    data = PDFStream({"Filter": LIT("FlateDecode")}, zlib.compress(b"a" * 200_000_000)).get_data()
    assert len(data) == 200_000_000
    found = FileUnicodeMap()
    CMapParser(found, io.BytesIO(b"1 beginbfrange <000000> <011FFF> <0041> endbfrange")).run()
    assert len(found.cid2unichr) == 0x12000


@given(damaged(windmills.pdf()))
@settings(max_examples=80, deadline=None)
def test_damaged_files(data: bytes) -> None:
    survives(data, "oven.pdf")


@given(damaged(READ["form that draws itself"]))
@settings(max_examples=80, deadline=None)
def test_damaged_files_whose_contents_are_not_packed(data: bytes) -> None:
    survives(data, "oven.pdf")


def test_libraries_are_loaded_only_when_a_file_is_read() -> None:
    code = (
        "import sys, kg.readers; "
        "print([m for m in ('pdfminer', 'docx', 'lxml', 'selectolax', 'cryptography') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# Instructions in a page of a hundred kilobytes at most when packed, each kind slow in its own way.
SLOW = {
    "states": (b"q Q ", 2_000_000),
    "rectangles": (b"0 0 9 9 re f ", 800_000),
    "numbers": (b"1 ", 4_000_000),
    "strings": (b"() ", 4_000_000),
    "dictionaries": (b"<<>> ", 2_000_000),
    "fonts": (b"BT /F1 1 Tf ", 1_000_000),
}


@pytest.mark.parametrize("share", [8, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_small_file_gets_little_work_done(name: str, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_guards, "_BASE", pdf_guards._BASE // share)
    instruction, times = SLOW[name]
    data = one_page(packed(instruction * (times // share)))
    assert Budget.of(data).work < 2 * Budget.of(b"").work
    with pytest.raises(UnreadableDocument, match="work"):
        read(data, "a.pdf")


def test_one_content_for_many_pages_is_no_way_round() -> None:
    line = b"BT /F1 2 Tf 1 0 0 1 20 %d Tm (" + b"bread " * 50 + b") Tj ET "
    data = many_pages(200, packed(b"".join(line % y for y in range(0, 800, 8))))
    with pytest.raises(UnreadableDocument, match="work"):
        read(data, "a.pdf")
    assert checked(many_pages(200, packed(SHOWN)), "a.pdf").text.count("The oven is lit.") == 200


def test_the_budget_grows_with_what_a_file_says_and_not_with_padding() -> None:
    said = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(6_000))
    assert Budget.of(said).work > 2 * Budget.of(b"").work
    assert Budget.of(b"\0" * 1_000_000).work < 1.1 * Budget.of(b"").work
    assert Budget.of(said * 2).work <= Budget().work

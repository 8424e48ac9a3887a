from __future__ import annotations

import io
import subprocess
import sys
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    ListFlowable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from kg.errors import UnreadableDocument
from kg.model import Document
from kg.page_numbers import page_at
from kg.readers import read
from tests.readers import windmills
from tests.readers.mutations import damaged, survives
from tests.readers.outlines import checked, marks, outline

STYLES = getSampleStyleSheet()
SENTENCE = "The oven was lit at three in the morning, and the first loaves came out before the town was awake."


def text(words: str, style: str = "BodyText") -> Paragraph:
    return Paragraph(words, STYLES[style])


def numbered(canvas: Canvas, template: Any) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(300, 30, f"Page {template.page}")


def furnished(canvas: Canvas, template: Any) -> None:
    numbered(canvas, template)
    canvas.drawString(72, 812, "The Baker's Almanac")


def printed(story: list[Any], columns: int = 1, furniture: Any = numbered, **options: Any) -> bytes:
    file = io.BytesIO()
    width = 450 / columns
    frames = [Frame(72 + n * (width + 24), 72, width, 690) for n in range(columns)]
    template = BaseDocTemplate(file, pagesize=A4, invariant=1, **options)
    template.addPageTemplates([PageTemplate(frames=frames, onPage=furniture)])
    template.build(story)
    return file.getvalue()


def document(story: list[Any], columns: int = 1, **options: Any) -> Document:
    return checked(printed(story, columns, **options), "oven.pdf")


def drawn(draw: Callable[[Canvas], object]) -> Document:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=1)
    draw(canvas)
    canvas.save()
    return checked(file.getvalue(), "oven.pdf")


def test_headings_by_size_and_paragraphs_flowed() -> None:
    result = document(
        [
            text("Rye", "Title"),
            text("Dough", "Heading2"),
            text(f"{SENTENCE} " * 4),
            text("Oven", "Heading2"),
            text(SENTENCE),
        ]
    )
    whole = " ".join([SENTENCE] * 4)
    assert result.text == f"Rye\n\nDough\n\n{whole}\n\nOven\n\n{SENTENCE}\n"
    assert outline(result.blocks) == [
        (1, "Rye"),
        (2, "Dough"),
        ("paragraph", whole),
        (2, "Oven"),
        ("paragraph", SENTENCE),
    ]
    assert result.title == "Rye" and result.media_type == "application/pdf"


def test_two_columns_are_read_one_after_the_other() -> None:
    loaves = [text(f"Loaf {n}. {SENTENCE}") for n in range(40)]
    result = document(loaves, columns=2, furniture=furnished)
    assert [" ".join(str(o[1]).split()[:2]) for o in outline(result.blocks)] == [f"Loaf {n}." for n in range(40)]  # type: ignore[index]


def test_a_title_over_two_columns_comes_first() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(72, 780, "Breads of the northern coast and their ovens")
        canvas.setFont("Helvetica", 10)
        for side, x in (("left", 72), ("right", 320)):
            for n in range(12):
                canvas.drawString(x, 740 - 12 * n, f"{side} line {n:02} about the oven and its keepers")

    found = outline(drawn(draw).blocks)
    assert found[0] == (1, "Breads of the northern coast and their ovens")
    lines = " ".join(str(o[1]) for o in found[1:])  # type: ignore[index]
    assert lines.index("left line 11") < lines.index("right line 00")
    assert lines.count("line") == 24


def test_words_broken_at_the_end_of_a_line() -> None:
    lines = [
        "The bakery kept its own bread and its own counsel in the matter of the rye-",
        "based dough, which the millers of the old parish regarded as a misunder-",
        "standing. Of that misunderstanding much was made in the report named GPT-",
        "2 and by the others who wrote of rye, of dough based on it, of the north/",
        "south divide in the long and rather unhappy years that we call 1902–",
        "1904, before the oven was rebuilt in brick and in clay by all the heirs.",
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for n, line in enumerate(lines):
            canvas.drawString(72, 700 - 12 * n, line)

    flowing = drawn(draw).text.replace("\n\n", " ")
    assert "rye-based" in flowing and "a misunderstanding." in flowing and "GPT-2" in flowing
    assert "north/south" in flowing and "1902–1904" in flowing


def test_lists_nested_and_numbered() -> None:
    inner = ListFlowable([text("dense"), text("Weight: 500 g")], bulletType="bullet")
    result = document(
        [
            ListFlowable([text("dark"), [text("sour"), inner], text(f"{SENTENCE} {SENTENCE}")], bulletType="bullet"),
            ListFlowable([text("mix"), text("bake")], bulletType="1", bulletFormat="%s."),
        ]
    )
    assert outline(result.blocks) == [
        (
            "list",
            [
                ("-", [("paragraph", "dark")]),
                (
                    "-",
                    [
                        ("paragraph", "sour"),
                        ("list", [("-", [("paragraph", "dense")]), ("-", [("paragraph", "Weight: 500 g")])]),
                    ],
                ),
                ("-", [("paragraph", f"{SENTENCE} {SENTENCE}")]),
            ],
        ),
        ("list", [(1, [("paragraph", "mix")]), (2, [("paragraph", "bake")])]),
    ]


def test_numbers_that_stand_bare_before_their_items() -> None:
    items = [text("mix"), text(f"{SENTENCE} {SENTENCE}"), text("bake")]
    result = document([text("Before."), ListFlowable(items, bulletType="1"), text("After.")])
    assert outline(result.blocks)[1] == (
        "list",
        [(n, [("paragraph", words)]) for n, words in ((1, "mix"), (2, f"{SENTENCE} {SENTENCE}"), (3, "bake"))],
    )
    rows = [["No.", "Bread"], ["1", "Rye"], ["2", "Oat"], ["3", "Bun"]]
    table = document([text("Before."), Spacer(1, 12), Table(rows, colWidths=90)])
    assert outline(table.blocks)[1] == ("table", [["#", *rows[0]], *rows[1:]])


ROWS = [["Bread", "Weight", "Price"], ["Rye", "500 g", "3"], ["Oat", "400 g", "4"], ["Bun", "80 g", "1"]]
GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


def test_tables_ruled_and_aligned() -> None:
    expected = ("table", [["#", *ROWS[0]], *ROWS[1:]])
    ruled = document([text("Before."), Table(ROWS, style=GRID), text("After.")])
    assert outline(ruled.blocks) == [("paragraph", "Before."), expected, ("paragraph", "After.")]
    aligned = document([text("Before."), Spacer(1, 12), Table(ROWS, colWidths=90), Spacer(1, 12), text("After.")])
    assert outline(aligned.blocks) == [("paragraph", "Before."), expected, ("paragraph", "After.")]
    filled = Table(
        ROWS, style=[("BACKGROUND", (0, 0), (-1, 0), colors.grey), ("LINEBELOW", (0, 0), (-1, -1), 1, colors.black)]
    )
    assert expected in outline(document([text("Before."), Spacer(1, 12), filled]).blocks)


def test_merged_cells_repeat_and_long_cells_flow() -> None:
    rows = [
        ["Bread", "Size", ""],
        ["", "Length", "Width"],
        ["Rye", text(f"{SENTENCE} {SENTENCE}"), "9 cm"],
        ["Oat", "none", ""],
    ]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 3), (2, 3))]
    result = document([Table(rows, style=[*GRID, *spans], colWidths=[60, 200, 60])])
    assert outline(result.blocks) == [
        (
            "table",
            [
                ["#", "Bread", "Size", "Size"],
                ["#", "Bread", "Length", "Width"],
                ["Rye", f"{SENTENCE} {SENTENCE}", "9 cm"],
                ["Oat", "none", "none"],
            ],
        )
    ]


def test_tables_go_on_over_pages_and_heads_repeat_once() -> None:
    rows = [ROWS[0], *([f"Loaf {n}", f"{n} g", str(n + 1)] for n in range(90))]
    result = document([Table(rows, style=GRID, repeatRows=1), text("After.")], furniture=furnished)
    found = outline(result.blocks)
    assert found == [("table", [["#", *rows[0]], *rows[1:]]), ("paragraph", "After.")]


def test_running_heads_and_page_numbers_are_left_out_and_pages_are_known() -> None:
    result = document([text("First."), PageBreak(), text("Second."), PageBreak(), text("Third.")], furniture=furnished)
    assert result.text == "First.\n\nSecond.\n\nThird.\n"
    assert [block.info for block in result.blocks] == ["page 1", "page 2", "page 3"]
    assert dict(result.metadata)["page_starts"] == "0 8 17"
    assert [page_at(result.metadata, at) for at in (0, 7, 8, 16, 17, 23)] == [1, 1, 2, 2, 3, 3]
    assert page_at((), 5) is None


def test_running_heads_that_change_with_the_chapter_go_with_their_page_numbers() -> None:
    heads = ["Dough 7", "Dough 8", "Ovens 9", "Ovens 10"]

    def headed(canvas: Canvas, template: Any) -> None:
        canvas.drawString(72, 812, heads[template.page - 1])

    story = [flowable for n in range(4) for flowable in (text(f"Loaf number {n}."), PageBreak())]
    assert document(story, furniture=headed).text == "".join(f"Loaf number {n}.\n\n" for n in range(4))[:-1]


def test_paragraphs_go_on_over_pages() -> None:
    words = "the oven was lit and the loaves came out before the town was awake and " * 90 + "then it was noon."
    result = document([text(words)])
    assert outline(result.blocks) == [("paragraph", words)]


def test_marks_links_and_raised_figures() -> None:
    result = document(
        [text("Bake <b>hot</b> as <a href='https://a.example/x'>said here</a>, 10<super>6</super> <i>loaves</i>.")]
    )
    assert result.text == "Bake hot as said here, 10⁶ loaves.\n"
    assert marks(result.blocks[0]) == [
        ("strong", "hot", ""),
        ("link", "said here", "https://a.example/x"),
        ("emphasis", "loaves", ""),
    ]


def test_properties() -> None:
    result = document([text(SENTENCE)], title="On rye", author="Ann Bo")
    assert result.title == "On rye"
    assert dict(result.metadata)["author"] == "Ann Bo"
    assert document([text(SENTENCE)]).title == "oven"


def test_a_file_without_a_user_password_is_read_and_one_with_is_refused() -> None:
    free = printed([text(SENTENCE)], encrypt=StandardEncryption("", "owner"))
    assert checked(free, "a.pdf").text == f"{SENTENCE}\n"
    with pytest.raises(UnreadableDocument, match="password"):
        read(printed([text(SENTENCE)], encrypt=StandardEncryption("user", "owner")), "a.pdf")


# --- files made by hand ---------------------------------------------------------------------------

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


REFUSED = {
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
    "bomb": (one_page(packed(b" " * 300_000_000)), "work"),
    "bomb in a bomb": (
        one_page(packed(zlib.compress(b" " * 200_000_000), 1).replace(b"[/Fl", b"[/FlateDecode/Fl")),
        "work",
    ),
    "run lengths": (
        one_page(stream(zlib.compress(b"\x81a" * 3_000_000), b"/Filter[/FlateDecode/RunLengthDecode]")),
        "work",
    ),
    "nested arrays": (one_page(packed(b"[" * 3_000_000)), "damaged"),
    "endless array": (one_page(packed(b"[" + b"1 " * 3_000_000)), "work"),
    "names": (one_page(packed(b"".join(b"/n%d " % n for n in range(200_000)))), "work"),
    "glyphs": (one_page(packed(b"BT /F1 1 Tf " + (b"(" + b"a" * 1_000 + b") Tj ") * 300)), "work"),
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
    "one endless line": (b"%PDF-1.7 " + b"a" * 20_000_000, "damaged"),
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
        read(data, "a.pdf")
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


SMALL = printed(
    [text("Rye", "Heading1"), text(SENTENCE), Table(ROWS, style=GRID), text("<a href='https://a.example/'>x</a>")]
)


@given(damaged(SMALL))
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

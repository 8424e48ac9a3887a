from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
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
from kg.model import Document, page_at
from kg.readers import read
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

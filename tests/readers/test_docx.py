from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from hypothesis import given, settings

from kg.errors import UnreadableDocument
from kg.model import Document
from kg.readers import docx_tree, read
from tests.readers import windmills
from tests.readers.mutations import damaged, survives
from tests.readers.outlines import checked, marks, outline

SMALL = windmills.docx()


def saved(word: Any) -> bytes:
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def made(write: Callable[[Any], object]) -> Document:
    word = docx.Document()
    write(word)
    return checked(saved(word), "oven.docx")


def blocks(write: Callable[[Any], object]) -> list[object]:
    return outline(made(write).blocks)


def with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The archive with one of its parts changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            body = old.read(part)
            new.writestr(part.filename, change(body) if part.filename == name else body)
    return file.getvalue()


def add_xml(word: Any, xml: str) -> None:
    word.element.body.insert(len(word.element.body) - 1, parse_xml(xml.replace("<w:p>", f"<w:p {nsdecls('w')}>", 1)))


def test_headings_paragraphs_and_lists_as_styles_say() -> None:
    def write(word: Any) -> None:
        word.add_heading("Rye", 0)
        word.add_heading("Dough", 1)
        word.add_paragraph("Dark.")
        for style, text in [("", "a"), (" 2", "b"), (" 3", "c"), ("", "d")]:
            word.add_paragraph(text, style=f"List Bullet{style}")
        word.add_paragraph("mix", style="List Number")
        word.add_paragraph("bake", style="List Number")
        word.add_paragraph("goes on", style="List Continue")
        word.add_paragraph("Good.", style="Quote")
        word.add_paragraph("• typed\t")

    result = made(write)
    assert result.text == (
        "Rye\n\nDough\n\nDark.\n\n- a\n  - b\n    - c\n- d\n\n1. mix\n2. bake\n   goes on\n\nGood.\n\n- typed\n"
    )
    inner = ("list", [("-", [("paragraph", "b"), ("list", [("-", [("paragraph", "c")])])])])
    assert outline(result.blocks) == [
        (1, "Rye"),
        (2, "Dough"),
        ("paragraph", "Dark."),
        ("list", [("-", [("paragraph", "a"), inner]), ("-", [("paragraph", "d")])]),
        ("list", [(1, [("paragraph", "mix")]), (2, [("paragraph", "bake"), ("paragraph", "goes on")])]),
        ("quote", [("paragraph", "Good.")]),
        ("list", [("-", [("paragraph", "typed")])]),
    ]
    assert result.title == "Rye"


def test_without_a_title_headings_keep_their_levels_and_bold_lines_are_headings_where_there_are_no_others() -> None:
    def styled(word: Any) -> None:
        word.add_heading("Rye", 1)
        word.add_heading("Dough", 2)
        word.add_paragraph().add_run("Bold").bold = True
        word.add_paragraph("x")

    assert blocks(styled) == [(1, "Rye"), (2, "Dough"), ("paragraph", "Bold"), ("paragraph", "x")]

    def plain(word: Any) -> None:
        for text, bold in [("Rye bread", True), ("Dark.", False), ("Dough", True), ("Wet.", False), ("Facts:", True)]:
            word.add_paragraph().add_run(text).bold = bold
        word.add_paragraph("x")

    assert blocks(plain) == [
        (1, "Rye bread"),
        ("paragraph", "Dark."),
        (2, "Dough"),
        ("paragraph", "Wet."),
        ("paragraph", "Facts:"),
        ("paragraph", "x"),
    ]


def test_marks_links_and_raised_figures() -> None:
    def write(word: Any) -> None:
        paragraph = word.add_paragraph("Bake ")
        paragraph.add_run("hot").bold = True
        paragraph.add_run(" or ").italic = True
        windmills.add_link(paragraph, "as here", "https://a.example/x")
        paragraph.add_run(", 10")
        paragraph.add_run("6").font.superscript = True
        paragraph.add_run(" loaves").add_break()
        paragraph.add_run("a day")

    result = made(write)
    assert result.text == "Bake hot or as here, 10⁶ loaves\na day\n"
    assert marks(result.blocks[0]) == [
        ("strong", "hot", ""),
        ("emphasis", "or", ""),
        ("link", "as here", "https://a.example/x"),
    ]


def test_fields_changes_and_hidden_text() -> None:
    def write(word: Any) -> None:
        run = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
        mark = "<w:r><w:fldChar w:fldCharType='{}'/></w:r>"
        add_xml(
            word,
            "<w:p>" + run.format("Baked ") + "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
            "<w:ins>"
            + run.format("daily ")
            + "</w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
            + mark.format("begin")
            + '<w:r><w:instrText> HYPERLINK "https://a.example/" </w:instrText></w:r>'
            + mark.format("separate")
            + run.format("there")
            + mark.format("end")
            + "</w:p>",
        )

    result = made(write)
    assert result.text == "Baked daily there\n"
    assert marks(result.blocks[0]) == [("link", "there", "https://a.example/")]


def test_numbering_starts_and_restarts_as_defined() -> None:
    def write(word: Any) -> None:
        numbering = word.part.numbering_part.element
        abstract = parse_xml(
            f"<w:abstractNum {nsdecls('w')} w:abstractNumId='90'>"
            "<w:lvl w:ilvl='0'><w:start w:val='3'/><w:numFmt w:val='decimal'/></w:lvl>"
            "<w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>"
        )
        numbering.insert(0, abstract)
        numbering.append(parse_xml(f"<w:num {nsdecls('w')} w:numId='90'><w:abstractNumId w:val='90'/></w:num>"))
        for level, text in [(0, "c"), (1, "x"), (0, "d")]:
            properties = f"<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='90'/></w:numPr></w:pPr>"
            add_xml(word, f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")

    assert blocks(write) == [
        ("list", [(3, [("paragraph", "c"), ("list", [("-", [("paragraph", "x")])])]), (4, [("paragraph", "d")])])
    ]


def test_tables_with_merged_cells_repeat_them() -> None:
    def write(word: Any) -> None:
        word.add_paragraph("Breads", style="Caption")
        table = word.add_table(4, 3)
        texts = [("Bread", "Length", "Width"), ("Rye", "30 cm", "12 cm"), ("", "20 cm", "9 cm"), ("Oat", "none", "")]
        for row, cells in zip(table.rows, texts, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        table.cell(1, 0).merge(table.cell(2, 0))
        table.cell(3, 1).merge(table.cell(3, 2))

    result = made(write)
    assert outline(result.blocks) == [
        ("paragraph", "Breads"),
        (
            "table",
            [
                ["#", "Bread", "Length", "Width"],
                ["Rye", "30 cm", "12 cm"],
                ["Rye", "20 cm", "9 cm"],
                ["Oat", "none", "none"],
            ],
        ),
    ]
    assert marks(result.blocks[0]) == [("strong", "Breads", "")]


def test_rows_repeated_on_every_page_are_headers() -> None:
    def write(word: Any) -> None:
        table = word.add_table(3, 2)
        for row, cells in zip(table.rows, [("1902", "1903"), ("Rye", "Oat"), ("Bun", "Bap")], strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))

    assert blocks(write) == [("table", [["#", "1902", "1903"], ["Rye", "Oat"], ["Bun", "Bap"]])]


def test_lists_and_tables_in_cells_and_contents_left_out() -> None:
    def write(word: Any) -> None:
        add_xml(
            word,
            "<w:sdt " + nsdecls("w") + "><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/>"
            "</w:docPartObj></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Contents</w:t></w:r></w:p></w:sdtContent></w:sdt>",
        )
        table = word.add_table(2, 2)
        for cell, text in zip([c for row in table.rows for c in row.cells], "abcd", strict=True):
            cell.text = text
        table.cell(0, 0).add_paragraph("second")
        inner = table.cell(1, 1).add_table(1, 2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "x", "y"

    assert blocks(write) == [("table", [["a\nsecond", "b"], ["c", "d\nx\ny"]])]


def test_core_properties() -> None:
    def write(word: Any) -> None:
        word.core_properties.title, word.core_properties.author = "On rye", "Ann Bo"
        word.core_properties.created = datetime(1902, 3, 4)
        word.add_paragraph("Dark.")

    result = made(write)
    assert result.title == "On rye"
    assert dict(result.metadata) == {"author": "Ann Bo", "date": "1902-03-04"}
    none = with_part(saved(docx.Document()), "none", bytes)
    with pytest.raises(UnreadableDocument, match="no text"):
        read(none, "a.docx")


_RELS = "_rels/.rels"
_BODY = "word/document.xml"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n", "no Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        (SMALL[:3000], "damaged"),
        (SMALL[:-300], "damaged"),
        (b"PK\x05\x06" + b"\0" * 18, "zip archive"),
        (with_part(SMALL, _BODY, lambda b: b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + b), "entities"),
        (with_part(SMALL, _BODY, lambda b: b.decode().replace("UTF-8", "UTF-7").encode()), "entities"),
        (with_part(SMALL, _BODY, lambda b: b[:-400]), "damaged"),
        (with_part(SMALL, _BODY, lambda b: b + b" " * 100_000_000), "unpacks|packed"),
        (with_part(SMALL, _BODY, lambda b: b + b" " * 20_000_000), "packed"),
        (with_part(SMALL, _BODY, lambda b: b.replace(b"<w:body>", b"<w:body>" + b"<w:sdt>" * 5_000)), "damaged"),
        (with_part(SMALL, _RELS, lambda b: b.replace(b"officeDocument", b"offiecDocument")), "damaged"),
        (
            with_part(SMALL, "[Content_Types].xml", lambda b: b.replace(b"wordprocessingml", b"spreadsheetml")),
            "another|damaged",
        ),
    ],
)
def test_refused(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said) as caught:
        read(data, "a.docx")
    assert caught.value.hint and "a.docx" in caught.value.message


def test_paragraphs_beyond_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert docx_tree.MAX_LEAVES == 300_000
    monkeypatch.setattr(docx_tree, "MAX_LEAVES", 1_000)
    paragraphs = b"".join(b"<w:p><w:r><w:t>%d</w:t></w:r></w:p>" % n for n in range(1_001))
    data = with_part(SMALL, _BODY, lambda b: b.replace(b"<w:body>", b"<w:body>" + paragraphs))
    with pytest.raises(UnreadableDocument, match="more paragraphs"):
        read(data, "a.docx")


def test_deep_tables_are_cut_off() -> None:
    table = b"<w:tbl><w:tr><w:tc>" * 60 + b"<w:p><w:r><w:t>deep</w:t></w:r></w:p>" + b"</w:tc></w:tr></w:tbl>" * 60
    checked(with_part(SMALL, _BODY, lambda b: b.replace(b"<w:body>", b"<w:body>" + table)), "a.docx")


@given(damaged(SMALL))
@settings(max_examples=60, deadline=None)
def test_damaged_archives(data: bytes) -> None:
    survives(data, "mills.docx")


with zipfile.ZipFile(io.BytesIO(SMALL)) as _archive:
    _PARTS = {name: _archive.read(name) for name in (_BODY, "word/styles.xml", "word/numbering.xml")}


@pytest.mark.parametrize("part", sorted(_PARTS))
def test_damaged_parts(part: str) -> None:
    @given(damaged(_PARTS[part]))
    @settings(max_examples=30, deadline=None)
    def check(body: bytes) -> None:
        survives(with_part(SMALL, part, lambda _: body), "mills.docx")

    check()


def test_names_of_styles_not_their_identifiers_count() -> None:
    def write(word: Any) -> None:
        paragraph = word.add_paragraph("Brot")
        style = word.styles["Heading 1"].element
        style.set(qn("w:styleId"), "berschrift1")
        paragraph._p.get_or_add_pPr().get_or_add_pStyle().set(qn("w:val"), "berschrift1")
        word.add_paragraph("x")

    assert blocks(write) == [(1, "Brot"), ("paragraph", "x")]

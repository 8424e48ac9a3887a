from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.model import BlockKind, Document
from kg.readers import read
from tests.readers.mutations import damaged, survives
from tests.readers.outlines import checked, outline, table
from tests.readers.windmills import CSV


def sheet(text: str, name: str = "oven.csv") -> Document:
    return checked(text.encode(), name)


def test_cells_have_their_places_in_the_source() -> None:
    text = 'Bread,Weight,Note\nRye,500 g,"dark, ""sour"""\n"Oat" , 400 g ,\n'
    result = sheet(text)
    assert result.text == text and result.title == "oven" and result.media_type == "text/csv"
    assert outline(result.blocks) == [
        ("table", [["#", "Bread", "Weight", "Note"], ["Rye", "500 g", 'dark, "sour"'], ["Oat", "400 g"]])
    ]
    note = result.blocks[0].children[1].children[2]
    assert note.inline is not None
    start, end = note.inline.source(6, 12)
    assert text[start:end] == '""sour""' and text[note.start : note.end] == 'dark, ""sour""'
    assert text[slice(*note.inline.source(7, 11))] == "sour"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\n1,5;2\n3,5;4\n", [["#", "a", "b"], ["1,5", "2"], ["3,5", "4"]]),
        ("a\tb\n1\t2\n", [["#", "a", "b"], ["1", "2"]]),
        ("a|b\n1|2\n", [["#", "a", "b"], ["1", "2"]]),
        ("sep=;\na;b\n1;2\n", [["#", "a", "b"], ["1", "2"]]),
        ('a,b\n"x\ny",2\n', [["#", "a", "b"], ["x\ny", "2"]]),
        ('a,b\nsay "hi",2\n5" pipe,3\n', [["#", "a", "b"], ['say "hi"', "2"], ['5" pipe', "3"]]),
        ('a,b\n"never closed,2\n', [["#", "a", "b"], ['"never closed', "2"]]),
        ("a,b,c\n,,3\n1,,\n,,,\n", [["#", "a", "b", "c"], ["", "", "3"], ["1"]]),
        ("Rye,500 g\nOat,400 g\n", [["Rye", "500 g"], ["Oat", "400 g"]]),
        ("Rye,1902,3\nOat,1910,4\n", [["Rye", "1902", "3"], ["Oat", "1910", "4"]]),
        ("bread,2019,2020\nRye,30,40\n", [["#", "bread", "2019", "2020"], ["Rye", "30", "40"]]),
        ("Name,Baker\nRye,Ann\n", [["#", "Name", "Baker"], ["Rye", "Ann"]]),
    ],
)
def test_dialects_and_headers(text: str, rows: list[list[str]]) -> None:
    assert table(sheet(text).blocks[-1]) == rows


def test_tab_separated_files() -> None:
    result = sheet("a\tb, c\n1\t2\n", "oven.tsv")
    assert table(result.blocks[0]) == [["#", "a", "b, c"], ["1", "2"]]
    assert result.media_type == "text/tab-separated-values"


def test_lines_above_the_table_are_paragraphs() -> None:
    result = sheet("# Breads of 1902\nfrom the ledger,,\n\nBread,Weight,Price\nRye,500,3\nOat,400,4\n")
    assert outline(result.blocks) == [
        ("paragraph", "Breads of 1902"),
        ("paragraph", "from the ledger"),
        ("table", [["#", "Bread", "Weight", "Price"], ["Rye", "500", "3"], ["Oat", "400", "4"]]),
    ]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("Näme,x\nBröt,1\n".encode(), None),
        (codecs.BOM_UTF8 + "Näme,x\nBröt,1\n".encode(), None),
        ("Näme,x\r\nBröt,1\r\n".encode("utf-16"), None),
        ("Näme,x\rBröt,1\r".encode("cp1252"), "windows-1252"),
    ],
)
def test_encodings(data: bytes, encoding: str | None) -> None:
    result = checked(data, "a.csv")
    assert result.text == "Näme,x\nBröt,1\n"
    assert dict(result.metadata).get("encoding") == encoding


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\n \n", "blank"),
        (b",,,\n;;\n", "no cell"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "control"),
        (b"a\x81b,c\n\x8d", "neither"),
        (b"a" * 40_000_000, "characters"),
        (b'"' + b"a" * 40_000_000, "characters"),
        (b"a," * 20_000_000, "cells"),
        (b"a,b\n" * 200_000, "cells"),
        (b'"' * 3_000_000, "characters"),
        (b'",' * 3_000_000, "cells"),
        (b'a,"' * 1_000_000, "cells|characters"),
    ],
)
def test_refused(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said) as caught:
        read(data, "a.csv")
    assert caught.value.hint and "a.csv" in caught.value.message


_CELL = st.text(st.sampled_from('ab1 ,;"\n\té|'), max_size=6)


@given(st.lists(st.lists(_CELL, min_size=2, max_size=4), min_size=1, max_size=6), st.sampled_from(",;\t|"))
@settings(max_examples=100, deadline=None)
def test_what_the_standard_library_writes_is_read_back(rows: list[list[str]], delimiter: str) -> None:
    file = io.StringIO()
    file.write(f"sep={delimiter}\n")
    csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    wanted = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if not any(sign.isalnum() for row in wanted for cell in row for sign in cell):
        return
    found: list[list[str]] = []
    for block in sheet(file.getvalue()).blocks:
        if block.kind is BlockKind.TABLE:
            found.extend([c.inline.text if c.inline else "" for c in row.children] for row in block.children)
        else:
            found.append([])
    assert len(found) == len(wanted)
    for seen, row in zip(found, wanted, strict=True):
        assert not seen or seen + [""] * (len(row) - len(seen)) == row


@given(damaged(CSV.encode()))
@settings(max_examples=80, deadline=None)
def test_damaged_files(data: bytes) -> None:
    survives(data, "mills.csv")


@given(st.text(st.sampled_from('ab1,;\t|"\n é'), max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text(text: str) -> None:
    survives(text.encode(), "any.csv")


SHEETS = """Loaves,,
Bread,Weight,Price
Rye,500,3

Oat,400,4

Sessions,,,
Date,Visitors,Takings,Weather
3 May,24,£68,dry
7 June,,£84,

Helper,Skill
Ann,baking
,
Till,Opened
East,2019
West,2021
"""


def test_another_table_begins_behind_a_blank_row_with_heads_of_its_own() -> None:
    result = sheet(SHEETS)
    assert outline(result.blocks) == [
        ("paragraph", "Loaves"),
        ("table", [["#", "Bread", "Weight", "Price"], ["Rye", "500", "3"], ["Oat", "400", "4"]]),
        ("paragraph", "Sessions"),
        # Words below words, with no title above them, may as well be rows that go on.
        (
            "table",
            [
                ["#", "Date", "Visitors", "Takings", "Weather"],
                ["3 May", "24", "£68", "dry"],
                ["7 June", "", "£84"],
                ["Helper", "Skill"],
                ["Ann", "baking"],
            ],
        ),
        ("table", [["#", "Till", "Opened"], ["East", "2019"], ["West", "2021"]]),
    ]
    for block in result.blocks:
        for row in block.children:
            for cell in row.children:
                assert cell.inline is not None
                assert SHEETS[cell.start : cell.end] == cell.inline.text


@pytest.mark.parametrize(
    ("above", "tables"),
    [("", 1), ("Helpers\n", 2), ("Helpers\nof 2024\n", 2)],
)
def test_a_title_tells_that_words_are_heads(above: str, tables: int) -> None:
    result = sheet(f"Bread,Price\nRye,3\nOat,4\n\n{above}Helper,Skill,Town\nAnn,baking,Orra\nBen,selling,Holm\n")
    found = [block for block in result.blocks if block.kind == BlockKind.TABLE]
    assert len(found) == tables
    assert [row.header for block in found for row in block.children].count(True) == tables


def test_the_columns_that_all_rows_leave_blank_tell_nothing_of_heads() -> None:
    result = sheet("Helper,Skill,,,\nAnn,baking,,,\nBen,selling,,,\n")
    assert table(result.blocks[0]) == [["#", "Helper", "Skill"], ["Ann", "baking"], ["Ben", "selling"]]


def test_a_blank_row_behind_every_row_is_read_in_one_pass() -> None:
    looked = 0

    def width(row: Sequence[object]) -> int:
        nonlocal looked
        looked += 1
        return 1

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("kg.readers.csv._width", width)
        sheet("Rye\n\n" * 2000)
    assert looked < 20 * 2000

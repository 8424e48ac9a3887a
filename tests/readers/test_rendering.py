from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import BlockKind, Document, MarkKind
from kg.readers.rendering import MAX_LEAVES, Node, Piece, TooLarge, clean, plain, render
from tests.readers.invariants import check
from tests.readers.outlines import marks


def text_node(kind: BlockKind, text: str, level: int = 0, info: str = "") -> Node:
    return Node(kind, (Piece(text),), level=level, info=info)


def item(*children: Node, number: int | None = None) -> Node:
    return Node(BlockKind.LIST_ITEM, children=children, number=number)


def paragraph(text: str) -> Node:
    return text_node(BlockKind.PARAGRAPH, text)


def test_blanks_collapse_and_invisible_signs_go() -> None:
    text, blocks = render(
        [paragraph(" a\u00a0 b\u200bc\x01\n d \ud800"), text_node(BlockKind.HEADING, "x\ny", level=2)]
    )
    assert text == "a bc\nd \ufffd\n\nx y\n"
    assert [b.inline.text for b in blocks if b.inline] == ["a bc\nd \ufffd", "x y"]
    assert clean("a\u00adb\x00") == "ab" and plain((Piece(" a\n"), Piece("b "))) == "a b"


def test_marks_span_pieces_and_end_before_blanks() -> None:
    strong, link = (MarkKind.STRONG, ""), (MarkKind.LINK, "https://a.example/")
    pieces = (Piece("a ", (strong,)), Piece("b", (strong, link)), Piece(" c "), Piece("d", (link,)))
    _, (block,) = render([Node(BlockKind.PARAGRAPH, pieces)])
    assert marks(block) == [
        ("strong", "a b", ""),
        ("link", "b", "https://a.example/"),
        ("link", "d", "https://a.example/"),
    ]


def test_breaks_and_code_inside_of_items_are_set_in() -> None:
    code = text_node(BlockKind.CODE, "a\n\n  b\n", info="sh")
    text, blocks = render([Node(BlockKind.LIST, children=(item(paragraph("x\ny"), code, number=10),), level=1)])
    assert text == "10. x\n    y\n    a\n    \n      b\n"
    leaves = blocks[0].children[0].children
    assert [leaf.inline.text for leaf in leaves if leaf.inline] == ["x\ny", "a\n\n  b"]
    inline = leaves[1].inline
    assert inline is not None and text[slice(*inline.source(3, 6))] == "  b"


def test_what_has_no_words_is_left_out() -> None:
    empty = Node(
        BlockKind.TABLE, children=(Node(BlockKind.TABLE_ROW, children=(text_node(BlockKind.TABLE_CELL, " "),)),)
    )
    assert render([empty, Node(BlockKind.RULE), paragraph("\u200b")]) == ("\n", ())


def test_more_leaves_than_a_document_may_have() -> None:
    with pytest.raises(TooLarge):
        render([paragraph("x")] * (MAX_LEAVES + 1))


_TEXT = st.text(st.sampled_from("ab \n\t\u00a0\u200b\x01é\ud800"), max_size=10)
_MARKS = st.lists(st.sampled_from([(MarkKind.STRONG, ""), (MarkKind.LINK, "x")]), max_size=2, unique=True).map(tuple)
_PIECES = st.lists(st.builds(Piece, _TEXT, _MARKS), max_size=4).map(tuple)


def _leaf(kind: BlockKind) -> st.SearchStrategy[Node]:
    return st.builds(lambda pieces: Node(kind, pieces), _PIECES)


_LEAF = st.one_of(*(_leaf(kind) for kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.CODE)))
_ROW = st.lists(_leaf(BlockKind.TABLE_CELL), max_size=4).map(lambda c: Node(BlockKind.TABLE_ROW, children=tuple(c)))
_TABLE = st.lists(_ROW, max_size=3).map(lambda rows: Node(BlockKind.TABLE, children=tuple(rows)))


def _nested(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    children = st.lists(inner, max_size=3).map(tuple)
    items = st.lists(st.builds(lambda c, n: item(*c, number=n), children, st.none() | st.integers(0, 20)), max_size=3)
    lists = items.map(lambda i: Node(BlockKind.LIST, children=tuple(i), level=1))
    return st.one_of(lists, children.map(lambda c: Node(BlockKind.QUOTE, children=c)))


@given(st.lists(st.recursive(st.one_of(_LEAF, _TABLE), _nested, max_leaves=8), max_size=4))
@settings(max_examples=100, deadline=None)
def test_every_inline_maps_onto_the_text(nodes: list[Node]) -> None:
    text, blocks = render(nodes)
    if blocks:
        check(Document("a.html", text, blocks, "a", "text/html", ""))
        for line in text.split("\n"):
            assert line == line.rstrip() or not line.strip()

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from kg.errors import UnreadableDocument
from kg.model import BlockKind
from kg.readers import read
from tests.readers.invariants import check, leaves
from tests.readers.markdown_strategy import Piece, chaos, documents

_REFERENCE = MarkdownIt("commonmark")


@settings(max_examples=100, deadline=None)
@given(documents)
def test_every_leaf_has_its_text_and_the_way_back(made: Piece) -> None:
    text = "\n".join(made.source)
    document = read(text.encode(), "a.md")
    check(document)
    assert document.text == text
    assert [leaf.inline.text for leaf in leaves(document.blocks) if leaf.inline] == made.leaves


@settings(max_examples=100, deadline=None)
@given(chaos)
def test_offsets_hold_for_any_signs(text: str) -> None:
    try:
        document = read(text.encode(), "a.md")
    except UnreadableDocument:
        assume(False)
        return
    check(document)


@settings(max_examples=100, deadline=None)
@given(documents, st.sampled_from(["\r\n", "\r"]))
def test_newlines_of_other_systems_make_no_difference(made: Piece, newline: str) -> None:
    text = "\n".join(made.source)
    there, here = read(text.replace("\n", newline).encode(), "a.md"), read(text.encode(), "a.md")
    assert (there.text, there.blocks) == (here.text, here.blocks)


def _plain(tokens: list[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type == "image":
            parts.append(_plain(token.children or []))
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak" or token.content == "<br>":
            parts.append("\n")
    return "".join(parts)


_inline_chaos = st.lists(
    st.sampled_from(
        [
            *"*_`[]()<>!\\&\"' ",
            "**",
            "``",
            "](",
            "[a]",
            "(b)",
            "<b>",
            "<br>",
            "<http://a.example>",
            "&lt;",
            "é",
            "lamp",
            "x",
            "\nz",
        ]
    ),
    min_size=1,
    max_size=40,
).map(lambda parts: "x" + "".join(parts) + "x")


@settings(max_examples=300, deadline=None)
@given(_inline_chaos)
def test_plain_text_is_that_of_the_reference_parser(text: str) -> None:
    assume("[[" not in text)  # wiki-links are no CommonMark
    tokens = _REFERENCE.parse(text)
    assume([token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"])
    block = read(text.encode(), "a.md").blocks[0]
    assert block.kind is BlockKind.PARAGRAPH and block.inline is not None
    assert block.inline.text == _plain(tokens[1].children or [])

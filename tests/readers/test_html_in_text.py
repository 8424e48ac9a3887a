"""HTML inside of Markdown is read as in a page, and every character is where the Markdown has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Block, BlockKind, Document
from kg.readers import read
from tests.readers.invariants import check, leaves
from tests.readers.outlines import marks

OFFICE = """# Chicago

<div class="table-wrapper">
  <table class="office">
    <tbody>
      <tr>
        <td class="col-key"><strong>Location</strong></td>
        <td title="a > b">230 S. Dearborn St.,<br />
        Chicago &amp; around</td>
      </tr>
      <tr>
        <td>Contact</td>
        <td><a href="mailto:lamb@a.example">Dave Lamb</a>, {% slack "chi" %}</td>
      </tr>
    </tbody>
  </table>
</div>

## Getting here
"""


def markdown(text: str) -> Document:
    found = read(text.encode(), "office.md")
    check(found)
    return found


def told(block: Block) -> list[object]:
    """The texts of a block's leaves, nested as the blocks are."""
    return [child.inline.text if child.inline is not None else told(child) for child in block.children]


def test_a_table_has_its_rows_and_cells_where_they_are_written() -> None:
    found = markdown(OFFICE)
    assert [block.kind.value for block in found.blocks] == ["heading", "table", "heading"]
    table = found.blocks[1]
    assert told(table) == [
        ["Location", "230 S. Dearborn St.,\nChicago & around"],
        ["Contact", 'Dave Lamb, {% slack "chi" %}'],
    ]
    street, contact = table.children[0].children[1], table.children[1].children[1]
    assert street.inline and contact.inline
    assert found.text[slice(*street.inline.source(21, 28))] == "Chicago"
    assert found.text[slice(*street.inline.source(29, 30))] == "&amp;"
    assert found.text[table.start : table.start + 8] == "Location"
    assert marks(contact) == [("link", "Dave Lamb", "mailto:lamb@a.example")]


def test_the_same_markup_gives_the_same_blocks_as_in_a_page() -> None:
    body = (
        "<table><caption>Lamps</caption><tr><th colspan=2>Name<th>Lit</tr><tr><td>North<td>Old<td>1871</table>"
        "<dl><dt>Height:</dt><dd>50 m</dd><dt>Keeper</dt><dd>Ann <q>Lee</q></dd></dl>"
        "<ul><li>one<li>10<sup>6</sup> lamps</ul><details><summary>More</summary>lamp <b>oil</b></details>"
        "<h3><button>Unfold</button></h3><p hidden>no</p><pre>a &lt; b\n  c</pre>"
    )
    page = read(body.encode(), "lamps.html")
    found = markdown(body)
    texts = [leaf.inline.text for leaf in leaves(page.blocks) if leaf.inline]
    texts.remove("Name")  # a cell that spans two columns has its text once
    texts.insert(texts.index("Name") + 1, "")
    assert [leaf.inline.text for leaf in leaves(found.blocks) if leaf.inline] == texts
    assert [block.kind for block in found.blocks] == [block.kind for block in page.blocks]


def test_blank_lines_do_not_end_a_table_and_cells_hold_markdown() -> None:
    text = (
        "<table>\n<tr><th>Name</th><th>Lit</th></tr>\n\n<tr>\n<td>\n\n**North** [map](a.md)\n\nlamp\n\n</td>\n"
        "    <td>1871</td>\n\n    </tr>\n</table>\n\nAfter.\n"
    )
    table, after = markdown(text).blocks
    assert told(table) == [["Name", "Lit"], ["North map\nlamp", "1871"]]
    assert table.children[0].header and after.inline and after.inline.text == "After."
    assert marks(table.children[1].children[0]) == [("strong", "North", ""), ("link", "map", "a.md")]


@pytest.mark.parametrize("between", ["# Head\n", "```\ncode\n```\n"])
def test_a_table_that_is_not_closed_before_a_heading_or_code_takes_in_nothing(between: str) -> None:
    found = markdown(f"<table><tr><td>a</td><td>b</td></tr>\n\n{between}\ntext\n\n</table>\n")
    assert [block.kind for block in found.blocks][0::2] == [BlockKind.TABLE, BlockKind.PARAGRAPH]


def test_text_of_code_is_taken_as_it_is() -> None:
    found = markdown("<p>As <code>a_b_*c* &lt;d</code> and <kbd>*x*</kbd></p>\n")
    assert marks(found.blocks[0]) == [("code", "a_b_*c* <d", ""), ("code", "*x*", "")]


def test_a_cell_over_several_rows_has_its_text_in_the_first() -> None:
    found = markdown(
        "<table><tr><th>Planet<th>Craft</tr><tr><td rowspan=2>Jupiter<td>Galileo</tr><tr><td>Juno</tr></table>"
    )
    assert told(found.blocks[0]) == [["Planet", "Craft"], ["Jupiter", "Galileo"], ["", "Juno"]]
    last = found.blocks[0].children[2]
    assert found.text[last.start : last.end] == "Juno"


def test_what_cannot_be_placed_in_order_is_a_paragraph() -> None:
    """A page shows text that stands between rows above the table, and a foot below."""
    found = markdown("<table><tr><td>a</td><td>b</td></tr>stray</table>\n")
    assert [leaf.inline.text for leaf in leaves(found.blocks) if leaf.inline] == ["abstray"]
    assert [b.kind.value for b in markdown("> <table><tr><td>a</td>\n> <td>b</td></tr></table>\n").blocks] == ["quote"]


def test_too_deep_markup_is_a_paragraph() -> None:
    (found,) = markdown("<div>" * 2_000 + "lamp").blocks
    assert found.inline and found.inline.text == "lamp"


PARTS = (
    "<table> </table> <tr> <td> <td~rowspan=2> </td> <th> <p> </p> <b> </b> <sup> </sup> <q> </q> <dl> <dt> <dd> </dl>"
    " <ul> <li> <pre> </pre> <code> </code> <br> <h2> </h2> <caption> <tfoot> <!--x--> <a~href=x> lamp 12 * **oil**"
    " [a](b) &amp; &lt;x 1871\xad x\u200by < > ` _ - # | ¶ ¶¶"
)


@given(st.lists(st.sampled_from(PARTS.split()), max_size=40).map(" ".join))
def test_every_character_is_where_the_text_has_it(parts: str) -> None:
    check(read(("<div>lamp</div>\n" + parts.replace("~", " ").replace("¶", "\n")).encode(), "a.md"))


def test_hostile_markup_is_read_in_linear_time() -> None:
    for run in (
        "<a ",
        "<a b='",
        "<a b='>'",
        "</a ",
        "<p <",
        "</",
        "<table>\n\n",
        "</table>\n\n",
        "<table></table>\n\n",
        "<td>x ",
        "<q>",
        "<p>*a",
        "<sup>1",
        "&lt;\n\n",
    ):
        check(read(("<div>lamp\n" + run * 20_000).encode(), "a.md"))

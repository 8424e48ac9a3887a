from __future__ import annotations

from kg.model import Block, BlockKind, Document, MarkKind
from kg.readers import read
from tests.readers.invariants import check, leaves


def document(text: str) -> Document:
    result = read(text.encode(), "notes/harbour-lamps.md")
    check(result)
    return result


def outline(blocks: tuple[Block, ...]) -> list[object]:
    return [
        (block.kind.value, block.inline.text) if block.inline else (block.kind.value, outline(block.children))
        for block in blocks
    ]


def only(text: str) -> Block:
    blocks = document(text).blocks
    assert len(blocks) == 1
    return blocks[0]


def marks(block: Block) -> list[tuple[MarkKind, str, str]]:
    assert block.inline is not None
    return [(m.kind, block.inline.text[m.start : m.end], m.target) for m in block.inline.marks]


def sources(result: Document, block: Block) -> str:
    return result.text[block.start : block.end]


def test_headings_of_both_kinds_and_their_extent() -> None:
    result = document("# The *Lamp*  room ##\n\nGallery\nrail\n======\n\n###### Deep\n")
    assert [(b.level, b.inline.text) for b in result.blocks if b.inline] == [
        (1, "The Lamp  room"),
        (1, "Gallery rail"),
        (6, "Deep"),
    ]
    assert sources(result, result.blocks[0]) == "# The *Lamp*  room ##"
    assert sources(result, result.blocks[1]) == "Gallery\nrail\n======"


def test_an_end_of_block_mark_is_no_text_outside_code() -> None:
    result = document("Lens\n: It gathers light.\n^\n\n- Wick\n^\n- Lamp\n\n```\na\n^\n```\n")
    assert [block.inline.text for block in leaves(result.blocks) if block.inline] == [
        "Lens : It gathers light.",
        "Wick",
        "Lamp",
        "a\n^",
    ]


def test_inline_markup_is_removed_and_marked() -> None:
    block = only(
        'The **Fresnel** lens, *bright*, `lamp --on`, [chart](http://a.example/c "t"), ![a *map*](m.png) ~~old~~ here.'
    )
    assert block.inline is not None
    assert block.inline.text == "The Fresnel lens, bright, lamp --on, chart, a map  here."
    assert marks(block) == [
        (MarkKind.STRONG, "Fresnel", ""),
        (MarkKind.EMPHASIS, "bright", ""),
        (MarkKind.CODE, "lamp --on", ""),
        (MarkKind.LINK, "chart", "http://a.example/c"),
        (MarkKind.LINK, "a map", "m.png"),
        (MarkKind.EMPHASIS, "map", ""),
    ]


def test_entities_and_escapes_map_as_a_whole() -> None:
    result = document("Salt &amp; light \\* &#8211; tower")
    inline = result.blocks[0].inline
    assert inline is not None and inline.text == "Salt & light * – tower"
    at = inline.text.index("&")
    assert result.text[slice(*inline.source(at, at + 1))] == "&amp;"
    assert result.text[slice(*inline.source(at, at + 3))] == "&amp; l"
    at = inline.text.index("*")
    assert result.text[slice(*inline.source(at, at + 1))] == "\\*"


def test_soft_breaks_are_blanks_hard_breaks_are_newlines() -> None:
    assert only("one  \ntwo\\\nthree\n four<br/>five").inline.text == "one\ntwo\nthree four\nfive"  # type: ignore[union-attr]


def test_links_by_reference_autolinks_and_bare_addresses() -> None:
    result = document(
        "See [log], [text][log] <http://b.example/x>, <a@b.example> and http://c.example/p_(q).\n\n[log]: /l 'T'\n"
    )
    assert len(result.blocks) == 1
    assert marks(result.blocks[0]) == [
        (MarkKind.LINK, "log", "/l"),
        (MarkKind.LINK, "text", "/l"),
        (MarkKind.LINK, "http://b.example/x", "http://b.example/x"),
        (MarkKind.LINK, "a@b.example", "mailto:a@b.example"),
        (MarkKind.LINK, "http://c.example/p_(q)", "http://c.example/p_(q)"),
    ]


def test_wiki_links_in_text_and_in_tables() -> None:
    result = document(
        "See [[towers/north#Lamp|the North tower]] or [[south]].\n\n| A | B |\n|-|-|\n| [[x|y]] | [[p\\|q]] |\n"
    )
    paragraph, table = result.blocks
    assert marks(paragraph) == [
        (MarkKind.WIKILINK, "the North tower", "towers/north#Lamp"),
        (MarkKind.WIKILINK, "south", "south"),
    ]
    cells = table.children[1].children
    assert [marks(cell) for cell in cells] == [[(MarkKind.WIKILINK, "y", "x")], [(MarkKind.WIKILINK, "q", "p")]]


def test_nested_lists_keep_numbers_and_levels() -> None:
    block = only("3. third\n   - inner **a**\n     more\n\n     1) deep\n7. again\n")
    assert (block.kind, block.info, block.level) == (BlockKind.LIST, "ordered", 1)
    assert [item.number for item in block.children] == [3, 7]
    inner = block.children[0].children[1]
    assert (inner.level, inner.info, inner.children[0].number) == (2, "", None)
    assert outline(inner.children) == [
        ("list_item", [("paragraph", "inner a more"), ("list", [("list_item", [("paragraph", "deep")])])])
    ]
    assert inner.children[0].children[1].level == 3


def test_numbers_are_those_printed() -> None:
    assert [item.number for item in only("1. a\n1. b\n9. c\n").children] == [1, 1, 9]


def test_items_begin_at_their_markers() -> None:
    result = document("> - one\n>   - two\n> - - three\n")
    outer = result.blocks[0].children[0]
    starts = [result.text[item.start : item.start + 7] for item in outer.children]
    assert starts == ["- one\n>", "- - thr"]
    inner = outer.children[1].children[0].children[0]
    assert sources(result, inner) == "- three"
    assert sources(result, outer.children[0].children[1].children[0]) == "- two"


def test_quotes_with_lazy_lines() -> None:
    result = document("> The lamp\nburns > all\n> night.\n>\n> > Deep\n\nafter")
    assert outline(result.blocks) == [
        ("quote", [("paragraph", "The lamp burns > all night."), ("quote", [("paragraph", "Deep")])]),
        ("paragraph", "after"),
    ]


def test_table_cells_have_exact_spans() -> None:
    text = (
        "| Tower | Height \\| m | Keeper |\n|:--|--:|---|\n"
        "| North | **31** | A. Lind |\n|South|28||\nEast | 3 | B | extra\n"
    )
    result = document(text)
    table = result.blocks[0]
    rows = [[(sources(result, c), c.inline.text if c.inline else None) for c in row.children] for row in table.children]
    assert rows == [
        [("Tower", "Tower"), ("Height \\| m", "Height | m"), ("Keeper", "Keeper")],
        [("North", "North"), ("**31**", "31"), ("A. Lind", "A. Lind")],
        [("South", "South"), ("28", "28"), ("", "")],
        [("East", "East"), ("3", "3"), ("B", "B"), ("extra", "extra")],
    ]
    assert [row.header for row in table.children] == [True, False, False, False]
    assert all(cell.header for cell in table.children[0].children)
    assert sources(result, table.children[1]) == "| North | **31** | A. Lind |"
    assert sources(result, table) == text.strip()


def test_table_inside_a_quoted_list() -> None:
    result = document("> 1. | A | B |\n>    |---|---|\n>    | x | y |\n")
    table = result.blocks[0].children[0].children[0].children[0]
    assert [sources(result, row) for row in table.children] == ["| A | B |", "| x | y |"]


def test_code_keeps_its_lines_and_language() -> None:
    result = document("- item\n\n  ```Mermaid theme\n  graph TB\n      A --> B\n\n  B --> C\n  ```\n\n      four()\n")
    code, indented = result.blocks[0].children[0].children[1:]
    assert (code.info, code.inline.text if code.inline else "") == ("mermaid", "graph TB\n    A --> B\n\nB --> C")
    assert sources(result, code).startswith("```Mermaid") and sources(result, code).endswith("```")
    assert indented.kind is BlockKind.CODE and indented.inline is not None and indented.inline.text == "four()"


def test_front_matter_is_metadata_and_a_block_of_code() -> None:
    text = (
        "---\ntitle: 'The North Tower'\nkeepers: [Ada Lind, Bo Ek]\n"
        'tags:\n  - lamp\n  - "sea"\ndraft: true\n---\n# Another\n\ntext\n'
    )
    result = document(text)
    assert result.title == "The North Tower"
    assert result.metadata == (
        ("draft", "true"),
        ("keepers", "Ada Lind, Bo Ek"),
        ("tags", "lamp, sea"),
        ("title", "The North Tower"),
    )
    assert (result.blocks[0].kind, result.blocks[0].info) == (BlockKind.CODE, "yaml")
    assert sources(result, result.blocks[0]).startswith("title:")


def test_a_rule_at_the_head_is_no_front_matter() -> None:
    result = document("---\n\n# Log\n\nThe lamp burnt.\n\n---\n\nIt went out.\n")
    assert result.metadata == ()
    assert [b.kind.value for b in result.blocks] == ["rule", "heading", "paragraph", "rule", "paragraph"]


def test_html_gives_its_text() -> None:
    result = document(
        "<div class='x'>\nThe <b>lamp</b>\n<!-- no -->\n<script>var a = 1 < 2;</script>\n</div>\n\n"
        "A <i>bright</i> <!-- x --> one\n"
    )
    assert outline(result.blocks)[0] == ("paragraph", "The lamp")
    assert outline(result.blocks)[1] == ("paragraph", "A bright  one")


def test_what_is_struck_out_is_not_stated() -> None:
    result = document(
        "| Lamp | Lit |\n|--|--|\n| *North* | ~~18~~ 1871 |\n\nThe ~~**old** `x`~~ *lamp* ~~\n\n~~gone~~\n"
    )
    assert outline(result.blocks)[-1] == ("paragraph", "The  lamp ~~")
    cell = result.blocks[0].children[1].children[1]
    assert cell.inline is not None and cell.inline.text.strip() == "1871"
    assert result.text[slice(*cell.inline.source(1, 5))] == "1871"
    assert outline(document("<p>for <s>5</s> 4 lamps</p>").blocks) == [("paragraph", "for 4 lamps")]


def test_footnotes_stay_in_the_text() -> None:
    result = document("Lit in 1871.[^1]\n\n[^1]: http://archive.example\n")
    assert outline(result.blocks) == [("paragraph", "Lit in 1871.[^1]"), ("paragraph", "[^1]: http://archive.example")]


def test_titles() -> None:
    assert document("## Second\n\n# First\n").title == "First"
    assert document("## Second\n\ntext").title == "Second"
    assert document("text").title == "harbour-lamps"


def test_odd_blanks_are_blanks() -> None:
    result = document("#\u00a0North\n\nOne\u2028two\x0cthree\u3000\n")
    assert [leaf.inline.text for leaf in leaves(result.blocks) if leaf.inline] == ["North", "One\u2028two\x0cthree"]


def test_what_is_nested_too_deep_is_still_there() -> None:
    result = document(">" * 5000 + " the lamp\n\nafter\n")
    texts = [leaf.inline.text for leaf in leaves(result.blocks) if leaf.inline]
    assert texts[-1] == "after" and "the lamp" in texts[0]
    assert "the lamp" in next(leaves(document("- " * 5000 + "the lamp\n").blocks)).inline.text  # type: ignore[union-attr]


def test_hostile_runs_of_marks_are_read_in_linear_time() -> None:
    for run in ("[", "![", "[a](", "*a ", "<!-- ", "`a", "[[a|", "(", "<a ", "](", '"a. '):
        check(read((run * 20_000 + " lamp").encode(), "a.md"))
    for text in ("> " * 50_000 + "lamp", "a\n" * 50_000, "x" * 1_000_000, "|" * 50_000 + "lamp"):
        check(read(text.encode(), "a.md"))


def test_attributes_of_spans_and_blocks_are_no_text() -> None:
    moons = 'The moons **Phobos**{: data-type="term"} and *Deimos*{: .x} ([map](#a){: .r}).\n{: #para}\n'
    text = moons + '\nAs `a{:.2f}` "{:.3f}".\n'
    first, second = read(text.encode(), "moons.md").blocks
    assert first.inline is not None and second.inline is not None
    assert first.inline.text.rstrip() == "The moons Phobos and Deimos (map)."
    assert second.inline.text == 'As a{:.2f} "{:.3f}".'


def test_raised_figures_stay_apart_from_what_they_follow() -> None:
    text = "10<sup>6</sup> m<sup>-2</sup>, *m<sup>2</sup>* on the 4<sup>th</sup>, x<sup>10 kg</sup> and 7."
    document = read(text.encode(), "a.md")
    inline = document.blocks[0].inline
    assert inline is not None
    assert inline.text == "10⁶ m⁻², m² on the 4th, x10 kg and 7."
    at = inline.text.index("⁶")
    start, end = inline.source(at, at + 1)
    assert document.text[start:end] == "6"


def test_links_of_a_sites_templates() -> None:
    text = 'See [Leave]({% page "/a/leave/" %}), [B]({{ site.url }}/b "T"), [C]({{< ref "c.md" >}}) and [D]({% x).'
    inline = read(text.encode(), "a.md").blocks[0].inline
    assert inline is not None
    assert inline.text == "See Leave, B, C and [D]({% x)."
    assert [inline.text[m.start : m.end] for m in inline.marks if m.kind is MarkKind.LINK] == ["Leave", "B", "C"]

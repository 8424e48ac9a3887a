from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.model import Document
from kg.readers import html, read
from tests.readers.mutations import damaged, survives
from tests.readers.outlines import checked, marks, outline
from tests.readers.windmills import HTML


def page(body: str, head: str = "") -> Document:
    return checked(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode(), "oven.html")


def blocks(body: str) -> list[object]:
    return outline(page(body).blocks)


def test_text_is_a_clean_rendering() -> None:
    result = page(
        "<h1>Rye <a class=headerlink href=#rye>¶</a></h1><p>Baked\n  <b>daily</b>,<br>since&nbsp;1902.</p>"
        "<ul><li>dark<ul><li>dense</ul><li>sour</ul><ol start=4><li>mix<li>bake</ol>"
    )
    assert result.text == "Rye\n\nBaked daily,\nsince 1902.\n\n- dark\n  - dense\n- sour\n\n4. mix\n5. bake\n"
    assert outline(result.blocks) == [
        (1, "Rye"),
        ("paragraph", "Baked daily,\nsince 1902."),
        (
            "list",
            [
                ("-", [("paragraph", "dark"), ("list", [("-", [("paragraph", "dense")])])]),
                ("-", [("paragraph", "sour")]),
            ],
        ),
        ("list", [(4, [("paragraph", "mix")]), (5, [("paragraph", "bake")])]),
    ]
    assert result.blocks[2].level == 1 and result.blocks[3].info == "ordered"
    assert result.title == "Rye" and result.media_type == "text/html"


def test_marks_and_links() -> None:
    result = page(
        "<p>See <a href='https://a.example/x y'>the <em>log</em></a>, <code>run</code>, http://b.example/.</p>"
    )
    assert marks(result.blocks[0]) == [
        ("link", "the log", "https://a.example/xy"),
        ("emphasis", "log", ""),
        ("code", "run", ""),
        ("link", "http://b.example/", "http://b.example/"),
    ]


def test_what_surrounds_the_content_is_left_out() -> None:
    assert blocks(
        "<header><p>Site</p></header><nav><ul><li>Home</ul></nav><aside>Ad</aside><p>Rye.</p>"
        "<script>var a = '<p>x</p>'</script><style>p{}</style><form><label>Mail</label></form><button>Go</button>"
        "<div hidden>h</div><div style='display: none'>n</div><div role=navigation>r</div><footer>(c)</footer>"
    ) == [("paragraph", "Rye.")]
    assert blocks("<p>Menu</p><main><h1>Rye</h1><p>Dark.</p></main><p>More</p>") == [(1, "Rye"), ("paragraph", "Dark.")]
    assert blocks("<div><h1>Rye</h1><div>x</div></div><article><p>Dark bread.</p></article>") == [
        (1, "Rye"),
        ("paragraph", "Dark bread."),
    ]
    assert blocks("<header><h1>Rye</h1></header><p>Dark.</p>") == [(1, "Rye"), ("paragraph", "Dark.")]
    assert blocks("<form><h1>Rye</h1><p>Dark.</p></form>") == [(1, "Rye"), ("paragraph", "Dark.")]
    long = "The bread is dark. " * 30
    assert blocks(f"<main>Loading</main><div><p>{long}</p></div>") == [
        ("paragraph", "Loading"),
        ("paragraph", long.strip()),
    ]


def test_spans_repeat_and_header_cells_make_header_rows() -> None:
    assert blocks(
        "<table><caption>Breads</caption><tr><th rowspan=2>Name<th colspan=2>Size<tr><th>Length<th>Width"
        "<tr><td>Rye<td>30 cm<td>12 cm<tr><td rowspan=2>Oat<td colspan=2>unknown<tr><td>20 cm<td>9 cm"
        "<tr><td colspan=3>Sweet<tr><td>Bun<td><td>8 cm</table>"
    ) == [
        ("paragraph", "Breads"),
        (
            "table",
            [
                ["#", "Name", "Size", "Size"],
                ["#", "Name", "Length", "Width"],
                ["Rye", "30 cm", "12 cm"],
                ["Oat", "unknown", "unknown"],
                ["Oat", "20 cm", "9 cm"],
                ["Sweet", "", ""],
                ["Bun", "", "8 cm"],
            ],
        ),
    ]


def test_tables_without_header_cells() -> None:
    assert blocks(
        "<table><tr><td>Bread<td>Weight<td>Price<tr><td>Rye<td>500 g<td>3<tr><td>Oat<td>400 g<td>4</table>"
    ) == [("table", [["#", "Bread", "Weight", "Price"], ["Rye", "500 g", "3"], ["Oat", "400 g", "4"]])]
    assert blocks("<table><tr><td>Weight<td>500 g<tr><td>Price<td>3<tr><td>Baker<td>Ann</table>") == [
        ("table", [["Weight", "500 g"], ["Price", "3"], ["Baker", "Ann"]])
    ]
    assert blocks("<table><tr><th colspan=2>Rye<tr><th>Weight<td>500 g<tr><th>Baker<td>Ann<br>Bo</table>") == [
        ("paragraph", "Rye"),
        ("table", [["Weight", "500 g"], ["Baker", "Ann\nBo"]]),
    ]
    assert blocks("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td><p>side</p></table>") == [
        ("table", [["a", "b"], ["c", "d"]]),
        ("paragraph", "side"),
    ]
    assert blocks("<table><tr><th>A<th>B<tr><td>1<td>2<tr><th>C<th>D<tr><td>3<td>4</table>") == [
        ("table", [["#", "A", "B"], ["1", "2"]]),
        ("table", [["#", "C", "D"], ["3", "4"]]),
    ]


def test_rows_have_no_blanks_at_their_ends() -> None:
    result = page("<table><tr><th>A<th>B<th>C<tr><td><td>x<td><tr><td>1<td><td></table>")
    assert result.text == "A | B | C\n| x |\n1 | |\n"
    row = result.blocks[0].children[1]
    assert [(c.start, c.end) for c in row.children] == [(10, 10), (12, 13), (15, 15)]


def test_definition_lists() -> None:
    assert blocks(
        "<dl><dt>Levain<dd>A dough of flour and water that has soured.<dt>Bran<dt>Husk<dd>What is sifted off.</dl>"
    ) == [
        ("paragraph", "Levain — A dough of flour and water that has soured."),
        ("paragraph", "Bran / Husk — What is sifted off."),
    ]
    assert blocks("<dl><div><dt>Weight:</dt><dd>500 g</dd></div><dt>Baker<dd>Ann<dd>Bo</dl>") == [
        (
            "list",
            [("-", [("paragraph", text)]) for text in ("Weight: 500 g", "Baker: Ann", "Baker: Bo")],
        )
    ]


def test_code_quotes_and_figures() -> None:
    result = page(
        "<pre><code class=language-Python>a = 1\n\n  b = 2\n</code></pre>"
        "<blockquote><p>Good.</p><footer>Ann</footer></blockquote>"
    )
    assert outline(result.blocks) == [
        ("code", "a = 1\n\n  b = 2"),
        ("quote", [("paragraph", "Good."), ("paragraph", "Ann")]),
    ]
    assert result.blocks[0].info == "python"
    assert blocks(
        "<p>10<sup>6</sup> m<sup>2</sup> of CO<sub>2</sub>.<sup><a href=#n1>[1]</a></sup> Yes<sup>th</sup></p>"
    ) == [("paragraph", "10⁶ m² of CO2. Yesth")]
    assert page("<div class='mermaid'>graph TD\n  A-->B</div>").blocks[0].info == "mermaid"


def test_list_items_outside_of_lists_and_lists_in_lists() -> None:
    assert blocks("<ul><li>a<ul></ul></li><ul><li>b</ul></ul>") == [
        ("list", [("-", [("paragraph", "a"), ("list", [("-", [("paragraph", "b")])])])])
    ]
    assert blocks("<li>stray") == [("paragraph", "stray")]


def test_metadata() -> None:
    result = page(
        "<p>Dark.</p>",
        "<title>Rye – Bakery</title><meta name=author content='Ann Bo'><meta property=article:published_time "
        "content=2021-03-04><link rel=canonical href=https://a.example/rye><meta name=description content='On  rye'>",
    )
    assert result.title == "Rye – Bakery"
    assert dict(result.metadata) == {
        "author": "Ann Bo",
        "date": "2021-03-04",
        "description": "On rye",
        "url": "https://a.example/rye",
    }
    assert "url" not in dict(page("<p>x</p>", "<link rel=canonical href=/rye>").metadata)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("<p>Crème</p>".encode(), "Crème\n", None),
        (codecs.BOM_UTF8 + "<p>Crème</p>".encode(), "Crème\n", None),
        ("<p>Crème</p>".encode("utf-16"), "Crème\n", None),
        ("<meta charset=iso-8859-1><p>Crème – “x”</p>".encode("cp1252"), "Crème – “x”\n", "cp1252"),
        ("<meta http-equiv=x content='text/html; charset=koi8-r'><p>Хлеб</p>".encode("koi8-r"), "Хлеб\n", "koi8-r"),
        ("<?xml version='1.0' encoding='windows-1251'?><p>Хлеб</p>".encode("cp1251"), "Хлеб\n", "cp1251"),
        ("<p>Crème</p>".encode("cp1252"), "Crème\n", "windows-1252"),
        ("<meta charset=utf-7><p>Crème</p>".encode("cp1252"), "Crème\n", "windows-1252"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str | None) -> None:
    result = checked(data, "a.html")
    assert result.text == text
    assert dict(result.metadata).get("encoding") == encoding


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"<html><body><nav>Home</nav></body></html>", "no text"),
        (b"<script>document.write('x')</script>", "no text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "control|neither"),
        (b"<div>" * 200_000 + b"x", "deep"),
        (b"<ul><li>" * 100_000 + b"x", "deep"),
        (b"<table><tr><td>" * 50_000 + b"x", "deep"),
        (b"<div><table></div><td>" * 5_000 + b"x", "deep"),
        (b"<b>" * 200_000 + b"x", "deep"),
        (b"<p title='</div>'><div>" * 5_000 + b"x", "deep"),
        (b"".join(b"<i id=%d>" % i for i in range(900)) + b"<p>x" * 20_000, "inline"),
        (b"<p>x" * 400_000, "more paragraphs"),
        (b"<" * 2_000_000, "tags"),
        (b"<table><tr>" + b"<td rowspan=60000>x" * 900 + b"<tr><td>x" * 2_000 + b"</table>", "more paragraphs"),
    ],
)
def test_refused(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said) as caught:
        read(data, "a.html")
    assert caught.value.hint and "a.html" in caught.value.message


def test_depth_that_pages_have_is_read() -> None:
    assert page("<div>" * 400 + "<p>Rye.</p>").text == "Rye.\n"
    deep = page("<ul><li>x" * 100).blocks
    level = 0
    while deep and level < 200:
        deep = next((b.children for b in deep if b.children), ())
        level += 1
    assert level < 100
    many = "<font color=red>Rye <p>oat</p>" * 300
    assert page(many).text.count("oat") == 300


def test_closing_tags_that_aren_t_needed_don_t_count_as_depth() -> None:
    html.check_markup("<table>" + "<tr><td>a<td>b" * 5_000 + "</table>" + "<p>x<br><li>y" * 5_000, "a.html")
    html.check_markup("<!-- " + "<div>" * 5_000 + "--><script>" + "<div>" * 5_000 + "</script>", "a.html")
    html.check_markup("<div title='" + "<div>" * 3_000 + "'>", "a.html")


@given(damaged(HTML.encode()))
@settings(max_examples=80, deadline=None)
def test_damaged_pages(data: bytes) -> None:
    survives(data, "mills.html")


_WORDS = st.text(st.sampled_from("ab é&<>\u00a0\u200b\x01\ud800\n\t0⁶"), max_size=8).map(
    lambda t: t.encode("utf-8", "replace").decode()
)
_TAGS = [*"p div ul ol li table tr td th dl dt dd pre h1 h3 blockquote b a sup br thead caption section".split()]  # noqa: SIM905


@given(
    st.lists(
        st.one_of(
            _WORDS,
            st.builds(lambda t: f"<{t}>", st.sampled_from(_TAGS)),
            st.builds(lambda t: f"</{t}>", st.sampled_from(_TAGS)),
            st.builds(lambda c, r: f"<td colspan={c} rowspan={r}>", st.integers(0, 9), st.integers(0, 9)),
        ),
        max_size=60,
    )
)
@settings(max_examples=100, deadline=None)
def test_any_tags_in_any_order(parts: list[str]) -> None:
    survives(("x" + "".join(parts)).encode(), "tags.html")

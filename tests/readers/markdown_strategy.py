"""Markdown made of building blocks, with the plain text that each leaf must have."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

Pair = tuple[str, str]  # source, plain

WORDS = [
    "Lamp",
    "keeper",
    "1871",
    "31.5",
    "Nähe",
    "灯塔",
    "😀",
    "U.S.",
    "o'er",
    "3,000",
    "north-east",
    "a_b",
    "5%",
    "Tower",
]

words = st.sampled_from(WORDS).map(lambda w: (w, w))
_phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


def _wrapped(before: str, after: str) -> st.SearchStrategy[Pair]:
    return _phrases.map(lambda p: (before + p + after, p))


spans: st.SearchStrategy[Pair] = st.one_of(
    words,
    words,
    _wrapped("**", "**"),
    _wrapped("*", "*"),
    _wrapped("`", "`"),
    _wrapped("``", "``"),
    _wrapped("[", "](http://a.example/x 'a title')"),
    _wrapped("[**", "**](<b c>)"),
    _wrapped("[[path/to page#part|", "]]"),
    _phrases.map(lambda p: (f"~~{p}~~", "")),
    _wrapped("![", "](pic.png)"),
    st.sampled_from([("&amp;", "&"), ("\\*", "*"), ("&#8211;", "–"), ("\\[", "["), ("&copy;", "©")]),
)


def _joined(pairs: list[Pair], by: Pair = (" ", " ")) -> Pair:
    return by[0].join(source for source, _ in pairs), by[1].join(plain for _, plain in pairs)


lines: st.SearchStrategy[Pair] = st.lists(spans, min_size=1, max_size=6).map(
    lambda ps: _joined([("Ein", "Ein"), *ps, ("end.", "end.")])
)


@dataclass(frozen=True)
class Piece:
    """A block's lines and the plain text of its leaves, in order."""

    source: list[str]
    leaves: list[str]


def _paragraph(parts: list[Pair]) -> Piece:
    return Piece([source for source, _ in parts], [" ".join(plain for _, plain in parts)])


def _heading(part: tuple[int, Pair]) -> Piece:
    return Piece(["#" * part[0] + " " + part[1][0]], [part[1][1]])


def _code(body: list[str]) -> Piece:
    return Piece(["```mermaid", *body, "```"], ["\n".join(body)])


def _table(rows: list[list[Pair]]) -> Piece:
    source = ["| " + " | ".join(cell[0] for cell in row) + " |" for row in rows]
    return Piece([source[0], "|---|:-:|", *source[1:]], [cell[1] for row in rows for cell in row])


def _list(items: list[list[Piece]], ordered: bool) -> Piece:
    source: list[str] = []
    leaves: list[str] = []
    for number, blocks in enumerate(items, 3):
        marker = f"{number}. " if ordered else "- "
        body = [line for block in blocks for line in [*block.source, ""]]
        source += [(marker if not at else " " * len(marker) if line else "") + line for at, line in enumerate(body)]
        leaves += [leaf for block in blocks for leaf in block.leaves]
    return Piece(source, leaves)


def _quote(blocks: list[Piece]) -> Piece:
    source = [line for block in blocks for line in [*block.source, ""]][:-1]
    return Piece([("> " + line).rstrip() for line in source], [leaf for block in blocks for leaf in block.leaves])


paragraphs = st.lists(lines, min_size=1, max_size=3).map(_paragraph)
_simple = st.one_of(
    paragraphs,
    paragraphs,
    st.tuples(st.integers(1, 6), lines).map(_heading),
    st.lists(st.sampled_from(["graph TB", "  A --> B", "# no heading", "| no | table |", "x = 1"]), min_size=1).map(
        _code
    ),
    st.lists(st.lists(lines, min_size=2, max_size=2), min_size=1, max_size=4).map(_table),
)


def _containers(inner: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    items = st.lists(
        st.tuples(paragraphs, st.lists(inner, max_size=2)).map(lambda t: [t[0], *t[1]]), min_size=1, max_size=3
    )
    return st.one_of(
        st.tuples(items, st.booleans()).map(lambda t: _list(*t)), st.lists(inner, min_size=1, max_size=3).map(_quote)
    )


blocks = st.recursive(_simple, _containers, max_leaves=6)


def _document(parts: list[Piece]) -> Piece:
    source: list[str] = []
    for part in parts:
        # A comment keeps neighbouring lists and quotes apart.
        source += [*part.source, "", "<!-- apart -->", ""]
    return Piece(source, [leaf for part in parts for leaf in part.leaves])


documents = st.lists(blocks, min_size=1, max_size=6).map(_document)

# Signs that mean something to Markdown, thrown together.
chaos = st.lists(
    st.sampled_from(
        [
            *"*_`[]()<>!|~#-+=>:\\&\"' \n\n\t",
            "\n    ",
            "\n- ",
            "\n1. ",
            "\n> ",
            "](",
            "[[",
            "]]",
            "```",
            "---",
            "\n|-|-|\n",
            "<b>",
            "<br>",
            "<!--",
            "-->",
            "http://a.example",
            "&amp;",
            "[a]: /x\n",
            "[^1]: ",
            "\u00a0",
            "\x0c",
            "é",
            "lamp",
            "Tower. ",
            "| a | b |\n",
        ]
    ),
    min_size=1,
    max_size=60,
).map("".join)

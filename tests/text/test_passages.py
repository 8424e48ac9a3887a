from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.model import Document, Passage, Unit, UnitKind
from kg.namespaces import passage_id
from kg.readers import read
from kg.text.passages import HARD_LIMIT, SOFT_LIMIT, split
from tests.conftest import REPOSITORY, SHARED
from tests.readers.invariants import leaves
from tests.readers.markdown_strategy import Piece, chaos, documents

PROSE = "The lamp was lit by hand in the first years, and nobody remembers when that ended."


def passages(text: str, name: str = "ness.md") -> tuple[Passage, ...]:
    document = read(text.encode(), name)
    found = split(document, "ness.md")
    check(document, found)
    return found


def check(document: Document, found: tuple[Passage, ...]) -> None:
    """What holds for the passages of any document."""
    at = 0
    for order, passage in enumerate(found):
        assert passage.order == order
        assert at <= passage.start < passage.end
        assert passage.text == document.text[passage.start : passage.end] == passage.text.strip()
        assert len(passage.text) <= HARD_LIMIT
        at = passage.start
        for unit in passage.units:
            assert at <= unit.start < unit.end <= passage.end
            quote = document.text[unit.start : unit.end]
            assert quote == quote.strip() and unit.plain.strip()
            assert "\n" not in unit.plain and "\n" not in unit.context
            at = unit.end
        at = passage.end
    assert len({passage.id for passage in found}) == len(found)
    in_units = {at for p in found for u in p.units for at in range(u.start, u.end)}
    for leaf in leaves(document.blocks):
        assert leaf.inline is not None
        for run in leaf.inline.runs:
            for place in range(run.source, run.source + run.source_length):
                assert place in in_units or document.text[place].isspace() or run.plain_length != run.source_length


def units(text: str, name: str = "ness.md") -> list[Unit]:
    return [unit for passage in passages(text, name) for unit in passage.units]


def shown(text: str, name: str = "ness.md") -> list[tuple[str, str, str, str]]:
    stored = read(text.encode(), name).text
    return [(u.kind.value, stored[u.start : u.end], u.plain, u.context) for u in units(text, name)]


def test_a_passage_is_a_section_with_its_headings() -> None:
    text = f"# Ness\n\n## Oil\n\n### Years\n\n{PROSE}\n\n---\n\n## Gas\n\n{PROSE} Again.\n\n# Last\n"
    found = passages(text)
    assert [(p.headings, p.text) for p in found] == [
        (("Ness", "Oil", "Years"), f"# Ness\n\n## Oil\n\n### Years\n\n{PROSE}"),
        (("Ness", "Gas"), f"## Gas\n\n{PROSE} Again."),
        (("Last",), "# Last"),
    ]


def test_identifiers_come_from_text_and_order_of_repeats() -> None:
    found = passages("# A\n\nSame words here.\n\n# A\n\nSame words here.\n")
    text = "# A\n\nSame words here."
    assert [p.id for p in found] == [passage_id("ness.md", text, 0), passage_id("ness.md", text, 1)]
    other = split(read(b"# A\n\nSame words here.\n", "ness.md"), "ness.md")
    assert other[0].id == found[0].id
    assert split(read(b"# A\n\nSame words here.\n", "ness.md"), "other.md")[0].id != found[0].id


def test_units_of_a_table_carry_its_heads() -> None:
    text = "## Towers\n\n**Heights of all**\n\n| Tower | Height |\n|---|---|\n| **North** | 31 m |\n| South | |\n"
    assert shown(text)[2:] == [
        ("line", "| Tower | Height |", "Tower; Height", "Heights of all"),
        ("row", "| **North** | 31 m |", "Tower: North; Height: 31 m", "Heights of all"),
        ("row", "| South | |", "Tower: South", "Heights of all"),
    ]


def test_heads_told_in_several_lines_stand_together_over_their_columns() -> None:
    text = (
        "| | Year ended 30 June | |\n|---|---|---|\n| | 2019 | 2018 |\n| | (in thousands) | |\n"
        "| Oil burnt | 44.1 | 56.7 |\n| Rope | 3 | – |\n"
    )
    assert [(kind, plain) for kind, _, plain, _ in shown(text)] == [
        ("line", "Year ended 30 June"),
        ("line", "2019; 2018"),
        ("line", "2019 (in thousands); 2018 (in thousands)"),
        ("row", "Oil burnt; 2019 (in thousands): 44.1; 2018 (in thousands): 56.7"),
        ("row", "Rope; 2019 (in thousands): 3; 2018 (in thousands): –"),
    ]


def test_units_of_a_list_carry_what_introduces_them() -> None:
    text = (
        "# Ness\n\n## Confirmed\n\n- burns **oil**\n\nIt was sold. Buyers were:\n\n"
        "1. Ada Lind\n   1. her heirs\n2. Bo Ek\n"
        "\nPlain words.\n\n- last\n"
    )
    assert shown(text)[2:] == [
        ("item", "- burns **oil**", "burns oil", "Confirmed"),
        ("sentence", "It was sold.", "It was sold.", ""),
        ("sentence", "Buyers were:", "Buyers were:", ""),
        ("item", "1. Ada Lind", "Ada Lind", "Buyers were"),
        ("item", "1. her heirs", "her heirs", "Buyers were > Ada Lind"),
        ("item", "2. Bo Ek", "Bo Ek", "Buyers were"),
        ("sentence", "Plain words.", "Plain words.", ""),
        ("item", "- last", "last", "Confirmed"),
    ]


def test_each_line_of_a_record_is_a_unit() -> None:
    text = "# Ness\n\n## Ada Lind\n\n**Post:** keeper\nPhone: ext. 4405\nRoom: 7\n"
    assert shown(text)[2:] == [
        ("sentence", "**Post:** keeper", "Post: keeper", ""),
        ("sentence", "Phone: ext. 4405", "Phone: ext. 4405", ""),
        ("sentence", "Room: 7", "Room: 7", ""),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "The rule was this: whoever came\nfirst: lit the lamp.",
            "The rule was this: whoever came first: lit the lamp.",
        ),
        ("Q: Who lit it?\nA: Ada did. I saw it.", "Q: Who lit it?"),
        ("ADA: It burns. I see it.\nBO: Good.\nADA: It does.", "ADA: It burns."),
        ("Phone: ext. 4405\nat the lamp house. Room: 7", "Phone: ext."),
    ],
)
def test_prose_and_dialogue_with_colons_are_no_record(text: str, first: str) -> None:
    assert units(text)[0].plain == first


@given(st.lists(st.from_regex(r"[A-Z][a-z]{1,8}: [a-z]{1,5}\. [0-9]{1,4}", fullmatch=True), min_size=2, max_size=6))
def test_the_units_of_a_record_are_its_lines(lines: list[str]) -> None:
    assume(len({line.partition(":")[0].casefold() for line in lines}) == len(lines))
    for name in ("ness.md", "ness.txt"):
        found = [u.plain for p in passages("\n".join(lines), name) for u in p.units]
        assert found == lines


def test_a_long_item_is_quoted_by_the_sentence() -> None:
    text = f"People:\n\n- **Ada Lind** — keeper. {PROSE} {PROSE} {PROSE} {PROSE}\n"
    found = units(text)[1:]
    assert [u.kind for u in found] == [UnitKind.ITEM] + [UnitKind.SENTENCE] * 4
    assert found[0].plain == "Ada Lind — keeper."
    assert {u.context for u in found[1:]} == {"People > Ada Lind"}


def test_markup_goes_with_its_sentence() -> None:
    text = '> **One is bold.** *Two is\n> slanted.* [Three](http://a.example/x "a b"). [[p q|Four]] ends. `Five.` Six.'
    assert [quote for _, quote, _, _ in shown(text)] == [
        "**One is bold.**",
        "*Two is\n> slanted.*",
        '[Three](http://a.example/x "a b").',
        "[[p q|Four]] ends.",
        "`Five.`",
        "Six.",
    ]


def test_headings_and_code_lines_are_units() -> None:
    text = "Ness **lamp**\n====\n\n```mermaid\ngraph TB\n    A --> B\n```\n"
    assert shown(text) == [
        ("heading", "Ness **lamp**", "Ness lamp", ""),
        ("line", "graph TB", "graph TB", "Ness lamp"),
        ("line", "A --> B", "A --> B", "Ness lamp"),
    ]


def test_an_introduction_stays_with_its_list() -> None:
    text = "# Ness\n\n" + f"{PROSE}\n\n" * 13 + "The buyers were:\n\n" + "- somebody or other\n" * 30
    found = passages(text)
    assert all(not p.text.endswith("The buyers were:") for p in found)
    assert any("The buyers were:\n\n- somebody" in p.text for p in found)


@pytest.mark.parametrize(
    ("body", "begins"),
    [
        ("| Tower | Years |\n|---|---|\n" + "| North of Ness | 1871 to 1890 |\n" * 200, "| North of"),
        ("- somebody or other who lit it\n" * 200, "- some"),
        ("- somebody\n  - who lit it every night\n  - and put it out\n" * 100, "-"),
        (f"{PROSE} " * 50, "The lamp"),
        (f"> {PROSE}\n>\n" * 50, "The lamp"),
        ("```\n" + "lamp --on --oil 3\n" * 200 + "```\n", "lamp"),
        ("lamp " * 2000, "lamp"),
    ],
)
def test_long_blocks_are_cut_at_the_best_places(body: str, begins: str) -> None:
    found = passages("# Ness\n\n" + body)
    assert len(found) > 2
    assert found[0].text.startswith("# Ness")
    assert all(p.text.startswith(begins) for p in found[1:])
    assert all(len(p.text) > SOFT_LIMIT // 2 for p in found[:-1])
    assert {p.headings for p in found} == {("Ness",)}


def test_a_word_without_end_is_cut_anywhere() -> None:
    found = passages("x" * 10_000)
    assert "".join(p.text for p in found) == "x" * 10_000


def test_headings_longer_than_a_passage() -> None:
    found = passages("# " + "lamp oil " * 1000 + f"\n\n{PROSE}\n\n## Two\n\n{PROSE}\n")
    assert all(len(heading) <= 300 for p in found for heading in p.headings)
    assert found[-1].headings[1] == "Two"


def test_lines_of_a_flattened_table_are_units() -> None:
    text = (
        "Cast of keepers\nNameYearsDuty\nAda Lind1871–head keeper; wrote the log of the north tower for years\n"
        "Bo Ekassistant; carried the oil up two hundred steps each evening\n\nEnd\n"
    )
    assert [kind for kind, *_ in shown(text, "ness.txt")] == ["heading", "sentence", "sentence", "sentence", "sentence"]


def test_page_furniture_is_in_no_passage() -> None:
    found = passages(f"Skip to content\n\nLamps\n\n{PROSE}\n", "ness.txt")
    assert [p.text for p in found] == [f"Lamps\n\n{PROSE}"]


@settings(max_examples=60, deadline=None)
@given(documents)
def test_passages_hold_all_text_of_generated_documents(made: Piece) -> None:
    passages("\n".join(made.source))


@settings(max_examples=60, deadline=None)
@given(chaos, st.integers(1, 60), st.sampled_from(["a.md", "a.txt"]))
def test_passages_hold_all_text_whatever_the_signs(text: str, times: int, name: str) -> None:
    try:
        document = read((text * times).encode(), name)
    except UnreadableDocument:
        assume(False)
        return
    check(document, split(document, "a"))


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the shared documents are not here")
def test_real_documents() -> None:
    for path in sorted((SHARED / "seeds").iterdir()):
        document = read(path.read_bytes(), path.name)
        found = split(document, path.name)
        check(document, found)
        assert found == split(read(path.read_bytes(), path.name), path.name)
        outside = sum(not sign.isspace() for sign in document.text)
        outside -= sum(not sign.isspace() for p in found for sign in p.text)
        assert outside <= 60  # rules between sections, a line of page furniture


LENGTHS = (5, 40, 380, 420, 740, 760, 1190, 1210, 1480, 1520, 3100)  # around the limits


@st.composite
def gapped(draw: st.DrawFn) -> str:
    """Markdown whose blocks stand apart by what is no block, of lengths around the limits."""
    lead = st.sampled_from(["# {}", "## {}", "{}:", "**{}**"])
    body = st.sampled_from(["{}.", "- {}", "| a |\n|---|\n| {} |", "> {}", "```\n{}\n```"])
    parts = []
    for kind in draw(st.lists(st.tuples(lead, st.sampled_from(["<!-- {} -->", ""]), body), min_size=1, max_size=4)):
        for part in filter(None, kind):
            word, length = draw(st.sampled_from(["lamp ", "x", "oil. Then "])), draw(st.sampled_from(LENGTHS))
            parts.append(part.format((word * (length // len(word) + 1)).strip()))
    return "\n\n".join(parts)


@settings(max_examples=150, deadline=None)
@given(gapped())
def test_passages_keep_their_limit_whatever_stands_between_blocks(text: str) -> None:
    passages(f"{text}\n\n{PROSE}")


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    """A document of the sample library with lines repeated, moved, cut, indented or wrapped in a comment."""
    path = draw(st.sampled_from(REAL))
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        some = lines[at : at + draw(st.integers(1, 30))]
        change = draw(st.sampled_from(["repeat", "move", "cut", "indent", "comment", "join"]))
        lines[at : at + len(some)] = {
            "repeat": some * draw(st.integers(2, 40)),
            "move": [],
            "cut": some[: len(some) // 2],
            "indent": ["    " + line for line in some],
            "comment": ["<!--", *some * 20, "-->"],
            "join": [" ".join(some)],
        }[change]
        if change == "move":
            lines += some
    return path.name, "\n".join(lines)


REAL = [p for p in sorted((REPOSITORY / "corpus").rglob("*")) if p.suffix in (".md", ".txt", ".csv", ".html")]


@settings(max_examples=60, deadline=None)
@given(mutated())
def test_passages_hold_all_text_of_mutated_documents(made: tuple[str, str]) -> None:
    name, text = made
    try:
        document = read(text.encode(), name)
    except UnreadableDocument:
        assume(False)
        return
    check(document, split(document, name))

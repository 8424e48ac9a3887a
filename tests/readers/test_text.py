from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.errors import UnreadableDocument
from kg.model import Block, BlockKind, Document, MarkKind
from kg.readers import read
from tests.readers.invariants import check, leaves


def document(text: str) -> Document:
    result = read(text.encode(), "harbour.txt")
    check(result)
    return result


def outline(blocks: tuple[Block, ...]) -> list[object]:
    found: list[object] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.inline:
            found.append((block.level, block.inline.text))
        elif block.inline:
            found.append((block.kind.value, block.inline.text))
        else:
            found.append((block.kind.value, outline(block.children)))
    return found


PROSE = "The lamp was lit by hand in the first years, and nobody remembers when that ended."


def test_lone_short_lines_are_headings() -> None:
    result = document(
        f"The Lamps of Ness\n\nOil\n\n{PROSE}\n\nKeepers\n\nHead keepers\n\n{PROSE}\n\nGas (after 1890)\n\n{PROSE}\n"
    )
    assert outline(result.blocks) == [
        (1, "The Lamps of Ness"),
        (2, "Oil"),
        ("paragraph", PROSE),
        (2, "Keepers"),
        (3, "Head keepers"),
        ("paragraph", PROSE),
        (2, "Gas (after 1890)"),
        ("paragraph", PROSE),
    ]
    assert result.title == "The Lamps of Ness"


@pytest.mark.parametrize(
    "line",
    [
        "It went out.",
        "Who lit it?",
        "Head keeper: A. Lind",
        "Lantern — the glazed room at the top",
        "and so it went",
        "https://a.example/log",
        "keeper@a.example",
        "12 / 31 / 1871",
        "A line that goes on and on far beyond what anybody would ever think of setting as a heading over text",
        "Lamps, oil, wicks,",
    ],
)
def test_lines_that_are_no_headings(line: str) -> None:
    result = document(f"Title\n\n{PROSE}\n\n{line}\n\n{PROSE}\n")
    assert outline(result.blocks)[2] == ("paragraph", line)


def test_the_last_line_heads_nothing() -> None:
    assert outline(document(f"{PROSE}\n\nThe end").blocks)[-1] == ("paragraph", "The end")


def test_a_column_of_names_is_no_column_of_headings() -> None:
    text = "\n\n".join(["Ada Lind", "Bo Ek", "Cy Moe", "Di Roe", "Ed Poe", PROSE])
    assert all(block.kind is BlockKind.PARAGRAPH for block in document("Some words first.\n\n" + text).blocks)


def test_numbered_underlined_and_marked_headings() -> None:
    text = f"Log\n===\n\n1. Oil\n\n{PROSE}\n\n1.2 Wicks\n\n{PROSE}\n\nGas\n---\n{PROSE}\n\n### Late years\n\n{PROSE}\n"
    headings = [item for item in outline(document(text).blocks) if isinstance(item, tuple) and isinstance(item[0], int)]
    assert headings == [(1, "Log"), (2, "1. Oil"), (3, "1.2 Wicks"), (2, "Gas"), (3, "Late years")]


def marked(text: str, name: str) -> list[object]:
    result = read(text.encode(), name)
    check(result)
    return outline(result.blocks)


def test_headings_of_asciidoc_and_rdoc_have_their_level() -> None:
    text = f"= Lamps ==\n\n[[oil]]\n== How is it lit?\n{PROSE}\n\n=== 1.2 (1904) ===\ncurl http://a.example/b\n\n==\n"
    wanted = [(1, "Lamps =="), ("paragraph", "[[oil]]"), (2, "How is it lit?"), ("paragraph", PROSE), (3, "1.2 (1904)")]
    for name in ("lamps.adoc", "lamps.ASCIIDOC", "old/lamps.rdoc"):
        assert marked(text, name)[:5] == wanted
    assert marked(text, "lamps.adoc")[5] == ("code", "curl http://a.example/b")
    assert read(text.encode(), "lamps.adoc").title == "Lamps =="


def test_plain_text_takes_no_sums_for_headings() -> None:
    assert outline(document(f"{PROSE}\n\n= 12 + 4\n\n{PROSE}\n").blocks)[1] == ("paragraph", "= 12 + 4")
    assert (1, "= Rent + heating") in outline(document(f"= Rent + heating\n\n{PROSE}\n").blocks)
    assert ("code", "= Total") in marked(f"{PROSE}\n\n    = Total\n\n{PROSE}\n", "bill.adoc")


def test_blocks_of_asciidoc_are_code_and_their_lines_no_headings() -> None:
    code, note = "[source,yaml]\n----\nlamp: on\n\nport: 80\n----", "[NOTE]\n====\nKeep dry\n===="
    text = f"= Lamps\n\n{PROSE}\n\n{code}\n\n{note}\n\nLate\n\n{PROSE}\n"
    assert marked(text, "lamps.adoc") == [
        (1, "Lamps"), ("paragraph", PROSE), ("paragraph", "[source,yaml]"), ("code", "lamp: on\n\nport: 80"),
        ("paragraph", "[NOTE]"), ("rule", []), ("paragraph", "Keep dry"), ("rule", []), ("paragraph", "Late"),
        ("paragraph", PROSE),
    ]  # fmt: skip


def test_signs_below_rank_headings_of_restructured_text_as_they_come() -> None:
    sections = [
        ("Lamps", "^"),
        ("Oil", "~"),
        ("Wicks", '"'),
        ("Gas", "~"),
        ("Keepers", "^"),
        ("Tin", "="),
        ("Ash", "*"),
    ]
    text = "".join(f"{title}\n{sign * max(4, len(title) - 1)}\n\n{PROSE}\n\n" for title, sign in sections)
    found = [told for told in marked(text, "lamps.rst") if told != ("paragraph", PROSE)]
    assert found == [
        (1, "Lamps"), (2, "Oil"), (3, "Wicks"), (2, "Gas"), (1, "Keepers"), (4, "Tin"), (4, "Ash"),
    ]  # fmt: skip
    assert marked(f"{PROSE}\n\nWho knows\n\n{PROSE}\n", "lamps.rst") == [
        ("paragraph", PROSE), ("paragraph", "Who knows"), ("paragraph", PROSE),
    ]  # fmt: skip
    assert not {(1, "Oil"), (2, "Oil")} & set(map(tuple, marked(f"Oil\n..\n\n{PROSE}\n", "lamps.rst")))  # type: ignore[arg-type]


def test_other_names_of_plain_text_are_read_alike() -> None:
    assert marked(f"Lamps\n\nOil\n\n{PROSE}\n", "lamps.text") == [(1, "Lamps"), (2, "Oil"), ("paragraph", PROSE)]


def test_a_wrapped_paragraph_is_one() -> None:
    lines = [
        "The lamp was lit in 1871 by a keeper who had come from the",
        "north and who stayed for thirty years, until the oil",
        "ran out.",
    ]
    result = document("\n".join(lines))
    assert outline(result.blocks) == [("paragraph", " ".join(lines))]


def test_a_line_that_breaks_off_goes_on_in_the_next() -> None:
    lines = [
        "Heron Tools provide a small lamp for keepers of lights.",
        "Heron Tools are made of brass. Heron Works is heir to",
        "Heron Tools.",
        "The mill was sold in the year of 1931, and the wheel",
        "went with it.",
        "Heron Works is a mill on the river of Ness, in Orsk:",
        "heron",
    ]
    read = [*lines[:1], " ".join(lines[1:3]), " ".join(lines[3:5]), *lines[5:]]
    assert outline(document("\n".join(lines)).blocks) == [("paragraph", line) for line in read]


def test_short_lines_do_not_break_off() -> None:
    lines = [
        "fares of the",
        "Harbour for;",
        "the summer of the present year, by the day, by the week and season. So be it.",
    ]
    assert outline(document("\n".join(lines)).blocks) == [("paragraph", line) for line in lines]


def test_words_that_typesetting_broke_are_whole_and_blanks_single() -> None:
    text = (
        "The  lamp was\tlit in  the year of 1871 by a keeper whom all remem\u2010\n"
        "ber, the keeper of the light in the north of Ness, he was a well-\nmeaning man."
    )
    lamp = document(text).blocks[0]
    assert lamp.inline is not None
    assert lamp.inline.text == (
        "The lamp was lit in the year of 1871 by a keeper whom all remember, "
        "the keeper of the light in the north of Ness, he was a well- meaning man."
    )
    kept = document("The lamp was lit in 1871 by a keeper of the kind of Ada\u2010\nBo, who left the north.").blocks[0]
    assert kept.inline is not None and "Ada\u2010 Bo" in kept.inline.text


MANUAL = """LAMP(1)                 Keepers' Commands                 LAMP(1)

NAME
       lamp - light the tower

DESCRIPTION
       Run  the lamp with an adjusted wick, which governs how bright it will
       burn. Values range from 1 to 5 (the brightest).

       -n, --wick=N
              set the wick to N (default 3)

       /etc/lamp
              Settings of the lamp, one on each line, read when the lamp is
              lit.

Setting the wick
       The wick is set by hand where no option says otherwise, and it burns
       until the keepers of the light put it out, as they do at dawn in all
       weathers, by the order of the harbour master and of the town council
       Ness has had since the year of the great flood, or until the oil has
       run out, which is told by the bell, that the keepers hear and answer
       until dawn.
"""


def test_a_page_of_a_manual() -> None:
    assert outline(document(MANUAL).blocks) == [
        (1, "LAMP(1) Keepers' Commands LAMP(1)"),
        (2, "NAME"),
        ("paragraph", "lamp - light the tower"),
        (2, "DESCRIPTION"),
        (
            "paragraph",
            "Run the lamp with an adjusted wick, which governs how bright it will burn. "
            "Values range from 1 to 5 (the brightest).",
        ),
        ("paragraph", "-n, --wick=N set the wick to N (default 3)"),
        ("paragraph", "/etc/lamp Settings of the lamp, one on each line, read when the lamp is lit."),
        (2, "Setting the wick"),
        (
            "paragraph",
            "The wick is set by hand where no option says otherwise, and it burns until the keepers of the light put "
            "it out, as they do at dawn in all weathers, by the order of the harbour master and of the town council "
            "Ness has had since the year of the great flood, or until the oil has run out, which is told by the bell, "
            "that the keepers hear and answer until dawn.",
        ),
    ]


def test_what_is_not_set_in_by_one_step_stays_lines() -> None:
    text = f"{PROSE}\n\n/etc/lamp\n      One.\n         Two.\n\n/etc/wick\n Three.\n"
    assert outline(document(text).blocks)[1:] == [
        ("paragraph", "/etc/lamp"), ("paragraph", "One."), ("paragraph", "Two."),
        ("paragraph", "/etc/wick"), ("paragraph", "Three."),
    ]  # fmt: skip


def test_lines_of_a_flattened_table_stay_lines_below_their_heading() -> None:
    text = (
        "Cast of keepers\nNameYearsDuty\nAda Lind1871–head keeper; wrote the log of the north tower for years\n"
        "Bo Ekassistant; carried the oil up two hundred steps each evening\nYears of light\ntimeline\ntitle Ness\n"
        "Mar 3 1871 : First light\n1890 : Gas : mantle\nPlain words\n\nWick — what burns.\n"
    )
    result = document(text)
    assert outline(result.blocks) == [
        (1, "Cast of keepers"),
        ("paragraph", "NameYearsDuty"),
        ("paragraph", "Ada Lind1871–head keeper; wrote the log of the north tower for years"),
        ("paragraph", "Bo Ekassistant; carried the oil up two hundred steps each evening"),
        (2, "Years of light"),
        ("code", "timeline\ntitle Ness\nMar 3 1871 : First light\n1890 : Gas : mantle"),
        (2, "Plain words"),
        ("paragraph", "Wick — what burns."),
    ]
    assert next(b for b in result.blocks if b.kind is BlockKind.CODE).info == "mermaid"


def test_commands_with_their_comments_and_output_are_code() -> None:
    text = (
        f"{PROSE}\n\n# who answers for the harbour\ndig MX ness.example +short\n1 mail.ness.example.\n"
        f"5 post.ness.example.\n\nTides\n\n$ tide --today\nhigh 06:12\n\n{PROSE}\n"
    )
    result = document(text)
    assert outline(result.blocks)[1:4] == [
        (
            "code",
            "# who answers for the harbour\ndig MX ness.example +short\n1 mail.ness.example.\n5 post.ness.example.",
        ),
        (2, "Tides"),
        ("code", "$ tide --today\nhigh 06:12"),
    ]
    assert result.blocks[1].info == "console"


def test_a_comment_alone_above_a_command_is_no_heading() -> None:
    result = document("Log\n\n# fetch the tides\n\ncurl -s http://tides.example\n\nMore text follows here.\n")
    assert [b.kind.value for b in result.blocks] == ["heading", "code", "code", "paragraph"]


def test_indented_blocks_are_code_unless_they_read_as_prose() -> None:
    text = (
        f"{PROSE}\n\n    if oil:\n        burn(oil)\n\n"
        "    He said that the lamp would burn all night long. It did not.\n"
    )
    assert outline(document(text).blocks)[1:] == [
        ("code", "if oil:\n    burn(oil)"),
        ("paragraph", "He said that the lamp would burn all night long. It did not."),
    ]


def test_fences_hold_code() -> None:
    result = document(f"{PROSE}\n\n```python\na = 1\n\n# b\n```\nAfter the code comes text.\n")
    assert outline(result.blocks)[1] == ("code", "a = 1\n\n# b")
    assert result.blocks[1].info == "python"
    assert result.text[result.blocks[1].start : result.blocks[1].end] == "```python\na = 1\n\n# b\n```"


def test_bullets_nest_by_indentation_and_go_on_over_blank_lines() -> None:
    text = (
        "Sources:\n  • tower log\n    and its index\n    ◦ volume one\n\n  • chart\n\n1. first\n2. second\n1. again\n"
    )
    result = document(text)
    intro, bullets, numbers, again = result.blocks
    assert intro.inline is not None and intro.inline.text == "Sources:"
    assert outline(bullets.children) == [
        (
            "list_item",
            [("paragraph", "tower log and its index"), ("list", [("list_item", [("paragraph", "volume one")])])],
        ),
        ("list_item", [("paragraph", "chart")]),
    ]
    assert (bullets.level, bullets.children[0].children[1].level) == (1, 2)
    assert [(b.info, [item.number for item in b.children]) for b in (numbers, again)] == [
        ("ordered", [1, 2]),
        ("ordered", [1]),
    ]
    assert result.text[bullets.children[0].start] == "•"


def test_furniture_is_left_out_but_stays_in_the_text() -> None:
    result = document(f"Skip to content\n\nLamps\n\n{PROSE}\n\nBack to top\n")
    assert outline(result.blocks) == [(1, "Lamps"), ("paragraph", PROSE)]
    assert "Skip to content" in result.text


def test_bare_addresses_are_links() -> None:
    inline = document("The log is at https://a.example/log(1). So it was.").blocks[0].inline
    assert inline is not None
    assert [(m.kind, m.target) for m in inline.marks] == [(MarkKind.LINK, "https://a.example/log(1)")]


def test_deep_indentation_is_cut_off() -> None:
    text = "\n".join(" " * depth + "- lamp" for depth in range(600))
    assert len(list(leaves(document(text).blocks))) == 600


_chaos = st.lists(
    st.sampled_from(
        [
            "Lamp",
            "lamp oil burns.",
            "Oil",
            "1. one",
            "- two",
            "• three",
            "    x = 1",
            "\tdeep",
            "# note",
            "dig +x",
            "$ ls",
            "timeline",
            "a : b",
            "title x",
            "graph TB",
            "```",
            "===",
            "---",
            "",
            "",
            "\u00a0",
            "Key: value",
            "http://a.example",
            "[1]",
            "Skip to content",
            "é",
            "  2) four",
            "A line that runs on for quite a while so that it looks like one of a wrapped paragraph",
        ]
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=100, deadline=None)
@given(_chaos)
def test_nothing_is_lost_whatever_the_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    try:
        result = read(text.encode(), "a.txt")
    except UnreadableDocument:
        assume(False)
        return
    check(result)
    covered = set()
    for leaf in leaves(result.blocks):
        assert leaf.inline is not None
        for run in leaf.inline.runs:
            covered.update(range(run.source, run.source + run.source_length))
    outside = "".join(sign if at not in covered else " " for at, sign in enumerate(result.text))
    for line in outside.split("\n"):
        # Markers, rules, fences and furniture are all that no leaf holds.
        assert line.strip() in ("", "1.", "-", "•", "#", "```", "===", "---", "2)", "Skip to content"), line


def rows(text: str) -> list[list[str]]:
    """Cells of the document's only table."""
    result = document(text)
    (table,) = [block for block in result.blocks if block.kind is BlockKind.TABLE]
    assert [row.header for row in table.children] == [True] + [False] * (len(table.children) - 1)
    return [[cell.inline.text if cell.inline else "" for cell in row.children] for row in table.children]


KEEPERS = f"""Keepers

NameBornYears of serviceTrade
Ada Wren18711890–1910Keeper and diver; LampWorks trustee
Bo Lund1880Cook
Cy OrrLampWorks head of the board

{PROSE} LampWorks paid for it. Cy Orr had asked.
"""


def test_columns_that_ran_together_part_where_case_and_digits_say() -> None:
    assert rows(KEEPERS) == [
        ["Name", "Born", "Years of service", "Trade"],
        ["Ada Wren", "1871", "1890–1910", "Keeper and diver; LampWorks trustee"],
        ["Bo Lund", "1880", "", "Cook"],
        ["Cy Orr", "", "", "LampWorks head of the board"],
    ]


def test_a_table_without_blanks_ends_with_the_first_line_that_has_no_seam() -> None:
    text = "Keepers\nNameRole\nAda WrenHead keeper\nBo LundCook and diver\nTimeline (1871 – 1910)\n\n" + PROSE
    assert rows(text)[1:] == [["Ada Wren", "Head keeper"], ["Bo Lund", "Cook and diver"]]
    assert (1, "Keepers") in outline(document(text).blocks)


@pytest.mark.parametrize(
    "lines",
    [
        "GitHub\nJavaScript\nPowerPoint",  # names with capitals inside
        "LampWorks\nLampWorks sells lamps.\nMr LampWorks owns it.",
        "NameRole\nAda Wren, head keeper\nBo Lund, cook",  # no seams below
    ],
)
def test_lines_without_seams_are_no_table(lines: str) -> None:
    blocks = document(f"{PROSE}\n\n{lines}\n\n{PROSE}").blocks
    assert not any(block.kind is BlockKind.TABLE for block in blocks)


def test_columns_parted_by_tabs_or_wide_gaps() -> None:
    tabbed = f"{PROSE}\n\nShip\tBuilt\nIsla Bay\t1987\n\n{PROSE}"
    assert rows(tabbed) == [["Ship", "Built"], ["Isla Bay", "1987"]]
    wide = f"{PROSE}\n\nLoaf       Weight   Price\nRye        1.2 kg   $4\nSpelt loaf  800 g   $5\n\n{PROSE}"
    assert rows(wide) == [["Loaf", "Weight", "Price"], ["Rye", "1.2 kg", "$4"], ["Spelt loaf", "800 g", "$5"]]
    assert not [b for b in document(f"{PROSE}\n\nA line.  Two blanks.\n\n{PROSE}").blocks if b.kind is BlockKind.TABLE]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["Ada Wren", "Bo Lund", "Cy Orr", "Di Moss"]), st.integers(1500, 2020)),
        min_size=2,
        max_size=4,
    ),
    st.lists(st.sampled_from(["head keeper", "cook and diver", "lamp trimmer"]), min_size=4, max_size=4),
)
def test_seams_are_found_again(people: list[tuple[str, int]], trades: list[str]) -> None:
    cells = [[name, str(born), trade.capitalize()] for (name, born), trade in zip(people, trades, strict=False)]
    lines = ["".join(row) for row in [["Name", "Born", "Trade"], *cells]]
    assert rows("\n".join([PROSE, "", *lines, "", PROSE]))[1:] == cells


def test_aligned_rows_without_a_header_have_none() -> None:
    rows = "Lund    4 m    1931\nAske    5 m    1940\nVarn    6 m    1952\n"
    (table,) = document(rows).blocks
    assert [row.header for row in table.children] == [False] * 3
    (headed,) = document("Kiln    Height    Built\n" + rows).blocks
    assert [row.header for row in headed.children] == [True, False, False, False]


def test_a_rule_below_a_header_is_no_row() -> None:
    (table,) = document(
        "Kiln    Height    Built\n----    ------    -----\nLund    4 m       1931\nAske    5 m       -\n"
    ).blocks
    assert [row.header for row in table.children] == [True, False, False]
    assert [cell.inline.text for row in table.children for cell in row.children if cell.inline] == (
        ["Kiln", "Height", "Built", "Lund", "4 m", "1931", "Aske", "5 m", "-"]
    )


def test_page_numbers_and_comments_of_tools_are_no_text_and_no_headings() -> None:
    result = document("Kilns\nPage 1 of 3\n\n; <<>> DiG 9.10 <<>> kiln.example\n\nThe kiln is lit.\n\nPage 2 / 3\n")
    assert not any("Page" in str(entry) for entry in outline(result.blocks))
    assert ("paragraph", "; <<>> DiG 9.10 <<>> kiln.example") in outline(result.blocks)


def test_labelled_lines_are_one_record_headed_by_the_line_above_them() -> None:
    result = document("The Lamps of Ness\n\nAda Lind\nPhone: ext. 5\nRoom: 7\n\nBo Ekström-Sund\nPhone: 6\nRoom: 8\n")
    assert outline(result.blocks) == [
        (1, "The Lamps of Ness"),
        (2, "Ada Lind"),
        ("paragraph", "Phone: ext. 5 Room: 7"),
        (2, "Bo Ekström-Sund"),
        ("paragraph", "Phone: 6 Room: 8"),
    ]


def test_one_labelled_line_makes_no_heading_of_the_one_above() -> None:
    result = document(f"{PROSE}\n\nThe old lamp at Ness\nPhoto: Ada Lind\n")
    assert outline(result.blocks)[1:] == [("paragraph", "The old lamp at Ness"), ("paragraph", "Photo: Ada Lind")]


def test_targets_of_links_are_no_record() -> None:
    result = document(f"{PROSE}\n\n.. _Ness: https://ness.example/\n.. _Orr: https://orr.example/\n")
    assert [text for kind, text in outline(result.blocks)[1:]] == [
        ".. _Ness: https://ness.example/",
        ".. _Orr: https://orr.example/",
    ]


FAQ = """Rowing

Can I row alone?
Only if you have passed the test. It is held each month.

2. What if there is fog?

Then no boat goes out.

Q3. Why did you move?
A: The old house was flooded. Who could have known?
It was in 2011.
"""


def test_questions_above_their_answers_are_headings_where_there_are_several() -> None:
    assert outline(document(FAQ).blocks) == [
        (1, "Rowing"),
        (3, "Can I row alone?"),
        ("paragraph", "Only if you have passed the test. It is held each month."),
        (3, "2. What if there is fog?"),
        ("paragraph", "Then no boat goes out."),
        (3, "Q3. Why did you move?"),
        ("paragraph", "A: The old house was flooded. Who could have known? It was in 2011."),
    ]
    check(document(FAQ))
    assert outline(document(f"{FAQ}\nAnything else?\n").blocks)[-1] == ("paragraph", "Anything else?")
    two = document(FAQ.replace("What if there is fog?", "Of fog."))
    assert not any(isinstance(kind, int) and kind == 3 for kind, _ in outline(two.blocks))


@pytest.mark.parametrize(
    "line",
    [
        "and what then?",
        "Who was it? Nobody knows?",
        "MARTA: What if there is fog?",
        "See https://fog.example/if?",
        "What if there is fog?\n\nFog",
        "Fog?\n====",
        "What if there is fog?\nAnd what if there is ice?",
        "What if there is fog?\n    Then no boat goes out.",
        f"Would {'a very ' * 20}long boat go out?",
    ],
)
def test_lines_that_are_no_question_with_an_answer_below(line: str) -> None:
    blocks = document(FAQ.replace("2. What if there is fog?", line)).blocks
    assert not any(block.kind is BlockKind.HEADING and block.level == 3 for block in blocks)

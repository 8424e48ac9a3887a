from __future__ import annotations

from decimal import Decimal

from kg.algebra.answers import Computer
from kg.algebra.documents import Collection, DocumentTable, runs
from kg.algebra.links import Likeness
from kg.algebra.source import Type
from kg.model import Passage
from kg.readers import read
from kg.text.passages import split

TEXT = """# Lights of the coast

All lights that are kept by the board:

| Light | Built | Height (m) | County |
|---|---|---|---|
| Corran | 1901 | 18 | Argyll |
| Skerry; north | 1844 | 48 | Argyll |
| *Holm* |  | 12 | Orkney |

## Stores

The depot has three stores:

- oil – in barrels
- rope – on reels
- paint – in tins

Nothing else is kept.

- one
- two
"""


def passages(text: str = TEXT) -> tuple[Passage, ...]:
    return split(read(text.encode(), "lights.md"), "lights")


def tables(text: str = TEXT) -> list[DocumentTable]:
    found = passages(text)
    collection = Collection(found, {"lights": "Lights of the coast"})
    return collection.around(((p, n) for p in found for n in range(len(p.units))), 9)


def test_a_table_has_its_heads_rows_and_title() -> None:
    table = tables()[0].linked.table
    assert [c.head for c in table.columns] == ["Light", "Built", "Height (m)", "County"]
    assert [c.type for c in table.columns] == [Type.TEXT, Type.DATE, Type.NUMBER, Type.TEXT]
    assert [row[0].text for row in table.rows] == ["Corran", "Skerry; north", "Holm"]
    assert table.rows[2][1].blank
    assert "board" in table.title


def test_every_cell_stands_where_it_says() -> None:
    for table in tables():
        for row, (passage, number) in zip(table.linked.table.rows, table.places, strict=True):
            unit = passage.units[number]
            for cell in row:
                if cell.span is not None:
                    assert unit.start <= cell.span[0] < cell.span[1] <= unit.end
                    assert TEXT[slice(*cell.span)] == cell.text


STORES = """# Stores

| | Year ended 30 June | | |
|---|---|---|---|
| | 2019 | 2018 | Change (%) |
| Oil | 44.1 | 56.7 | -22 |
| Lamps: | | | |
| Wicks | (3) | 12 | |
"""


def test_a_table_of_periods_is_turned_so_that_a_row_is_a_period() -> None:
    (found,) = tables(STORES)
    turned = found.turned
    assert turned is not None and turned.across
    own = turned.linked.table
    assert [c.head for c in own.columns] == ["period", "Oil", "Wicks"]
    assert [[c.text for c in row] for row in own.rows] == [["2019", "44.1", "(3)"], ["2018", "56.7", "12"]]
    assert own.columns[0].type is Type.DATE
    for row in range(own.size):
        for column in (1, 2):
            span, (passage, number) = own.cell(row, column).span, turned.place(row, column)
            assert span is not None
            assert STORES[slice(*span)] == own.cell(row, column).text
            assert passage.units[number].start <= span[0] < span[1] <= passage.units[number].end


def test_figures_are_read_as_their_columns_write_them() -> None:
    rows = "| Orr | 9,8 | 412 |\n| Rho | 3,1 | 1.774 |\n| Ness | 10,9 | 98 |\n"
    (own,) = tables(f"| Light | Reach (km) | Cost |\n|---|---|---|\n{rows}")
    source = own.linked.table
    assert [source.cell(row, 1).number for row in range(3)] == [Decimal("9.8"), Decimal("3.1"), Decimal("10.9")]
    assert (source.cell(1, 2).number, source.cell(1, 2).text) == (Decimal(1774), "1.774")


def test_rows_of_sums_are_apart_from_what_they_add() -> None:
    (own,) = tables("| Light | Cost | Crew |\n|---|---|---|\n| Orr | 40 | 3 |\n| Rho | 50 | 2 |\n| Total | 90 | 5 |\n")
    assert own.linked.table.size == 3 and own.parts is not None
    assert [own.parts.linked.table.cell(row, 0).text for row in range(2)] == ["Orr", "Rho"]
    assert own.parts.places == own.places[:2] and own.parts.parts is None
    computed = Computer(likeness=Likeness.packaged())
    assert computed.answers("Which light has the greatest cost?", [own])[0].values == ("Rho",)
    assert computed.answers("How many lights are there?", [own])[0].values == ("2",)


def test_rows_that_name_their_columns_need_no_heads() -> None:
    text = "# Lights\n\n|  |  |\n|---|---|\n| Light: Corran | Built: 1901 |\n| Light: Holm | Built: 1844 |\n"
    table = tables(text)[0].linked.table
    assert [c.head for c in table.columns] == ["Light", "Built"]
    assert [[cell.text for cell in row] for row in table.rows] == [["Corran", "1901"], ["Holm", "1844"]]


def test_other_tables_are_not_turned() -> None:
    assert all(table.turned is None for table in tables())


def test_lists_of_keys_are_tables_of_two_columns() -> None:
    listed = tables()[1]
    assert listed.listed
    assert [[c.text for c in row] for row in listed.linked.table.rows] == [
        ["oil", "in barrels"], ["rope", "on reels"], ["paint", "in tins"],
    ]  # fmt: skip
    assert {"depot", "store"} <= listed.about


def test_lists_below_different_introductions_are_apart() -> None:
    assert [[row[0].text for row in t.linked.table.rows] for t in tables()[1:]] == [
        ["oil", "rope", "paint"], ["one", "two"],
    ]  # fmt: skip


def test_a_table_over_several_passages_is_one() -> None:
    rows = "".join(f"| Light {n} | {1700 + n} |\n" for n in range(150))
    text = f"# Lights\n\n| Light | Built |\n|---|---|\n{rows}"
    found = passages(text)
    assert len(found) > 1
    (only,) = Collection(found).around([(found[-1], 0), (found[0], 1)])
    assert only.linked.table.size == 150
    assert [c.head for c in only.linked.table.columns] == ["Light", "Built"]


def test_tables_are_found_by_their_heads_too() -> None:
    found = passages()
    collection = Collection(found, {"lights": "Lights of the coast"})
    (only,) = collection.headed("Which light has the greatest height?")
    assert only.linked.table.columns[0].head == "Light"
    assert collection.headed("Who founded the university of Vienna?") == []
    both = collection.tables("What is the height of rope?", [(p, n) for p in found for n in range(len(p.units))])
    assert [t.listed for t in both] == [False, True, True]


def test_nothing_is_made_of_prose() -> None:
    found = passages("# Title\n\nA sentence. Another one.\n\n- a single item\n\nMore text.\n")
    assert runs(found) == []
    assert Collection(found).around([(found[0], 0)]) == []


def test_items_led_by_a_short_sentence_have_it_for_their_key() -> None:
    (rules,) = tables("# Rules\n\n- Be early. We open at six.\n- Mind the step! It is wet.\n- Ask. Nobody minds.\n")
    table = rules.linked.table
    assert [table.cell(n, 0).text for n in range(3)] == ["Be early", "Mind the step", "Ask"]
    assert table.cell(1, 1).text == "It is wet."
    (mixed,) = tables("# Rules\n\n- Be early. We open at six.\n- Mind the step\n")
    assert len(mixed.linked.table.columns) == 1


def test_the_lists_that_units_are_items_of() -> None:
    (passage,) = [p for p in passages() if "oil" in p.text]
    collection = Collection(passages(), {"lights": "Lights of the coast"})
    found = collection.lists(passage, range(len(passage.units)))
    assert [t.linked.table.cell(0, 0).text for t in found] == ["oil", "one"]
    assert collection.lists(passage, []) == []

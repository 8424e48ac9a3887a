"""What the indexes hold of a passage."""

from __future__ import annotations

from dataclasses import replace

from kg.indexes.segments import head_length, passage_entries, unit_entries, unit_spans
from kg.model import Passage, Unit, UnitKind

PASSAGE = Passage(
    "p1",
    "doc",
    0,
    40,
    "## Fleet\n\n- one",
    ("Ferries", "Fleet"),
    0,
    (
        Unit(UnitKind.HEADING, 0, 8, "Fleet"),
        Unit(UnitKind.ITEM, 10, 15, "one", "They are:"),
        Unit(UnitKind.SENTENCE, 16, 20, "two"),
    ),
)


def test_units_are_indexed_with_headings_and_introduction() -> None:
    assert unit_entries(PASSAGE) == [
        ("p1#0001", "Ferries > Fleet > They are:: one"),
        ("p1#0002", "Ferries > Fleet: two"),
    ]


def test_a_passage_is_one_entry() -> None:
    assert passage_entries(PASSAGE) == [("p1", "Ferries > Fleet\nFleet one two")]


def test_spans_are_where_the_words_of_units_stand() -> None:
    introduced = replace(PASSAGE, units=(PASSAGE.units[2], Unit(UnitKind.ITEM, 10, 15, "one", "two"), *PASSAGE.units))
    for passage, expected in (
        (PASSAGE, [["Ferries", "Fleet", "one"], ["Ferries", "Fleet", "two"]]),
        (replace(introduced, headings=()), [["two"], ["two", "one"], ["one"], ["two"]]),
        (replace(PASSAGE, headings=("A", "B", "C"), units=PASSAGE.units[:1]), [["B", "C", "Fleet"]]),
    ):
        ((_, text),) = passage_entries(passage)
        assert [[text[start:end] for start, end in part] for part in unit_spans(passage)] == expected
        assert text[head_length(passage) :] == " ".join(unit.plain for unit in passage.units)

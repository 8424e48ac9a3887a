"""What the indexes hold of a passage."""

from __future__ import annotations

from kg.ask.entries import passage_entries, unit_entries
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

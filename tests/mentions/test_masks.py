"""Addresses and the like are found where they stand, and endless words cost no more than others."""

from __future__ import annotations

import pytest

from kg.mentions.masks import opaque


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Write to ada.wren@mill.example soon.", ["ada.wren@mill.example"]),
        ("See lamps.example/oil and fog-horn.example.", ["lamps.example/oil", "fog-horn.example"]),
        ("Version 3.1.4 of 9:30", ["3.1.4", "9:30"]),
        ("The 40 lamps burn 3.5 litres.", []),
    ],
)
def test_what_is_opaque(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in opaque(text)] == found


@pytest.mark.parametrize("endless", ["a-" * 50_000, "(" * 100_000, "a." * 2_000 + "!", "Mill, " * 20_000])
def test_endless_words_are_read_to_their_end(endless: str) -> None:
    spans = opaque(endless + " ada@mill.example")
    start, end = spans[-1]
    assert (endless + " ada@mill.example")[start:end] == "ada@mill.example"

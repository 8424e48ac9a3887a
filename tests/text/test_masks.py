"""Addresses and the like are found where they stand, and endless words cost no more than others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest

from kg.text import dates, quantities
from kg.text.masks import covered, joined, opaque


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


@pytest.mark.parametrize("endless", ["a-" * 50_000, "(" * 100_000, "a." * 50_000 + "!", "Mill, " * 20_000])
def test_endless_words_are_read_to_their_end(endless: str) -> None:
    spans = opaque(endless + " ada@mill.example")
    start, end = spans[-1]
    assert (endless + " ada@mill.example")[start:end] == "ada@mill.example"


def test_a_place_is_covered_by_the_stretch_that_touches_it() -> None:
    spans = [(2, 5), (5, 6), (9, 12)]
    touched = [at for at in range(14) if covered(spans, at, at + 1)]
    assert touched == [2, 3, 4, 5, 9, 10, 11]
    assert covered(spans, 0, 3) and covered(spans, 6, 10) and covered(spans, 0, 20)
    assert joined([(9, 12), (2, 5), (10, 11), (5, 6), (3, 4)]) == spans
    assert not covered(spans, 6, 9) and not covered(spans, 12, 40) and not covered([], 0, 9)


def calls(work: Callable[[], object]) -> int:
    """How many functions, C functions and steps of generators a piece of work takes."""
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", ["Mill (1901) ", "Barn 3, 4.5.6 ", "May 1901 to May 1904, ", "ten of 12 (5 %) "])
def test_twice_the_text_takes_about_twice_the_steps(piece: str) -> None:
    for find in (dates.find, quantities.find):
        find(piece)  # tables are made at the first call
        once, twice = (calls(partial(find, piece * n + ".")) for n in (60, 120))
        assert twice < 2.3 * once, f"{find.__module__}: {once}, then {twice}"

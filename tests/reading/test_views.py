from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Passage, Unit, UnitKind
from kg.reading import ROOM, View, uncut, view, views

PARTS = st.lists(st.text(alphabet="ab c.\n", min_size=1, max_size=300).filter(str.strip), min_size=1, max_size=12)


def passage(parts: list[str], headings: tuple[str, ...] = (), context: str = "", id_: str = "p") -> Passage:
    units, at = [], 0
    for part in parts:
        units.append(Unit(UnitKind.SENTENCE, at, at + len(part), part, context))
        at += len(part) + 1
    return Passage(id_, "d", 0, at, " ".join(parts), headings, 0, tuple(units))


@given(PARTS)
def test_every_unit_of_a_view_stands_where_it_is_said_to(parts: list[str]) -> None:
    seen = view(passage(parts, ("Boats", "Elsa")), "Harbour", range(len(parts)))
    for number, start in zip(seen.numbers, seen.starts, strict=True):
        assert seen.text[start : start + len(parts[number])] == parts[number]
        assert seen.unit_at(start) == number
        assert seen.unit_at(start + len(parts[number]) - 1) == number
        assert seen.within(start, len(seen.text)) == parts[number].strip()


def test_a_view_begins_with_title_headings_and_what_introduces_its_units() -> None:
    seen = view(passage(["Elsa", "Aurelia"], ("Harbour", "Boats"), "They sail daily:"), "Harbour", (0, 1))
    assert seen.text == "Harbour > Boats\nThey sail daily:\nElsa\nAurelia"
    assert seen.unit_at(0) is None
    assert seen.unit_at(len("Harbour > Boats\nThey")) is None


@given(PARTS, st.integers(0, 11))
def test_a_view_is_as_long_as_there_is_room_and_no_longer(parts: list[str], number: int) -> None:
    number %= len(parts)
    (seen,) = views([(passage(parts), number)], {}, 3)
    told = sum(len(parts[n]) for n in seen.numbers)
    assert number in seen.numbers
    assert told <= max(ROOM, len(parts[number]))
    assert list(seen.numbers) == sorted(seen.numbers)


@given(PARTS, st.permutations(range(12)))
def test_no_unit_is_read_twice_and_the_best_come_first(parts: list[str], order: list[int]) -> None:
    given_ = passage(parts)
    best = [(given_, n) for n in order if n < len(parts)]
    found = views(best, {}, 12)
    every = [n for seen in found for n in seen.numbers]
    assert sorted(every) == sorted(set(every))
    assert best[0][1] in found[0].numbers
    assert set(every) == set(range(len(parts)))


def test_so_many_views_are_made_and_headings_are_in_none() -> None:
    one = Passage("q", "d", 0, 9, "# A\nb", ("A",), 0, (
        Unit(UnitKind.HEADING, 0, 3, "A"), Unit(UnitKind.SENTENCE, 4, 5, "b"),
    ))  # fmt: skip
    found = views([(one, 1), (passage(["x"], id_="r"), 0), (passage(["y"], id_="s"), 0)], {"d": "T"}, 2)
    assert [(v.passage.id, v.numbers, v.text) for v in found] == [("q", (1,), "T > A\nb"), ("r", (0,), "T\nx")]
    assert isinstance(found[0], View)


@pytest.mark.parametrize(
    ("text", "read", "whole"),
    [
        ("it rose 75% then", "75", "75%"),
        ("at $252 billion.", "252 billion", "$252 billion"),
        ("in 1.0.32 and on", "0", "1.0.32"),
        ("call lib.rs first", "lib", "lib.rs"),
        ("mail tts@gsa.gov, then", "gsa.gov", "tts@gsa.gov"),
        ("it\u2019s late", "\u2019s late", "it\u2019s late"),
        ("It was 94 K (-179 \u00b0C).", "94 K (-179 \u00b0C", "94 K (-179 \u00b0C)"),
        ("the Board (OPP).", "(OPP", "OPP"),
        ("(Prometheus 3.0) is", "Prometheus 3.0)", "Prometheus 3.0"),
        ("Fingal's Cave", "Fingal", "Fingal"),
        ("Windows/Linux", "Linux", "Linux"),
        ("a 14-day leave.", "14", "14-day"),
        ("up to 240 hours of it", "240", "up to 240 hours"),
        ("Cool it to less than 40 \u00b0C first", "40 \u00b0C", "less than 40 \u00b0C"),
        ("It is ~$15.", "$15", "~$15"),
        ("It ends. Then", "ends", "ends"),
        ("paid ($5)", "5", "$5"),
    ],
)
def test_a_word_that_is_read_in_part_is_told_whole(text: str, read: str, whole: str) -> None:
    at = text.index(read)
    assert text[slice(*uncut(text, at, at + len(read)))] == whole


@given(st.text(alphabet="ab1 .@'()$%", max_size=30), st.data())
def test_what_is_told_whole_has_what_was_read_but_for_a_bracket(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = uncut(text, start, end)
    assert 0 <= first <= last <= len(text)
    assert text[start:end].strip("()") in text[first:last]

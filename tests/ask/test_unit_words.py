"""Words of units by row: in, over, before and around them."""

from __future__ import annotations

import pytest

from kg.ask.unit_index import UnitWords
from kg.indexes.texts import unit_id
from kg.readers import read
from kg.text.passages import split
from kg.text.terms import bag, term

KENNELS = """# Kennels of Varn

The kennel keeps nine huskies. A sled-dog eats twice a day.

## Harness

| Dog | Harness |
|---|---|
| Bruna | leather |
| Tolv | webbing |
"""
MILL = "# The mill at Osk\n\nThe mill grinds rye.\n"


@pytest.fixture(scope="module")
def words() -> UnitWords:
    passages = [
        p for name, text in (("kennels.md", KENNELS), ("mill.md", MILL)) for p in split(read(text.encode(), name), name)
    ]
    return UnitWords.build(reversed(passages))


def row_of(words: UnitWords, text: str) -> int:
    units = [u for p in words.passages for u in p.units]
    return next(row for row, unit in enumerate(units) if text in unit.plain)


def test_one_row_a_unit_in_the_order_of_passages(words: UnitWords) -> None:
    assert [p.id for p in words.passages] == sorted(p.id for p in words.passages)
    assert len(words) == sum(len(p.units) for p in words.passages) == len(words.quotable)
    first = words.first_rows[words.passages[-1].id]
    assert words.passage_of[first] == len(words.passages) - 1


def test_a_unit_is_found_by_its_identifier(words: UnitWords) -> None:
    last = words.passages[-1]
    assert len(words.rows) == len(words)
    assert words.rows[unit_id(last, 1)] == words.first_rows[last.id] + 1
    assert unit_id(last, len(last.units)) not in words.rows


def test_a_word_counts_where_it_stands(words: UnitWords) -> None:
    found = words.places([(term("huskies"), 1.0)], ())
    keeps, eats = row_of(words, "nine huskies"), row_of(words, "twice a day")
    assert (found.own[keeps], found.own[eats]) == (1.0, 0.0)
    assert (found.before[keeps], found.before[eats]) == (0.0, 1.0)
    assert found.passage[eats] == 1.0
    assert found.passage[row_of(words, "grinds rye")] == 0.0
    assert words.places([(term("harness"), 1.0)], ()).context[row_of(words, "Bruna")] == 1.0


def test_the_unit_before_is_of_the_same_passage(words: UnitWords) -> None:
    for passage in words.passages:
        last = words.first_rows[passage.id] + len(passage.units) - 1
        for word in bag(passage.units[-1].plain):
            before = words.places([(word, 1.0)], ()).before
            assert last + 1 == len(words) or before[last + 1] == 0.0


def test_the_better_form_counts(words: UnitWords) -> None:
    keeps = row_of(words, "nine huskies")
    assert words.places([(term("keeps"), 0.9), (term("huskies"), 0.75)], ()).own[keeps] == 0.9
    assert words.places([(term("owns"), 1.0), (term("huskies"), 0.75)], ()).own[keeps] == 0.75


def test_parts_of_a_compound_count_by_their_share(words: UnitWords) -> None:
    found = words.places([("sled-cat", 1.0)], (term("sled"), term("cat")))
    assert found.own[row_of(words, "twice a day")] == 0.5


def test_a_word_that_no_unit_has_is_found_nowhere(words: UnitWords) -> None:
    found = words.places([("zeppelin", 1.0)], ())
    assert not found.own.any() and not found.context.any() and not found.before.any() and not found.passage.any()


def test_heads_of_columns_and_headings_are_not_quoted(words: UnitWords) -> None:
    units = [u for p in words.passages for u in p.units]
    quoted = [u.plain for u, told in zip(units, words.quotable, strict=True) if told]
    assert "Dog: Bruna; Harness: leather" in quoted
    assert "Harness" not in quoted


def test_nothing_has_no_words() -> None:
    empty = UnitWords.build(())
    assert len(empty) == 0
    assert len(empty.places([("rye", 1.0)], ("rye",)).own) == 0

"""What the words of two names allow: one person, an abbreviation, a name without its legal form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text.names import (
    acronym_key,
    folded,
    initials,
    is_person_form,
    may_be_one_person,
    name_key,
    person_words,
    suffix,
    without_legal_form,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Dr. Ada Rook", ("ada", "rook")),
        ("Ada “Rye” Rook Jr.", ("ada", "rook")),
        ('Ada "Rye" M. Rook', ("ada", "m", "rook")),
        ("Ada (Gus) Rook", ("ada", "rook")),
        ("Rook, Ada M.", ("ada", "m", "rook")),
        ("A.M. Rook", ("a", "m", "rook")),
        ("Jan van der Meer", ("jan", "van der meer")),
        ("Van Meer", ("van meer",)),
        ("Adá Röok", ("ada", "rook")),
        ("Mrs Rook", ("mrs", "rook")),
        ("Captain", ("captain",)),
        ("Olaf II", ("olaf",)),
    ],
)
def test_words_of_a_person(name: str, words: tuple[str, ...]) -> None:
    assert person_words(name) == words


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("Ada Rook", "Ada Marie Rook", True),
        ("A. M. Rook", "Ada Marie Rook", True),
        ("Ada M. Rook", "Ada Marie Rook", True),
        ("Prof. Ada Rook", "Ada Rook", True),
        ("Ada Rook", "Ada Rook Jr.", True),
        ("Rook, Ada", "Ada Rook", True),
        ("Rook Ada", "Ada Rook", True),
        ("Jan Meer", "Jan van Meer", True),
        ("Ada Rook", "Alma Rook", False),
        ("Ada M. Rook", "Ada R. Rook", False),
        ("Tom W. Rook", "Tom H. W. Rook", False),
        ("Tom Rook Sr.", "Tom Rook Jr.", False),
        ("Old Olaf", "Old Olaf II", False),
        ("Ada Rook", "Ada Finch", False),
        ("Rook", "Ada Rook", False),
    ],
)
def test_two_full_names_of_one_person(one: str, other: str, may: bool) -> None:
    assert may_be_one_person(one, other) is may
    assert may_be_one_person(other, one) is may


def test_forms_and_suffixes() -> None:
    assert is_person_form('Ada "Rye" Rook') and is_person_form("Rook, Ada") and is_person_form("Ada Rook, Jr.")
    assert not is_person_form("Olaf II") and not is_person_form("Rook") and not is_person_form("Dr. Rook")
    assert (suffix("Tom Rook Jr."), suffix("Olaf II"), suffix("Ada Rook")) == ("jr", "ii", "")


@pytest.mark.parametrize(
    ("name", "key"), [("R.S.M.", "rsm"), ("RSM", "rsm"), ("Rsm", ""), ("R2", ""), ("ROYALSOCIETY", "")]
)
def test_abbreviations(name: str, key: str) -> None:
    assert acronym_key(name) == key


def test_initials_are_those_of_all_words_or_of_the_main_ones() -> None:
    assert initials("Society of the Millers' Union") == {"sotmu", "smu"}
    assert initials("Royal Corn-Mill Guild") == {"rcmg"}
    assert initials("Society for corn") == initials("Society") == frozenset()


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Rook Mills, Inc.", "Rook Mills"),
        ("Rook Mills Co., Ltd.", "Rook Mills"),
        ("Rook Mills S.A.", "Rook Mills"),
        ("Rook GmbH", "Rook"),
        ("Rook LP", "Rook LP"),
        ("Rook LLC", "Rook LLC"),
        ("Rook Group", "Rook Group"),
        ("Inc.", "Inc."),
    ],
)
def test_legal_forms(name: str, bare: str) -> None:
    assert without_legal_form(name) == bare


@given(st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=100, deadline=None)
def test_any_text_is_taken(one: str, other: str) -> None:
    assert may_be_one_person(one, other) is may_be_one_person(other, one)
    assert folded(folded(one)) == folded(one)
    assert without_legal_form(one) or not one
    assert name_key(one) or not one

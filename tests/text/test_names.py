from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text.names import clean_name, is_full_person_name, is_proper, name_key, without_possessive


@pytest.mark.parametrize(
    "names",
    [
        (
            "Corn Mill",
            "corn mill",
            "the Corn Mill",
            "Corn-Mill",
            "“Corn Mill”",
            "**Corn Mill**",
            "Corn Mill's",
            "Corn\u00a0Mill,",
        ),
        ("M140", "M140s", "M-140", "M140’s"),
        ("PLC", "PLCs", "the PLCs"),
        ("Mill-E", "MILL·E", "MILL‑E"),
        ("Salt & Rye", "Salt and Rye"),
        ("[[notes/mills#x|Corn Mill]]", "[Corn Mill](https://corn.example)", "Corn Mill"),
        ("Rye Inc.", "Rye Inc"),
    ],
)
def test_near_exact_names_meet(names: tuple[str, ...]) -> None:
    assert len({name_key(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mill 1-1", "Mill 11"),
        ("C++", "C"),
        ("Rye", "Rye Ltd"),
        ("1990s", "1990"),
        ("Corn Mill", "Corn Mills"),
        ("V3.5", "V35"),
    ],
)
def test_other_names_do_not(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("surface", "shown"),
    [
        ("the **M100s**", "M100"),
        ("Ada Rook’s", "Ada Rook’s"),
        ("the U.S.", "U.S."),
        ("Rye Inc.,", "Rye Inc."),
        ("Kubernetes", "Kubernetes"),
        ("Total PLCs Reserved", "Total PLCs Reserved"),
        ("5ms", "5ms"),
        ("The", "The"),
        ("snake_case_name", "snake_case_name"),
        ('Oat bars "Hiker"', 'Oat bars "Hiker"'),
        ('the "fbx" user', '"fbx" user'),
        ("“Old Mill” and “New Mill”,", "“Old Mill” and “New Mill”"),
        ('"Ada Holm"', "Ada Holm"),
        (" ... ", "..."),
    ],
)
def test_names_as_shown(surface: str, shown: str) -> None:
    assert clean_name(surface) == shown


@given(st.text(min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_cleaning_and_keys_lose_nobody(text: str) -> None:
    assert clean_name(text)
    assert name_key(text)


def test_a_possessive_is_taken_off_once() -> None:
    assert without_possessive("Rook's") == without_possessive("Rook’s") == without_possessive("Rook") == "Rook"
    assert without_possessive("Rooks'") == "Rooks"


def test_names_beyond_their_document() -> None:
    assert is_proper("CM") and is_proper("mill 7")
    assert not is_proper("the Works") and not is_proper("our company")


def test_names_of_people() -> None:
    assert is_full_person_name("Ada M. Rook") and is_full_person_name("Jan van der Meer")
    assert not is_full_person_name("Rook") and not is_full_person_name("Mill 7") and not is_full_person_name("ada rook")


def test_accents_and_full_stops_of_initials_make_no_other_name() -> None:
    assert name_key("Röokstad") == name_key("Rookstad") and name_key("Qur’ta") == name_key("Qurʾtā")
    assert name_key("R.S.M.") == name_key("RSM") == name_key("R.S.M") and name_key("A.M. Rook") == name_key(
        "A. M. Rook"
    )
    assert name_key("U.R. Mint") == name_key("UR Mint")
    assert name_key("Mint 1.2") != name_key("Mint 12") and name_key("Rook.js") != name_key("Rookjs")

"""Words in one normal form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text.terms import Spellings, bag, parts, synonyms, term, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("centre", "centers"),
        ("colour", "color"),
        ("organised", "organizing"),
        ("programme", "program"),
        ("10,000", "10K"),
        ("1.5M", "1500000"),
        ("seven", "7"),
        ("A100s", "a100"),
        ("Aurelia's", "Aurelia"),
        ("licence", "license"),
    ],
)
def test_spellings_of_one_word_are_one(one: str, other: str) -> None:
    assert term(one) == term(other)


@pytest.mark.parametrize(("one", "other"), [("MK-3", "MK-3.5"), ("10", "100"), ("V1", "V12"), ("harbour", "ferry")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert term(one) != term(other)


def test_compounds_match_however_they_are_written() -> None:
    assert term("pilothouse") in bag("the pilot house")
    assert {term("pilot"), term("house")} <= bag("pilot-house")
    assert parts(tokens("multi-deck")[0]) == (term("multi"), term("deck"))
    assert parts(tokens("MK-3")[0]) == ()
    assert term("alt4") in bag("10 alt4.mail.example.net.")


def test_tokens_know_their_place() -> None:
    text = "Bryndis carries 1,250 t"
    assert [(t.text, text[t.start : t.end]) for t in tokens(text)] == [
        (w, w) for w in ("Bryndis", "carries", "1,250", "t")
    ]


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_tokens_in_order_within_it(text: str) -> None:
    found = tokens(text)
    assert [text[t.start : t.end] for t in found] == [t.text for t in found]
    assert [t.start for t in found] == sorted({t.start for t in found})


def test_synonyms_go_both_ways_and_are_not_chained() -> None:
    assert term("departed") in synonyms(term("left")) and term("left") in synonyms(term("departed"))
    assert term("launch") not in synonyms(term("car"))
    assert term("left") not in synonyms(term("left"))


def test_spellings_of_several_ways_are_left_alone() -> None:
    spelt = Spellings.of(["gx-7", "v100", "k-9", "k9", "stage-4", "2019", "7-way"])
    assert spelt.mended("Is gx7 or GX 7's twin newer?") == "Is gx-7 or GX-7's twin newer?"
    assert spelt.mended("V-100 in 2019") == "V100 in 2019"
    for text in ("k9 and k-9", "a stage 4 cyclist", "7 way", "gx 77"):
        assert spelt.mended(text) == text.replace("stage 4", "stage-4")

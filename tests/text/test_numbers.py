"""Numbers in digits and in words."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text import numbers

SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"  # noqa: E501
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(n: int) -> str:
    """English for 1 to 999,999,999."""
    small, tens = SMALL.split(), TENS.split()
    if n < 20:
        return small[n]
    if n < 100:
        return tens[n // 10 - 2] + (f"-{small[n % 10]}" if n % 10 else "")
    for size, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if n >= size:
            rest = n % size
            joint = " and " if rest and rest < 100 else " "
            return f"{in_words(n // size)} {word}" + (joint + in_words(rest) if rest else "")
    raise AssertionError(n)


@given(st.integers(1, 10**9 - 1))
@settings(max_examples=100, deadline=None)
def test_words_are_read_back(n: int) -> None:
    text = in_words(n)
    found = numbers.written(text, 0)
    assert found is not None
    assert (found.value, found.end) == (n, len(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a dozen", "12"),
        ("two dozen", "24"),
        ("half a million", "500000"),
        ("a hundred", "100"),
        ("two and a half", "2.5"),
        ("Ten Thousand", "10000"),
        ("one hundred and five thousand", "105000"),
    ],
)
def test_words(text: str, value: str) -> None:
    found = numbers.written(text, 0)
    assert found is not None
    assert found.value == Decimal(value)


@pytest.mark.parametrize(
    "text", ["million", "hundredfold", "second", "a few", "two three", "twenty eleven", "onerous", "a"]
)
def test_words_that_are_no_number(text: str) -> None:
    found = numbers.written(text, 0)
    assert found is None or found.end < len(text)


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [
        ("1,234,567.5", "1234567.5", 11),
        ("1\u202f234\u202f567", "1234567", 9),
        ("2.15 x 10^25", "2.15E25", 12),
        ("6.02×10²³", "6.02E23", 9),
        ("10^-3", "0.001", 5),
        ("1e21", "1E21", 4),
        ("3½", "3.5", 2),
        ("12,34", "12.34", 5),
        ("007", "7", 3),
        ("1.234.567,89 €", "1234567.89", 12),
        ("1.234,5 kg", "1234.5", 7),
        ("10.000.000.", "10000000", 10),
        ("1.234", "1.234", 5),
        ("1.234,567", "1.234", 5),
    ],
)
def test_digits(text: str, value: str, length: int) -> None:
    found = numbers.digits(text, 0)
    assert found is not None
    assert (found.value, found.end) == (Decimal(value), length)


@pytest.mark.parametrize(
    ("text", "value"), [("hundreds of thousands", 100_000), ("dozens", 12), ("tens of millions", 10**7)]
)
def test_vague_plurals_are_their_least(text: str, value: int) -> None:
    found = numbers.vague(text, 0)
    assert found is not None
    assert (found.value, found.vague) == (value, True)


@pytest.mark.parametrize(
    ("text", "money", "factor"),
    [
        ("K nodes", False, 10**3),
        ("B+", False, 10**9),
        (" billion", False, 10**9),
        ("-million", False, 10**6),
        ("bn", False, 10**9),
        ("m", True, 10**6),
        ("m", False, None),
        ("B/s", False, None),
        ("B/day", False, 10**9),
        ("GB", False, None),
        ("Kg", False, None),
        (" M", False, None),
        (" M", True, 10**6),
    ],
)
def test_scales(text: str, money: bool, factor: int | None) -> None:
    found = numbers.scale(text, 0, money)
    assert (found[0] if found else None) == factor


@given(st.integers(1, 999), st.sampled_from([2, 4, 5, 8, 16]), st.data())
@settings(max_examples=100, deadline=None)
def test_mixed_fractions_are_read_whole(whole: int, below: int, data: st.DataObject) -> None:
    above = data.draw(st.integers(1, below - 1))
    for joint in (" ", "-", "\u00a0"):
        text = f"{whole}{joint}{above}/{below}"
        found = numbers.digits(f"{text} cups", 0)
        assert found == numbers.Number(numbers.plain(whole + Decimal(above) / below), len(text))


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [("1½ l", "1.5", 2), ("1 ½ l", "1.5", 3), ("½ l", "0.5", 1), ("3/4 cup", "0.75", 3), ("2 1⁄8 in", "2.125", 5)],
)
def test_fractions(text: str, value: str, end: int) -> None:
    assert numbers.digits(text, 0) == numbers.Number(Decimal(value), end)


def test_a_third_is_rounded() -> None:
    assert numbers.digits("2⅓ l", 0) == numbers.Number(Decimal("2.333333333333"), 2, rounded=True)


@pytest.mark.parametrize("text", ["24/7 service", "9/11 attacks", "3/4/2021", "5 5/6", "3/2 cups", "1/2"])
def test_what_is_no_fraction(text: str) -> None:
    found = numbers.digits(text, 0)
    assert found is not None and found.value == int(text.split("/")[0].split(" ")[0])


@pytest.mark.parametrize("text", ["10^1000", "10⁵⁰⁰⁰", "3 x 10^99999999999"])
def test_what_would_fill_pages_with_noughts_is_no_number(text: str) -> None:
    assert numbers.digits(text, 0) is None

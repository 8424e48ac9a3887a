"""Generic English that questions are made of: words that carry no subject matter, and nouns that name kinds of answer.

Nothing here knows a domain. The words stand in ``english/words.txt``, in lower case, unstemmed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kg.text.words import word_set

words = word_set


def lines(name: str) -> list[str]:
    """The lines of one of the lists in ``english``, without comments."""
    text = Path(__file__).with_name("english").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _lists() -> dict[str, str]:
    """The lists of ``words.txt`` by name; a line that begins with a space goes on with the one before."""
    parts = "\n".join(lines("words")).replace("\n ", " ").splitlines()
    return {name: listed for name, _, listed in (part.partition(":") for part in parts)}


def _list(name: str) -> frozenset[str]:
    return word_set(_lists()[name])


FUNCTION = _list("function")
LIGHT_VERBS = _list("light_verbs")
META = _list("meta")
# Nouns that say what kind of answer is wanted rather than what the answer is about.
PERSON_NOUNS = _list("person_nouns")
PLACE_NOUNS = _list("place_nouns")
ORGANISATION_NOUNS = _list("organisation_nouns")
DATE_NOUNS = _list("date_nouns")
MONEY_NOUNS = _list("money_nouns")
SPENDING = _list("spending")
SHARE_NOUNS = _list("share_nouns")
NUMBER_NOUNS = _list("number_nouns")
# What a value of the right kind already accounts for.
KINDS = DATE_NOUNS | _list("duration_nouns") | MONEY_NOUNS | SHARE_NOUNS | PERSON_NOUNS | PLACE_NOUNS | NUMBER_NOUNS
SUPERLATIVES = _list("superlatives")
COMPARATIVES = _list("comparatives")
NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "trillion": 10**12,
}  # fmt: skip
NEGATIONS = _list("negations")
AUXILIARIES = _list("auxiliaries")
PREPOSITIONS = _list("prepositions")
# Places and peoples that questions name without the documents having to.
COMMON_NAMES = _list("common_names")
# Units named after people: capitalised, and no names.
UNIT_NAMES = _list("unit_names")
# Nouns that anything answers to.
ANY_ANSWER = _list("any_answer")

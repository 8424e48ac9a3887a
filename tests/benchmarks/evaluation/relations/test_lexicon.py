"""Which relations of the lexicon mean what a property does."""

from collections import Counter

import pytest

from benchmarks.evaluation.relations.lexicon import meaning_key, patterns_of, phrasings_for, same_meaning
from kg.relations.phrasebook import entries


def test_labels_are_one_each() -> None:
    twice = [k for k, n in Counter(meaning_key(e.relation) for e in entries()).items() if n > 1]
    assert twice == [("cause",)]  # "cause" and "causes": told apart by the exact label
    assert [[e.relation for e in same_meaning(name)] for name in ("cause", "causes")] == [["cause"], ["causes"]]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("place of birth", "birthPlace", True),
        ("organisation", "organization", True),
        ("hasAuthor", "authors", True),
        ("colour", "color", True),
        ("capital", "capital of", False),
        ("part of", "has part", False),
        ("publisher", "published", False),
        ("member of band", "band member", False),
    ],
)
def test_labels_of_one_meaning(one: str, other: str, same: bool) -> None:
    assert (meaning_key(one) == meaning_key(other)) is same


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (("founder", (), "Company", "Person"), ["founded by"]),
        (("director", (), "Film", "Person"), ["director"]),
        (("director", (), "Company", "Person"), ["director of organisation"]),
        (("location", (), "Event", "Place"), ["event location"]),
        (("birthDate", (), "Person", "xsd:date"), ["date of birth"]),
        (("capital of", (), "City", "Country"), ["capital of"]),
        (("brood", ("children",), "Person", "Person"), ["child"]),
        (("director", (), "Disease", "Person"), []),
        (("founder", (), "Company", "xsd:date"), []),
        (("brood", (), "", ""), []),
    ],
)
def test_a_property_finds_its_relation(asked: tuple[str, tuple[str, ...], str, str], meant: list[str]) -> None:
    assert [e.relation for e in same_meaning(*asked)] == meant


def test_phrasings_are_lent_as_patterns() -> None:
    lent = phrasings_for("founder", (), "Company", "Person")
    assert "{object} founded {subject}" in lent
    assert "{object}, the founder of {subject}" in lent
    assert not [p for p in lent if p.endswith(("…", ",", " "))]
    assert phrasings_for("gloss of the third kind") == ()


def test_phrasings_of_function_words_alone_are_not_lent() -> None:
    assert patterns_of(["{subject} is {object}", "{subject}, a {object}, …", "{subject} was a {object} by trade"]) == [
        "{subject} was a {object} by trade"
    ]

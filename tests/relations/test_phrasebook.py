"""The lexicon is well formed, tells inverses apart, and lends its phrasings to properties of the same meaning."""

import json
from collections import Counter

import pytest

from kg.relations import phrasebook
from kg.relations.phrasebook import BadLexicon, entries, is_whole, meaning_key, parse_entry, phrasings_for, same_meaning

GOOD = {
    "relation": "keeper",
    "definition": "The object person keeps the subject.",
    "domain": "thing",
    "range": "person",
    "phrasings": [
        "{subject} is kept by {object}",
        "{object} keeps {subject}",
        "{object}, the keeper of {subject}, …",
        "{subject}'s keeper is {object}",
        "{subject} is in the care of {object}",
    ],
    "examples": ["{subject:Holm Light} is kept by {object:Ada Wren}."],
    "field": "buildings",
}


def line(**changes: object) -> str:
    return json.dumps(GOOD | changes)


def test_an_entry_is_read() -> None:
    entry = parse_entry(line(aliases=["kept by"], units=[]))
    assert (entry.relation, entry.domain, entry.range, entry.names) == (
        "keeper",
        "thing",
        "person",
        ("keeper", "kept by"),
    )
    assert [is_whole(p) for p in entry.phrasings] == [True, True, False, True, True]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "not JSON"),
        (line(domain="gadget"), "unknown type"),
        (line(range="colour of light"), "unknown type"),
        (line(author="me"), "unknown"),
        (line(definition=""), "missing"),
        (line(phrasings=GOOD["phrasings"][:4]), "4 phrasings"),
        (line(phrasings=[*GOOD["phrasings"], "{subject} and {subject} keep {object}"]), "bad phrasing"),
        (line(phrasings=[*GOOD["phrasings"], "{subject} is kept"]), "bad phrasing"),
        (line(phrasings=[*GOOD["phrasings"], "{subject} is  tended by {object}"]), "stray space"),
        (line(phrasings=[*GOOD["phrasings"], "{subject} , tended by {object}"]), "stray space"),
        (line(phrasings=[*GOOD["phrasings"], "{Object} keeps {subject}"]), "bad phrasing"),
        (line(phrasings=[*GOOD["phrasings"], "{object} keeps {subject},"]), "stands twice"),
        (line(phrasings=[*GOOD["phrasings"], " "]), "empty"),
        (line(examples=["Holm Light is kept."]), "bad example"),
    ],
)
def test_what_is_not_well_formed_is_refused(bad: str, said: str) -> None:
    with pytest.raises(BadLexicon, match=said):
        parse_entry(bad)


def test_the_lexicon_is_broad() -> None:
    found = entries()
    assert len(found) >= 350
    assert len({e.field for e in found}) >= 30
    assert sum(len(e.phrasings) for e in found) >= 3500
    assert not [e.relation for e in found if e.range == "text" and not e.values]


def test_both_orders_of_the_arguments_are_there() -> None:
    one_sided = [
        e.relation
        for e in entries()
        if e.range not in phrasebook.LITERALS
        and len({p.index("{subject}") < p.index("{object}") for p in e.phrasings}) < 2
    ]
    assert len(one_sided) <= 60  # some have one order only ("{subject} studied {object}"), most have both


def test_inverses_name_each_other_and_symmetric_ones_have_none() -> None:
    by_name = {e.relation: e for e in entries()}
    for entry in entries():
        if entry.inverse:
            assert by_name[entry.inverse].inverse == entry.relation
            assert not entry.symmetric
    assert by_name["founded by"].inverse == "founder of"
    assert by_name["spouse"].symmetric


def test_no_two_relations_of_one_direction_share_most_phrasings() -> None:
    found = [(e, {p.lower() for p in e.phrasings}) for e in entries() if e.domain != "thing"]
    clashes = [
        (a.relation, b.relation)
        for i, (a, some) in enumerate(found)
        for b, others in found[i + 1 :]
        if (a.domain, a.range) == (b.domain, b.range) and len(some & others) > 0.6 * min(len(some), len(others))
    ]
    assert clashes == []


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
    assert phrasebook.patterns_of(
        ["{subject} is {object}", "{subject}, a {object}, …", "{subject} was a {object} by trade"]
    ) == ["{subject} was a {object} by trade"]

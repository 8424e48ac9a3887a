"""The lexicon is well formed, tells inverses apart, and lends its phrasings to properties of the same meaning."""

import json

import pytest

from kg.relations import phrasebook
from kg.relations.phrasebook import BadLexicon, entries, is_whole, parse_entry

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

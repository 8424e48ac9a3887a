"""The lexicon is well formed, tells inverses apart, and lends its phrasings to properties of the same meaning."""

import json
import re

from kg.relations import phrasebook
from kg.relations.phrasebook import entries, is_whole, parse_entry, types

NEEDED = ("relation", "definition", "domain", "range", "phrasings", "examples", "field")
LISTED = ("phrasings", "examples", "aliases", "units", "values")


def slots(text: str) -> list[str]:
    return sorted(slot.split(":")[0] for slot in re.findall(r"\{([^{}]*)\}", text))


def test_an_entry_is_read() -> None:
    line = {"relation": "keeper", "phrasings": ["{object} keeps {subject}", "{object}, the keeper of {subject}, …"]}
    line |= {"definition": "", "domain": "thing", "range": "person", "examples": [], "field": "buildings"}
    entry = parse_entry(json.dumps(line | {"aliases": ["kept by"], "units": []}))
    assert (entry.relation, entry.domain, entry.range) == ("keeper", "thing", "person")
    assert entry.names == ("keeper", "kept by")
    assert [is_whole(p) for p in entry.phrasings] == [True, False]


def test_every_entry_is_well_formed() -> None:
    known = types().parents
    for entry in entries():
        assert all(getattr(entry, name) for name in NEEDED), entry
        assert all(text.strip() for name in LISTED for text in getattr(entry, name)), entry
        assert entry.domain in known and (entry.range in known or entry.range in phrasebook.LITERALS), entry
        assert 5 <= len(entry.phrasings) <= 24, entry
        for phrasing in entry.phrasings:
            assert slots(phrasing) == ["object", "subject"] and ":" not in "".join(re.findall(r"{.*?}", phrasing))
            assert phrasing == phrasing.strip() and len(phrasing) <= 120, phrasing
            assert "  " not in phrasing and not re.search(r"\s[,.;]", phrasing), phrasing
        assert len({p.lower().rstrip(" ,…") for p in entry.phrasings}) == len(entry.phrasings), entry
        assert all(slots(example) == ["object", "subject"] for example in entry.examples), entry
    assert len({entry.relation for entry in entries()}) == len(entries())


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

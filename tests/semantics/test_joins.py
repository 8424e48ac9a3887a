"""Joins by relations that no word names: which are made, and which would tie what isn't tied."""

from __future__ import annotations

from dataclasses import replace

from kg.semantics.items import Item
from kg.semantics.logic import And, Join, Things, Users
from kg.semantics.render import render
from kg.text.tokens import tokens
from tests.semantics.test_nodes import ISLES
from tests.semantics.world import graph, parser

KNOWN, GRAPH = parser(ISLES), graph(ISLES)
JOINS = KNOWN._joins


def property_(name: str) -> int:
    return next(p.id for p in GRAPH.properties.values() if name in p.names)


def leaf(question: str, cat: str, name: str) -> Item:
    """A word's own reading by its name."""
    found = KNOWN._linker.items(tokens(question))
    return next(item for item in found if item.cat == cat and item.name == name)


def thing(name: str) -> Things:
    return next(Things((i,), name) for i in sorted(GRAPH.kinds) if GRAPH.name(i) == name)


def joined(relation: Item, of: Item) -> list[str]:
    return [render(GRAPH, item.form) for item in JOINS.joined(relation, of, ("of",), before=True) if item.form]


def test_a_relation_of_what_is_tied_to_its_argument_if_its_words_say_it() -> None:
    rower, isle = leaf("the rower of Vellia", "R", "rower"), leaf("the rower of Vellia", "S", "vellia")
    assert "“rower” of what has “rower” among “last crossing” of Vellia" in joined(rower, isle)
    faint = replace(rower, local=(("match", 0.5),))
    assert joined(faint, isle) == []


def test_no_relation_of_what_is_two_steps_away() -> None:
    sort, club = leaf("the sort of Corval Union", "R", "sort"), leaf("the sort of Corval Union", "S", "corval union")
    assert joined(sort, club) == []
    assert joined(sort, leaf("the sort of Vellia", "S", "vellia")) != []  # one step away: of the harbours on it


def test_nothing_goes_there_and_back_by_one_property() -> None:
    lies, isles = leaf("lies on isles", "R", "lies on"), leaf("lies on isles", "S", "isle")
    assert not any("“lies on” of what has “lies on”" in said for said in joined(lies, isles))


def test_what_is_asked_for_by_a_relation_is_what_it_leads_to() -> None:
    lender, isle = leaf("which lender Vellia", "R", "lender"), leaf("which lender Vellia", "S", "vellia")
    assert lender.focus
    (back,) = [i for i in JOINS.joined(lender, isle, (), before=True) if i.form == Join(lender_step(), isle.set())]
    assert ("direction", 1.0) in back.local
    plain = replace(lender, focus=False, noun=None)
    (back,) = [i for i in JOINS.joined(plain, isle, (), before=True) if i.form == Join(lender_step(), isle.set())]
    assert ("direction", 1.0) not in back.local


def lender_step() -> tuple[int, bool]:
    return property_("lender"), False


def test_equal_figures_tie_nothing() -> None:
    cents = Join((property_("decimals"), True), Users((property_("decimals"), True)))
    isles = Users((property_("population"), True))
    assert not KNOWN.denote(cents).isdisjoint(KNOWN.denote(Join((property_("population"), True), isles)))
    assert JOINS.linked(isles, cents, ()) == []
    assert JOINS.linked(Users((property_("decimals"), True)), thing("Vellia"), ()) != []


def test_two_named_things_meet_in_what_is_neither() -> None:
    dorn, vell = leaf("South Dorna Vellia", "S", "south dorna"), leaf("South Dorna Vellia", "S", "vellia")
    found = [item.form for item in JOINS.met(dorn, vell)]
    debt = And(Join((property_("debt"), True), dorn.set()), Join((property_("lender"), False), vell.set()))
    assert debt in found
    assert list(JOINS.met(dorn, replace(vell, form=Users((property_("debt"), True))))) == []

"""Conditions in hand-made trees, so that no parser's mistakes count."""

from __future__ import annotations

import pytest

from kg.syntax.sentence import Sentence, conditions_of, depends
from tests.syntax.treebank import parsed

IF = "If/SCONJ/3/mark Ada/PROPN/3/nsubj pays/VERB/5/advcl Bo/PROPN/5/nsubj builds/VERB/0/root towers/NOUN/5/obj"


def conditions(text: str, clause: int) -> list[str]:
    """The words that head the conditions of a clause, whose head is counted from 1."""
    sentence = Sentence(parsed(text))
    return [sentence.word(place) for place in conditions_of(sentence, clause - 1)]


@pytest.mark.parametrize("mark", ["If", "Unless", "Whether", "Lest", "Assuming"])
def test_what_supposes_is_a_condition_at_any_time(mark: str) -> None:
    assert conditions(IF.replace("If", mark), 5) == ["pays"]
    assert conditions(IF.replace("If", mark).replace("builds", "built"), 5) == ["pays"]


@pytest.mark.parametrize("mark", ["When", "Whenever", "Once", "Until", "Before", "After", "While", "As"])
def test_a_time_is_a_condition_of_what_holds_at_any_time_and_of_no_story(mark: str) -> None:
    assert conditions(IF.replace("If", mark), 5) == ["pays"]
    assert conditions(IF.replace("If", mark).replace("builds", "built"), 5) == []


@pytest.mark.parametrize("mark", ["Because", "Although", "Since", "Whereas", "That"])
def test_reasons_and_contrasts_are_none(mark: str) -> None:
    assert conditions(IF.replace("If", mark), 5) == []


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("was/AUX/6/aux:pass built/VERB/0/root", []),
        ("is/AUX/6/aux:pass built/VERB/0/root", ["pays"]),
        ("must/AUX/6/aux build/VERB/0/root", ["pays"]),
        ("did/AUX/6/aux build/VERB/0/root", []),
        ("has/AUX/6/aux built/VERB/0/root", ["pays"]),
    ],
)
def test_what_helps_a_verb_tells_its_time(told: str, expected: list[str]) -> None:
    tree = "When/ADV/3/advmod Ada/PROPN/3/nsubj pays/VERB/6/advcl Corran/PROPN/6/nsubj " + told
    assert conditions(tree, 6) == expected


def test_a_condition_before_joined_clauses_holds_for_all_of_them() -> None:
    assert conditions(IF + " and/CCONJ/8/cc draws/VERB/5/conj maps/NOUN/8/obj", 8) == ["pays"]


def test_a_condition_behind_the_first_of_joined_clauses_is_its_own() -> None:
    tree = (
        "Bo/PROPN/2/nsubj builds/VERB/0/root towers/NOUN/2/obj if/SCONJ/6/mark Ada/PROPN/6/nsubj pays/VERB/2/advcl "
        "and/CCONJ/8/cc draws/VERB/2/conj maps/NOUN/8/obj"
    )
    assert conditions(tree, 2) == ["pays"] and conditions(tree, 8) == []


def test_provided_and_given_lead_without_a_mark() -> None:
    tree = "Bo/PROPN/2/nsubj built/VERB/0/root towers/NOUN/2/obj {}/VERB/2/advcl Ada/PROPN/6/nsubj paid/VERB/4/ccomp"
    assert conditions(tree.format("provided"), 2) == ["provided"]
    assert conditions(tree.format("given"), 2) == ["given"]
    assert conditions(tree.format("hoping"), 2) == []


@pytest.mark.parametrize(
    "tree",
    [
        "Bo/PROPN/2/nsubj builds/VERB/0/root towers/NOUN/2/obj wherever/ADV/2/advmod Ada/PROPN/6/nsubj "
        "pays/VERB/4/advcl:relcl",
        "Bo/PROPN/2/nsubj builds/VERB/0/root towers/NOUN/2/obj wherever/ADV/2/advmod Ada/PROPN/6/nsubj "
        "pays/VERB/2/advcl",
    ],
)
def test_a_time_or_place_that_hangs_on_as_an_adverb_leads_a_condition(tree: str) -> None:
    assert conditions(tree, 2) == ["wherever"]
    assert conditions(tree.replace("builds", "built"), 2) == []


def test_a_clause_that_hangs_on_an_adverb_is_a_condition() -> None:
    tree = (
        "Bo/PROPN/2/nsubj builds/VERB/0/root towers/NOUN/2/obj as/ADV/5/advmod long/ADV/2/advmod as/SCONJ/8/mark "
        "Ada/PROPN/8/nsubj pays/VERB/5/advcl"
    )
    assert conditions(tree, 2) == ["pays"]
    assert conditions(tree.replace("builds", "built"), 2) == []


@pytest.mark.parametrize("adverb", ["once", "before", "often", "there"])
def test_adverbs_alone_are_none(adverb: str) -> None:
    assert conditions(f"Bo/PROPN/2/nsubj builds/VERB/0/root towers/NOUN/2/obj {adverb}/ADV/2/advmod", 2) == []


def test_a_clause_that_is_a_condition_depends() -> None:
    sentence = Sentence(parsed(IF))
    assert depends(sentence, 2) and not depends(sentence, 4)


def test_of_a_story_s_clauses_only_suppositions_depend() -> None:
    past = IF.replace("pays", "paid")
    assert depends(Sentence(parsed(past)), 2)
    assert not depends(Sentence(parsed(past.replace("If", "When"))), 2)
    assert depends(Sentence(parsed(IF.replace("If", "When"))), 2)

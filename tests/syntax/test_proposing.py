"""Propositions of hand-made trees, so that no parser's mistakes count."""

from __future__ import annotations

import pytest

from kg.syntax.doings import Sentence
from kg.syntax.proposing import Reading
from tests.syntax.treebank import parsed

WORDS = frozenset(
    ["build", "stand", "write", "draw", "open", "use", "become", "have", "burn", "design", "allow", "keep", "found"]
)


def told(text: str) -> list[tuple[str, str, str]]:
    tree = parsed(text)
    found = Reading(Sentence(tree), WORDS.__contains__).propositions()
    return [
        (
            " ".join(tree.words[p.subject.start : p.subject.end]),
            ("not " if p.denied else "") + p.label,
            " ".join(tree.words[p.argument.start : p.argument.end]),
        )
        for p in found
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Ada/PROPN/2/nsubj built/VERB/0/root the/DET/4/det light/NOUN/2/obj ./PUNCT/2/punct",
            [("Ada", "builds", "the light")],
        ),
        (
            "Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass founded/VERB/0/root in/ADP/5/case 1871/NUM/3/obl "
            "by/ADP/7/case Ada/PROPN/3/obl:agent ./PUNCT/3/punct",
            [("Corran", "founded in", "1871"), ("Corran", "founded by", "Ada")],
        ),
        (
            "Lamps/NOUN/4/nsubj:pass can/AUX/4/aux be/AUX/4/aux:pass found/VERB/0/root in/ADP/6/case towers/NOUN/4/obl",
            [("Lamps", "can be found in", "towers")],
        ),
        (  # members of a list of names are told one by one, a list of things as a whole
            "Ada/PROPN/2/nsubj designed/VERB/0/root Corran/PROPN/2/obj and/CCONJ/5/cc Kestrel/PROPN/3/conj",
            [("Ada", "designs", "Corran"), ("Ada", "designs", "Kestrel")],
        ),
        (
            "Ada/PROPN/2/nsubj designed/VERB/0/root lamps/NOUN/2/obj and/CCONJ/5/cc lenses/NOUN/3/conj",
            [("Ada", "designs", "lamps and lenses")],
        ),
        (
            "Ada/PROPN/2/nsubj wrote/VERB/0/root books/NOUN/2/obj and/CCONJ/5/cc drew/VERB/2/conj maps/NOUN/5/obj",
            [("Ada", "writes", "books"), ("Ada", "draws", "maps")],
        ),
        (  # what a comma sets beside a name, and a clause that goes with it
            "Corran/PROPN/9/nsubj ,/PUNCT/4/punct a/DET/4/det tower/NOUN/1/appos in/ADP/6/case Kiel/PROPN/4/nmod "
            ",/PUNCT/4/punct also/ADV/9/advmod stands/VERB/0/root on/ADP/11/case rock/NOUN/9/obl",
            [("Corran", "stands on", "rock"), ("Corran", "description", "a tower in Kiel")],
        ),
        (
            "Corran/PROPN/4/nsubj is/AUX/4/cop a/DET/4/det tower/NOUN/0/root that/PRON/6/nsubj has/VERB/4/acl:relcl "
            "bells/NOUN/6/obj",
            [("Corran", "description", "a tower that has bells"), ("Corran", "has", "bells")],
        ),
        (
            "Orr/PROPN/4/nsubj is/AUX/4/cop the/DET/4/det capital/NOUN/0/root of/ADP/6/case Arden/PROPN/4/nmod",
            [("Orr", "capital of", "Arden")],
        ),
        (
            "Lenses/NOUN/3/nsubj:pass are/AUX/3/aux:pass used/VERB/0/root to/ADP/5/mark draw/VERB/3/advcl "
            "maps/NOUN/5/obj",
            [("Lenses", "used to draw", "maps")],
        ),
        (
            "Corran/PROPN/2/nsubj became/VERB/0/root a/DET/4/det monument/NOUN/2/xcomp in/ADP/6/case 1970/NUM/2/obl",
            [("Corran", "becomes", "a monument")],
        ),
        (  # what follows an object right away and completes the verb stays with it
            "Ada/PROPN/2/nsubj allows/VERB/0/root visitors/NOUN/2/obj to/PART/5/mark draw/VERB/2/xcomp maps/NOUN/5/obj",
            [("Ada", "allows", "visitors to draw maps")],
        ),
        (
            "Corran/PROPN/4/nsubj did/AUX/4/aux not/PART/4/advmod burn/VERB/0/root in/ADP/6/case 1901/NUM/4/obl",
            [("Corran", "not burns in", "1901")],
        ),
        (  # a bare noun with its verb is one idiom, also where what follows is led by a preposition of its own
            "Orr/PROPN/2/nsubj came/VERB/0/root into/ADP/4/case force/NOUN/2/obl in/ADP/6/case 1840/NUM/2/obl",
            [("Orr", "comes into force in", "1840")],
        ),
        (
            "Orr/PROPN/2/nsubj took/VERB/0/root place/NOUN/2/obj in/ADP/5/case 1840/NUM/2/obl",
            [("Orr", "takes place in", "1840")],
        ),
        (
            "Ada/PROPN/2/nsubj set/VERB/0/root up/ADP/2/compound:prt mills/NOUN/2/obj",
            [("Ada", "sets up", "mills")],
        ),
        (
            "Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass put/VERB/0/root together/ADV/3/advmod by/ADP/6/case "
            "Ada/PROPN/3/obl:agent",
            [("Corran", "put together by", "Ada")],
        ),
        (  # what only points stays outside
            "Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass built/VERB/0/root there/ADV/3/advmod by/ADP/6/case "
            "Ada/PROPN/3/obl:agent",
            [("Corran", "built by", "Ada")],
        ),
        (  # a condition within the argument is kept with it
            "Ada/PROPN/2/nsubj builds/VERB/0/root lamps/NOUN/2/obj that/PRON/5/nsubj burn/VERB/3/acl:relcl "
            "when/ADV/8/advmod they/PRON/8/nsubj stand/VERB/5/advcl",
            [("Ada", "builds", "lamps that burn when they stand")],
        ),
        (  # in a story the time is none
            "When/ADV/3/advmod Bo/PROPN/3/nsubj left/VERB/5/advcl Ada/PROPN/5/nsubj built/VERB/0/root mills/NOUN/5/obj",
            [("Ada", "builds", "mills")],
        ),
    ],
)
def test_what_a_sentence_proposes(sentence: str, expected: list[tuple[str, str, str]]) -> None:
    assert told(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada/PROPN/3/nsubj might/AUX/3/aux build/VERB/0/root towers/NOUN/3/obj",  # supposed
        "Build/VERB/0/root towers/NOUN/1/obj",  # bidden
        "If/SCONJ/3/mark Ada/PROPN/3/nsubj builds/VERB/5/advcl towers/NOUN/3/obj wins/VERB/0/root",  # a condition
        "Ada/PROPN/2/nsubj died/VERB/0/root ./PUNCT/2/punct",  # nothing is said of anything
        "Ada/PROPN/2/nsubj gave/VERB/0/root Bo/PROPN/2/iobj lamps/NOUN/2/obj",  # three parts
        "There/PRON/2/expl are/VERB/0/root towers/NOUN/2/nsubj in/ADP/5/case Kiel/PROPN/2/obl",
        # one name or two, which the verb tells
        "Snoopy/PROPN/6/nsubj and/CCONJ/3/cc Friends/PROPN/1/conj is/AUX/6/cop a/DET/6/det tower/NOUN/0/root",
        # of neither
        "Neither/CCONJ/2/cc:preconj Ada/PROPN/5/nsubj nor/CCONJ/4/cc Bo/PROPN/2/conj owns/VERB/0/root mills/NOUN/5/obj",
        # the condition would be lost
        "Ada/PROPN/2/nsubj builds/VERB/0/root mills/NOUN/2/obj if/SCONJ/6/mark Bo/PROPN/6/nsubj pays/VERB/2/advcl",
        "Ada/PROPN/2/nsubj builds/VERB/0/root mills/NOUN/2/obj when/ADV/6/advmod Bo/PROPN/6/nsubj pays/VERB/2/advcl",
        "Ada/PROPN/2/nsubj owns/VERB/0/root mills/NOUN/2/obj whenever/ADV/2/advmod Bo/PROPN/6/nsubj pays/VERB/2/advcl",
        # who denies what may be, leaves open what is
        "Ada/PROPN/4/nsubj must/AUX/4/aux not/PART/4/advmod build/VERB/0/root mills/NOUN/4/obj",
        # of both with one another, not of each
        "Ada/PROPN/4/nsubj and/CCONJ/3/cc Bo/PROPN/1/conj have/VERB/0/root much/ADJ/4/obj in/ADP/7/case "
        "common/NOUN/4/obl ./PUNCT/4/punct",
        # "not only" denies nothing, and its half alone says too little
        "Corran/PROPN/6/nsubj is/AUX/6/cop not/PART/6/advmod only/ADV/6/advmod a/DET/6/det mill/NOUN/0/root",
    ],
)
def test_what_proposes_nothing(sentence: str) -> None:
    assert told(sentence) == []


@pytest.mark.parametrize(
    ("modal", "label"),
    [
        ("can", "can build"),
        ("may", "may build"),
        ("must", "must build"),
        ("shall", "shall build"),
        ("should", "should build"),
        ("will", "will build"),
        ("ca", "can build"),
        ("cannot", "not can build"),
        ("does", "builds"),
    ],
)
def test_modals_stay_in_the_label(modal: str, label: str) -> None:
    tree = f"Ada/PROPN/3/nsubj {modal}/AUX/3/aux build/VERB/0/root mills/NOUN/3/obj"
    assert told(tree) == [("Ada", label, "mills")]


@pytest.mark.parametrize("modal", ["could", "would", "might", "need", "ought", "'ll"])
def test_what_is_only_thinkable_proposes_nothing(modal: str) -> None:
    assert told(f"Ada/PROPN/3/nsubj {modal}/AUX/3/aux build/VERB/0/root mills/NOUN/3/obj") == []


def test_modals_of_what_something_is_or_has_done_to_it() -> None:
    assert told("Corran/PROPN/5/nsubj must/AUX/5/aux be/AUX/5/cop a/DET/5/det mill/NOUN/0/root ./PUNCT/5/punct") == [
        ("Corran", "must be", "a mill")
    ]
    assert told(
        "Corran/PROPN/4/nsubj:pass must/AUX/4/aux be/AUX/4/aux:pass used/VERB/0/root "
        "by/ADP/6/case Ada/PROPN/4/obl:agent"
    ) == [("Corran", "must be used by", "Ada")]


@pytest.mark.parametrize("adverb", ["often", "sometimes", "seldom", "always", "only", "rarely", "usually", "mostly"])
def test_adverbs_that_limit_stay_in_the_label(adverb: str) -> None:
    tree = f"Ada/PROPN/3/nsubj {adverb}/ADV/3/advmod builds/VERB/0/root mills/NOUN/3/obj"
    assert told(tree) == [("Ada", f"{adverb} builds", "mills")]


@pytest.mark.parametrize("adverb", ["also", "then", "now", "still", "here"])
def test_adverbs_that_add_or_point_do_not(adverb: str) -> None:
    tree = f"Ada/PROPN/3/nsubj {adverb}/ADV/3/advmod builds/VERB/0/root mills/NOUN/3/obj"
    assert told(tree) == [("Ada", "builds", "mills")]


def test_phrases_have_no_edges_that_only_add() -> None:
    tree = (
        "In/ADP/2/case Rust/PROPN/4/nmod ,/PUNCT/2/punct profiles/NOUN/6/nsubj also/ADV/6/advmod use/VERB/0/root "
        "lamps/NOUN/6/obj (/PUNCT/9/punct old/ADJ/7/appos )/PUNCT/9/punct ;/PUNCT/6/punct"
    )
    assert told(tree) == [("profiles", "uses", "lamps")]


def test_what_somebody_has_is_not_taken_for_what_they_did() -> None:
    assert told("Orr/PROPN/3/nsubj has/AUX/3/aux paid/VERB/0/root leave/NOUN/3/obj") == []
    tree = "Orr/PROPN/3/nsubj has/AUX/3/aux built/VERB/0/root a/DET/5/det mill/NOUN/3/obj"
    assert told(tree) == [("Orr", "builds", "a mill")]


@pytest.mark.parametrize("head", [1, 3, 5])
def test_joined_nouns_are_not_cut_from_what_follows_the_last(head: int) -> None:
    tree = (
        "Births/NOUN/9/nsubj:pass ,/PUNCT/3/punct weddings/NOUN/1/conj and/CCONJ/5/cc deaths/NOUN/1/conj of/ADP/7/case "
        f"kings/NOUN/{head}/nmod are/AUX/9/aux:pass kept/VERB/0/root in/ADP/11/case Kiel/PROPN/9/obl"
    )
    assert told(tree) == ([("deaths of kings", "kept in", "Kiel")] if head == 5 else [])

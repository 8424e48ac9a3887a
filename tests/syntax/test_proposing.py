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
    ],
)
def test_what_proposes_nothing(sentence: str) -> None:
    assert told(sentence) == []


def test_phrases_have_no_edges_that_only_add() -> None:
    tree = (
        "In/ADP/2/case Rust/PROPN/4/nmod ,/PUNCT/2/punct profiles/NOUN/6/nsubj also/ADV/6/advmod use/VERB/0/root "
        "lamps/NOUN/6/obj (/PUNCT/9/punct old/ADJ/7/appos )/PUNCT/9/punct ;/PUNCT/6/punct"
    )
    assert told(tree) == [("profiles", "uses", "lamps")]

from __future__ import annotations

import pytest

from kg.syntax.doings import Doing, Sentence, doings
from tests.syntax.treebank import parsed


def told(text: str) -> dict[str, dict[str, list[str]]]:
    """What a tree tells for sure: word → role → words."""
    sentence = Sentence(parsed(text))

    def words(doing: Doing) -> dict[str, list[str]]:
        return {r: [sentence.parsed.words[p] for p in places] for r, places in doing.roles.items() if places}

    return {sentence.word(d.word): words(d) for d in doings(sentence) if d.sure}


def test_active_and_passive_give_the_same_roles() -> None:
    active = told("Ada/PROPN/2/nsubj built/VERB/0/root Corran/PROPN/2/obj in/ADP/5/case Kiel/PROPN/2/obl")
    passive = told(
        "Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass built/VERB/0/root by/ADP/5/case Ada/PROPN/3/obl:agent "
        "in/ADP/7/case Kiel/PROPN/3/obl"
    )
    assert active == passive == {"built": {"0": ["Ada"], "1": ["Corran"], "in": ["Kiel"]}}


@pytest.mark.parametrize(
    ("tree", "verb", "roles"),
    [
        (  # the light that Ada built
            "the/DET/2/det light/NOUN/0/root that/PRON/5/obj Ada/PROPN/5/nsubj built/VERB/2/acl:relcl",
            "built",
            {"0": ["Ada"], "1": ["light"]},
        ),
        (  # the light Ada built
            "the/DET/2/det light/NOUN/0/root Ada/PROPN/4/nsubj built/VERB/2/acl:relcl",
            "built",
            {"0": ["Ada"], "1": ["light"]},
        ),
        (  # Corran, built by Ada
            "Corran/PROPN/0/root ,/PUNCT/3/punct built/VERB/1/acl by/ADP/5/case Ada/PROPN/3/obl",
            "built",
            {"0": ["Ada"], "1": ["Corran"]},
        ),
        (  # lamps lighting Corran
            "lamps/NOUN/0/root lighting/VERB/1/acl Corran/PROPN/2/obj",
            "lighting",
            {"0": ["lamps"], "1": ["Corran"]},
        ),
        (  # Ada drew Corran and built Drum and Skerry
            "Ada/PROPN/2/nsubj drew/VERB/0/root Corran/PROPN/2/obj and/CCONJ/5/cc built/VERB/2/conj Drum/PROPN/5/obj "
            "and/CCONJ/8/cc Skerry/PROPN/6/conj",
            "built",
            {"0": ["Ada"], "1": ["Drum", "Skerry"]},
        ),
        (  # Corran was drawn and built by Ada
            "Corran/PROPN/3/nsubj:pass was/AUX/3/aux:pass drawn/VERB/0/root and/CCONJ/5/cc built/VERB/3/conj "
            "by/ADP/7/case Ada/PROPN/5/obl",
            "built",
            {"0": ["Ada"], "1": ["Corran"]},
        ),
        (  # Ada began to build Corran
            "Ada/PROPN/2/nsubj began/VERB/0/root to/PART/4/mark build/VERB/2/xcomp Corran/PROPN/4/obj",
            "build",
            {"0": ["Ada"], "1": ["Corran"]},
        ),
        (  # Ada says that Bo built Corran
            "Ada/PROPN/2/nsubj says/VERB/0/root that/SCONJ/5/mark Bo/PROPN/5/nsubj built/VERB/2/ccomp "
            "Corran/PROPN/5/obj",
            "built",
            {"0": ["Bo"], "1": ["Corran"]},
        ),
        (  # Ada is the keeper of Corran
            "Ada/PROPN/4/nsubj is/AUX/4/cop the/DET/4/det keeper/NOUN/0/root of/ADP/6/case Corran/PROPN/4/nmod",
            "keeper",
            {"is": ["Ada"], "of": ["Corran"]},
        ),
        (  # Ada, Corran's keeper
            "Ada/PROPN/0/root ,/PUNCT/5/punct Corran/PROPN/5/nmod:poss 's/PART/3/case keeper/NOUN/1/appos",
            "keeper",
            {"is": ["Ada"], "of": ["Corran"]},
        ),
    ],
)
def test_arguments_come_through_clauses(tree: str, verb: str, roles: dict[str, list[str]]) -> None:
    assert told(tree)[verb] == roles


@pytest.mark.parametrize(
    "tree",
    [
        # Ada never built Corran
        "Ada/PROPN/3/nsubj never/ADV/3/advmod built/VERB/0/root Corran/PROPN/3/obj",
        # Ada could have built Corran
        "Ada/PROPN/4/nsubj could/AUX/4/aux have/AUX/4/aux built/VERB/0/root Corran/PROPN/4/obj",
        # Ada wants to build Corran
        "Ada/PROPN/2/nsubj wants/VERB/0/root to/PART/4/mark build/VERB/2/xcomp Corran/PROPN/4/obj",
        # They doubt that Ada built Corran
        "They/PRON/2/nsubj doubt/VERB/0/root that/SCONJ/5/mark Ada/PROPN/5/nsubj built/VERB/2/ccomp Corran/PROPN/5/obj",
        # It helps if Ada built Corran
        "It/PRON/2/nsubj helps/VERB/0/root if/SCONJ/5/mark Ada/PROPN/5/nsubj built/VERB/2/advcl Corran/PROPN/5/obj",
        # Ada left without building Corran
        "Ada/PROPN/2/nsubj left/VERB/0/root without/SCONJ/4/mark building/VERB/2/advcl Corran/PROPN/4/obj",
        # Ada came to build Corran
        "Ada/PROPN/2/nsubj came/VERB/0/root to/PART/4/mark build/VERB/2/advcl Corran/PROPN/4/obj",
    ],
)
def test_what_is_not_told_as_a_fact(tree: str) -> None:
    assert not {"built", "build", "building"} & told(tree).keys()


def test_or_joins_nothing() -> None:
    tree = "Ada/PROPN/2/nsubj built/VERB/0/root Corran/PROPN/2/obj or/CCONJ/5/cc Drum/PROPN/3/conj"
    assert told(tree)["built"]["1"] == ["Corran"]


def test_what_an_event_brings_about_is_nobodys_doing() -> None:
    """Ada left Corran, forcing Bo …"""
    tree = "Ada/PROPN/2/nsubj left/VERB/0/root Corran/PROPN/2/obj ,/PUNCT/5/punct forcing/VERB/2/advcl Bo/PROPN/5/obj"
    assert "0" not in told(tree)["forcing"]


def test_a_subject_that_is_left_out() -> None:
    def bare(tree: str) -> list[str]:
        return [d.bare for d in doings(Sentence(parsed(tree)))]

    assert bare("Built/VERB/0/root by/ADP/3/case Ada/PROPN/1/obl") == ["1"]
    assert bare("Uses/VERB/0/root two/NUM/3/nummod lamps/NOUN/1/obj") == ["0"]
    assert bare("Use/VERB/0/root two/NUM/3/nummod lamps/NOUN/1/obj") == [""]  # it bids
    standing = "Built/VERB/0/root by/ADP/3/case Ada/PROPN/1/obl ,/PUNCT/6/punct it/PRON/6/nsubj stands/VERB/1/parataxis"
    assert bare(standing) == ["", ""]

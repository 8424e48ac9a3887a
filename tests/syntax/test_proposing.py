"""Propositions of hand-made trees, so that no parser's mistakes count."""

from __future__ import annotations

import pytest

from kg.syntax.proposing import Reading
from kg.syntax.sentence import Sentence
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


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Orr/PROPN/2/nsubj said/VERB/0/root that/SCONJ/6/mark it/PRON/6/nsubj had/AUX/6/aux burned/VERB/2/ccomp "
            "./PUNCT/6/punct",
            [("Orr", "says that", "it had burned")],
        ),
        (
            "Orr/PROPN/2/nsubj asked/VERB/0/root Ada/PROPN/5/nsubj to/PART/5/mark draw/VERB/2/ccomp maps/NOUN/5/obj",
            [("Orr", "asks", "Ada to draw maps")],
        ),
        (
            "Orr/PROPN/2/nsubj made/VERB/0/root Corran/PROPN/2/obj into/ADP/6/case a/DET/6/det mill/NOUN/2/obl",
            [("Orr", "makes", "Corran into a mill")],
        ),
        (  # told of the subject that it hangs on
            "Ada/PROPN/2/nsubj wrote/VERB/0/root books/NOUN/2/obj ,/PUNCT/5/punct using/VERB/2/advcl ink/NOUN/5/obj",
            [("Ada", "writes", "books"), ("Ada", "uses", "ink")],
        ),
        (  # … but not where a word joins it, or it has a time of its own
            "Ada/PROPN/2/nsubj wrote/VERB/0/root books/NOUN/2/obj by/SCONJ/5/mark using/VERB/2/advcl ink/NOUN/5/obj",
            [("Ada", "writes", "books")],
        ),
        (
            "Ada/PROPN/2/nsubj wrote/VERB/0/root books/NOUN/2/obj ,/PUNCT/6/punct having/AUX/6/aux used/VERB/2/advcl "
            "ink/NOUN/6/obj",
            [("Ada", "writes", "books")],
        ),
        (
            "We/PRON/2/nsubj saw/VERB/0/root the/DET/5/det old/ADJ/5/amod architect/NOUN/6/nmod:desc Ada/PROPN/2/obj "
            "van/ADP/6/flat Wren/PROPN/6/flat",
            [("Ada van Wren", "description", "old architect")],
        ),
        (  # taken for two arguments of the verb
            "We/PRON/2/nsubj saw/VERB/0/root architect/NOUN/2/obj Ada/PROPN/2/obj",
            [("Ada", "description", "architect")],
        ),
    ],
)
def test_what_is_said_made_and_called(sentence: str, expected: list[tuple[str, str, str]]) -> None:
    names = {subject for subject, _, _ in expected}
    assert [one for one in told(sentence) if one[0] in names] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        # the name belongs to what follows
        "We/PRON/2/nsubj saw/VERB/0/root the/DET/6/det tower/NOUN/6/compound Ada/PROPN/4/flat light/NOUN/2/obj",
        # a title, part of the name
        "We/PRON/2/nsubj saw/VERB/0/root Architect/NOUN/4/compound Ada/PROPN/2/obj",
        # another argument of the verb
        "In/ADP/2/case winter/NOUN/4/obl Ada/PROPN/4/nsubj writes/VERB/0/root",
        # no name stands right behind the noun
        "the/DET/2/det architect/NOUN/4/nmod:desc of/ADP/4/case Ada/PROPN/0/root Wren/PROPN/4/flat",
    ],
)
def test_a_noun_that_calls_no_name(sentence: str) -> None:
    assert not any(label == "description" for _, label, _ in told(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Orr/PROPN/2/nsubj said/VERB/0/root it/PRON/6/nsubj had/AUX/6/aux not/PART/6/advmod burned/VERB/2/ccomp",
        # far off, and before
        "Orr/PROPN/2/nsubj said/VERB/0/root on/ADP/4/case Monday/PROPN/2/obl it/PRON/6/nsubj burned/VERB/2/ccomp",
        "It/PRON/2/nsubj burned/VERB/4/ccomp Orr/PROPN/4/nsubj said/VERB/0/root",
        # to somebody
        "Orr/PROPN/3/nsubj:pass was/AUX/3/aux:pass told/VERB/0/root it/PRON/5/nsubj burned/VERB/3/ccomp",
        "Orr/PROPN/2/nsubj told/VERB/0/root Ada/PROPN/2/obj it/PRON/5/nsubj burned/VERB/2/ccomp",
    ],
)
def test_what_is_said_otherwise_is_left(sentence: str) -> None:
    assert not any("burned" in value for _, _, value in told(sentence))


def test_what_something_is_made_into_has_to_follow_it() -> None:
    tree = "Orr/PROPN/2/nsubj made/VERB/0/root Corran/PROPN/2/obj soon/ADV/2/advmod into/ADP/6/case mills/NOUN/2/obl"
    assert told(tree) == []

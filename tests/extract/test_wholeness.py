"""Which phrases are whole, in hand-made trees of sentences that stand in a document."""

from __future__ import annotations

import pytest

from kg.extract.build import About
from kg.extract.clauses import Discourse
from kg.extract.parsed_sentences import Told, worth_reading
from kg.extract.usefulness import split_title, whole
from kg.model import EntityName
from kg.syntax.parser import shipped
from kg.syntax.sentence import Phrase
from tests.extract.test_propositions import source_of
from tests.syntax.treebank import parsed


def told_of(tree: str, text: str, discourse: Discourse | None = None) -> Told:
    """The last sentence of a text that is worth a parse, with its tree given by hand."""
    source, parser, given = source_of(text), shipped(), parsed(tree)
    read = list(worth_reading(source))[-1]
    assert parser is not None
    assert [read.sentence.text[a:b] for a, b in read.words] == list(given.words)
    return Told(source, read, parser, given, discourse or Discourse())


def is_whole(tree: str, text: str, phrase: str, head: str) -> bool:
    """Whether a phrase, given by its words, is."""
    told = told_of(tree, text + "\n")
    words, part = list(told.parsed.words), phrase.split()
    start = next(i for i in range(len(words)) if words[i : i + len(part)] == part)
    end = start + len(part)
    return whole(told, Phrase(words.index(head, start, end), start, end))


BUILT = "Ada/PROPN/3/nsubj Wren/PROPN/1/flat built/VERB/0/root "
"""How each of the sentences below begins."""


@pytest.mark.parametrize(
    ("rest", "text", "phrase", "head"),
    [
        ("old/ADJ/5/amod towers/NOUN/3/obj ./PUNCT/3/punct", "old towers.", "old towers", "towers"),
        (
            "the/DET/5/det tower/NOUN/3/obj of/ADP/7/case Arden/PROPN/5/nmod ./PUNCT/3/punct",
            "the tower of Arden.",
            "the tower of Arden",
            "tower",
        ),
        (
            "“/PUNCT/5/punct Corran/PROPN/3/obj ”/PUNCT/5/punct ./PUNCT/3/punct",
            "“Corran”.",
            "“ Corran ”",
            "Corran",
        ),
        (
            "Corran/PROPN/3/obj (/PUNCT/6/punct CL/PROPN/4/appos )/PUNCT/6/punct ./PUNCT/3/punct",
            "Corran (CL).",
            "Corran ( CL )",
            "Corran",
        ),
        (  # what it is compared with is said
            "the/DET/6/det same/ADJ/6/amod tower/NOUN/3/obj as/ADP/8/case Bo/PROPN/6/nmod ./PUNCT/3/punct",
            "the same tower as Bo.",
            "the same tower as Bo",
            "tower",
        ),
    ],
)
def test_whole_phrases(rest: str, text: str, phrase: str, head: str) -> None:
    assert is_whole(BUILT + rest, "Ada Wren built " + text, phrase, head)


@pytest.mark.parametrize(
    ("rest", "text", "phrase", "head"),
    [
        # the next word belongs to it
        ("old/ADJ/5/amod towers/NOUN/3/obj ./PUNCT/3/punct", "old towers.", "old", "old"),
        (
            "towers/NOUN/3/obj of/ADP/6/case stone/NOUN/4/nmod ./PUNCT/3/punct",
            "towers of stone.",
            "towers of",
            "towers",
        ),
        ("stone/NOUN/5/compound towers/NOUN/3/obj ./PUNCT/3/punct", "stone towers.", "stone", "stone"),
        (
            "towers/NOUN/3/obj standing/VERB/4/acl ./PUNCT/3/punct",
            "towers standing.",
            "towers",
            "towers",
        ),
        # within a name, brackets, quotation marks, a word with hyphens
        (
            "Kestrel/PROPN/3/obj Mill/PROPN/4/flat ./PUNCT/3/punct",
            "Kestrel Mill.",
            "Kestrel",
            "Kestrel",
        ),
        (
            "Kestrel/PROPN/3/obj Mill/PROPN/4/flat ./PUNCT/3/punct",
            "Kestrel Mill.",
            "Mill",
            "Mill",
        ),
        (
            "“/PUNCT/5/punct Corran/PROPN/3/obj ”/PUNCT/5/punct ./PUNCT/3/punct",
            "“Corran”.",
            "“ Corran",
            "Corran",
        ),
        (
            'towers/NOUN/3/obj "/PUNCT/6/punct high/ADJ/4/amod "/PUNCT/6/punct ./PUNCT/3/punct',
            'towers "high".',
            'towers "',
            "towers",
        ),
        (
            "Corran/PROPN/3/obj (/PUNCT/6/punct CL/PROPN/4/appos )/PUNCT/6/punct ./PUNCT/3/punct",
            "Corran (CL).",
            "Corran ( CL",
            "Corran",
        ),
        (
            "well/ADV/6/advmod -/PUNCT/6/punct known/ADJ/7/amod towers/NOUN/3/obj ./PUNCT/3/punct",
            "well-known towers.",
            "known towers",
            "towers",
        ),
        # points to what other words say
        ("the/DET/5/det tower/NOUN/3/obj ./PUNCT/3/punct", "the tower.", "the tower", "tower"),
        (
            "this/DET/6/det high/ADJ/6/amod tower/NOUN/3/obj ./PUNCT/3/punct",
            "this high tower.",
            "this high tower",
            "tower",
        ),
        (
            "the/DET/6/det same/ADJ/6/amod tower/NOUN/3/obj ./PUNCT/3/punct",
            "the same tower.",
            "the same tower",
            "tower",
        ),
        (
            "the/DET/6/det former/ADJ/6/amod tower/NOUN/3/obj ./PUNCT/3/punct",
            "the former tower.",
            "the former tower",
            "tower",
        ),
        (
            "the/DET/5/det towers/NOUN/3/obj below/ADV/5/advmod ./PUNCT/3/punct",
            "the towers below.",
            "the towers below",
            "towers",
        ),
    ],
)
def test_phrases_that_are_cut_or_point(rest: str, text: str, phrase: str, head: str) -> None:
    assert not is_whole(BUILT + rest, "Ada Wren built " + text, phrase, head)


def test_a_noun_within_that_was_spoken_of_takes_it_up() -> None:
    tree = BUILT + "a/DET/5/det model/NOUN/3/obj of/ADP/8/case the/DET/8/det tower/NOUN/5/nmod ./PUNCT/3/punct"
    sentence = "Ada Wren built a model of the tower.\n"
    phrase = Phrase(4, 3, 8)
    assert whole(told_of(tree, sentence), phrase)
    assert not whole(told_of(tree, f"Corran Light is a tower in Kiel. {sentence}"), phrase)


def test_a_bare_noun_with_the_is_told_as_a_subject() -> None:
    tree = (
        "Yesterday/NOUN/4/obl:unmarked the/DET/3/det tower/NOUN/4/nsubj burned/VERB/0/root down/ADV/4/advmod "
        "./PUNCT/4/punct"
    )
    assert whole(told_of(tree, "Yesterday the tower burned down.\n"), Phrase(2, 1, 3))


@pytest.mark.parametrize(
    ("section", "name", "expected"),
    [
        ("Corran, the Old Light", "Corran", True),
        ("Corran, the Old Light", "the old light", True),
        ("Corran: A History", "A History", True),
        ("Corran, the Old Light", "Corran, the Old Light", False),
        ("Corran Light", "Corran", False),
        ("Corran, the Old Light", "Ada Wren", False),
    ],
)
def test_one_side_of_a_title_is_none_of_its_own(section: str, name: str, expected: bool) -> None:
    discourse = Discourse()
    discourse.paragraph(About(EntityName(section)), "light")
    tree = BUILT + "old/ADJ/5/amod towers/NOUN/3/obj ./PUNCT/3/punct"
    told = told_of(tree, "Ada Wren built old towers.\n", discourse)
    assert split_title(told, About(EntityName(name))) is expected


def test_without_a_section_no_title_is_split() -> None:
    tree = BUILT + "old/ADJ/5/amod towers/NOUN/3/obj ./PUNCT/3/punct"
    assert not split_title(told_of(tree, "Ada Wren built old towers.\n"), About(EntityName("Corran")))

from __future__ import annotations

import pytest

from kg.extract.build import About
from kg.extract.clauses import Discourse, Salient, of_no_person
from kg.model import EntityName

CORRAN, ADA, ORR = (About(EntityName(name)) for name in ("Corran Light", "Ada Wren", "Orr Light"))


def test_the_subject_before_is_taken_up() -> None:
    discourse = Discourse()
    discourse.about(Salient(CORRAN))
    assert discourse.pronoun("it") == (CORRAN, "subject before")


@pytest.mark.parametrize(
    ("word", "subject"),
    [
        ("they", Salient(CORRAN)),
        ("it", Salient(ADA, person=True)),
        ("he", Salient(CORRAN, person=False)),
        ("it", Salient(CORRAN, plural=True)),
        ("it", Salient(CORRAN, alone=False)),
    ],
)
def test_what_does_not_agree_is_not(word: str, subject: Salient) -> None:
    discourse = Discourse()
    discourse.about(subject)
    assert discourse.pronoun(word) is None


def test_behind_what_was_not_read_only_the_section_s_thing_is() -> None:
    discourse = Discourse()
    discourse.paragraph(CORRAN, "light")
    discourse.about(Salient(CORRAN))
    discourse.about(None)
    assert discourse.pronoun("it") == (CORRAN, "section")
    discourse.about(Salient(ADA))
    discourse.about(None)
    assert discourse.pronoun("it") is None


def test_the_noun_that_one_thing_was_called_by() -> None:
    discourse = Discourse()
    discourse.paragraph(CORRAN, "light")
    assert discourse.definite("light") == (CORRAN, "heading") and discourse.definite("tower") is None
    discourse.called("tower", CORRAN)
    assert discourse.definite("tower") == (CORRAN, "called")
    discourse.called("tower", ORR)
    assert discourse.definite("tower") is None


def test_another_section_begins_anew() -> None:
    discourse = Discourse()
    discourse.paragraph(CORRAN, "light")
    discourse.called("tower", CORRAN)
    discourse.paragraph(ORR, "light")
    assert discourse.definite("tower") is None and discourse.pronoun("it") is None


@pytest.mark.parametrize("noun", ["house", "lamp", "bridge", "museum", "mill"])
def test_nouns_of_things_name_no_person(noun: str) -> None:
    assert of_no_person(noun)


@pytest.mark.parametrize("noun", ["engineer", "keeper", "poet", "ceo", "pianist", "trustee", "grandson", "historian"])
def test_nouns_of_those_who_act_or_belong_may(noun: str) -> None:
    assert not of_no_person(noun)


def test_a_noun_of_things_that_ends_like_one_of_persons_leaves_it_open() -> None:
    discourse = Discourse()
    discourse.called("tower", CORRAN, named=True)
    assert discourse.person("Corran Light") is None
    discourse.called("lighthouse", CORRAN, named=True)
    assert discourse.person("Corran Light") is False
    assert discourse.person("Orr Light") is None


def test_what_a_name_ends_with_tells_nothing_of_persons() -> None:
    discourse = Discourse()
    discourse.called("light", CORRAN)
    assert discourse.person("Corran Light") is None


@pytest.mark.parametrize("word", ["he", "she"])
def test_a_thing_is_no_he(word: str) -> None:
    discourse = Discourse()
    discourse.about(Salient(CORRAN, person=False))
    assert discourse.pronoun(word) is None and discourse.pronoun("it") == (CORRAN, "subject before")

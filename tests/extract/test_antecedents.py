from __future__ import annotations

import pytest

from kg.extract.antecedents import Discourse, Salient
from kg.extract.build import About
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

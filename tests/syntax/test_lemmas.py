from __future__ import annotations

import pytest

from kg.syntax.lemmas import base, third_person

WORDS = frozenset(
    [
        "base",
        "stop",
        "carry",
        "orbit",
        "pass",
        "move",
        "open",
        "use",
        "name",
        "control",
        "travel",
        "agree",
        "exceed",
        "need",
        "see",
        "free",
        "die",
        "play",
        "fix",
        "set",
    ]
)


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("based", "base"),
        ("need", "need"),
        ("needed", "need"),
        ("exceed", "exceed"),
        ("exceeded", "exceed"),
        ("agreed", "agree"),
        ("stopped", "stop"),
        ("carries", "carry"),
        ("carried", "carry"),
        ("orbiting", "orbit"),
        ("passes", "pass"),
        ("moving", "move"),
        ("opened", "open"),
        ("uses", "use"),
        ("named", "name"),
        ("Controlled", "control"),
        ("agreed", "agree"),
        ("won", "win"),
        ("wrote", "write"),
        ("dying", "die"),
        ("was", "be"),
        ("fixes", "fix"),
    ],
)
def test_the_base_of_a_form(form: str, verb: str) -> None:
    assert base(form, WORDS.__contains__) == verb


def test_a_verb_that_no_vocabulary_has_is_taken_back_by_its_form() -> None:
    nothing = frozenset[str]().__contains__
    assert [base(form, nothing) for form in ("glimbed", "trelling", "vops")] == ["glimb", "trell", "vop"]


@pytest.mark.parametrize(
    ("verb", "form"),
    [("orbit", "orbits"), ("carry", "carries"), ("play", "plays"), ("pass", "passes"), ("have", "has"), ("go", "goes")],
)
def test_the_form_of_labels(verb: str, form: str) -> None:
    assert third_person(verb) == form

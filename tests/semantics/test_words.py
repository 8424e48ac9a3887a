"""Words: tokens, nearness by WordNet, grades of adjectives, names linked to a graph."""

from __future__ import annotations

import pytest

from kg.semantics.denote import holds
from kg.semantics.graph import ordinal
from kg.semantics.lexicon import similarity
from kg.semantics.naming import local_name
from kg.semantics.operators import bounds_at
from kg.text.question_words import graded
from kg.text.tokens import tokens, words
from kg.text.wordnet import lemmas, relatedness, synonyms
from tests.semantics.world import dated, graph, parser


def test_tokens_part_possessives_and_fold() -> None:
    assert [t.text for t in tokens("The Heron's tonnage, in 1,200 U.S. tons?")] == [
        "the", "heron", "'s", "tonnage", ",", "in", "1,200", "u.s", "tons",
    ]  # fmt: skip
    assert words("São_Tomé-and Co.") == ("sao", "tome", "and", "co")


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("tall", "height", 0.8),
        ("kid", "child", 0.9),
        ("faith", "religion", 0.9),
        ("build", "builder", 0.6),
        ("ships", "ship", 1),
    ],
)
def test_near_words(one: str, other: str, least: float) -> None:
    assert relatedness(one, other) >= least
    assert relatedness(one, other) == relatedness(other, one)


@pytest.mark.parametrize(("one", "other"), [("river", "tax"), ("xyzzy", "ship"), ("green", "tonnage")])
def test_words_that_are_not_near(one: str, other: str) -> None:
    assert relatedness(one, other) == 0


def test_base_forms() -> None:
    assert "city" in lemmas("cities")
    assert "write" in lemmas("wrote")
    assert lemmas("qwertyish") == ("qwertyish",)


def test_names_that_dictionaries_hold_for_the_same() -> None:
    assert "united states" in synonyms("usa")
    assert synonyms("qwerty uiop") == ()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("longest", ("long", "est")),
        ("bigger", ("big", "er")),
        ("heaviest", ("heavy", "est")),
        ("largest", ("large", "est")),
        ("most", ("many", "est")),
        ("west", None),
        ("harvest", None),
        ("ship", None),
        ("river", None),
    ],
)
def test_grades(word: str, expected: tuple[str, str] | None) -> None:
    assert graded(word) == expected


def test_numbers_and_dates() -> None:
    assert [(e, b.value) for e, b in bounds_at(("$", "1.5", "million"), 0)] == [(3, 1_500_000)]
    assert [b.value for _, b in bounds_at(("1,200",), 0)] == [1200]
    assert [(b.date, b.text) for _, b in bounds_at(("2019",), 0)] == [(True, "2019"), (False, "2019")]
    assert [(e, b.text) for e, b in bounds_at(("march", "2020"), 0)] == [(2, "2020-03")]
    assert list(bounds_at(("ship",), 0)) == []


def test_a_year_stands_for_its_days() -> None:
    day = ordinal("2011-12-31")
    assert day is not None
    assert holds(day, "=", dated("2011"))
    assert holds(day, "=", dated("december", "2011"))
    assert not holds(day, ">", dated("2011"))
    assert holds(day + 1, ">", dated("2011"))
    assert holds(day, ">=", dated("2011"))
    assert holds(day, "<=", dated("2011"))
    assert not holds(day, "<", dated("2011"))
    assert not holds(day, "!=", dated("2011"))


@pytest.mark.parametrize("text", ["2011-13-01", "hello", "2011-02-30", ""])
def test_what_is_no_date(text: str) -> None:
    assert ordinal(text) is None


def test_names_from_iris() -> None:
    assert local_name("http://example.com/x#hasPolicyHolder") == "has Policy Holder"
    assert local_name("http://example.com/Black_Swan/") == "Black Swan"


def test_similar_names() -> None:
    assert similarity(("launch", "date"), ("launch", "date")) == 1
    assert similarity(("launched",), ("launch", "date")) > 0.5
    assert similarity(("date",), ("launch", "date")) > 0.5
    assert similarity(("tonnage",), ("launch", "date")) == 0
    assert similarity((), ("launch", "date")) == 0


def test_things_are_found_by_other_forms_of_their_names() -> None:
    lexicon, known = parser().lexicon, graph()

    def named(*span: str) -> list[str]:
        return [known.name(i) for n in lexicon.things(span) or lexicon.likely_things(span) for i in n.ids]

    assert named("heron") == ["Heron"]
    assert named("amber", "sea") == ["Amber Sea"]
    assert named("ospray") == ["Osprey"]
    assert named("larkin") == ["Bo Larkin"]
    assert named("veldportian") == ["Veldport"]
    assert named("zanzibar") == []
    assert lexicon.near_names("oskarhavn") == ("oskarhaven",)


def test_a_comma_behind_a_date_is_none_of_it() -> None:
    assert {end for end, bound in bounds_at(("1", "april", "2023", ",", "and"), 0) if bound.date} == {3}

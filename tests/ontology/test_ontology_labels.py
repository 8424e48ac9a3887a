"""Labels in one form, whatever their number, case and wording; names of a label; marked examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadOntology
from kg.ontology import label_from_iri, normalise_label, parse_example, singular
from kg.ontology.terms import names


@pytest.mark.parametrize(
    "same",
    [
        [
            "Number of GPUs",
            "GPU count",
            "gpuCount",
            "GPU Counts",
            "# of GPUs",
            "#GPUs",
            "no. of gpus",
            "the total number of GPUs",
            "NUMBER OF GPUS",
        ],
        ["data centre", "Data-Center", "data_centres", "Data centers"],
        ["keeper's box", "keeper boxes", "the Keeper Box"],
        ["organisation", "Organizations"],
        ["battery", "batteries"],
        ["people", "person", "Persons"],
        ["movie", "movies"],
        ["cache", "caches"],
        ["status", "STATUS"],
    ],
)
def test_same_normal_form(same: list[str]) -> None:
    assert len({normalise_label(text) for text in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lamp", "lamp count"),
        ("no lamps", "lamp count"),
        ("C", "C++"),
        ("GPT-3", "GPT-3.5"),
        ("news", "new"),
        ("height", "weight"),
    ],
)
def test_different_normal_forms(one: str, other: str) -> None:
    assert normalise_label(one) != normalise_label(other)


@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=30)
    | st.from_regex(r"((number of|the|no\.|#|count of) ){0,2}[A-Za-z]{1,9}(s|ies|es)?( count)?", fullmatch=True)
)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_label(text)
    assert normalise_label(once) == once


def test_singular_keeps_what_only_looks_plural() -> None:
    assert [singular(w) for w in ("bus", "glass", "analysis", "series", "dns", "campus")] == [
        "bus",
        "glass",
        "analysis",
        "series",
        "dns",
        "campus",
    ]


def test_names_of_a_label() -> None:
    assert names("has catastrophe") == ("has catastrophe", "catastrophe")
    assert names("height (m)") == ("height m", "height")
    assert label_from_iri("http://e/New_York", keep_case=True) == "New York"
    assert label_from_iri("http://e/") == "e"


def test_examples_give_offsets() -> None:
    example = parse_example("In {object:1901} {subject:Bo} came.")
    assert example.text == "In 1901 Bo came."
    assert (example.text[slice(*example.subject)], example.text[slice(*example.object)]) == ("Bo", "1901")
    with pytest.raises(BadOntology):
        parse_example("{subject:A} met {subject:B} and {object:C}.")

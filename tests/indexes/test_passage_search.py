"""Passages for a text: ranking by what they hold, and links of names between them, on invented documents."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.evaluation.retrieval import Collection, collect, texts
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.passage_search import PassageSearch

CORPUS = [
    ("Velmora Light", "Velmora Light is a lighthouse on the Skarn coast. It was designed by Ottilie Brandvik."),
    ("Ottilie Brandvik", "Ottilie Brandvik was an engineer. She was born in the harbour town of Quillhaven."),
    ("Quillhaven", "Quillhaven is a harbour town with two shipyards and a school of navigation."),
    ("Tern Rock Light", "Tern Rock Light is a lighthouse on the Skarn coast. It was designed by Anders Holt."),
    ("Anders Holt", "Anders Holt was an engineer and painted ships in his last years."),
    ("Colza oil", "Colza oil was burned in lamps before petroleum came into use."),
    ("Herring", "Herring are fished off the coast in autumn and smoked over alder."),
    ("School of navigation", "The school of navigation teaches pilots the use of the sextant."),
]


@pytest.fixture(scope="module")
def library() -> Collection:
    entries = [{"id": title, "title": title, "text": text} for title, text in CORPUS]
    return collect(entries, OnnxEncoder())


def found(library: Collection, question: str, limit: int = 8) -> list[str]:
    hits = PassageSearch(library.passages, library.indexes).search(question, limit)
    return texts(hits, library.source)


def test_the_passage_that_states_it_comes_first(library: Collection) -> None:
    assert found(library, "What was burned in lamps before petroleum?")[0] == "Colza oil"


def test_who_is_named_by_the_best_passage_is_raised(library: Collection) -> None:
    question = "Where was the person born who designed Velmora Light?"
    assert found(library, question, 3)[:2] == ["Velmora Light", "Ottilie Brandvik"]


def test_links_raise_no_passage_above_the_one_that_names_it(library: Collection) -> None:
    for title, _ in CORPUS:
        assert found(library, f"What is {title}?")[0] == title


def test_scores_fall_and_nothing_comes_twice(library: Collection) -> None:
    hits = PassageSearch(library.passages, library.indexes).search("lighthouse on the coast", 20)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert len({h.id for h in hits}) == len(hits) <= len(library.passages)


@pytest.mark.parametrize(("text", "limit"), [("", 5), ("   ", 5), ("lighthouse", 0)])
def test_nothing_is_found_for_nothing(library: Collection, text: str, limit: int) -> None:
    assert PassageSearch(library.passages, library.indexes).search(text, limit) == []


def test_words_that_occur_nowhere_are_answered_by_meaning_alone(library: Collection) -> None:
    assert len(found(library, "zzyzx qwrtp", 3)) == 3


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60), st.integers(1, 12))
def test_any_text_gives_at_most_the_limit_in_a_fixed_order(library: Collection, text: str, limit: int) -> None:
    search = PassageSearch(library.passages, library.indexes)
    hits = search.search(text, limit)
    assert len(hits) <= limit
    assert hits == search.search(text, limit)
    assert hits == sorted(hits, key=lambda h: (-h.score, h.id))

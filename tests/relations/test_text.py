"""Words and places, labels found in sentences, labels written as data sets write them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.evaluation.relations.align import aligned, date_spans, key, spans_of, unmangled
from benchmarks.evaluation.relations.canonical import Stated, formatted, learn, squashed
from kg.indexes.embedding import model_folder
from kg.relations.encoding import MOST_PIECES, WIDEST, Relation, Words, encode, enumerate_spans, places
from kg.syntax.parser import padded, tokenizer


def said(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_a_relation_without_types_is_about_things():
    assert Relation("k", "keeper").texts == ("keeper", "keeper", "thing", "thing")
    assert Relation("k", "keeper", "who keeps it", "light", "person").texts[1] == "keeper: who keeps it"


def test_words_know_what_they_cover():
    words = Words.of("Holm Light's keeper, Ada Wren")
    assert words.cover((0, 10)) == (0, 1)
    assert words.cover((21, 29)) == (5, 6)
    assert words.cover((29, 40)) is None


@given(st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_words_are_in_order_and_apart(text):
    spans = Words.of(text).spans
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(text[start:end].strip() for start, end in spans)


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_every_candidate_is_a_stretch_of_its_text(text):
    encoded = encode(text, tokenizer(model_folder()))
    if encoded.size:
        for first, last in enumerate_spans(encoded):
            start, end = encoded.span(int(first), int(last))
            assert 0 <= start < end <= len(text)
            assert last - first < WIDEST


def test_long_texts_are_cut_and_places_beyond_left_out():
    text = "lamp " * 300
    encoded = encode(text, tokenizer(model_folder()))
    assert len(encoded.ids) == MOST_PIECES
    assert encoded.ids[-1] == 102  # the closing piece stays
    assert places([(0, 4), (1400, 1404)], encoded) == [(0, 0)]


def test_padding():
    assert padded([np.array([1, 2]), np.array([3])]).tolist() == [[1, 2], [3, 0]]


@pytest.mark.parametrize(
    ("label", "text", "found"),
    [
        ("Holm Light", "The holm light, and Holm  Light.", ["holm light", "Holm  Light"]),
        ("Frak !", "Frak! is a game", ["Frak!"]),
        ("Holm Light (tower)", "Holm Light stands", ["Holm Light"]),
        ("Ann Cole", "Ann Beth Cole (born 1950) wrote", ["Ann Beth Cole"]),
        ("01 January 2010", "released in 2010 and 2011", ["2010"]),
        ("03 May 2010", "in 2010, on 3 May 2010", ["3 May 2010"]),
        ("Nowhere", "Holm Light stands", []),
        ("", "Holm Light stands", []),
    ],
)
def test_where_a_label_is_said(label, text, found):
    assert said(text, aligned(Words.of(text), label)) == found


def test_mangled_text_is_matched_and_put_right():
    assert unmangled("MÃ©xico") == "México"
    assert unmangled("México") == "México"
    assert said("in MÃ©xico now", spans_of(Words.of("in MÃ©xico now"), "México")) == ["MÃ©xico"]


def test_only_dates_have_date_spans():
    assert date_spans(Words.of("in 2010"), "2010 census") == ()
    assert key("A_b C") == "abc"


def test_labels_are_written_as_learned():
    stated = [
        Stated("Oz came out in 1990.", "released", "Oz", "01 January 1990"),
        Stated("Uz came out on 3 May 1991.", "released", "Uz", "03 May 1991"),
        Stated("Ann Beth Cole (born 1950) is a long distance runner.", "job", "Ann Cole", "long-distance runner"),
    ]
    learned = learn(stated)
    text = "Mia Jo Reed (born 2 June 1970) was a Long-distance runners' coach in 2001."
    assert learned.dates == {"released": "long"}
    assert learned.label(text, (text.index("2001"), text.index("2001") + 4), "released", "object") == "01 January 2001"
    assert learned.label(text, (13, 17), "released", "object") == "born"
    assert learned.label(text, (0, 11), "job", "subject") == "Mia Reed"
    start = text.index("Long")
    assert learned.label(text, (start, start + len("Long-distance runners")), "job", "object") == "long-distance runner"


def test_middle_names_go_as_the_labels_have_it():
    near = Stated("Ann Beth Cole (born 1950) is a runner.", "job", "Ann Cole", "runner")
    far = Stated('Tom "Tug" Jay Hale, OBE (Welsh: Twm; born 3 May 1950) is a runner.', "job", "Tom Hale", "runner")
    kept = Stated("The Moving Light (1946) is a novel.", "genre", "The Moving Light", "novel")
    text = "Mia Jo Ruth Reed, MBE (Danish: [mia]) (born 1970) was a runner, and Bo Lee Voss ran."
    assert learn([near]).label(text, (0, 16), "job", "subject") == "Mia Jo Ruth Reed"
    assert learn([near, far]).label(text, (0, 16), "job", "subject") == "Mia Reed"
    assert learn([near, far]).label(text, (68, 79), "job", "subject") == "Bo Lee Voss"
    assert learn([kept]).label("Ann Beth Cole (born 1950) is", (0, 13), "job", "subject") == "Ann Beth Cole"
    assert learn([near, far]).label("Lights of the North (1950) is", (0, 19), "job", "subject") == "Lights of the North"


def test_nothing_learned_leaves_labels_as_they_are():
    learned = learn([])
    assert learned.label("“Oz” came out in 1990", (17, 21), "released", "object") == "1990"
    assert learned.label("“Oz” came out", (0, 4), "released", "subject") == "Oz"


def test_date_formats():
    assert formatted("2010-05-03", "year") == "2010"
    assert formatted("2010-05", "long") == "01 May 2010"
    assert squashed("U.S. states") == squashed("us state")

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text.sentence_spans import spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. Elsa Bright met Mr. Fox in the U.S.", "The lamp (see Fig. 3) ran for 3.5 h.", "No. 5 stayed dark."],
        ["Was there oil?", "No.", "It was gone."],
        ["He paid 3.5 million vs. 4.1 million, e.g. for Oil Inc. Next of Ness.", "Then more..."],
        ["They sold it to Harbour Lamps Inc.", "The rest stayed."],
        ["GPT-3.5 and v1.2.3 are names.", "Version 2.", "In 1871.", "2 lamps were left."],
        [
            'She said: "We began. We ended."',
            'Then "Go!" he cried.',
            '"Stop now."',
            "He left (at 5 p.m. on a Sunday. Late.).",
        ],
        [
            "J. R. R. Moe wrote it.",
            "It was plan B.",
            "It failed.",
            "Smith et al. found out.",
            "So did Moe et al.",
            "The rest slept.",
        ],
        ["1. First comes oil.", "Second comes gas. [2]", "Third comes light.[3][4]", "Fourth… and more…", "Fifth"],
        ["(All of it burnt.", "Every bit.)", "Then rain."],
        ["Baked in May.", "Sold on Mar. 3, 1871 at St. Ives approx. Noon.", "Dark!"],
        ["“Curly is one.", "Curly is two.”", "Final."],
        ["灯塔很高。", "它很亮！", "Yes."],
        ["A line break ends one", "whatever. comes next"],
        ["See https://a.example/b.c?d=e. f for more.", "**Bold** begins.", "[Link] begins."],
        ["It rose by 5%.", "$3 was left.", "#4 too."],
        ["Etc. is short, i.e. The end and cf. Moe, etc.", "They agreed."],
    ],
)
def test_sentences_are_these(parts: list[str]) -> None:
    by = "\n" if parts[0].startswith("A line break") else " "
    assert sentences(by.join(parts)) == parts


def test_nothing_in_nothing() -> None:
    assert spans("") == [] == spans(" \n\t ")


def test_no_boundary_before_a_small_letter() -> None:
    assert sentences("It grew to approx. 3 m. and then it stopped") == ["It grew to approx. 3 m. and then it stopped"]


def test_long_runs_of_stops_and_brackets_take_linear_time() -> None:
    for run in (".", ". ", '"a. ', "(A. ", "[1] ", "A.\n", "…", " ", "A. B. ", "?!"):
        assert spans("x" + run * 100_000)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("Aab1.!?…\"'“”()[] \n。,")))
def test_spans_are_trimmed_in_order_and_cover_the_text(text: str) -> None:
    found = spans(text)
    at = 0
    for start, end in found:
        assert at <= start < end
        assert not text[at:start].strip() and text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


def test_openings_begin_sentences_in_small_letters() -> None:
    text = "Orr is a mill. quern is a stone, e.g. granite."
    assert spans(text) == [(0, len(text))]
    assert spans(text, {15, 38}) == [(0, 14), (15, len(text))]

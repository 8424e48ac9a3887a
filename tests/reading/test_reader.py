from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import ModelUnavailable
from kg.reading import MODEL_FILE, SHIPPED, UNITS_FILE, Reader, Reading, Span

TEXT = (
    "Corran Light\nCorran Light was built by Ada Wren in 1901. It has forty lamps and stands on Skerry Point. "
    "The keepers left in 1978, when the lamps were made to run by themselves."
)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def reading(
    starts: list[float], ends: list[float], inside: list[float] | None = None, words: list[int] | None = None
) -> Reading:
    size = len(starts)
    offsets = np.array([(2 * n, 2 * n + 1) for n in range(size)])
    covers, of_word = np.array(inside or [-9.0] * size), np.array(words or range(size))
    return Reading(np.array(starts), np.array(ends), covers, 1.0, offsets, of_word, 0.0, (0, 0, 0))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built Corran Light?", "Ada Wren"),
        ("When was Corran Light built?", "1901"),
        ("How many lamps does it have?", "forty"),
        ("Where does Corran Light stand?", "Skerry Point"),
    ],
)
def test_the_packaged_reader_finds_what_a_text_says(reader: Reader, question: str, answer: str) -> None:
    (found,) = reader.read(question, [TEXT])
    best = found.spans(1)[0]
    assert answer in TEXT[best.start : best.end]
    assert len(TEXT[best.start : best.end]) <= len(answer) + 12


def test_a_text_is_read_the_same_in_any_company(reader: Reader) -> None:
    alone = reader.read("Who built it?", [TEXT])[0]
    among = reader.read("Who built it?", ["Nothing.", TEXT, "Another text, a little longer than nothing."])[1]
    assert (alone.starts == among.starts).all()
    assert (alone.inside == among.inside).all()
    assert (alone.answers, alone.polar) == (among.answers, among.polar)


def test_units_are_ranked_by_the_folders_own_weights_else_the_packages(reader: Reader, tmp_path: Path) -> None:
    for file in SHIPPED.iterdir():
        if file.name != UNITS_FILE:
            (tmp_path / file.name).symlink_to(file)
    assert Reader(tmp_path).ranker == reader.ranker and "start" in reader.ranker.weights
    own = {"constant": 0.5, "threshold": 0.0, "weights": {"start": [1.0, 2.0, 3.0]}}
    (tmp_path / UNITS_FILE).write_text(json.dumps(own), encoding="utf-8")
    assert Reader(tmp_path).ranker.odds({"start": 3.0, "unheard": 9.0}) == 3.5


def test_texts_that_cannot_be_read_whole_are_read_as_far_as_they_can(reader: Reader) -> None:
    for text in ("", "\ud800", "word " * 3000):
        (found,) = reader.read("What \ud800 is it?", [text])
        assert all(0 <= s.start < s.end <= len(text) for s in found.spans(3))


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=12), st.integers(1, 4))
def test_the_first_span_is_the_best_of_all_and_none_overlap(logits: list[tuple[float, float]], most: int) -> None:
    starts, ends = [a for a, _ in logits], [b for _, b in logits]
    found = reading(starts, ends).spans(most)
    every = [starts[i] + ends[j] - 1.0 for i in range(len(starts)) for j in range(i, len(starts))]
    assert found[0].score == pytest.approx(max(every))
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
    assert len(found) <= most
    assert all(a.end <= b.start or b.end <= a.start for a in found for b in found if a is not b)


def test_segments_are_the_stretches_that_are_likely_enough() -> None:
    found = reading([0] * 5, [0] * 5, [3.0, 2.0, -3.0, -1.0, 4.0]).segments(0.5)
    assert found == [Span(0, 3, 2.5), Span(8, 9, 4.0)]
    assert reading([0], [0], [-1.0]).segments(0.5) == []


def test_no_word_is_cut() -> None:
    pieces = reading([0, 5, 0], [0, 5, 0], [-3.0, 3.0, 3.0], words=[0, 0, 1])
    assert pieces.spans(1) == [Span(0, 3, 4.0)]  # the best piece by itself is a part of a word
    assert pieces.segments(0.6) == [Span(4, 5, 3.0)]  # the first word's pieces belong to the answer by half


def test_a_stretch_is_scored_as_the_tokens_that_it_covers() -> None:
    assert reading([1, 5, 0], [0, 2, 4]).score(2, 5) == Span(2, 5, 8.0)
    assert reading([1, 5, 0], [0, 2, 4]).score(90, 95) is None


def test_a_folder_without_a_reader_or_with_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no reader in"):
        Reader(tmp_path / "none")
    shutil.copytree(SHIPPED, tmp_path / "other")
    with (tmp_path / "other" / MODEL_FILE).open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelUnavailable, match="is not the file that it was"):
        Reader(tmp_path / "other")

"""Question sets → examples: every span stands where its answer is written."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.reader.data import columns, headed, qamr, records, said, squad, strangers, table_example, tables

MILL = "The Corran Mill was built in 1888 by Ada Wren."
PRESS = "The mill was printed about in Kiel, where Emil Rust led the press."
HEAD = ["Ship", "Yard", "Launched"]
ROWS = [["Aurora", "Kiel", "1901"], ["Borealis", "Gdansk", "1907"], ["Calypso", "Kiel", ""], ["Dione", "Leith", "1912"]]


def record(context: str, question: str, answer: str | None, **more: str) -> dict[str, Any]:
    answers = [{"text": answer, "start": context.index(answer)}] if answer else []
    return {"context": context, "question": question, "answers": answers, **more}


def written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + "\n", encoding="utf-8")
    return file


def shelf(folder: Path, head: list[str], rows: list[list[str]], asked: list[tuple[str, list[str]]]) -> Path:
    (folder / "tables").mkdir()
    with (folder / "tables" / "ships.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
    lines = [{"table": "ships", "question": question, "answers": answers} for question, answers in asked]
    written(folder / "train.jsonl", lines)
    return folder


def test_squad_answers_stand_in_the_text_below_its_title_or_without_one(tmp_path: Path) -> None:
    rows = [
        record(MILL, "Who built the mill?", "Ada Wren", article="Corran_Mill"),
        record(MILL, "Who burnt the mill?", None, article="Corran_Mill"),
    ]
    found = [e for seed in range(20) for e in squad(written(tmp_path / "s.jsonl", rows), random.Random(seed))]
    assert {e.text for e in found} == {MILL, f"Corran Mill\n{MILL}"}
    assert {e.text[s:t] for e in found for s, t in e.spans} == {"Ada Wren"}
    assert {(e.question, len(e.spans)) for e in found} == {("Who built the mill?", 1), ("Who burnt the mill?", 0)}


def test_qamr_takes_the_answer_marked_first(tmp_path: Path) -> None:
    row = record(MILL, "When was it built?", "1888")
    row["answers"].append({"text": "in 1888", "start": MILL.index("in 1888")})
    (example,) = qamr(written(tmp_path / "q.jsonl", [row]))
    assert [example.text[s:e] for s, e in example.spans] == ["1888"]
    assert (example.source, example.polar, example.several) == ("qamr", "", False)


def test_blank_lines_are_no_records(tmp_path: Path) -> None:
    assert records(written(tmp_path / "r.jsonl", [{"a": 1}])) == [{"a": 1}]


def test_a_stranger_is_of_the_same_article_and_lacks_the_answer() -> None:
    rows = [
        record(MILL, "Who built the mill?", "Ada Wren", article="Mill"),
        record(PRESS, "Who led the press of the mill?", "Emil Rust", article="Mill"),
        record("Ada Wren was born in Leith.", "Where was she born?", "Leith", article="Mill"),
        record("Fog is wet.", "What is wet?", "Fog", article="Fog"),
    ]
    found = {e.question: e for e in strangers("squad", rows, "article", 10, 1)}
    assert found["Who built the mill?"].text == PRESS  # the third text holds the answer
    assert "What is wet?" not in found  # nothing else is written about it
    assert all(e.spans == () and e.source == "squad-stranger" for e in found.values())


def test_strangers_of_sentences_are_of_the_same_text() -> None:
    rows = [
        record(MILL, "Who built it?", "Ada Wren", sentence="wiki:one:1:2"),
        record(PRESS, "Who led it?", "Emil Rust", sentence="wiki:one:7:1"),
        record("Fog is wet.", "What is wet?", "Fog", sentence="wiki:two:1:1"),
    ]
    assert {e.text for e in strangers("qamr", rows, "sentence", 10, 1)} == {MILL, PRESS}
    assert len(strangers("qamr", rows, "sentence", 1, 1)) == 1


def test_tables_give_the_cells_that_answer(tmp_path: Path) -> None:
    asked = [
        ("where was the Borealis built?", ["gdansk"]),
        ("which ships came first and last?", ["Aurora", "Dione"]),
        ("what was built in Kiel?", ["Kiel"]),  # two cells say it
        ("how many ships are there?", ["4"]),  # no cell says it
    ]
    one, two = tables(shelf(tmp_path, HEAD, ROWS, asked), 900)
    assert [one.text[s:e] for s, e in one.spans] == ["Gdansk"] and not one.several
    assert [two.text[s:e] for s, e in two.spans] == ["Aurora", "Dione"] and two.several
    assert one.text.splitlines()[2] == "Ship: Calypso; Yard: Kiel"


def test_of_a_long_table_the_rows_about_the_answer_are_read_if_the_question_names_a_cell_of_its_row() -> None:
    rows = [[f"Ship{n}", f"Yard{n}", str(1900 + n)] for n in range(60)]
    example = table_example("where was Ship40 built?", HEAD, rows, ["Yard40"], 200)
    assert example is not None and [example.text[s:e] for s, e in example.spans] == ["Yard40"]
    assert len(example.text) <= 200 and example.text.count("\n") == 3
    assert table_example("where was the last one built?", HEAD, rows, ["Yard40"], 200) is None


def test_columns_ask_for_all_cells_or_those_of_some_rows(tmp_path: Path) -> None:
    folder = shelf(tmp_path, HEAD, ROWS, [("?", ["Kiel"])])
    found = [e for seed in range(60) for e in columns(folder, 1, seed)]
    answers = {e.question: [e.text[s:t] for s, t in e.spans] for e in found}
    assert len(answers) > 3
    cells = {cell for row in ROWS for cell in row}
    for example, values in ((e, [e.text[s:t] for s, t in e.spans]) for e in found):
        assert values and set(values) <= cells and example.several == (len(values) > 1)
    listed = next(e for e in found if e.text.startswith("Ship:\n"))
    assert [listed.text[s:t] for s, t in listed.spans] == listed.text.splitlines()[1:]


def test_columns_of_tables_that_are_not_trained_on_are_not_read(tmp_path: Path) -> None:
    folder = shelf(tmp_path, HEAD, ROWS, [])
    assert columns(folder, 5, 1) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=6), max_size=4), st.lists(st.lists(st.text(max_size=6), max_size=5), max_size=5))
def test_said_places_every_cell_that_has_something(head: list[str], rows: list[list[str]]) -> None:
    text, cells = said(head, rows)
    assert [value for value, _ in cells] == [v for row in rows for _, v in zip(head, row, strict=False) if v.strip()]
    assert all(text[start:end] == value for value, (start, end) in cells)
    ends = [0, *(end for _, (_, end) in cells)]
    assert all(before <= start for before, (_, (start, _)) in zip(ends, cells, strict=False))


@settings(max_examples=50, deadline=None)
@given(st.text(), st.text(), st.data())
def test_headed_moves_spans_with_the_text(title: str, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    whole, ((first, last),) = headed(title, text, [(start, end)])
    assert whole[first:last] == text[start:end]
    assert whole == (f"{title}\n{text}" if title else text)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_gives_the_same_examples(tmp_path: Path, seed: int) -> None:
    folder = shelf(tmp_path, HEAD, ROWS, [("?", ["Kiel"])])
    assert columns(folder, 1, seed) == columns(folder, 1, seed)

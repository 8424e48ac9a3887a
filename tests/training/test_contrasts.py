"""Examples that differ from an answered one in one name or cell."""

from __future__ import annotations

from pathlib import Path

from training.reader.contrasts import claimed_cells, swapped

ROWS = [
    {"article": "Tarn", "context": "Ada Wren built the Corran Light in 1901.", "question": "When did Ada Wren build?",
     "answers": [{"text": "1901", "start": 36}]},
    {"article": "Tarn", "context": "Marten Osk owned the Ivory Clock.", "question": "What did Marten Osk own?",
     "answers": [{"text": "the Ivory Clock", "start": 17}]},
]  # fmt: skip


def test_a_name_that_the_text_lacks_is_put_in_place_of_its_own() -> None:
    found = {example.question: example for example in swapped(ROWS, 10, 1)}
    assert set(found) == {"When did Marten Osk build?", "What did Ada Wren own?"}
    assert all(e.spans == () and not e.polar for e in found.values())
    assert found["What did Ada Wren own?"].text.endswith("Marten Osk owned the Ivory Clock.")


def test_without_another_name_of_the_article_there_is_none() -> None:
    assert swapped(ROWS[:1], 10, 1) == []


def test_claims_on_cells_are_true_false_or_of_a_row_that_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    lines = ["Boat,Berths,Built", *(f"Boat {n}x,{n + 40},{1890 + n}" for n in range(9))]
    (tmp_path / "tables" / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "train.jsonl").write_text('{"table": "t"}\n', encoding="utf-8")
    cells = {value for line in lines[1:] for value in line.split(",")}
    found = claimed_cells(tmp_path, 60, 3)
    assert {e.polar for e in found} == {"yes", "no", "unsaid"}
    for example in found:
        told = [example.text[start:end] for start, end in example.spans]
        assert len(told) == (0 if example.polar == "unsaid" else 1) and set(told) <= cells
        if example.polar == "yes":
            assert told[0].casefold() in example.question.casefold()
        if example.polar == "no":
            assert f" {told[0]} " not in f" {example.question.rstrip('?')} ".replace(":", " ")

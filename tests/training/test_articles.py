"""Question sets made of public data."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.evaluation.questions import load_questions
from training.judge.articles import articles, hops, write

MILL = {"article": "Mills", "context": "Ada Wren built the mill."}


def test_articles_have_each_paragraph_once_and_questions_their_answers() -> None:
    lines = [
        MILL | {"id": "1", "question": "Who built it?", "answers": [{"text": "Ada Wren"}, {"text": "Wren."}]},
        MILL | {"id": "2", "question": "Who burnt it?", "answers": []},
    ]
    texts, asked = articles(lines)
    assert texts == {"Mills": "# Mills\n\nAda Wren built the mill."}
    assert [(q["type"], q["answers"]) for q in asked] == [
        ("factoid-entity", [["Ada Wren", "Wren"]]),
        ("unanswerable", []),
    ]


def test_paragraphs_of_several_steps_stand_under_their_titles(tmp_path: Path) -> None:
    hotpot = [
        {"_id": "a", "question": "Is it tall?", "answer": "yes", "context": [["Mill", ["It is tall.", " Very."]]]}
    ]
    musique = [
        {
            "id": "b", "question": "Where is it?", "answer": "Orra", "answer_aliases": ["Lake Orra"],
            "paragraphs": [{"title": "Mill", "paragraph_text": "It stands at Orra."}],
        }
    ]  # fmt: skip
    (tmp_path / "hotpotqa_train.json").write_text(json.dumps(hotpot), encoding="utf-8")
    (tmp_path / "musique_train.json").write_text(json.dumps(musique), encoding="utf-8")
    texts, asked = hops(tmp_path)
    assert texts == {"Mill": "# Mill\n\nIt is tall. Very.\n\nIt stands at Orra."}
    assert [(q["type"], q["answers"]) for q in asked] == [
        ("boolean", [["yes"]]),
        ("factoid-entity", [["Orra", "Lake Orra"]]),
    ]


def test_a_written_set_can_be_asked(tmp_path: Path) -> None:
    texts, asked = articles([MILL | {"id": "1", "question": "Who built it?", "answers": [{"text": "Ada Wren"}]}])
    write(tmp_path, texts, asked)
    assert (tmp_path / "documents" / "0000-Mills.md").read_text(
        encoding="utf-8"
    ) == "# Mills\n\nAda Wren built the mill.\n"
    assert load_questions(tmp_path / "questions.jsonl") == asked

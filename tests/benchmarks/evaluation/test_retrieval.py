"""Recall at k over a folder of texts and questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.evaluation.retrieval import load, recall, run
from kg.errors import BadInput

TEXTS = [
    {"id": "a", "title": "Rye bread", "text": "Rye bread is baked with sourdough at the Korvin bakery."},
    {"id": "b", "title": "Korvin bakery", "text": "The Korvin bakery was opened by Mira Dole in 1904."},
    {"id": "c", "title": "Beech", "text": "Beech wood heats ovens evenly."},
]


def folder(path: Path, questions: list[dict[str, object]]) -> Path:
    (path / "corpus.jsonl").write_text("".join(json.dumps(t) + "\n" for t in TEXTS), encoding="utf-8")
    (path / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions), encoding="utf-8")
    return path


def test_the_three_rankings_are_measured_in_one_run(tmp_path: Path) -> None:
    asked = [
        {"id": "1", "question": "What heats ovens evenly?", "gold": ["c"]},
        {"id": "2", "question": "Who opened the bakery that bakes rye bread?", "gold": ["a", "b"], "answers": ["Mira"]},
    ]
    said: list[str] = []
    run(folder(tmp_path, asked), tmp_path / "out.json", said.append)
    figures = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert set(figures) == {f"{system}_recall@{k}" for system in ("bm25", "dense", "ours") for k in (1, 2, 5, 10)}
    assert figures["ours_recall@1"] == 0.75
    assert figures["ours_recall@2"] == figures["ours_recall@10"] == 1.0
    assert said[-1].split()[:2] == ["bm25_recall@1", str(figures["bm25_recall@1"])]


@pytest.mark.parametrize(
    ("ranking", "gold", "depth", "share"),
    [("abc", "a", 1, 1.0), ("abc", "ac", 2, 0.5), ("abc", "xy", 3, 0.0), ("", "a", 5, 0.0), ("ab", "ab", 1, 0.5)],
)
def test_recall_is_the_share_of_the_gold_texts(ranking: str, gold: str, depth: int, share: float) -> None:
    assert recall(list(ranking), frozenset(gold), depth) == share


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"id": "1", "question": "?", "gold": ["nowhere"]}, "question 1 has no gold texts"),
        ({"id": "1", "question": "?", "gold": []}, "question 1 has no gold texts"),
        ({"id": "1", "gold": ["a"]}, "needs the fields id, question, gold"),
    ],
)
def test_questions_that_cannot_be_scored_are_refused(tmp_path: Path, question: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said.replace("?", r"\?")):
        load(folder(tmp_path, [question]))


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"corpus\.jsonl can't be read"):
        load(tmp_path)

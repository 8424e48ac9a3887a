"""TAT-QA's scores and the evaluation of a file in its layout, on an invented context."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evaluation.tatqa import load, run
from benchmarks.evaluation.tatqa_score import is_number, normal, number, score
from kg.errors import BadInput


@pytest.mark.parametrize(
    ("gold", "gold_scale", "given", "scale", "exact"),
    [
        (["-31.4"], "million", ["-31.40"], "million", True),
        (["-31.4"], "million", ["-31.4"], "thousand", False),
        (["41.35"], "percent", ["0.4135"], "", True),
        (["41.35"], "percent", ["41.3549"], "percent", True),
        (["15.5%"], "", ["15.5"], "percent", True),
        (["$2,871.5"], "million", ["2,871.5"], "million", True),
        (["The blue door."], "", ["blue door"], "", True),
        (["2019", "2018"], "", ["2018", "2019"], "", True),
        (["2019", "2018"], "", ["2018"], "", False),
        (["3"], "", [], "", False),
    ],
)
def test_exact(gold: list[str], gold_scale: str, given: list[str], scale: str, exact: bool) -> None:
    assert score(gold, gold_scale, given, scale, halves=True)[0] is exact


def test_f1_is_of_sets_of_words() -> None:
    assert score(["the old blue door"], "", ["blue door"], "", halves=True) == (False, 0.8)
    assert score(["12"], "", ["13"], "", halves=False) == (False, 0.0)


def test_numbers() -> None:
    assert number("$1.5 million") == 1_500_000
    assert number("(271)") == -271
    assert number("12%") == 0.12
    assert number("none") is None
    assert is_number("$1,200") and is_number("3 million") and not is_number("3 boats") and not is_number("boats")
    assert normal("A Boat, the 1,200 oars") == "boat 1200.0 oars"


def entry() -> dict[str, Any]:
    def asked(uid: str, question: str, answer: Any, kind: str, scale: str, source: str = "table") -> dict[str, Any]:
        return {
            "uid": uid,
            "question": question,
            "answer": answer,
            "answer_type": kind,
            "answer_from": source,
            "scale": scale,
        }

    return {
        "table": {"uid": "t1", "table": [["(in millions)", "2021", "2020"], ["Honey", "14", "10"], ["Wax", "3", "2"]]},
        "paragraphs": [{"uid": "p1", "order": 1, "text": "Wax rose because of the candle fair."}],
        "questions": [
            asked("q1", "What is the change in honey from 2020 to 2021?", 4, "arithmetic", "million"),
            asked("q2", "What was the wax in 2020?", ["2"], "span", "million"),
            asked("q3", "Why did wax rise?", ["because of the candle fair"], "span", "", "text"),
            asked("q4", "What was the wax in 2021?", ["9"], "span", "million"),
        ],
    }


def test_run(tmp_path: Path) -> None:
    file, figures, errors = tmp_path / "in.json", tmp_path / "figures.json", tmp_path / "errors.jsonl"
    file.write_text(json.dumps([entry()]))
    said: list[str] = []
    run(file, "all", figures, errors, said.append)
    found = json.loads(figures.read_text())
    assert found["span_text_exact"] == 1.0
    assert (found["questions"], found["span_table_questions"], found["arithmetic_questions"]) == (4, 2, 1)
    assert found["exact"] == (4 - len(errors.read_text().splitlines())) / 4
    pairs = said[-1].split()
    assert dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True)) == found
    wrong = {one["uid"]: one for one in map(json.loads, errors.read_text().splitlines())}
    assert wrong["q4"]["gold"] == ["9"] and "q3" not in wrong


def test_halves_share_the_contexts(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    entries = [entry() | {"table": {"uid": str(n), "table": [["", "2021"], ["Wax", "3"]]}} for n in range(9)]
    file.write_text(json.dumps(entries))
    even, odd = load(file, "even"), load(file, "odd")
    assert even and odd and len(even) + len(odd) == 9


@pytest.mark.parametrize("text", ["{", "{}", '[{"table": {}}]'])
def test_files_of_another_layout(tmp_path: Path, text: str) -> None:
    file = tmp_path / "in.json"
    file.write_text(text)
    with pytest.raises(BadInput):
        load(file)
